//! The session: open recordings and commands on them, without a window and without panels.
//!
//! Panels and keys put [`Command`]s into the [`CommandQueue`]; once a frame `apply::apply_commands`
//! does them; a file that was read becomes a [`Recording`](crate::recording::Recording), which is
//! sampled at the time of the [`SessionClock`], and the stage follows. Requests that need a window go
//! out as [`WindowRequest`]s. Nothing here depends on what draws it, so all commands are tested in
//! an app without a window.
//!
//! | file | what it does |
//! |---|---|
//! | `command`, `action` | commands of the user; their names, help and keys |
//! | `availability` | the available actions, and the state of toggles |
//! | `apply` | applying commands |
//! | `panels` | the open panels and their layout |
//! | `window_request` | requests to the window |
//! | `open`, `files`, `samples` | open recordings, files and examples |
//! | `open_request`, `reader`, `loading` | reading requested files, off the frame |
//! | `folder`, `sorting`, `previews`, `thumbnail` | the content of folders and of files that are not open |
//! | `issues`, `listed`, `comparing`, `exporting` | background checks, listings, comparisons and exports |
//! | `scenes` | scenes that are edited: undo, playing them again, saving |
//! | `footage` | the reference video, images or sound |
//! | `settings`, `remember`, `saved_view`, `snapshots` | settings and views that persist |
//! | `page`, `link` | the web page that the viewer runs in, if any; links to views |
//! | `same_node`, `watch` | a file that is reloaded; noticing that it was written |
//! | `job` | background jobs |

mod action;
mod apply;
mod availability;
mod command;
mod comparing;
mod exporting;
mod files;
mod folder;
mod footage;
mod issues;
mod job;
mod link;
mod listed;
mod loading;
mod open;
mod open_request;
mod page;
mod panels;
mod plugin;
mod previews;
mod reader;
mod remember;
mod same_node;
mod samples;
mod saved_view;
mod scenes;
mod settings;
mod snapshots;
mod sorting;
mod synonyms;
#[cfg(test)]
mod tests;
mod thumbnail;
#[cfg(not(target_family = "wasm"))]
mod watch;
mod window_request;

pub use action::{ACTIONS, Action, Modifier, Section, Shortcut};
pub use availability::{Needs, Situation, is_on};
pub use command::{
    CameraCommand, Command, CommandQueue, Compare, ConventionCommand, ExportCommand, FileCommand,
    FootageCommand, PanelCommand, PlayheadCommand, SkeletonCommand, TimelineCommand, Toggle,
    ViewCommand,
};
pub use comparing::{Comparing, Measured};
pub use exporting::{ExportOrder, Exported, Exports};
pub use files::{Confirmation, FailedLoading, Files, Listing, Loading, RigFile, Source};
pub use folder::recordings_in;
pub use footage::{FootagePlace, OpenFootage, SavedFootage};
pub use issues::Issues;
pub use job::{Busy, Crashed, Job, Jobs, Progress};
pub use link::Link;
pub use listed::Listed;
pub use open::{OpenRecording, OpenRecordings, SessionClock, letter};
pub use page::{Linked, Page};
pub use panels::{
    Collapse, Dock, Layout, Panel, PanelEdge, PanelSizes, Panels, SideLayout, SidePanel,
    TimelineOptions,
};
pub use plugin::{SessionPlugin, SessionSystems};
pub use previews::{FilePreview, RecordingPreview};
pub(crate) use same_node::same_node;
pub use samples::{SAMPLES, Sample};
pub use saved_view::SavedView;
pub use scenes::{EditedScene, SavedScene, SceneBytes, SceneCommand};
use snapshots::Snapshots;
pub use synonyms::synonyms;
pub use thumbnail::{Stroke, Thumbnail};
pub use window_request::{FilePurpose, Waker, WindowRequest};
