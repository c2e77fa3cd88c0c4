//! Lists the files of a folder, loads files, and holds the open recordings and their clock.
//!
//! | file | content |
//! |---|---|
//! | `file_list`, `file_order` | [`Files`]: open, listed and failed files, and their order |
//! | `folder`, `sorting` | recordings in folders; recordings, skeletons and footage by content |
//! | `command`, `opening` | commands on files; chooses what to read, and closes recordings |
//! | `open_job`, `decoding`, `loading` | reads files on a task, and installs the recordings |
//! | `open` | [`OpenRecordings`]: the open recordings and their clock |
//! | `diagnostics`, `file_listing` | checks a recording; lists the bytes of its file |
//! | `previews`, `thumbnail` | previews of listed files |
//! | `persistence` | restores and saves settings |
//! | `writing` | complete files, and the question before a file is replaced |

mod command;
mod decoding;
mod diagnostics;
mod file_list;
mod file_listing;
mod file_order;
mod folder;
mod loading;
mod open;
mod open_job;
mod opening;
mod persistence;
mod previews;
mod same_node;
mod sorting;
mod thumbnail;
mod writing;

use bevy::prelude::*;

use super::{
    schedule::{ApplyStep, SessionSystems},
    view::Settings,
};

pub use command::FileCommand;
pub(in crate::session) use command::apply;
pub(in crate::session) use decoding::decode_recording;
pub use decoding::default_read_options;
pub use diagnostics::RecordingDiagnostics;
pub(in crate::session) use diagnostics::profile_path;
pub use file_list::{
    AttachedSkeleton, Confirmation, FileFailure, Files, ListOrigin, Loading, Source,
};
pub use file_listing::FileListing;
pub use file_order::{FileOrder, FileSort};
pub(in crate::session) use folder::folder_of;
pub use folder::recordings_in;
pub(in crate::session) use loading::{
    ComparedOpened, FootageFound, Interpolation, RecordingInstaller, ReferenceOpened,
};
pub use open::{FileBytes, OpenRecordings, RecordingItem, SessionClock, recording_letter};
pub(in crate::session) use open::{OpenRecordingsMut, SourceChanged};
pub(in crate::session) use open_job::{SkeletonOrigin, display_name};
pub(in crate::session) use opening::FileOpener;
pub use previews::{FilePreview, RecordingPreview};
pub(crate) use same_node::find_same_node;
pub(in crate::session) use sorting::is_label_file;
pub use thumbnail::{Stroke, Thumbnail};
pub(in crate::session) use writing::{
    ReplaceQuestion, SaveOutcome, display_output_path, existing_files_question, save_sidecar,
    write_complete_file,
};

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<Files>()
        .init_resource::<FileListing>()
        .init_resource::<SessionClock>()
        .init_resource::<Settings>()
        .init_resource::<Interpolation>()
        .init_resource::<loading::LoadingJob>()
        .init_resource::<loading::OverlayJobs>()
        .init_resource::<previews::Previews>()
        .add_systems(Startup, persistence::restore_settings)
        .add_systems(
            Update,
            (
                (loading::finish_loading, loading::finish_overlays).chain().in_set(ApplyStep::Load),
                previews::update_previews.in_set(ApplyStep::Follow),
                (diagnostics::check_recordings, file_listing::update_file_listing)
                    .in_set(SessionSystems::Check),
            ),
        )
        .add_systems(Last, persistence::save_settings);
}
