//! Lists of rows whose labels look wrong.

use super::grid::{Align, grid};
use super::printable::name;
use gpclass_report::Suspect;

/// What a reader finds a row by: its line, or its number from 1.
fn place_of(suspect: &Suspect) -> String {
    suspect.line.map_or_else(|| suspect.row.to_string(), |line| line.to_string())
}

/// As a table; of several classes with the probability of the suggested one.
pub fn suspects_grid(suspects: &[Suspect]) -> String {
    let place = if suspects.iter().all(|s| s.line.is_some()) { "line" } else { "row" };
    let cells = |s: &Suspect| {
        let probability = |p: f64| format!("{p:.3}");
        let mut cells = vec![place_of(s), name(&s.label), name(&s.suggested), probability(s.probability)];
        cells.extend(s.suggested_probability.map(probability));
        cells.push(probability(s.label_probability));
        cells
    };
    let mut header = vec![place, "label", "rather", "P(wrong)", "P(label | other rows)"];
    if suspects.iter().any(|suspect| suspect.suggested_probability.is_some()) {
        header.insert(4, "P(rather)");
    }
    let align = [Align::Right, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right];
    grid(&header, &align, &suspects.iter().map(cells).collect::<Vec<_>>())
}
