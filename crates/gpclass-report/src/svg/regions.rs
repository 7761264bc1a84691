//! Where one of several fields on a grid leads the others, and the borders between them. Cells that are cut are halved
//! into triangles around their centres, on which every field is flat: the regions then fill the plane without a gap.

use super::marks::line_path;

/// Values of several fields at the points of a grid of equal columns and rows, placed on the canvas by a function of the
/// indices.
pub(crate) struct Fields<'a> {
    pub columns: usize,
    pub rows: usize,
    /// How many there are.
    pub fields: usize,
    /// The value of a field at column i of row j, point `j * columns + i`.
    pub value: &'a dyn Fn(usize, usize) -> f64,
    pub place: &'a dyn Fn(f64, f64) -> (f64, f64),
}

/// Values that differ by less are equal: what is left of a difference where a triangle was cut at its zero.
const EQUAL: f64 = 1e-9;

/// A corner or a cut of a cell: grid coordinates and the values of all fields.
#[derive(Clone)]
struct Vertex {
    x: f64,
    y: f64,
    values: Vec<f64>,
}

impl Vertex {
    /// The weighted mean of vertices.
    fn between(parts: &[(&Vertex, f64)]) -> Vertex {
        let mean = |of: &dyn Fn(&Vertex) -> f64| parts.iter().map(|(vertex, weight)| weight * of(vertex)).sum();
        let fields = parts.first().map_or(0, |(vertex, _)| vertex.values.len());
        Vertex { x: mean(&|v| v.x), y: mean(&|v| v.y), values: (0..fields).map(|d| mean(&|v| v.values[d])).collect() }
    }

    /// By how much a field is above another.
    fn above(&self, field: usize, other: usize) -> f64 {
        self.values[field] - self.values[other]
    }
}

