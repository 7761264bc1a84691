//! Level lines and filled level bands of values on a grid, by linear interpolation along the edges of its cells.

use super::marks::line_path;

/// Values at the points of a grid of equal columns and rows, placed on the canvas by two functions of the indices.
pub(crate) struct Grid<'a> {
    pub columns: usize,
    pub rows: usize,
    /// Row after row.
    pub values: &'a [f64],
    pub place: &'a dyn Fn(f64, f64) -> (f64, f64),
}

/// A corner or a cut of a cell: grid coordinates and value.
#[derive(Clone, Copy)]
struct Vertex {
    x: f64,
    y: f64,
    value: f64,
}

impl Grid<'_> {
    fn vertex(&self, i: usize, j: usize) -> Vertex {
        Vertex { x: i as f64, y: j as f64, value: self.values[j * self.columns + i] }
    }

    /// The corners in order around the cell.
    fn corners(&self, i: usize, j: usize) -> [Vertex; 4] {
        [self.vertex(i, j), self.vertex(i + 1, j), self.vertex(i + 1, j + 1), self.vertex(i, j + 1)]
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let (columns, rows) = (self.columns.saturating_sub(1), self.rows.saturating_sub(1));
        (0..rows).flat_map(move |j| (0..columns).map(move |i| (i, j)))
    }

    fn places(&self, polygon: &[Vertex]) -> Vec<(f64, f64)> {
        polygon.iter().map(|v| (self.place)(v.x, v.y)).collect()
    }
}

/// The path of the line on which the values are `level`.
pub(crate) fn contour_lines(grid: &Grid<'_>, level: f64) -> String {
    let mut d = String::new();
    for (i, j) in grid.cells() {
        let corners = grid.corners(i, j);
        let cuts: Vec<Vertex> = (0..4).filter_map(|k| crossing(corners[k], corners[(k + 1) % 4], level)).collect();
        match cuts.len() {
            2 => d += &line_path(&grid.places(&cuts)),
            4 => {
                // A saddle: the mean decides which corners are joined.
                let mean = corners.iter().map(|c| c.value).sum::<f64>() / 4.0;
                let shift = usize::from((mean >= level) == (corners[0].value >= level));
                let pairs = [[shift, 1 + shift], [2 + shift, (3 + shift) % 4]];
                pairs.iter().for_each(|pair| d += &line_path(&grid.places(&pair.map(|k| cuts[k]))));
            }
            _ => {}
        }
    }
    d
}

/// The path of the area where the values are in [low, high). Runs of whole cells are one rectangle.
pub(crate) fn filled_bands(grid: &Grid<'_>, low: f64, high: f64) -> String {
    let mut d = String::new();
    for j in 0..grid.rows.saturating_sub(1) {
        let mut i = 0;
        while i + 1 < grid.columns {
            let run = (i..grid.columns - 1).take_while(|&c| is_inside(&grid.corners(c, j), low, high)).count();
            if run > 0 {
                let whole = [(i, j), (i + run, j), (i + run, j + 1), (i, j + 1)].map(|(i, j)| grid.vertex(i, j));
                d += &closed(grid, &whole);
                i += run;
            } else {
                for part in simple_parts(grid.corners(i, j)) {
                    d += &closed(grid, &clipped(&clipped(&part, low, 1.0), high, -1.0));
                }
                i += 1;
            }
        }
    }
    d
}

fn is_inside(corners: &[Vertex; 4], low: f64, high: f64) -> bool {
    corners.iter().all(|c| c.value >= low && c.value < high)
}

/// The cell itself, or four triangles around its centre where opposite corners are both above the other two: every level
/// then cuts each part in one piece.
fn simple_parts(corners: [Vertex; 4]) -> Vec<Vec<Vertex>> {
    let [a, b, c, d] = corners.map(|corner| corner.value);
    if a.min(c) <= b.max(d) && b.min(d) <= a.max(c) {
        return vec![corners.to_vec()];
    }
    let centre = Vertex { x: corners[0].x + 0.5, y: corners[0].y + 0.5, value: (a + b + c + d) / 4.0 };
    (0..4).map(|k| vec![corners[k], corners[(k + 1) % 4], centre]).collect()
}

fn closed(grid: &Grid<'_>, polygon: &[Vertex]) -> String {
    if polygon.len() < 3 { String::new() } else { line_path(&grid.places(polygon)) + "Z" }
}

/// The part of a polygon where `side * (value - level)` is not negative (Sutherland and Hodgman 1974).
fn clipped(polygon: &[Vertex], level: f64, side: f64) -> Vec<Vertex> {
    let mut kept = Vec::with_capacity(polygon.len() + 2);
    for (k, &from) in polygon.iter().enumerate() {
        if side * (from.value - level) >= 0.0 {
            kept.push(from);
        }
        kept.extend(crossing(from, polygon[(k + 1) % polygon.len()], level));
    }
    kept
}

/// Where the level lies strictly between two vertices' values, or at the end that counts as above.
fn crossing(from: Vertex, to: Vertex, level: f64) -> Option<Vertex> {
    if (from.value >= level) == (to.value >= level) {
        return None;
    }
    let t = (level - from.value) / (to.value - from.value);
    Some(Vertex { x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y), value: level })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(path: &str) -> f64 {
        let polygon = |text: &str| {
            let numbers: Vec<f64> =
                text.split(['M', 'L', ' ', 'Z']).filter(|t| !t.is_empty()).map(|t| t.parse().unwrap()).collect();
            let points: Vec<(f64, f64)> = numbers.chunks(2).map(|p| (p[0], p[1])).collect();
            let next = points.iter().cycle().skip(1);
            (points.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>() / 2.0).abs()
        };
        path.split_inclusive('Z').map(polygon).sum()
    }

    #[test]
    fn bands_tile_the_grid() {
        let values: Vec<f64> = (0..49).map(|k| (0.5 + 0.5 * ((k * 7) as f64).sin()).min(0.999)).collect();
        let place = |x: f64, y: f64| (100.0 * x, 100.0 * y);
        let grid = Grid { columns: 7, rows: 7, values: &values, place: &place };
        let total: f64 = (0..10).map(|k| area(&filled_bands(&grid, k as f64 / 10.0, (k + 1) as f64 / 10.0))).sum();
        assert!((total / 360_000.0 - 1.0).abs() < 1e-4, "{total}");
    }

    #[test]
    fn the_contour_of_a_plane_is_straight() {
        let values: Vec<f64> = (0..9).map(|k| (k % 3) as f64).collect();
        let place = |x: f64, y: f64| (10.0 * x, 10.0 * y);
        let grid = Grid { columns: 3, rows: 3, values: &values, place: &place };
        assert_eq!(contour_lines(&grid, 0.25), "M2.5 0 2.5 10M2.5 10 2.5 20");
        assert_eq!(area(&filled_bands(&grid, 0.0, 0.5)), 100.0);
        assert_eq!(contour_lines(&grid, 5.0), "");
    }

    #[test]
    fn a_circle_is_found_at_its_radius() {
        let values: Vec<f64> = (0..441).map(|k| ((k % 21) as f64 - 10.0).hypot((k / 21) as f64 - 10.0)).collect();
        let place = |x: f64, y: f64| (10.0 * x, 10.0 * y);
        let grid = Grid { columns: 21, rows: 21, values: &values, place: &place };
        let inside = area(&filled_bands(&grid, -1.0, 6.0)) / 100.0;
        assert!((inside - std::f64::consts::PI * 36.0).abs() < 1.5, "{inside}");
    }
}
