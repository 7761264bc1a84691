//! What a user should know about a fit, in sentences that give advice.

use super::choose::{Contender, NotIntegrated, ScoreKind};
use super::search::Stop;
use super::{Approach, FitOptions, NotTogether, Size};
use crate::data::{Class, Targets};
use crate::inference::{Outcome, Reason};
use crate::model::TrainingData;
use crate::text::quote::listed;

/// Candidates whose scores differ by less than this are hardly distinguished by the data.
const CLOSE: f64 = 1.0;
/// A class of fewer rows than this says little.
const FEW: usize = 5;

/// One thing to know.
#[derive(Clone, Debug, PartialEq)]
pub enum FitNote {
    /// A hyperparameter ended at the edge of its range.
    AtBound {
        /// Name of the hyperparameter.
        name: String,
        /// The edge, as a natural value.
        value: f64,
    },
    /// Inference at the chosen hyperparameters is not at its fixed point.
    NotConverged {
        /// Name of the model where several predict together.
        of: Option<String>,
        /// Why it was not reached.
        reason: Reason,
        /// Distance from it, in posterior standard deviations, as in [`Report`](crate::inference::Report).
        residual: f64,
    },
    /// Inference is as close to its fixed point as rounding allows, which is not as close as was asked for.
    Rounded {
        /// Distance from it, in posterior standard deviations, as in [`Report`](crate::inference::Report).
        residual: f64,
    },
    /// EP has two fixed points at the learned values; that of the higher evidence was kept.
    TwoFixedPoints {
        /// Name of the model.
        of: String,
        /// By how much the log evidence of the other is lower.
        difference: f64,
    },
    /// The search was cut short.
    Stopped(Stop),
    /// The runner-up is nearly as good.
    CloseChoice {
        /// Name of the chosen candidate.
        chosen: String,
        /// Name of the runner-up.
        other: String,
        /// By how much its score is lower: less than one.
        difference: f64,
    },
    /// One candidate has no integrated score, so that all were compared by penalised ones.
    PenalisedScores {
        /// Name of the first such candidate.
        candidate: String,
        /// Why its hyperparameters could not be integrated out.
        reason: NotIntegrated,
    },
    /// Left-out rows are predicted no better than by the class shares.
    NoSignal {
        /// Mean negative log-probability of the labels left out, in nats.
        nlp: f64,
        /// The same if every row is given the class shares: their entropy, in nats.
        baseline: f64,
    },
    /// A class has few rows.
    FewRows {
        /// The class.
        class: Class,
        /// Its name among three or more; of two it is the positive or the negative one.
        name: Option<String>,
        /// Rows of the class: fewer than five.
        rows: usize,
    },
    /// Jitter was needed.
    Jitter(f64),
    /// Several classes were modelled each against the rest, though nobody asked for it.
    OneVsRest(NotTogether),
    /// Hyperparameters were learned from blocks of rows, and some rows may stand for all.
    ManyRows {
        /// How many stand for all; none where inference is exact.
        inducing: Option<usize>,
        /// Rows around each one that is predicted whose covariances are taken exactly.
        neighbours: Option<usize>,
        /// How many rows those that stand for all are inferred from, where these are not all.
        inferred: Option<usize>,
        /// How many rows score the fit, where these are not all.
        scoring: Option<usize>,
    },
    /// Some rows took part in the posterior that are held elsewhere.
    Elsewhere {
        /// Rows that are here.
        here: usize,
        /// Rows that are not.
        elsewhere: usize,
    },
    /// Local searches for rows that are left out did not reach their fixed points.
    Unsettled {
        /// Name of the model where several predict together.
        of: Option<String>,
        /// Of how many rows.
        rows: usize,
    },
}

impl FitNote {
    /// The case in snake case, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            FitNote::AtBound { .. } => "at_bound",
            FitNote::NotConverged { .. } => "not_converged",
            FitNote::Rounded { .. } => "rounded",
            FitNote::TwoFixedPoints { .. } => "two_fixed_points",
            FitNote::Stopped(_) => "stopped",
            FitNote::CloseChoice { .. } => "close_choice",
            FitNote::PenalisedScores { .. } => "penalised_scores",
            FitNote::NoSignal { .. } => "no_signal",
            FitNote::FewRows { .. } => "few_rows",
            FitNote::Jitter(_) => "jitter",
            FitNote::OneVsRest(NotTogether::Time) => "one_vs_rest_time",
            FitNote::OneVsRest(_) => "one_vs_rest",
            FitNote::ManyRows { .. } => "many_rows",
            FitNote::Elsewhere { .. } => "elsewhere",
            FitNote::Unsettled { .. } => "unsettled",
        }
    }

    /// What there is to say about the way in which rows are learned from, if they are many.
    pub fn of_many_rows(options: &FitOptions, size: &Size) -> Option<FitNote> {
        let many_rows = &options.many_rows;
        match Approach::of(options, size) {
            Approach::Exact => None,
            Approach::Blocks => {
                Some(FitNote::ManyRows { inducing: None, neighbours: None, inferred: None, scoring: None })
            }
            Approach::Sparse => Some(FitNote::ManyRows {
                inducing: Some(many_rows.inducing_rows(size.rows)),
                neighbours: many_rows.refinement().map(|refinement| refinement.neighbours),
                inferred: many_rows.inferred_rows(size.rows),
                scoring: many_rows.scoring_rows(size.rows),
            }),
        }
    }
}

