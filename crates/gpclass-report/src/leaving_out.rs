//! How training rows were left out to be predicted, in words: each by itself, or with its group.

use crate::text::count;
use gpclass::classifier::{GroupSummary, Summary};

/// What to say where a fit without groups would speak of leave-one-out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeavingOut<'a> {
    groups: Option<&'a GroupSummary>,
}

impl<'a> LeavingOut<'a> {
    pub fn of(summary: &'a Summary) -> Self {
        LeavingOut { groups: summary.groups.as_ref() }
    }

    fn either(self, single: &'static str, grouped: &'static str) -> &'static str {
        if self.groups.is_some() { grouped } else { single }
    }

    /// The name of the procedure.
    pub fn name(self) -> &'static str {
        self.either("leave-one-out", "leave-group-out")
    }

    /// What a row was predicted from.
    pub fn others(self) -> &'static str {
        self.either("all the others", "the rows of all other groups")
    }

    /// What the model that predicts a row did not see.
    pub fn without(self) -> &'static str {
        self.either("without that row", "without all rows of its group")
    }

    /// What that means, for readers who meet it for the first time.
    pub fn meaning(self) -> &'static str {
        self.either(
            "Predicted from all other rows, without its own label. The hyperparameters were learned from all rows, though, so \
             that these predictions flatter the model a little.",
            "Predicted from the rows of all other groups, without the labels of its own. The hyperparameters were learned from \
             all rows, though, so that these predictions flatter the model a little.",
        )
    }

    /// Which groups there are, in brackets with a space before; nothing where each row stands for itself.
    pub fn groups_text(self) -> String {
        self.groups.map_or(String::new(), |groups| {
            format!(
                " ({} by “{}”, of {} at most)",
                count(groups.groups, "group", "groups"),
                groups.name,
                count(groups.largest, "row", "rows")
            )
        })
    }

    /// How clusters were treated, if there are any.
    pub fn clusters(self) -> Option<String> {
        let groups = self.groups?;
        Some(format!(
            "the rows of each of {} by “{}” were left out together; differences between groups are not modelled",
            count(groups.groups, "group", "groups"),
            groups.name
        ))
    }
}
