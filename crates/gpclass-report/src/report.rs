//! What a report shows: the library's account of a fit, and the curves that are computed for the page.

use crate::head::{HeadNumbers, left_out};
use crate::leaving_out::LeavingOut;
use crate::novelty_map::NoveltyMap;
use crate::suspect_rows::SuspectRows;
use crate::{ReportError, ReportOptions};
use gpclass::classifier::{Classifier, LabelErrors, Note, Provenance, Spec, Summary};
use gpclass::data::{Class, FeatureKind};
use gpclass::evaluate::calibration::{Binning, CalibrationCurve, CalibrationOptions, calibration_curve};
use gpclass::evaluate::curves::{PrecisionRecallCurve, RocPoint, precision_recall_curve, roc_curve};
use gpclass::evaluate::decision_curve::{NetBenefit, decision_curve};
use gpclass::evaluate::outcome_spread::{OutcomeSpread, outcome_spread};
use gpclass::evaluate::recalibration::{Recalibration, recalibrate};
use gpclass::evaluate::smooth_calibration::{SmoothCalibration, smooth_calibration};
use gpclass::evaluate::subgroups::{Subgroup, subgroups};
use gpclass::evaluate::{ClassForecasts, EvaluateError, ScoreOptions};
use gpclass::explain::{
    DecisionSurface, EffectCurve, EffectOptions, SurfaceOptions, class_effect_curves_together,
    decision_surface_together, ranking,
};

/// Curves in one figure at most: more lines, of more colours, could not be followed.
const MOST_CURVES: usize = 8;

/// Points of the smooth calibration curves.
const SMOOTH_POINTS: usize = 101;
/// Coverage of its band.
const SMOOTH_LEVEL: f64 = 0.95;
/// Bins of the probabilities of each outcome.
const SPREAD_BINS: usize = 20;
/// Thresholds of the decision curve, evenly between 0 and 1.
const THRESHOLDS: usize = 99;

/// Probabilities of more classes than this are found by an inference of their own wherever they are asked for. A page must
/// not wait for them longer than for the fit, so that effects are then averaged over fewer rows and values.
const EXACT_CLASSES: usize = 3;
const COARSE_EFFECTS: (usize, usize) = (21, 20);
/// Of more classes than this the decision surface is computed at fewer points, for the same reason.
const FINE_CLASSES: usize = 8;
const COARSE_SURFACE: usize = 31;

/// What the left-out predictions of one class, against all others, are worth.
#[derive(Clone, Debug)]
pub(crate) struct ClassCurves {
    pub class: usize,
    /// ROC curve; empty where all rows have the class, or none.
    pub roc: Vec<RocPoint>,
    pub precision_recall: Option<PrecisionRecallCurve>,
    pub calibration: CalibrationCurve,
    /// Nothing where the classes are separated, or all rows are of one.
    pub smooth: Option<SmoothCalibration>,
    pub recalibration: Recalibration,
    pub decision: Vec<NetBenefit>,
    pub spread: OutcomeSpread,
}

impl ClassCurves {
    fn new(
        class: Class,
        forecasts: &ClassForecasts<'_>,
        points: usize,
        bins: &CalibrationOptions,
    ) -> Result<Self, EvaluateError> {
        let forecasts = forecasts.of_class(class);
        let thresholds: Vec<f64> = (1..=THRESHOLDS).map(|k| k as f64 / (THRESHOLDS + 1) as f64).collect();
        Ok(ClassCurves {
            class: class.position(),
            roc: roc_curve(&forecasts, points)?.unwrap_or_default(),
            precision_recall: precision_recall_curve(&forecasts, points)?,
            calibration: calibration_curve(&forecasts, bins)?,
            smooth: smooth_calibration(&forecasts, SMOOTH_POINTS, SMOOTH_LEVEL)?,
            recalibration: recalibrate(&forecasts)?,
            decision: decision_curve(&forecasts, &thresholds)?,
            spread: outcome_spread(&forecasts, SPREAD_BINS)?,
        })
    }
}

/// Of several classes most rows are surely not of a certain one, so that bins of equal counts would nearly all be at zero;
/// those of equal width are few, because the others have few rows.
fn calibration_options(classes: usize) -> CalibrationOptions {
    match classes {
        ..=2 => CalibrationOptions::default(),
        _ => CalibrationOptions { bins: 5, binning: Binning::EqualWidth, ..CalibrationOptions::default() },
    }
}

