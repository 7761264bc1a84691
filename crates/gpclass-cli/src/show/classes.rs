//! How several classes fare: each of them, and which are taken for which.

use super::grid::{Align, grid};
use super::printable::{name, printable, shortened};
use super::summary::more;
use gpclass::data::ClassNames;
use gpclass::evaluate::{ClassDetails, Confusion, Estimate};

/// Classes that a list shows.
const SHOWN_CLASSES: usize = 30;
/// Most classes whose confusion matrix is shown; of more the largest confusions are.
const MATRIX_CLASSES: usize = 12;
/// Confusions that a list shows.
const SHOWN_CONFUSIONS: usize = 12;
/// Width of a page on which a matrix must fit.
const PAGE: usize = 100;
/// Longest name beside a row of a matrix, and least above a column.
const ROW_NAME: usize = 16;
const COLUMN_NAME: usize = 4;

/// A table with a line for every class.
pub fn class_table(classes: &ClassNames, details: &ClassDetails) -> String {
    let optional = |e: Option<Estimate>| e.map_or_else(|| "-".to_owned(), |e| format!("{:.3}", e.value));
    let line = |(class, scores): (&String, &gpclass::evaluate::ClassScores)| {
        let mut cells = vec![name(class), scores.rows.to_string()];
        cells.extend([scores.precision, scores.recall, scores.f_measure, scores.auc].map(optional));
        cells
    };
    let lines: Vec<Vec<String>> = classes.names().iter().zip(&details.each).take(SHOWN_CLASSES).map(line).collect();
    let mut align = vec![Align::Left];
    align.extend([Align::Right; 5]);
    grid(&["class", "rows", "precision", "recall", "F", "AUC"], &align, &lines) + &more(classes.len(), SHOWN_CLASSES)
}

/// Which classes were called what: the heading and the matrix, or of many classes the pairs that were confused most.
pub fn confusion_text(classes: &ClassNames, confusion: &Confusion) -> (&'static str, String) {
    if classes.len() <= MATRIX_CLASSES {
        ("Confusion: a line for every label, a column for every class that was predicted", matrix(classes, confusion))
    } else {
        ("Largest confusions", largest(classes, confusion))
    }
}

fn matrix(classes: &ClassNames, confusion: &Confusion) -> String {
    let printed: Vec<_> = classes.names().iter().map(|class| printable(class)).collect();
    let width = ((PAGE - ROW_NAME) / classes.len()).saturating_sub(3).max(COLUMN_NAME);
    let columns: Vec<String> = printed.iter().map(|class| shortened(class, width)).collect();
    let line = |label| {
        let weights = confusion.of_label(label).iter().map(|&weight| shown_weight(weight));
        let mut cells = vec![shortened(&printed[label.position()], ROW_NAME)];
        cells.extend(weights);
        cells
    };
    let mut header = vec![""];
    header.extend(columns.iter().map(String::as_str));
    let mut align = vec![Align::Left];
    align.extend(vec![Align::Right; classes.len()]);
    grid(&header, &align, &confusion.classes().map(line).collect::<Vec<_>>())
}

fn largest(classes: &ClassNames, confusion: &Confusion) -> String {
    let pairs = confused(classes, confusion);
    if pairs.is_empty() {
        return "  none\n".to_owned();
    }
    let line = |pair: &Confused| vec![name(&pair.label), name(&pair.predicted), shown_weight(pair.rows)];
    let lines: Vec<Vec<String>> = pairs.iter().take(SHOWN_CONFUSIONS).map(line).collect();
    grid(&["label", "predicted", "rows"], &[Align::Left, Align::Left, Align::Right], &lines)
        + &more(pairs.len(), SHOWN_CONFUSIONS)
}

/// Rows of one class that were called another.
struct Confused {
    label: String,
    predicted: String,
    rows: f64,
}

/// Every pair that was confused, most rows first.
fn confused(classes: &ClassNames, confusion: &Confusion) -> Vec<Confused> {
    let pairs = confusion.classes().flat_map(|label| confusion.classes().map(move |called| (label, called)));
    let pair = |(label, called)| Confused {
        label: classes.name(label).to_owned(),
        predicted: classes.name(called).to_owned(),
        rows: confusion.at(label, called),
    };
    let mut pairs: Vec<Confused> =
        pairs.filter(|(label, called)| label != called && confusion.at(*label, *called) > 0.0).map(pair).collect();
    pairs.sort_by(|a, b| b.rows.total_cmp(&a.rows));
    pairs
}

/// A number of rows, or of their weights; nothing catches the eye where there are none.
fn shown_weight(weight: f64) -> String {
    match weight {
        0.0 => ".".to_owned(),
        w if w.fract() == 0.0 => format!("{w:.0}"),
        w => format!("{w:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confusion(counts: &[&[f64]]) -> Confusion {
        Confusion::try_from(counts.iter().map(|row| row.to_vec()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_few_classes_are_a_matrix_and_many_a_list() {
        let names = ClassNames::new(["a", "b\u{1b}", "c"]).unwrap();
        let (heading, text) =
            confusion_text(&names, &confusion(&[&[2.0, 0.0, 0.5], &[0.0, 7.0, 0.0], &[1.0, 0.0, 30.0]]));
        assert!(heading.starts_with("Confusion"));
        assert_eq!(
            text,
            "           a  b\\u{1b}    c\n  a        2        .  0.5\n  b\\u{1b}  .        7    .\n  c        1        .   30\n"
        );
        let many: Vec<String> = (0..13).map(|class| format!("k{class}")).collect();
        let names = ClassNames::new(many).unwrap();
        let mut counts = vec![vec![0.0; 13]; 13];
        assert_eq!(confusion_text(&names, &Confusion::try_from(counts.clone()).unwrap()).1, "  none\n");
        (counts[3][4], counts[12][0], counts[5][5]) = (1.0, 2.0, 9.0);
        let (heading, text) = confusion_text(&names, &Confusion::try_from(counts).unwrap());
        assert_eq!(heading, "Largest confusions");
        assert_eq!(text, "  label  predicted  rows\n  k12    k0            2\n  k3     k4            1\n");
    }
}