impl FitNote {
    /// Several notes of one kind in a sentence; `None` where a fit has one at most.
    pub(crate) fn together(notes: &[&FitNote]) -> Option<String> {
        let bound = |note: &&FitNote| match note {
            FitNote::AtBound { name, value } => Some(format!("{name} ({value:.3e})")),
            _ => None,
        };
        let bounds: Option<Vec<String>> = notes.iter().map(bound).collect();
        Some(format!(
            "{} ended at the edges of their ranges: the data determine them weakly; fix them or give them priors if their \
             values matter",
            listed(bounds?.iter())
        ))
    }
}

impl std::fmt::Display for FitNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FitNote::AtBound { name, value } => write!(
                f,
                "{name} ended at the edge of its range, {value:.3e}: the data determine it weakly; fix it or give it a \
                 prior if its value matters"
            ),
            FitNote::Elsewhere { here, elsewhere } => write!(
                f,
                "the posterior is that of {} rows, of which {here} are kept: hyperparameters, scores, suspects and refined \
                 predictions are by these, which were drawn at random",
                here + elsewhere
            ),
            FitNote::Unsettled { of, rows } => write!(
                f,
                "for {rows} training rows the refinement{} did not reach its fixed point; their probabilities as left out \
                 are approximate",
                of_member(of.as_deref())
            ),
            FitNote::NotConverged { of, reason, residual } => {
                let of = of_member(of.as_deref());
                write!(
                    f,
                    "inference{of} did not reach its fixed point (residual {residual:.1e}): {reason}; probabilities and \
                     evidence are approximate"
                )
            }
            FitNote::Rounded { residual } => write!(
                f,
                "inference stopped {residual:.1e} posterior standard deviations from its fixed point, where {}",
                Reason::Rounding
            ),
            FitNote::TwoFixedPoints { of, difference } => write!(
                f,
                "inference of '{of}' has two fixed points, because labels may be wrong: the one whose evidence is higher by \
                 {difference:.2} nats was kept"
            ),
            FitNote::Stopped(stop) => write!(f, "the search ended early: {stop}; the best model so far is given"),
            FitNote::CloseChoice { chosen, other, difference } => write!(
                f,
                "'{chosen}' was chosen over '{other}' by only {difference:.2} nats; averaging over candidates may predict \
                 better"
            ),
            FitNote::PenalisedScores { candidate, reason } => write!(
                f,
                "all candidates were compared by log evidence less one nat for every hyperparameter that the data \
                 determine, because those of '{candidate}' could not be integrated out: {reason}"
            ),
            FitNote::NoSignal { nlp, baseline } => write!(
                f,
                "left-out rows are predicted no better ({nlp:.3} nats) than by the class shares ({baseline:.3} nats): \
                 these features may not carry the label"
            ),
            FitNote::FewRows { name: Some(name), rows, .. } => {
                write!(f, "class '{name}' has only {rows} rows; every estimate of it rests on them")
            }
            FitNote::FewRows { class, rows, .. } => {
                let class = if *class == Class::POSITIVE { "positive" } else { "negative" };
                write!(f, "the {class} class has only {rows} rows; every estimate rests on them")
            }
            FitNote::Jitter(jitter) => write!(
                f,
                "{jitter:.1e} was added to the covariance diagonal to factorise it; add a noise term if rows repeat"
            ),
            FitNote::ManyRows { inducing, neighbours, inferred, scoring } => {
                f.write_str("there are many rows: hyperparameters are learned from blocks of them")?;
                match inducing {
                    None => f.write_str(", then all are inferred exactly")?,
                    Some(rows) => write!(f, ", then {rows} rows stand for all")?,
                }
                if let Some(rows) = inferred {
                    write!(f, ", inferred from {rows} of them drawn by the seed")?;
                }
                if let Some(near) = neighbours {
                    write!(f, ", and every prediction is refined with the {near} nearest")?;
                }
                match scoring {
                    Some(rows) => write!(
                        f,
                        "; scores and shares are of {rows} rows drawn by the seed and left out so, and the left-out \
                         probabilities of others, but for suspect ones, are not refined"
                    ),
                    None => Ok(()),
                }
            }
            FitNote::OneVsRest(reason) => {
                write!(f, "every class was fitted against the rest: {reason}")
            }
        }
    }
}

