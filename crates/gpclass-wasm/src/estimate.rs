//! What a fit will take, said before it begins.

use crate::choices::Choices;
use crate::labelled::Labelled;
use crate::limits::MEMORY;
use crate::problem::{GB, Problem};
use gpclass::data::{ColumnKind, ColumnValues};
use gpclass::learn::{Cost, FitNote, Size};
use serde::Serialize;

/// A fit before it begins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Rows to learn from.
    pub rows: usize,
    /// The columns to learn from, and as what they are read.
    pub features: Vec<(String, &'static str)>,
    /// The classes with their rows, in the order of the probabilities: of two, the positive one is the second.
    pub classes: Vec<(String, usize)>,
    /// Seconds, to within a factor of two or so.
    pub seconds: f64,
    /// Bytes of memory.
    pub bytes: f64,
    /// How many rows are learned from, where that is not all at once.
    pub way: Option<String>,
    /// Remarks on the columns.
    pub notes: Vec<String>,
}

impl Estimate {
    /// Of the fit of a table, on a machine on which a [trial](Cost::trial) takes `trial` seconds.
    pub fn of(bytes: Vec<u8>, name: &str, choices: &Choices, trial: f64) -> Result<Estimate, Problem> {
        let data = Labelled::read(bytes, name, choices)?;
        let labels = data.classes(choices)?;
        let cost = affordable(&data, choices)?;
        let options = choices.spec().fit;
        let size = Size::of_table(&data.table, &data.labels);
        let counted = labels.classes().classes().map(|class| {
            let rows = labels.as_slice().iter().filter(|own| **own == class).count();
            (labels.classes().name(class).to_owned(), rows)
        });
        Ok(Estimate {
            rows: data.table.rows(),
            features: data.table.columns().iter().map(|c| (c.name.clone(), kind(&c.values))).collect(),
            classes: counted.collect(),
            seconds: cost.seconds_by_trial(trial),
            bytes: cost.bytes,
            way: FitNote::of_many_rows(&options, &size).map(|way| way.to_string()),
            notes: data.notes,
        })
    }
}

fn kind(values: &ColumnValues) -> &'static str {
    match values.kind() {
        ColumnKind::Continuous => "numbers",
        ColumnKind::Discrete => "categories",
        ColumnKind::Date => "dates",
    }
}

/// What a fit takes, unless that is more memory than there is.
pub(crate) fn affordable(data: &Labelled, choices: &Choices) -> Result<Cost, Problem> {
    let cost = Cost::of_fit(&Size::of_table(&data.table, &data.labels), &choices.spec().fit, Some(MEMORY));
    if cost.bytes > MEMORY {
        return Err(Problem::Memory { needed: cost.bytes / GB, rows: cost.rows, within: cost.rows_within(MEMORY) });
    }
    Ok(cost)
}
