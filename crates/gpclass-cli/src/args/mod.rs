//! The command line: what can be typed.

mod infer;
mod model;
mod named;
mod reasons;
mod tables;

pub use infer::{InferArgs, InferLikelihood};
pub use model::{FixedValue, ModelArgs, SearchArgs, apply_columns, in_unit, read_spec, spec};
pub use reasons::ReasonArgs;
pub use tables::{ColumnArgs, FormatArgs};

use crate::error::CliError;
use clap::{Args, Parser, Subcommand};
use gpclass::classifier::{DecideBy, DecisionRule, ErrorCost};
use gpclass::evaluate::decision::Costs;
use std::path::PathBuf;

const AFTER: &str = "\
Exit codes: 0 success, 1 something is wrong with the data, a file or an option's value, 2 the command line is wrong,
130 interrupted. Results go to standard output, progress and remarks to standard error.

Examples:
  gpclass demo
  gpclass fit patients.csv --label outcome -o model.gpc
  gpclass predict model.gpc new.csv -o predictions.csv
  gpclass audit patients.csv --label outcome";

/// Gaussian-process classification of tables: calibrated probabilities, relevant features, suspect labels.
#[derive(Debug, Parser)]
#[command(name = "gpclass", version, after_help = AFTER, max_term_width = 110)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command understands.
#[derive(Clone, Copy, Debug, Args)]
pub struct GlobalArgs {
    /// No progress and no remarks, only results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print results as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Threads to use, at most four per core; by default one per core
    #[arg(long, global = true, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub threads: Option<i64>,
    /// Most memory that fitting may need, as 4G or 500M; by default what is free
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
}