impl Fields<'_> {
    /// The path of the area where a field is at least `lead` above every other. Runs of whole cells are one rectangle.
    pub fn area(&self, field: usize, lead: f64) -> String {
        let leads: Vec<f64> = (0..self.columns * self.rows).map(|point| self.lead(point, field)).collect();
        let is_whole = |i: usize, j: usize| self.corner_points(i, j).iter().all(|&point| leads[point] >= lead);
        let mut d = String::new();
        for j in 0..self.rows.saturating_sub(1) {
            let mut i = 0;
            while i + 1 < self.columns {
                let run = (i..self.columns - 1).take_while(|&c| is_whole(c, j)).count();
                if run > 0 {
                    let corners = [(i, j), (i + run, j), (i + run, j + 1), (i, j + 1)];
                    d += &self.closed(&corners.map(|(i, j)| (i as f64, j as f64)));
                    i += run;
                } else {
                    for part in self.parts(i, j, field, lead) {
                        d += &self.closed(&part.iter().map(|v| (v.x, v.y)).collect::<Vec<_>>());
                    }
                    i += 1;
                }
            }
        }
        d
    }

    /// The path of the lines on which two fields are equal and above all others.
    pub fn borders(&self) -> String {
        let mut d = String::new();
        for (i, j) in (0..self.rows.saturating_sub(1)).flat_map(|j| (0..self.columns - 1).map(move |i| (i, j))) {
            let leaders = self.corner_points(i, j).map(|point| self.leader(point));
            if leaders.iter().all(|leader| *leader == leaders[0]) {
                continue;
            }
            for field in 0..self.fields {
                for part in self.parts(i, j, field, 0.0) {
                    d += &self.edges_with_later(&part, field);
                }
            }
        }
        d
    }

    /// The field of the largest value at a point, the first of equals.
    pub fn leader(&self, point: usize) -> usize {
        let better = |best: usize, next: usize| if self.at(point, next) > self.at(point, best) { next } else { best };
        (0..self.fields).reduce(better).unwrap_or(0)
    }

    /// For every field the grid point deepest inside its largest region; none where it leads nowhere.
    pub fn middles(&self) -> Vec<Option<(usize, usize)>> {
        let depths = self.depths();
        let mut middles: Vec<Option<usize>> = vec![None; self.fields];
        for (point, &depth) in depths.iter().enumerate() {
            let best = &mut middles[self.leader(point)];
            if best.is_none_or(|best| depths[best] < depth) {
                *best = Some(point);
            }
        }
        middles.into_iter().map(|point| point.map(|point| (point % self.columns, point / self.columns))).collect()
    }

    /// How many steps every point is away from a point of another region or the outside.
    fn depths(&self) -> Vec<usize> {
        let leaders: Vec<usize> = (0..self.columns * self.rows).map(|point| self.leader(point)).collect();
        let mut depths = vec![1; leaders.len()];
        for depth in 1..self.columns.max(self.rows) {
            let inside = |point: &usize| {
                let (i, j) = (point % self.columns, point / self.columns);
                let inner = i > 0 && j > 0 && i + 1 < self.columns && j + 1 < self.rows;
                let around = |p: usize| [p - 1, p + 1, p - self.columns, p + self.columns];
                inner && around(*point).iter().all(|&p| leaders[p] == leaders[*point] && depths[p] >= depth)
            };
            let deeper: Vec<usize> = (0..leaders.len()).filter(|&p| depths[p] == depth).filter(inside).collect();
            if deeper.is_empty() {
                break;
            }
            deeper.into_iter().for_each(|point| depths[point] = depth + 1);
        }
        depths
    }

    fn at(&self, point: usize, field: usize) -> f64 {
        (self.value)(point, field)
    }

    /// By how much a field is above the best of the others.
    fn lead(&self, point: usize, field: usize) -> f64 {
        let others = (0..self.fields).filter(|&other| other != field).map(|other| self.at(point, other));
        self.at(point, field) - others.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The corners in order around the cell.
    fn corner_points(&self, i: usize, j: usize) -> [usize; 4] {
        [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| j * self.columns + i)
    }

    /// The parts of a cell where a field is at least `lead` above every other.
    fn parts(&self, i: usize, j: usize, field: usize, lead: f64) -> Vec<Vec<Vertex>> {
        let points = self.corner_points(i, j);
        let is_behind = |other: usize| points.iter().all(|&p| self.at(p, field) - self.at(p, other) < lead);
        if (0..self.fields).any(|other| other != field && is_behind(other)) {
            return Vec::new();
        }
        let corners = points.map(|point| Vertex {
            x: (point % self.columns) as f64,
            y: (point / self.columns) as f64,
            values: (0..self.fields).map(|field| self.at(point, field)).collect(),
        });
        let centre = Vertex::between(&corners.each_ref().map(|corner| (corner, 0.25)));
        let triangles = (0..4).map(|k| vec![corners[k].clone(), corners[(k + 1) % 4].clone(), centre.clone()]);
        let others = || (0..self.fields).filter(|&other| other != field);
        let parts = triangles.map(|triangle| others().fold(triangle, |part, other| clipped(part, field, other, lead)));
        parts.filter(|part| part.len() > 2).collect()
    }

    /// The edges of a part on which its field equals a later one.
    fn edges_with_later(&self, part: &[Vertex], field: usize) -> String {
        let mut d = String::new();
        for (k, from) in part.iter().enumerate() {
            let to = &part[(k + 1) % part.len()];
            let equal = |other: usize| [from, to].iter().all(|v| v.above(field, other).abs() < EQUAL);
            if (field + 1..self.fields).any(equal) {
                d += &line_path(&[from, to].map(|v| (self.place)(v.x, v.y)));
            }
        }
        d
    }

    fn closed(&self, corners: &[(f64, f64)]) -> String {
        line_path(&corners.iter().map(|&(x, y)| (self.place)(x, y)).collect::<Vec<_>>()) + "Z"
    }
}

