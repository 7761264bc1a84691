//! The views of the inputs in a file: each once, whatever the number of models that share it.

use super::sections::{Sections, Writer};
use super::{MemberHeader, ModelFileError};
use crate::classifier::Member;
use crate::data::{InputView, View};
use crate::model::TrainingData;
use std::sync::Arc;

/// Nesting of a stored view.
const MAX_DEPTH: usize = 16;

/// The name of a view's section.
pub(super) fn section(view: InputView) -> String {
    format!("view/{}", view.name())
}

/// The views that models have; none of rows that are seen as they are.
pub(super) fn write(members: &[Member], writer: &mut Writer) {
    for kind in InputView::ALL.into_iter().filter(|kind| !kind.is_standardised()) {
        let views = members.iter().map(|member| member.fitted().data().view());
        if let Some(view) = views.into_iter().find(|view| view.kind() == kind) {
            let mut cbor = Vec::new();
            ciborium::into_writer(view, &mut cbor).expect("plain structures can be written to memory");
            writer.required(&section(kind), &cbor);
        }
    }
}

/// For every model the rows as it sees them, shared between models of one view.
pub(super) fn read(
    members: &[MemberHeader],
    sections: &Sections<'_>,
    data: &Arc<TrainingData>,
) -> Result<Vec<Arc<TrainingData>>, ModelFileError> {
    let mut seen = vec![Arc::clone(data)];
    for MemberHeader { view: kind, .. } in members {
        if seen.iter().all(|data| data.view().kind() != *kind) {
            seen.push(Arc::new(viewed(*kind, sections, data)?));
        }
    }
    let of_member = |member: &MemberHeader| seen.iter().find(|data| data.view().kind() == member.view).map(Arc::clone);
    Ok(members.iter().filter_map(of_member).collect())
}

fn viewed(kind: InputView, sections: &Sections<'_>, data: &TrainingData) -> Result<TrainingData, ModelFileError> {
    let nonsense = |e: &dyn std::fmt::Display| ModelFileError::nonsense("views", e);
    let bytes = sections.required(&section(kind))?;
    let view: View = ciborium::de::from_reader_with_recursion_limit(bytes, MAX_DEPTH).map_err(|e| nonsense(&e))?;
    if view.kind() != kind {
        return Err(nonsense(&format!("the view '{kind}' is one of kind '{}'", view.kind())));
    }
    data.with_view(view).map_err(|e| nonsense(&e))
}
