//! What is open and what is being done to it, without a window and without panels.
//!
//! Panels and keys put [`Command`]s into the [`CommandQueue`]; once a frame `apply::apply_commands`
//! does them; a file that was read becomes a [`Recording`](crate::recording::Recording), which is
//! sampled at the time of the [`SessionClock`], and the stage follows. What only a window can do goes
//! out as [`WindowRequest`]s. Nothing here knows who draws it, so what every command does is tested in
//! an app without a window.
//!
//! | file | what it does |
//! |---|---|
//! | `command`, `action` | what the user can tell the session; names, help and keys for it |
//! | `availability` | which of them can be done now, and what is on |
//! | `apply` | what commands do |
//! | `panels` | which panels are open and how they are laid out |
//! | `window_request` | what is asked of whatever has a window |
//! | `open`, `files`, `samples` | what is open, what there is to open |
//! | `open_request`, `reader`, `loading` | reading what was asked for, off the frame |
//! | `folder`, `sorting`, `previews`, `thumbnail` | what is in folders and in files that are not open |
//! | `findings`, `listed`, `comparing`, `exporting` | what is found out and written off the frame |
//! | `settings`, `remember`, `saved_view`, `snapshots` | what is kept from run to run |
//! | `page`, `link` | the page that the viewer is in, if it is in one; links to what is seen |
//! | `same_node`, `watch` | a file that is read anew; noticing that it was written |
//! | `job`, `pause` | work off the frame, and whether there is any; letting a browser draw first |

mod action;
mod apply;
mod availability;
mod command;
mod comparing;
mod exporting;
mod files;
mod findings;
mod folder;
mod job;
mod link;
mod listed;
mod loading;
mod open;
mod open_request;
mod page;
mod panels;
#[cfg(target_family = "wasm")]
mod pause;
mod plugin;
mod previews;
mod reader;
mod remember;
mod same_node;
mod samples;
mod saved_view;
mod settings;
mod snapshots;
mod sorting;
#[cfg(test)]
mod tests;
mod thumbnail;
#[cfg(not(target_family = "wasm"))]
mod watch;
mod window_request;

pub use action::{ACTIONS, Action, Modifier, Section, Shortcut};
pub use availability::{Needs, Situation, is_on};
pub use command::{Command, CommandQueue, Compare, Toggle};
pub use comparing::{Comparing, Measured};
pub use exporting::{ExportOrder, Exported, Exports};
pub use files::{FailedLoading, Files, Listing, Loading, Remark, RigFile, Source};
pub use findings::Findings;
pub use folder::recordings_in;
pub use job::{Busy, Crashed, Job, Jobs, Progress};
pub use link::Link;
pub use listed::Listed;
pub use open::{OpenRecording, OpenRecordings, SessionClock, letter};
pub use page::{Linked, Page};
pub use panels::{
    Collapse, Dock, Layout, Panel, PanelEdge, PanelRequest, PanelSizes, Panels, SideLayout,
    SidePanel, TimelineOptions,
};
pub use plugin::{SessionPlugin, SessionSystems};
pub use previews::{FilePreview, RecordingPreview};
pub use samples::{SAMPLES, Sample};
pub use saved_view::SavedView;
use snapshots::Snapshots;
pub use thumbnail::{Stroke, Thumbnail};
pub use window_request::{FilePurpose, Waker, WindowRequest};
