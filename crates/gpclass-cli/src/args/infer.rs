//! Options of inference at given hyperparameters.

use super::named::named;
use super::{ColumnArgs, FixedValue, FormatArgs};
use clap::Args;
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::kernel::KernelFamily;
use gpclass::likelihood::LikelihoodFamily;
use gpclass::model::Multiclass;
use gpclass::named::{Named, Word};
use gpclass::prior::Inducing;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Parameters: v0 (signal variance), l (inverse squared lengthscale of all features, or l1, l2, ... or l[column]; with --kernel l1
an inverse lengthscale), w (a column's own variance in place of v0, as w1 or w[column], with --kernel linear or additive), v1
(bias variance), v2 (noise variance), alpha (rational quadratic), eps (label error; eps_negative and eps_positive of
robust-per-class), b (bias), sigma (noise of the probit). v1, v2, b and label errors are 0 unless given, sigma is 1 (0 for
step). Inputs are taken as they are unless --standardise is given.

With --inducing the covariance goes by way of a few rows that stand for all (FITC): tau and nu are then the sites of the
projections on them, residual_variance is what they leave of each row's variance, and the other names mean what they mean
without. Three or more classes stand each against the rest.

Several classes: three or more are inferred together, one function for each; probit and robust are then the multinomial
probit without and with label error, logistic is the softmax. The names multinomial-probit and softmax do so for two classes
as well. All classes share the parameters, unless a name ends with a class, as in v0[setosa]=2, l1[setosa]=0.5 or
l[width][setosa]=0.5; a value without a class is for every class that has none. Lists have a row for every row of the table and in it a
number for every class. A single l is one parameter then, not one for every column.

Examples:
  gpclass infer train.csv --label y --fix v0=1,l=0.5
  gpclass infer train.csv --label y --fix v0=4,l1=0.5,l2=1,v2=0.1,eps=0.05 --likelihood step --test test.csv
  gpclass infer train.csv --label y --kernel linear --likelihood logistic --inference laplace --fix v0=1
  gpclass infer train.csv --label y --fix v0=1,l=0.5 --inducing some.csv --refine 50 --test test.csv
  gpclass infer iris.csv --label species --likelihood multinomial-probit --fix v0=4,l=0.5,v1=1 --test new.csv
  gpclass infer iris.csv --label species --likelihood softmax --fix v0=4,v0[setosa]=9,l=0.5")]
pub struct InferArgs {
    /// Table with labels
    pub data: PathBuf,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// All classes in their order, separated by commas, also those that no row has; by default those of the rows
    #[arg(long, value_delimiter = ',', value_name = "CLASSES", conflicts_with = "positive", help_heading = "Columns")]
    pub classes: Vec<String>,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Covariance
    #[arg(long, value_parser = named::<KernelFamily>(), default_value = KernelFamily::SquaredExponential.name())]
    pub kernel: KernelFamily,
    /// Likelihood; of two classes every probit takes eps, b and sigma as given
    #[arg(long, value_parser = named::<InferLikelihood>(), default_value = LikelihoodFamily::Probit.name())]
    pub likelihood: InferLikelihood,
    /// Inference method; by default ep, and laplace for the softmax of several classes
    #[arg(long, value_parser = named::<Method>())]
    pub inference: Option<Method>,
    /// How three or more classes are inferred
    #[arg(long, value_parser = named::<Multiclass>(), default_value = Multiclass::Auto.name())]
    pub multiclass: Multiclass,
    /// Values of the parameters, as name=value, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    pub fix: Vec<FixedValue>,
    /// Rows to predict
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// Bring continuous columns to mean 0 and standard deviation 1 first
    #[arg(long)]
    pub standardise: bool,
    /// Where inference counts as converged
    #[arg(long, default_value_t = EpOptions::FULL_PRECISION, value_name = "T")]
    pub tolerance: f64,
    /// Rows that stand for all in the covariance, as a table with the same columns: for many rows
    #[arg(long, value_name = "FILE", help_heading = "Many rows")]
    pub inducing: Option<PathBuf>,
    /// Added to the variances of the inducing rows, relative to v0
    #[arg(long, default_value_t = Inducing::JITTER, value_name = "J", requires = "inducing", help_heading = "Many rows")]
    pub jitter: f64,
    /// Refine the prediction of every test row with this many training rows nearest to it
    #[arg(long, value_name = "ROWS", requires = "inducing", help_heading = "Many rows")]
    pub refine: Option<usize>,
    /// Where to write the JSON; - for standard output
    #[arg(long, short, default_value = "-", value_name = "FILE")]
    pub output: PathBuf,
}

/// A likelihood by the name it has for two classes, or by the one it has for several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InferLikelihood {
    /// That of two classes, and what corresponds to it where there are more.
    Family(LikelihoodFamily),
    /// The probit of any number of classes, inferred together.
    MultinomialProbit,
    /// The logistic function of any number of classes, inferred together.
    Softmax,
}

impl InferLikelihood {
    /// Whether it is of all classes together whatever their number.
    pub fn is_joint(self) -> bool {
        match self {
            InferLikelihood::Family(_) => false,
            InferLikelihood::MultinomialProbit | InferLikelihood::Softmax => true,
        }
    }
}

impl Named for InferLikelihood {
    const OPTION: &'static str = LikelihoodFamily::OPTION;

    fn all() -> Vec<Self> {
        let families = LikelihoodFamily::ALL.into_iter().map(InferLikelihood::Family);
        families.chain([InferLikelihood::MultinomialProbit, InferLikelihood::Softmax]).collect()
    }

    fn word(&self) -> Word {
        let word = |name, about| Word { name, about, also: &[] };
        match self {
            InferLikelihood::Family(family) => family.word(),
            InferLikelihood::MultinomialProbit => {
                word("multinomial-probit", "Probit of all classes together, also of two; eps is the label error")
            }
            InferLikelihood::Softmax => word("softmax", "Logistic function of all classes together, also of two"),
        }
    }
}
