//! Predictions as lines of CSV: the fields that every prediction has, in the order in which every face writes them.

use crate::csv::{Csv, number};
use gpclass::classifier::Classifier;
use gpclass::data::Class;
use gpclass::explain::UNLIKE_TRAINING;
use gpclass::model::Predictions;

/// How the predictions of a classifier become fields.
#[derive(Clone, Copy, Debug)]
pub struct PredictedLine<'a> {
    /// What predicted.
    pub classifier: &'a Classifier,
    /// How texts are written.
    pub csv: Csv,
}

impl PredictedLine<'_> {
    /// The names of the fields.
    pub fn names(&self) -> Vec<String> {
        let (csv, classes) = (self.csv, self.classifier.classes());
        let mut names = vec!["label".to_owned()];
        names.extend(self.classes().map(|class| csv.field(&format!("p({})", classes.name(class)))));
        match classes.names() {
            [_, _] => names.extend(["latent_mean", "latent_sd"].map(str::to_owned)),
            several => {
                let latent = |class| ["latent_mean", "latent_sd"].map(|what| csv.field(&format!("{what}({class})")));
                names.extend(several.iter().flat_map(latent));
            }
        }
        names.extend(["novelty", "unlike_training"].map(str::to_owned));
        names
    }

    /// The fields of a row, whose label may be left open.
    pub fn fields(&self, rows: &Predictions, row: usize, label: Option<&str>, novelty: f64) -> Vec<String> {
        let mut fields = vec![label.map(|label| self.csv.field(label)).unwrap_or_default()];
        fields.extend(self.classes().map(|class| number(rows.probability(row, class))));
        for function in 0..rows.functions() {
            let latent = rows.latent(row, function);
            fields.extend([number(latent.mean), number(latent.var.sqrt())]);
        }
        fields.extend([number(novelty), (novelty > UNLIKE_TRAINING).to_string()]);
        fields
    }

    /// The classes whose probabilities are written: of two the positive one, which says it all.
    fn classes(&self) -> impl Iterator<Item = Class> + use<> {
        let count = self.classifier.classes().len();
        Class::first(count).skip(usize::from(count == 2))
    }
}
