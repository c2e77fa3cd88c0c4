//! Comparison with other recordings.
//!
//! `comparing` matches joints, measures distances and aligns times. `apply` applies commands.

mod apply;
mod comparing;

use bevy::prelude::*;

use super::schedule::SessionSystems;
use bevy_mutoscope::stage::{MatchedSelection, Overlay};

pub use apply::CompareCommand;
pub(in crate::session) use apply::apply;
pub use comparing::{Comparing, MeasuredDistances};

pub(in crate::session) fn plugin(app: &mut App) {
    app.register_required_components::<Overlay, Comparing>()
        // An app without a stage needs this resource too. If there is a stage, it adds the same
        // resource.
        .init_resource::<MatchedSelection>()
        .add_observer(comparing::request_alignment)
        .add_systems(
            Update,
            (
                (
                    comparing::match_joints,
                    comparing::measure_distances,
                    comparing::apply_alignments,
                )
                    .chain(),
                comparing::update_matched_selection,
            )
                .in_set(SessionSystems::Check),
        );
}
