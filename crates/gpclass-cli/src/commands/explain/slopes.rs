//! Slopes and odds ratios of models that are mostly linear.

use crate::error::CliError;
use crate::show::grid::{Align, grid};
use crate::show::printable::name;
use gpclass::classifier::Classifier;
use gpclass::data::ClassNames;
use gpclass::explain::{Change, Slope, Slopes, slopes};

/// Coverage of the intervals.
const LEVEL: f64 = 0.95;

pub fn of(classifier: &Classifier) -> Result<Option<Slopes>, CliError> {
    Ok(slopes(&classifier.together(), classifier.encoder(), LEVEL)?)
}

/// A table, of several classes one for each.
pub fn text(slopes: &Slopes, classes: &ClassNames) -> String {
    let mut text = format!(
        "Slopes of the linear models, which have {:.0} % of the weight: what a change of one column, all else equal, does to the \
         latent value\n",
        100.0 * slopes.weight
    );
    for (function, own) in slopes.functions.iter().enumerate() {
        if slopes.functions.len() > 1 {
            text += &format!("  of {}, less the mean of all classes\n", name(&classes.names()[function]));
        }
        text += &table(own, slopes.level);
    }
    text
}

fn table(slopes: &[Slope], level: f64) -> String {
    let band = |(low, high): (f64, f64)| format!("{low:.3} to {high:.3}");
    let row = |slope: &Slope| {
        let change = match &slope.change {
            Change::By(amount) => format!("+{amount:.4}"),
            Change::Level { to, from } => format!("{} to {}", name(from), name(to)),
        };
        let mut cells = vec![name(&slope.column), change, format!("{:+.3}", slope.mean), band(slope.interval)];
        if let (Some(ratio), Some(interval)) = (slope.odds_ratio, slope.odds_interval) {
            cells.extend([format!("{ratio:.3}"), band(interval)]);
        }
        cells
    };
    let rows: Vec<Vec<String>> = slopes.iter().map(row).collect();
    let interval = format!("{:.0} % interval", 100.0 * level);
    let mut header = vec!["column", "change", "latent", interval.as_str()];
    if slopes.iter().any(|slope| slope.odds_ratio.is_some()) {
        header.extend(["odds ratio", interval.as_str()]);
    }
    let align = [Align::Left, Align::Left, Align::Right, Align::Left, Align::Right, Align::Left];
    grid(&header, &align, &rows)
}