fn of_member(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" of the member '{name}'"))
}

/// Everything worth saying about those that predict, and about the chosen one.
pub(super) fn notes(contenders: &[Contender], chosen: usize, data: &TrainingData) -> Vec<FitNote> {
    let winner = &contenders[chosen];
    let mut notes = Vec::new();
    for bound in &winner.course.at_bounds {
        notes.push(FitNote::AtBound { name: bound.name.clone(), value: bound.value });
    }
    let members: Vec<&Contender> = contenders.iter().filter(|c| c.summary.weight > 0.0).collect();
    for member in &members {
        if let Some(difference) = member.course.other_fixed_point {
            notes.push(FitNote::TwoFixedPoints { of: member.summary.name.clone(), difference });
        }
        let residual = member.report.residual;
        let of = (members.len() > 1).then(|| member.summary.name.clone());
        if member.course.unsettled > 0 {
            notes.push(FitNote::Unsettled { of: of.clone(), rows: member.course.unsettled });
        }
        match member.report.outcome {
            Outcome::NotConverged(reason) => notes.push(FitNote::NotConverged { of, reason, residual }),
            Outcome::ConvergedToRounding => notes.push(FitNote::Rounded { residual }),
            Outcome::Converged | Outcome::OnePass | Outcome::GivenSites => {}
        }
    }
    if !winner.course.stop.converged() {
        notes.push(FitNote::Stopped(winner.course.stop));
    }
    // That of inducing rows is part of the model.
    let dense = members.iter().filter(|member| member.course.approach != Approach::Sparse);
    let jitter = dense.fold(0.0_f64, |most, member| most.max(member.report.jitter));
    if jitter > 0.0 {
        notes.push(FitNote::Jitter(jitter));
    }
    notes.extend(penalised(contenders));
    notes.extend(close_choice(contenders, chosen).filter(|_| members.len() == 1));
    let rows = data.targets().rows_of_class();
    let shares = rows.iter().filter(|rows| **rows > 0).map(|rows| *rows as f64 / data.rows() as f64);
    let baseline: f64 = shares.map(|share| -share * share.ln()).sum();
    if winner.summary.loo_nlp >= baseline {
        notes.push(FitNote::NoSignal { nlp: winner.summary.loo_nlp, baseline });
    }
    notes.extend(few_rows(data.targets(), &rows));
    notes
}

/// Classes that have few rows. Among several, what is said of one with a single row is said of the labels themselves.
fn few_rows(targets: &Targets, rows: &[usize]) -> impl Iterator<Item = FitNote> {
    let (several, names) = (rows.len() > 2, targets.names());
    let few = Class::first(rows.len()).zip(rows).filter(move |(_, rows)| **rows < FEW && !(several && **rows < 2));
    let name = move |class: Class| several.then(|| names[class.position()].clone());
    few.map(move |(class, &rows)| FitNote::FewRows { class, name: name(class), rows })
}

/// A runner-up that is nearly as good.
fn close_choice(contenders: &[Contender], chosen: usize) -> Option<FitNote> {
    let (winner, kind) = (&contenders[chosen].summary, contenders[chosen].summary.score_kind);
    let others = contenders.iter().enumerate().filter(|(i, _)| *i != chosen).map(|(_, c)| &c.summary);
    let other = others.max_by(|a, b| a.score.total_cmp(&b.score))?;
    let difference = winner.score - other.score;
    let compared = kind != Some(ScoreKind::LeftOut);
    let (chosen, other) = (winner.name.clone(), other.name.clone());
    (compared && difference < CLOSE).then_some(FitNote::CloseChoice { chosen, other, difference })
}

/// The first candidate without an integrated score, where others have one.
fn penalised(contenders: &[Contender]) -> Option<FitNote> {
    let (without, with): (Vec<&Contender>, Vec<&Contender>) =
        contenders.iter().partition(|c| c.scores.not_integrated().is_some());
    let first = without.first().filter(|_| !with.is_empty())?;
    let reason = first.scores.not_integrated()?.clone();
    Some(FitNote::PenalisedScores { candidate: first.summary.name.clone(), reason })
}
