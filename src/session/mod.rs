//! The session: the open recordings and the commands on them, without a window and without panels.
//!
//! Panels and keys put [`Command`]s into the [`CommandQueue`]. Once a frame
//! `commands::dispatch::apply_commands` takes them out, and each feature applies its own. A file
//! that was read becomes a [`Recording`](bevy_mutoscope::Recording), which is sampled at the time
//! of the [`SessionClock`] and drawn by the stage. Requests that need a window leave as
//! [`WindowRequest`]s. Because nothing here depends on what draws the session, all commands are
//! tested in an app without a window.
//!
//! Each module may import only modules in the rows above it, never one of its own row:
//!
//! | modules | content |
//! |---|---|
//! | `jobs`, `samples`, `schedule` | background jobs; embedded recordings; the order of the systems |
//! | `view` | panels and their layout; settings, saved views and links; requests to the window |
//! | `history` | the undo history of all edits, and which are unsaved |
//! | `files` | folders, loading files in the background, the open recordings and their clock |
//! | `playback`, `viewport`, `conventions`, `columns`, `skeleton`, `areas`, `compare`, `footage`, `labels`, `report`, `scenes`, `export` | the features, each with its state, commands and systems |
//! | `features` | the open recordings with the state of all features |
//! | `commands` | [`Command`], composed of the commands of the features; the actions; the dispatch |
//! | `watch` | reloads files that another program has written |
//! | `plugin` | [`SessionPlugin`] adds them all |

mod areas;
mod checks;
mod columns;
mod commands;
mod compare;
mod conventions;
mod export;
mod features;
mod files;
mod footage;
mod history;
mod jobs;
mod labels;
mod playback;
mod plugin;
mod report;
mod samples;
mod scenes;
mod schedule;
mod skeleton;
#[cfg(test)]
mod tests;
mod view;
mod viewport;
#[cfg(not(target_family = "wasm"))]
mod watch;

pub use areas::AreaCommand;
pub use checks::CheckCommand;
pub use columns::ColumnsCommand;
pub use commands::{
    ACTIONS, Action, ActionContext, Command, CommandQueue, EditCommand, Modifier, Needs,
    PendingCommands, Section, Shortcut, Toggle, is_on,
};
pub use compare::{CompareCommand, Comparing, MeasuredDistances};
pub use conventions::ConventionCommand;
pub use export::{BurnIn, ExportCommand, ExportRequest, Exported, Exports, VideoCamera};
pub use features::{AllOpenRecordings, FeatureQuery, Features, OpenRecording, edited_labels_index};
pub(crate) use files::find_same_node;
pub use files::{
    AttachedSkeleton, Confirmation, FileBytes, FileCommand, FileFailure, FileListing, FileOrder,
    FilePreview, FileSort, Files, ListOrigin, Loading, OpenRecordings, RecordingDiagnostics,
    RecordingItem, RecordingPreview, SessionClock, Source, Stroke, Thumbnail, default_read_options,
    recording_letter, recordings_in,
};
pub use footage::{FootageCommand, FootagePhase, OpenFootage};
pub use history::{Document, Edit, EditHistory, EditedValue, SceneContent};
pub use jobs::{Busy, Crashed, Job, Jobs, Progress};
pub use labels::{EditedLabels, LabelCommand, MeasuredRange, Measuring, Naming};
pub use playback::PlayheadCommand;
pub use plugin::SessionPlugin;
pub use report::{ReportCommand, Reports};
pub use samples::{SAMPLES, Sample};
pub use scenes::{EditedScene, SavedScene, SceneBytes, SceneCommand};
pub use schedule::SessionSystems;
pub use skeleton::SkeletonCommand;
pub use view::{
    Collapse, Dock, FilePurpose, Layout, Link, LinkedFiles, Page, Panel, PanelCommand, PanelEdge,
    PanelSizes, Panels, SavedFootage, SavedView, Settings, SideLayout, SidePanel, TimelineCommand,
    TimelineOptions, Waker, WindowRequest,
};
#[cfg(not(target_family = "wasm"))]
pub use view::{ProgramLink, recent_recordings};
pub use viewport::{CameraCommand, ViewCommand};
