//! The session: the open recordings and the commands on them, without a window and without panels.
//!
//! Panels and keys put [`Command`]s into the [`CommandQueue`]. Once a frame `apply::apply_commands`
//! takes them out and applies them. A file that was read becomes a
//! [`Recording`](crate::recording::Recording), which is sampled at the time of the [`SessionClock`]
//! and drawn by the stage. Requests that need a window leave as [`WindowRequest`]s. Because nothing
//! here depends on what draws the session, all commands are tested in an app without a window.
//!
//! | folder | content |
//! |---|---|
//! | `commands` | the user's commands; actions with names, tooltips and keys; how commands are applied |
//! | `files` | folders, loading files in the background, open recordings, embedded samples |
//! | `view` | panels and their layout; settings and saved views; links; requests to the window |
//! | `compare` | the comparison with other recordings; reference video, images or sound |
//! | `scenes` | edited scenes: undo, playback after an edit, saving |
//! | `labels` | labels: reading, undo, saving, measures, reports |
//! | `jobs` | background jobs: checks, file listings, exports |

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
    ACTIONS, Action, ActionContext, CameraCommand, ColumnsCommand, Command, CommandQueue,
    CompareCommand, ConventionCommand, ExportCommand, FileCommand, FootageCommand, Modifier, Needs,
    PanelCommand, PlayheadCommand, Section, Shortcut, SkeletonCommand, TimelineCommand, Toggle,
    ViewCommand, is_on, synonyms,
};
pub use compare::{Comparing, FootagePhase, MeasuredDistances, OpenFootage, SavedFootage};
pub(crate) use files::find_same_node;
pub use files::{
    AttachedSkeleton, Confirmation, FileFailure, FileOrder, FilePreview, FileSort, Files,
    ListOrigin, Loading, OpenRecording, OpenRecordings, RecordingPreview, SAMPLES, Sample,
    SessionClock, Source, Stroke, Thumbnail, recording_letter, recordings_in,
};
pub use jobs::{
    BurnIn, Busy, Crashed, ExportRequest, Exported, Exports, FileListing, Job, Jobs, Progress,
    RecordingDiagnostics,
};
pub use labels::{
    EditCommand, EditedLabels, LabelCommand, MeasuredRange, Measuring, Naming, Reports,
};
pub use plugin::{SessionPlugin, SessionSystems, default_read_options};
pub use scenes::{EditedScene, SavedScene, SceneBytes, SceneCommand};
use view::SnapshotRequests;
pub use view::{
    Collapse, Dock, FilePurpose, Layout, Link, LinkCoverage, LinkedFiles, Page, Panel, PanelEdge,
    PanelSizes, Panels, SavedView, SideLayout, SidePanel, TimelineOptions, Waker, WindowRequest,
};
#[cfg(not(target_family = "wasm"))]
pub use view::{ProgramLink, recent_recordings};