/// The part of a polygon where a field is at least `lead` above another (Sutherland and Hodgman 1974).
fn clipped(polygon: Vec<Vertex>, field: usize, other: usize, lead: f64) -> Vec<Vertex> {
    let spare = |v: &Vertex| v.above(field, other) - lead;
    if polygon.iter().all(|v| spare(v) >= 0.0) {
        return polygon;
    }
    let mut kept = Vec::with_capacity(polygon.len() + 2);
    for (k, from) in polygon.iter().enumerate() {
        let to = &polygon[(k + 1) % polygon.len()];
        let (here, there) = (spare(from), spare(to));
        if here >= 0.0 {
            kept.push(from.clone());
        }
        if (here >= 0.0) != (there >= 0.0) {
            let share = here / (here - there);
            kept.push(Vertex::between(&[(from, 1.0 - share), (to, share)]));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The total area of closed parts, by the shoelace formula.
    fn area(path: &str) -> f64 {
        let polygons = path.split('Z').filter(|part| !part.is_empty());
        let signed = polygons.map(|part| {
            let numbers: Vec<f64> = part[1..].split(' ').map(|n| n.parse().unwrap()).collect();
            let points: Vec<(f64, f64)> = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
            let next = |k: usize| points[(k + 1) % points.len()];
            points.iter().enumerate().map(|(k, &(x, y))| 0.5 * (x * next(k).1 - next(k).0 * y)).sum::<f64>().abs()
        });
        signed.sum()
    }

    /// Three fields that fall with the distance from their own places.
    fn with_three(test: impl Fn(&Fields<'_>)) {
        let places = [(2.0, 3.0), (15.0, 4.0), (9.0, 17.0)];
        let value = |point: usize, field: usize| {
            let (x, y): (f64, f64) = places[field];
            (-0.03 * ((point % 21) as f64 - x).hypot((point / 21) as f64 - y)).exp()
        };
        let place = |x: f64, y: f64| (100.0 * x, 100.0 * y);
        test(&Fields { columns: 21, rows: 21, fields: 3, value: &value, place: &place });
    }

    #[test]
    fn regions_fill_the_plane_without_gap_or_overlap() {
        with_three(|fields| {
            let total: f64 = (0..3).map(|field| area(&fields.area(field, 0.0))).sum();
            assert!((total / 4e6 - 1.0).abs() < 1e-4, "{total}");
        });
    }

    #[test]
    fn a_larger_lead_is_a_smaller_region() {
        with_three(|fields| {
            for field in 0..3 {
                let areas = [0.0, 0.1, 0.2, 0.9].map(|lead| area(&fields.area(field, lead)));
                assert!(areas[0] > areas[1] && areas[1] > areas[2] && areas[2] > 0.0, "{areas:?}");
                assert_eq!(areas[3], 0.0);
            }
        });
    }

    #[test]
    fn borders_are_where_two_fields_are_equally_far() {
        with_three(|fields| {
            let d = fields.borders();
            let numbers: Vec<f64> = d.split(['M', ' ']).filter_map(|n| n.parse().ok()).collect();
            assert!(numbers.len() > 100);
            for pair in numbers.chunks(2) {
                let far = |x: f64, y: f64| (pair[0] / 100.0 - x).hypot(pair[1] / 100.0 - y);
                let mut all = [far(2.0, 3.0), far(15.0, 4.0), far(9.0, 17.0)];
                all.sort_by(f64::total_cmp);
                assert!(all[1] - all[0] < 0.1, "{all:?}");
            }
        });
    }

    #[test]
    fn the_middle_of_a_region_is_inside_it() {
        with_three(|fields| {
            for (field, middle) in fields.middles().into_iter().enumerate() {
                let (i, j) = middle.unwrap();
                assert_eq!(fields.leader(j * 21 + i), field);
                assert!((3..18).contains(&i) && (3..18).contains(&j), "{i} {j}");
            }
        });
        let nowhere = |_: usize, field: usize| if field == 1 { 0.0 } else { 1.0 };
        let fields = Fields { columns: 3, rows: 3, fields: 2, value: &nowhere, place: &|x, y| (x, y) };
        assert_eq!(fields.middles(), [Some((1, 1)), None]);
    }
}