/// A whole number, however large.
fn whole_number(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("give a whole number".to_owned());
    }
    Ok(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

fn size(text: &str) -> Result<u64, String> {
    gpclass_host::memory::parse_size(text).ok_or_else(|| "give a size such as 4G, 500M or 800000000".to_owned())
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Learn a model from a table
    Fit(FitArgs),
    /// Predict the rows of a table with a model
    Predict(PredictArgs),
    /// Estimate how well models predict, by cross-validation
    Evaluate(EvaluateArgs),
    /// Tell what a model has learned
    Explain(ExplainArgs),
    /// List rows whose labels look wrong
    Audit(AuditArgs),
    /// Inference at given hyperparameters, without learning: evidence, gradient, sites, predictions as JSON
    Infer(InferArgs),
    /// Fit an example with wrong labels, made on the spot
    Demo(DemoArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gpclass fit patients.csv --label outcome -o model.gpc
  gpclass fit patients.csv --label outcome --drop note --discrete ward --ordered stage=I,II,III,IV
  gpclass fit patients.csv --label outcome --kernel se --lengthscales ard --likelihood robust
  gpclass fit rare.csv --label y --positive yes --objective loo-f --likelihood probit-bias
  gpclass fit patients.csv --label outcome --spec model.toml
  gpclass fit iris.csv --label species -o iris.gpc
  gpclass fit patients.csv --label outcome --report report.html --by sex --drop sex
  gpclass fit visits.csv --label outcome --group patient
  gpclass fit patients.csv --label outcome --cost fn=5,fp=1 -o model.gpc

The label may have any number of classes up to 100. Three or more are modelled together, with a function for each: probit is
then the multinomial probit, robust the same with label error, and logistic (with --inference laplace) the softmax. Where that
cannot be done, or would take too long, every class is fitted against all others, which is told; --multiclass one-vs-rest (shares of
their probabilities) or exactly-one (given that exactly one is right) asks for it.

Columns that only name the rows are left out with a note (--keep brings them back), dates become day numbers, and missing
values are replaced and counted (--on-missing says otherwise).

Rows of one group (--group) are left out together: scores, and the weights of models that predict together, are then by
leave-group-out, which is what to expect of new groups.

A spec is a TOML file with the tables [encoder] and [fit]; options given on the command line win:
  [encoder]
  ordered = { stage = [\"I\", \"II\", \"III\", \"IV\"] }
  [fit]
  kernel = \"se\"
  lengthscales = \"ard\"
  restarts = 2")]
pub struct FitArgs {
    /// Table to learn from: CSV, TSV (also gzip) or Parquet; - for standard input
    pub data: PathBuf,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub format: FormatArgs,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Where to write the model
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where to write the report, one HTML file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Folder for the report's figures, as SVG and PNG
    #[arg(long, value_name = "FOLDER")]
    pub plots: Option<PathBuf>,
    /// Column by whose values the report breaks its scores down; with --drop it is not learned from
    #[arg(long, value_name = "COLUMN", requires = "report")]
    pub by: Option<String>,
    #[command(flatten)]
    pub decision: DecisionArgs,
    /// Corrections of labels: the CSV of 'gpclass audit -o' with the column action edited to change (to the label in the column
    /// suggested), drop or keep
    #[arg(long, value_name = "FILE")]
    pub corrections: Option<PathBuf>,
    /// When interrupted, write the best model so far instead of nothing
    #[arg(long)]
    pub save_partial: bool,
    /// Where a fit of many rows keeps what it has found so far, so that the same command goes on from there if it is killed; 'off'
    /// for nowhere. Without this it is beside the model, and it is removed when the fit is done
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two of them
    #[arg(long, default_value_t = 180.0, value_name = "SECONDS", allow_negative_numbers = true)]
    pub checkpoint_every: f64,
    /// Probability from which a label is listed as suspect
    #[arg(long, default_value_t = 0.5, value_name = "P", allow_negative_numbers = true)]
    pub suspect: f64,
}

/// How rows are to be decided.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Decisions")]
pub struct DecisionArgs {
    /// What errors cost. Of two classes as fn=5,fp=1 (a positive row missed, a negative one taken for positive): the threshold of
    /// least cost among left-out rows is learned for 'predict --decide'. Of any number as flu:cold=5,cold:flu=2 (the true class, then
    /// the one it is taken for; other errors cost 1): 'predict --decide' takes the class of least expected cost
    #[arg(long, value_name = "COSTS", value_parser = costs, conflicts_with = "threshold")]
    pub cost: Option<DecisionRule>,
    /// Probability of the positive class from which 'predict --decide' takes a row for positive
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub threshold: Option<f64>,
}

impl DecisionArgs {
    /// What is to be decided by, if that was said.
    pub fn rule(&self) -> Result<Option<DecisionRule>, CliError> {
        let threshold = self.threshold.map(|threshold| in_unit(threshold, "--threshold")).transpose()?;
        if let Some(DecisionRule::Cost(costs)) = &self.cost {
            costs.check()?;
        }
        Ok(self.cost.clone().or(threshold.map(DecisionRule::Threshold)))
    }
}

/// `fn=5,fp=1`, or errors by name as `flu:cold=5`.
fn costs(text: &str) -> Result<DecisionRule, String> {
    let wrong = || {
        "write both costs as fn=5,fp=1, or name errors as flu:cold=5,cold:flu=2 (the true class, then the one it is taken for)"
            .to_owned()
    };
    let (mut missed, mut alarm, mut errors) = (None, None, Vec::new());
    for part in text.split(',') {
        let (kind, value) = part.rsplit_once('=').ok_or_else(wrong)?;
        let cost: f64 = value.trim().parse().map_err(|_| wrong())?;
        match (kind.trim(), kind.split_once(':')) {
            ("fn", _) => missed = Some(cost),
            ("fp", _) => alarm = Some(cost),
            (_, Some((truth, decided))) => {
                errors.push(ErrorCost { truth: truth.trim().to_owned(), decided: decided.trim().to_owned(), cost });
            }
            (_, None) => return Err(wrong()),
        }
    }
    match (missed, alarm) {
        (None, None) => Ok(DecisionRule::Errors(errors)),
        (Some(false_negative), Some(false_positive)) if errors.is_empty() => {
            Ok(DecisionRule::Cost(Costs { false_negative, false_positive }))
        }
        _ => Err(wrong()),
    }
}

/// How CSV is written.
#[derive(Clone, Copy, Debug, Args)]
pub struct CsvArgs {
    /// Put ' before texts that a spreadsheet would run as formulas
    #[arg(long)]
    pub safe_csv: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Columns are found by their names, so that their order does not matter and others are ignored. The table may have any
number of rows; it is read and written in blocks. With --json every row is one line of JSON: its row and line, label,
probabilities by class, latent mean and standard deviation, novelty, and the columns of --keep.

Of two classes the probability of the positive one is written, as p(yes); of several one for every class, as p(setosa),
then the latent mean and standard deviation of every class. With --label the predictions are scored against the classes in
that column, which the rows then must have; the scores are told on standard error.

The novelty of a row, from 0 to 1, is the share of ordinary rows that are less unlike the training rows; unlike_training is
true above 0.99, as for one ordinary row in a hundred. A probability there is extrapolated, however sure it looks.

With --explain, 'reasons' tells in words which columns move a prediction most, reason(COLUMN) by how much each does
(its Shapley value), and reason_base where they start: the mean over some training rows. The base and all columns
add up to the log-odds of the positive class of two, or of the predicted one of several. With --json each has its
standard error. --nearest names rows that are alike, --witnesses those that weigh: far more so if they are nearby.

Predictions repeat class names and kept columns as they are. A spreadsheet runs a cell as a formula if it begins with
= + - @, a tab or a carriage return; --safe-csv makes such texts harmless.

Examples:
  gpclass predict model.gpc new.csv -o predictions.csv
  zcat new.csv.gz | gpclass predict model.gpc - > predictions.csv
  gpclass predict model.gpc new.csv --keep id,age --abstain --nearest 3
  gpclass predict model.gpc new.csv --explain=5 --witnesses 3 -o reasons.csv
  gpclass predict model.gpc test.csv --label outcome -o predictions.csv
  gpclass predict model.gpc new.csv --decide")]
pub struct PredictArgs {
    /// Model written by 'gpclass fit'
    pub model: PathBuf,
    /// Table to predict; - for standard input
    pub data: PathBuf,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Where to write the predictions, as CSV, or as JSON lines with --json; - for standard output
    #[arg(long, short, default_value = "-", value_name = "FILE")]
    pub output: PathBuf,
    /// Columns of the table to repeat before the predictions, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub keep: Vec<String>,
    /// Column with the true class of each row, to score the predictions by
    #[arg(long, value_name = "COLUMN")]
    pub label: Option<String>,
    /// Decide rows by the threshold or the costs that the model was fitted with (--cost or --threshold of 'fit'), not by the most
    /// probable class
    #[arg(long, value_parser = named::named::<DecideBy>(), num_args = 0..=1, require_equals = true,
          default_missing_value = "learned", value_name = "BY")]
    pub decide: Option<DecideBy>,
    /// Leave rows that are unlike the training rows without a label; their probabilities are written all the same
    #[arg(long)]
    pub abstain: bool,
    /// Write the data rows of the training table that are most like each row, this many
    #[arg(long, default_value_t = 0, value_name = "K", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub nearest: u16,
    /// Write the data rows of the training table that weigh most in each prediction, this many
    #[arg(long, default_value_t = 0, value_name = "K", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub witnesses: u16,
    /// Write why each row is predicted as it is: the K columns that move it most in words, and what every column does
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = 0, default_missing_value = "3", value_name = "K",
        hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub explain: u16,
    #[command(flatten)]
    pub reasons: ReasonArgs,
    #[command(flatten)]
    pub csv: CsvArgs,
    /// Rows per block
    #[arg(long, default_value_t = 4096, value_name = "N", hide = true)]
    pub block: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gpclass evaluate patients.csv --label outcome
  gpclass evaluate patients.csv --label outcome --folds 5 --repeats 4
  gpclass evaluate patients.csv --label outcome --split fold
  gpclass evaluate visits.csv --label outcome --group patient
  gpclass evaluate patients.csv --label outcome --compare se.toml linear.toml")]
pub struct EvaluateArgs {
    /// Table with labels
    pub data: PathBuf,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub format: FormatArgs,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Folds of the cross-validation
    #[arg(long, default_value_t = 10, value_name = "K", conflicts_with = "split")]
    pub folds: usize,
    /// Repetitions with other folds
    #[arg(long, default_value_t = 1, value_name = "R", conflicts_with = "split")]
    pub repeats: usize,
    /// Column that names the fold of each row, or says train and test
    #[arg(long, value_name = "COLUMN")]
    pub split: Option<String>,
    /// Specs to compare with each other, as TOML files, instead of evaluating one model
    #[arg(long, num_args = 1.., value_name = "SPEC")]
    pub compare: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
An effect says what the model would predict on average if one feature alone had another value. Of two classes it is that on
the probability of the positive one; of several a table has a column for every class, and --class shows one with its band.

With --row the prediction of single rows of the table is explained instead: by how much each column moves the log-odds away
from their mean over some training rows, and which training rows weigh most.

Examples:
  gpclass explain model.gpc
  gpclass explain model.gpc --features width --class setosa
  gpclass explain model.gpc --points 41 --json
  gpclass explain model.gpc patients.csv
  gpclass explain model.gpc patients.csv --row 17")]
pub struct ExplainArgs {
    /// Model written by 'gpclass fit'
    pub model: PathBuf,
    /// Table to hold the model against: what it predicts there and how much it knows about such rows
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Features whose effects are shown, separated by commas; by default the most relevant ones
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub features: Vec<String>,
    /// Class on whose probability effects are shown; by default the positive one of two, and every one of several
    #[arg(long, value_name = "CLASS")]
    pub class: Option<String>,
    /// Rows of the table to explain, separated by commas, counted from 1
    #[arg(long, value_delimiter = ',', value_name = "ROWS", requires = "data", value_parser = clap::value_parser!(u64).range(1..))]
    pub row: Vec<u64>,
    /// Training rows shown with each of them: those that weigh most in its prediction
    #[arg(long, default_value_t = 5, value_name = "K", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub witnesses: u16,
    #[command(flatten)]
    pub reasons: ReasonArgs,
    /// Points of an effect curve
    #[arg(long, default_value_t = 9, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1001))]
    pub points: u16,
    /// Probability from which a label is listed as suspect
    #[arg(long, default_value_t = 0.5, value_name = "P", allow_negative_numbers = true)]
    pub suspect: f64,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Every suspect is listed with its values and the rows of the suggested label that are most like it. The number of wrong labels is
told with an interval, of all rows and of each class, and so are equal or nearly equal rows with different labels, and how the
other rows would be predicted if the suspects were mended or dropped.

The CSV of -o can be edited and read back: write change or drop instead of keep into its column action, correct the label in
suggested where another is right, and give it to 'gpclass fit --corrections'.

Examples:
  gpclass audit patients.csv --label outcome
  gpclass audit patients.csv --label outcome --id number --threshold 0.2 -o suspects.csv
  gpclass fit patients.csv --label outcome --corrections suspects.csv -o model.gpc")]
pub struct AuditArgs {
    /// Table with labels
    pub data: PathBuf,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub format: FormatArgs,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Probability from which a label is listed
    #[arg(long, default_value_t = 0.5, value_name = "P", allow_negative_numbers = true)]
    pub threshold: f64,
    /// Column that names each row, shown with suspects and not learned from
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// List this many of the most suspect rows, whatever their probability
    #[arg(long, value_name = "N", conflicts_with = "threshold")]
    pub top: Option<usize>,
    /// Write the list as CSV
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub csv: CsvArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gpclass demo --folder example")]
pub struct DemoArgs {
    /// Folder for the example's files
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Seed of the example's data
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gpclass completions bash > ~/.local/share/bash-completion/completions/gpclass")]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
