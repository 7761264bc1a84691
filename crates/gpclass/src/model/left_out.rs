//! Predictions of training rows from the others.

use super::found::Found;
use super::training::check_groups;
use super::{FittedModel, ModelError, Predictions};
use crate::data::Groups;
use crate::inference::Inferred;
use crate::likelihood::Gaussian;

impl FittedModel {
    /// Every training row as predicted without its own label, from the cavities (EPCV 13, multiclass 4), refined ones where
    /// there are any.
    pub fn leave_one_out(&self) -> Predictions {
        match &self.found {
            Found::Binary(inferred) => self.predictions(inferred, self.cavities(inferred, 0)),
            Found::Joint(joint, link) => self.class_predictions(*link, &joint.cavities(&self.data.under(*link))),
            Found::OneVsRest(each, _) => {
                self.rest_predictions(each, |c, row| self.cavities(&each[c], c)[row], self.data.rows())
            }
        }
    }

    /// For every training row the log-probability of its label as predicted without it.
    pub fn leave_one_out_log_probability(&self) -> Vec<f64> {
        self.leave_one_out().log_probability_of(self.data.labels())
    }

    /// Every training row as predicted from the rows of other groups: all sites of its group taken out of the posterior at once,
    /// at the hyperparameters that were learned with them (NOTATION, leave-group-out). Refused unless every row has its group.
    pub fn leave_group_out(&self, groups: &Groups) -> Result<Predictions, ModelError> {
        check_groups(groups, self.data.rows())?;
        Ok(self.without_groups(groups))
    }

    /// Every training row as predicted from those that do not belong to it: the rows of other groups where the training data
    /// have groups, else all other rows.
    pub fn left_out(&self) -> Predictions {
        match self.data.groups() {
            Some(groups) => self.without_groups(groups),
            None => self.leave_one_out(),
        }
    }

    fn without_groups(&self, groups: &Groups) -> Predictions {
        match &self.found {
            Found::Binary(inferred) => {
                self.predictions(inferred, &inferred.group_cavities(&self.observations(), groups))
            }
            Found::Joint(joint, link) => {
                self.class_predictions(*link, &joint.group_cavities(&self.data.under(*link), groups))
            }
            Found::OneVsRest(each, _) => {
                let of_class = |(c, own): (usize, &Inferred)| {
                    own.group_cavities(&self.data.against_rest(c, &self.model.likelihood), groups)
                };
                let latents: Vec<Vec<Gaussian>> = each.iter().enumerate().map(of_class).collect();
                self.rest_predictions(each, |c, row| latents[c][row], self.data.rows())
            }
        }
    }
}
