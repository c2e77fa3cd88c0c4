//! Labels: named ranges of a recording, stored next to its file.
//!
//! | file | content |
//! |---|---|
//! | `command` | commands on labels |
//! | `apply` | names ranges, and plays, changes and removes labels |
//! | `files` | imports, saves and exports label files |
//! | `edited` | the labels of an open recording, with selection and naming |
//! | `reading` | reads the label file next to a recording |
//! | `saving` | writes labels |
//! | `measuring` | measures the labels |

mod apply;
mod command;
mod edited;
mod files;
mod measuring;
mod reading;
mod saving;

use bevy::prelude::*;

use super::schedule::{ApplyStep, SessionSystems};

pub(in crate::session) use apply::{all_labels, apply, cancel, restore, save};
pub use command::LabelCommand;
pub use edited::{EditedLabels, Naming};
pub use measuring::{MeasuredRange, Measuring};

pub(in crate::session) fn plugin(app: &mut App) {
    app.add_observer(apply::deactivate_labels).add_observer(reading::follow_source).add_systems(
        Update,
        (
            reading::find_labels.in_set(ApplyStep::Follow),
            measuring::measure_labels.in_set(SessionSystems::Check),
        ),
    );
}
