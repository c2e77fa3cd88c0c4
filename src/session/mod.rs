//! The session: open recordings and commands on them, without a window and without panels.
//!
//! Panels and keys put [`Command`]s into the [`CommandQueue`]; once a frame `apply::apply_commands`
//! does them; a file that was read becomes a [`Recording`](crate::recording::Recording), which is
//! sampled at the time of the [`SessionClock`], and the stage follows. Requests that need a window go
//! out as [`WindowRequest`]s. Nothing here depends on what draws it, so all commands are tested in
//! an app without a window.
//!
//! | folder | what is in it |
//! |---|---|
//! | `commands` | commands of the user; actions with names, help and keys; applying commands |
//! | `files` | folders, reading requested files off the frame, open recordings, samples |
//! | `view` | panels and their layout; settings and views that persist; links; requests to the window |
//! | `compare` | the comparison with other recordings; reference video, images or sound |
//! | `scenes` | scenes that are edited: undo, playing them again, saving |
//! | `labels` | labels: reading, undo, saving, measures, reports |
//! | `jobs` | background jobs: checks, listings, exports |

mod commands;
mod compare;
mod files;
mod jobs;
mod labels;
mod plugin;
mod scenes;
#[cfg(test)]
mod tests;
mod view;

pub use commands::{
    ACTIONS, Action, CameraCommand, ColumnsCommand, Command, CommandQueue, Compare,
    ConventionCommand, ExportCommand, FileCommand, FootageCommand, Modifier, Needs, PanelCommand,
    PlayheadCommand, Section, Shortcut, Situation, SkeletonCommand, TimelineCommand, Toggle,
    ViewCommand, is_on, synonyms,
};
pub use compare::{Comparing, FootagePlace, Measured, OpenFootage, SavedFootage};
pub(crate) use files::same_node;
pub use files::{
    Confirmation, FailedLoading, FileOrder, FilePreview, FileSort, Files, Listing, Loading,
    OpenRecording, OpenRecordings, RecordingPreview, RigFile, SAMPLES, Sample, SessionClock,
    Source, Stroke, Thumbnail, letter, recordings_in,
};
pub use jobs::{
    BurnIn, Busy, Crashed, ExportOrder, Exported, Exports, Issues, Job, Jobs, Listed, Progress,
};
pub use labels::{
    EditCommand, EditedLabels, LabelCommand, MeasuredRange, Measuring, Naming, Reports,
};
pub use plugin::{SessionPlugin, SessionSystems};
pub use scenes::{EditedScene, SavedScene, SceneBytes, SceneCommand};
use view::Snapshots;
pub use view::{
    Collapse, Dock, FilePurpose, Layout, Link, Linked, LinkedFiles, Page, Panel, PanelEdge,
    PanelSizes, Panels, SavedView, SideLayout, SidePanel, TimelineOptions, Waker, WindowRequest,
};
#[cfg(not(target_family = "wasm"))]
pub use view::{ProgramLink, recent_recordings};
