//! The stored form of a view, checked when it is read: a file may have been damaged.

use super::{Curve, InputView, View};
use serde::{Deserialize, Serialize};

/// What is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ViewRecord {
    kind: InputView,
    columns: Vec<Option<Curve>>,
}

/// A stored view that cannot be one.
#[derive(Debug, thiserror::Error)]
pub(super) enum DamagedView {
    /// The map of a column is not finite, not monotone, or of another kind.
    #[error("the stored view of the inputs is damaged: its column {} makes no sense", .column + 1)]
    Curve {
        /// Its position, from 0.
        column: usize,
    },
    /// Rows that are seen as they are need no maps.
    #[error("the stored view of the inputs is damaged: standardised inputs have no maps")]
    NoMaps,
}

impl From<View> for ViewRecord {
    fn from(View { kind, columns }: View) -> Self {
        ViewRecord { kind, columns }
    }
}

impl TryFrom<ViewRecord> for View {
    type Error = DamagedView;

    fn try_from(ViewRecord { kind, columns }: ViewRecord) -> Result<Self, DamagedView> {
        if kind.is_standardised() && !columns.is_empty() {
            return Err(DamagedView::NoMaps);
        }
        let sound = |curve: &Option<Curve>| curve.as_ref().is_none_or(|curve| curve.is_sound(kind));
        match columns.iter().position(|curve| !sound(curve)) {
            Some(column) => Err(DamagedView::Curve { column }),
            None => Ok(View { kind, columns }),
        }
    }
}
