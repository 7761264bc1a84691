//! What one feature does to the probabilities of the classes.

use crate::args::ExplainArgs;
use crate::error::CliError;
use crate::show::grid::{Align, bar, grid};
use crate::show::printable::{name, printable, shortened};
use gpclass::classifier::Classifier;
use gpclass::data::{Class, ClassNames, Quoted, nearest_name};
use gpclass::explain::{
    ClassEffect, ClassEffectPoint, EffectCurve, EffectOptions, FeatureValue, class_effect_curves_together,
    class_effects_together,
};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

const BAR_WIDTH: usize = 30;
/// Classes that a table has columns for; of more those that the feature moves most.
const COLUMNS: usize = 8;
/// Longest name above a column.
const COLUMN_NAME: usize = 9;

/// The effects of features.
pub enum Effects {
    /// On the probability of one class, with bands.
    One {
        class: String,
        /// Whether the class was asked for.
        asked: bool,
        curves: Vec<EffectCurve>,
    },
    /// On the probabilities of all classes.
    All { classes: ClassNames, effects: Vec<ClassEffect> },
}

impl Effects {
    pub fn of(args: &ExplainArgs, classifier: &Classifier, features: &[usize]) -> Result<Self, CliError> {
        let (classes, asked) = (classifier.classes(), args.class.is_some());
        let options = EffectOptions { grid: usize::from(args.points), ..EffectOptions::default() };
        let (models, encoder) = (classifier.together(), classifier.encoder());
        let class = match &args.class {
            Some(class) => known(class, classes)?,
            None if classes.len() == 2 => Class::POSITIVE,
            None => {
                let effects = class_effects_together(&models, encoder, features, &options)?;
                return Ok(Effects::All { classes: classes.clone(), effects });
            }
        };
        let curves = class_effect_curves_together(&models, encoder, features, &[class], &options)?;
        let curves = curves.into_iter().flatten().collect();
        Ok(Effects::One { class: classes.name(class).to_owned(), asked, curves })
    }

    /// A table for every feature.
    pub fn text(&self) -> String {
        match self {
            Effects::One { class, curves, .. } => curves.iter().map(|curve| curve_text(curve, class)).collect(),
            Effects::All { classes, effects } => effects.iter().map(|effect| side_by_side(effect, classes)).collect(),
        }
    }
}

fn known(class: &str, classes: &ClassNames) -> Result<Class, CliError> {
    classes.class(class).ok_or_else(|| {
        let advice = match nearest_name(class, classes.names().iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean {}?", Quoted(nearest)),
            None => format!("its {} classes begin with {}", classes.len(), Quoted(&classes.names()[0])),
        };
        CliError::user(format!("the model has no class {} (--class); {advice}", Quoted(class)))
    })
}

fn shown_value(value: &FeatureValue) -> String {
    match value {
        FeatureValue::Number(number) => format!("{number:.4}"),
        FeatureValue::Category(category) => name(category),
    }
}

fn curve_text(curve: &EffectCurve, class: &str) -> String {
    let rows = curve.points.iter().map(|p| {
        let band = format!("{:.3}-{:.3}", p.low, p.high);
        vec![shown_value(&p.value), format!("{:.3}", p.probability), band, bar(p.probability, BAR_WIDTH)]
    });
    let align = [Align::Right, Align::Right, Align::Left, Align::Left];
    let (class, band) = (format!("P({})", name(class)), format!("{:.0} % band", 100.0 * curve.level));
    format!("Effect of {}\n", name(&curve.feature))
        + &grid(&["value", &class, &band, ""], &align, &rows.collect::<Vec<_>>())
}

/// The probabilities of several classes, a column for each that the feature moves most.
fn side_by_side(effect: &ClassEffect, classes: &ClassNames) -> String {
    let mut shown: Vec<Class> = classes.classes().collect();
    shown.sort_by(|&a, &b| reach(effect, b).total_cmp(&reach(effect, a)));
    shown.truncate(COLUMNS);
    shown.sort_unstable_by_key(|class| class.position());
    let title = |&class: &Class| format!("P({})", shortened(&printable(classes.name(class)), COLUMN_NAME));
    let titles: Vec<String> = shown.iter().map(title).collect();
    let header: Vec<&str> = std::iter::once("value").chain(titles.iter().map(String::as_str)).collect();
    let row = |point: &ClassEffectPoint| {
        let mut cells = vec![shown_value(&point.value)];
        cells.extend(shown.iter().map(|class| format!("{:.3}", point.probability[class.position()])));
        cells
    };
    let rows: Vec<Vec<String>> = effect.points.iter().map(row).collect();
    let table = grid(&header, &vec![Align::Right; header.len()], &rows);
    let others = match classes.len() - shown.len() {
        0 => String::new(),
        hidden => format!("  and {hidden} classes that it moves less; choose one with --class\n"),
    };
    format!("Effect of {}\n{table}{others}", name(&effect.feature))
}

/// How far the feature moves the probability of a class.
fn reach(effect: &ClassEffect, class: Class) -> f64 {
    let probabilities = || effect.points.iter().map(|point| point.probability[class.position()]);
    probabilities().fold(f64::NEG_INFINITY, f64::max) - probabilities().fold(f64::INFINITY, f64::min)
}

impl Serialize for Effects {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Effects::One { class, asked, curves } => {
                let class = asked.then_some(class.as_str());
                serializer.collect_seq(curves.iter().map(|curve| OnClass { class, curve }))
            }
            Effects::All { classes, effects } => {
                serializer.collect_seq(effects.iter().map(|effect| by_name(effect, classes)))
            }
        }
    }
}

/// A curve with the class that was asked for.
#[derive(Serialize)]
struct OnClass<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'a str>,
    #[serde(flatten)]
    curve: &'a EffectCurve,
}

/// An effect whose probabilities are by the names of the classes.
fn by_name(effect: &ClassEffect, classes: &ClassNames) -> Value {
    let point = |point: &ClassEffectPoint| {
        let named = classes.names().iter().cloned().zip(point.probability.iter().map(|&p| Value::from(p)));
        json!({"value": point.value, "probabilities": named.collect::<Map<String, Value>>()})
    };
    let points: Vec<Value> = effect.points.iter().map(point).collect();
    json!({"feature": effect.feature, "kind": effect.kind, "points": points})
}