/// The effect of one feature on the probability of a class.
#[derive(Clone, Debug)]
pub(crate) struct ClassEffect {
    pub class: usize,
    pub curve: EffectCurve,
}

/// Scores of the rows of each value of a column.
#[derive(Clone, Debug)]
pub(crate) struct Breakdown {
    pub column: String,
    pub groups: Vec<Subgroup>,
}

/// A classifier made ready to be shown, as a page by [`html`](Report::html) or as single figures by
/// [`figures`](Report::figures). Classes are named by their position in the summary's list of them.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Heading of the page.
    pub(crate) title: String,
    /// The account of the fit.
    pub(crate) summary: &'a Summary,
    /// Where the model comes from.
    pub(crate) provenance: &'a Provenance,
    /// What was asked for.
    pub(crate) spec: &'a Spec,
    /// How many models the predictions are averaged over.
    pub(crate) averaged: usize,
    /// The class of every training row.
    pub(crate) class_of_row: Vec<usize>,
    /// The line of every training row in its file, if it is known.
    pub(crate) lines: Option<Vec<u64>>,
    /// Training rows whose labels look wrong, most suspect first.
    pub(crate) suspects: Vec<usize>,
    /// How many labels are wrong and how often, where a model knows.
    pub(crate) label_errors: Option<LabelErrors>,
    /// The first of them with their values, beside rows that contradict them.
    pub(crate) suspect_rows: SuspectRows,
    /// Training rows that are unlike all others, the most unlike first, with their novelty.
    pub(crate) unlike: Vec<(usize, f64)>,
    /// Where all training rows lie, and how unlike the others each is.
    pub(crate) novelty: NoveltyMap,
    /// Curves of the left-out predictions: of the last of two classes, else of those with the most rows.
    pub(crate) curves: Vec<ClassCurves>,
    /// Skill, calibration and what to look at.
    pub(crate) head: HeadNumbers,
    /// Scores by the values of a column, if one was named.
    pub(crate) breakdown: Option<Breakdown>,
    /// Effects of the most relevant features, each on the same classes.
    pub(crate) effects: Vec<Vec<ClassEffect>>,
    /// For two continuous features the probabilities over their plane.
    pub(crate) surface: Option<DecisionSurface>,
}

impl<'a> Report<'a> {
    /// All there is to show of a classifier. Effects and the decision surface are those of all models that predict together.
    pub fn of(classifier: &'a Classifier, options: &ReportOptions) -> Result<Report<'a>, ReportError> {
        let (summary, provenance) = (classifier.summary(), classifier.provenance());
        let training = classifier.training();
        let forecasts = left_out(classifier);
        let surface = surface_of(classifier, &options.surface)?;
        let novelty = NoveltyMap::of(classifier, surface.as_ref())?;
        let unlike = novelty.unlike();
        let head = HeadNumbers::with_novel_rows(classifier, options.suspect_threshold, unlike.len())?;
        let shown = shown_classes(summary);
        let bins = calibration_options(summary.classes.len());
        let curves = shown.iter().map(|&class| ClassCurves::new(class, &forecasts, options.curve_points, &bins));
        let top: Vec<usize> = ranking(&summary.relevances).into_iter().take(options.effects).collect();
        let name = provenance.source.as_deref().unwrap_or("Classification report");
        let suspects = summary.suspects.above(options.suspect_threshold);
        let breakdown = options.by.as_ref().map(|by| {
            let groups = subgroups(&forecasts, &by.group_of_row, &ScoreOptions::default())?;
            Ok::<_, EvaluateError>(Breakdown { column: by.column.clone(), groups })
        });
        Ok(Report {
            title: options.title.as_deref().unwrap_or(name).to_owned(),
            summary,
            provenance,
            spec: classifier.spec(),
            averaged: classifier.members().len(),
            class_of_row: training.labels().iter().map(|class| class.position()).collect(),
            lines: options.lines.clone().filter(|lines| lines.len() == training.rows()),
            label_errors: classifier.label_errors(),
            suspect_rows: SuspectRows::of(classifier, &suspects)?,
            suspects,
            unlike,
            novelty,
            curves: curves.collect::<Result<_, _>>()?,
            head,
            breakdown: breakdown.transpose()?,
            effects: effects_on(&shown, classifier, &top, &options.effect)?,
            surface,
        })
    }

    /// The class whose probability is shown where a row has one number: the last of two.
    pub(crate) const SHOWN_CLASS: usize = 1;

    /// Whether there are more than two classes.
    pub(crate) fn has_several_classes(&self) -> bool {
        self.summary.classes.len() > 2
    }

    /// Which classes have curves, as a sentence with a space before it; nothing if all have.
    pub(crate) fn shown_classes_text(&self) -> String {
        let (shown, all) = (self.curves.len(), self.summary.classes.len());
        if !self.has_several_classes() || shown == all {
            return String::new();
        }
        format!(" Of {all} classes the {shown} with the most rows are shown.")
    }

    /// The name of a class.
    pub(crate) fn class(&self, class: usize) -> &str {
        &self.summary.classes[class].class
    }

    /// The name of the class whose probability is shown.
    pub(crate) fn shown_class(&self) -> &str {
        self.class(Self::SHOWN_CLASS)
    }

    /// The share of training rows that have a class.
    pub(crate) fn share_of(&self, class: usize) -> f64 {
        self.summary.classes[class].rows as f64 / self.summary.rows.max(1) as f64
    }

    /// The probability of a class for a training row as the others predict it.
    pub(crate) fn left_out(&self, row: usize, class: usize) -> f64 {
        self.summary.loo_probability.as_mat()[(row, class)]
    }

    /// The class that a training row most probably has if its label is wrong.
    pub(crate) fn rather(&self, row: usize) -> usize {
        let own = self.class_of_row[row];
        Class::at(own).map_or(own, |own| self.summary.suspects.rather(row, own).position())
    }

    /// The probability of the shown class from which on rows are decided to be of it, if costs or a threshold were given.
    pub(crate) fn threshold(&self) -> Option<f64> {
        self.summary.decision.as_ref().map(|decision| decision.threshold)
    }

    /// How rows were left out, in words.
    pub(crate) fn leaving_out(&self) -> LeavingOut<'a> {
        LeavingOut::of(self.summary)
    }

