//! The name a user probably meant.

/// Longer names are not compared: the table below is quadratic in the length, and nobody mistypes such a name.
const LONGEST_COMPARED: usize = 128;

/// The candidate closest to `wanted` in edit distance without regard to case, if it is close enough to be a slip:
/// at most one edit per three characters, and one edit for shorter names. Of equally near names, the first.
pub fn nearest_name<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(wanted)?;
    let allowed = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .filter_map(|name| Some((folded(name)?, name)))
        // The distance is at least the difference of the lengths, which costs nothing.
        .filter(|(other, _)| wanted.len().abs_diff(other.len()) <= allowed)
        .map(|(other, name)| (edit_distance(&wanted, &other), name))
        .filter(|&(distance, _)| distance <= allowed && distance < wanted.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

fn folded(name: &str) -> Option<Vec<char>> {
    let chars: Vec<char> = name.chars().take(LONGEST_COMPARED + 1).flat_map(char::to_lowercase).collect();
    (chars.len() <= LONGEST_COMPARED).then_some(chars)
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours cost one each.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> usize {
        edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn edit_distances_known_by_hand() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("lable", "label"), 1); // a swap
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn a_slip_is_recognised_and_an_unrelated_name_is_not() {
        let names = ["age", "sex", "blood_pressure"];
        assert_eq!(nearest_name("Age", names), Some("age"));
        assert_eq!(nearest_name("bloodpresure", names), Some("blood_pressure"));
        assert_eq!(nearest_name("height", names), None);
        assert_eq!(nearest_name("x", ["y"]), None);
        assert_eq!(nearest_name("x9", ["x1", "x2"]), Some("x1"));
        assert_eq!(nearest_name("", names), None);
        let long = "z".repeat(10_000_000);
        assert_eq!(nearest_name(&long, [long.as_str()]), None);
    }
}
