//! What one feature does to the probabilities of the classes.

use crate::args::ExplainArgs;
use crate::error::CliError;
use crate::show::grid::{Align, bar, grid};
use crate::show::printable::{name, printable, shortened};
use gpclass::classifier::Classifier;
use gpclass::data::{Class, ClassNames, Quoted, nearest_name};
use gpclass::explain::{EffectCurve, EffectOptions, FeatureValue, effect_curves};
use serde::{Serialize, Serializer};

const BAR_WIDTH: usize = 30;
/// Classes that a table has columns for; of more those that the feature moves most.
const COLUMNS: usize = 8;
/// Longest name above a column.
const COLUMN_NAME: usize = 9;

/// Effects on the probabilities of some classes: for every feature one effect on each. Programs get one list of all.
pub struct Effects {
    of_feature: Vec<Vec<Effect>>,
}

impl Serialize for Effects {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.of_feature.iter().flatten())
    }
}

/// The effect of a feature on the probability of a class.
#[derive(Serialize)]
struct Effect {
    /// Told where it is not understood, as that of the positive one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip)]
    of: String,
    #[serde(flatten)]
    curve: EffectCurve,
}

impl Effects {
    pub fn of(args: &ExplainArgs, classifier: &Classifier, features: &[usize]) -> Result<Self, CliError> {
        let names = classifier.classes();
        let classes: Vec<Class> = match &args.class {
            Some(class) => vec![known(class, names)?],
            None if names.len() == 2 => vec![Class::POSITIVE],
            None => names.classes().collect(),
        };
        let told = args.class.is_some() || names.len() > 2;
        let mut of_feature: Vec<Vec<Effect>> = features.iter().map(|_| Vec::new()).collect();
        for class in classes {
            let options = EffectOptions { grid: usize::from(args.points), class, ..EffectOptions::default() };
            let curves = effect_curves(classifier.fitted(), classifier.encoder(), features, &options)?;
            let of = names.name(class).to_owned();
            for (effects, curve) in of_feature.iter_mut().zip(curves) {
                effects.push(Effect { class: told.then(|| of.clone()), of: of.clone(), curve });
            }
        }
        Ok(Effects { of_feature })
    }

    /// A table for every feature.
    pub fn text(&self) -> String {
        let table = |effects: &Vec<Effect>| match effects.as_slice() {
            [] => String::new(),
            [effect] => format!(
                "Effect of {}
{}",
                name(&effect.curve.feature),
                effect.text()
            ),
            [first, ..] => format!(
                "Effect of {}
{}",
                name(&first.curve.feature),
                side_by_side(effects)
            ),
        };
        self.of_feature.iter().map(table).collect()
    }
}

fn known(class: &str, names: &ClassNames) -> Result<Class, CliError> {
    names.class(class).ok_or_else(|| {
        let nearest = nearest_name(class, names.names().iter().map(String::as_str));
        let advice = nearest.map_or_else(
            || format!("it knows {} classes, such as {}", names.len(), Quoted(&names.names()[0])),
            |nearest| format!("did you mean {}?", Quoted(nearest)),
        );
        CliError::user(format!("the model has no class {} (--class); {advice}", Quoted(class)))
    })
}

fn shown_value(value: &FeatureValue) -> String {
    match value {
        FeatureValue::Number(number) => format!("{number:.4}"),
        FeatureValue::Category(category) => name(category),
    }
}

impl Effect {
    fn text(&self) -> String {
        let rows = self.curve.points.iter().map(|p| {
            let band = format!("{:.3}-{:.3}", p.low, p.high);
            vec![shown_value(&p.value), format!("{:.3}", p.probability), band, bar(p.probability, BAR_WIDTH)]
        });
        let align = [Align::Right, Align::Right, Align::Left, Align::Left];
        let (class, band) = (format!("P({})", name(&self.of)), format!("{:.0} % band", 100.0 * self.curve.level));
        grid(&["value", &class, &band, ""], &align, &rows.collect::<Vec<_>>())
    }

    /// How far the feature moves the probability.
    fn reach(&self) -> f64 {
        let probabilities = || self.curve.points.iter().map(|point| point.probability);
        probabilities().fold(f64::NEG_INFINITY, f64::max) - probabilities().fold(f64::INFINITY, f64::min)
    }
}

/// The probabilities of several classes, a column for each.
fn side_by_side(effects: &[Effect]) -> String {
    let mut by_reach: Vec<usize> = (0..effects.len()).collect();
    by_reach.sort_by(|&a, &b| effects[b].reach().total_cmp(&effects[a].reach()));
    let mut shown: Vec<usize> = by_reach.into_iter().take(COLUMNS).collect();
    shown.sort_unstable();
    let titles: Vec<String> =
        shown.iter().map(|&at| format!("P({})", shortened(&printable(&effects[at].of), COLUMN_NAME))).collect();
    let header: Vec<&str> = std::iter::once("value").chain(titles.iter().map(String::as_str)).collect();
    let row = |point: usize| {
        let mut cells = vec![shown_value(&effects[0].curve.points[point].value)];
        cells.extend(shown.iter().map(|&at| format!("{:.3}", effects[at].curve.points[point].probability)));
        cells
    };
    let rows: Vec<Vec<String>> = (0..effects[0].curve.points.len()).map(row).collect();
    let mut text = grid(&header, &vec![Align::Right; header.len()], &rows);
    if effects.len() > shown.len() {
        let hidden = effects.len() - shown.len();
        text += &format!("  and {hidden} classes that it moves less; choose one with --class\n");
    }
    text
}