    /// What a reader finds a training row by: its line, or its number from 1.
    pub(crate) fn place(&self, row: usize) -> u64 {
        self.lines.as_ref().map_or(row as u64 + 1, |lines| lines[row])
    }

    /// How many features are of a kind.
    pub(crate) fn features_of(&self, kind: FeatureKind) -> usize {
        self.summary.features.iter().filter(|feature| feature.kind == kind).count()
    }

    /// What a reader should know.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &'a Note> {
        self.summary.data_notes.iter().chain(&self.summary.fit_notes)
    }
}

/// The classes that have curves: of two the last, of several those with the most rows, in their order.
fn shown_classes(summary: &Summary) -> Vec<Class> {
    let mut classes: Vec<Class> = Class::first(summary.classes.len()).collect();
    if classes.len() <= 2 {
        return vec![Class::POSITIVE];
    }
    classes.sort_by_key(|class| std::cmp::Reverse(summary.classes[class.position()].rows));
    classes.truncate(MOST_CURVES);
    classes.sort();
    classes
}

/// The decision surface, if there is one.
fn surface_of(classifier: &Classifier, options: &SurfaceOptions) -> Result<Option<DecisionSurface>, ReportError> {
    let mut options = options.clone();
    if classifier.summary().classes.len() > FINE_CLASSES {
        options.resolution = options.resolution.min(COARSE_SURFACE);
    }
    Ok(decision_surface_together(&classifier.together(), classifier.encoder(), &options)?)
}

/// The effects of features, each on all of the classes.
fn effects_on(
    classes: &[Class],
    classifier: &Classifier,
    features: &[usize],
    options: &EffectOptions,
) -> Result<Vec<Vec<ClassEffect>>, ReportError> {
    let mut options = options.clone();
    if classifier.summary().classes.len() > EXACT_CLASSES {
        options.grid = options.grid.min(COARSE_EFFECTS.0);
        options.rows = options.rows.min(COARSE_EFFECTS.1);
    }
    let (models, encoder) = (classifier.together(), classifier.encoder());
    let effects = class_effect_curves_together(&models, encoder, features, classes, &options)?;
    let of_classes = |curves: Vec<EffectCurve>| {
        let effect = |(class, curve): (&Class, EffectCurve)| ClassEffect { class: class.position(), curve };
        classes.iter().zip(curves).map(effect).collect()
    };
    Ok(effects.into_iter().map(of_classes).collect())
}
