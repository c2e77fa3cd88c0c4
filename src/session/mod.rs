//! What is open and what is being done to it, without a window and without panels.
//!
//! Panels and keys put [`Command`]s into the [`CommandQueue`]; once a frame `apply::apply_commands`
//! does them; a loading that ended hands its recording to the [`Player`](crate::player::Player); the
//! player samples the pose and the stage follows. What only a window can do goes out as
//! [`WindowRequest`]s. Nothing here knows who draws it, so what every command does is tested in an
//! app without a window.
//!
//! | file | what it does |
//! |---|---|
//! | `command`, `action` | what the user can tell the session; names, help and keys for it |
//! | `availability` | which of them can be done now, and what is on |
//! | `apply` | what commands do |
//! | `panels` | which panels are open and how they are laid out |
//! | `window_request` | what is asked of whatever has a window |
//! | `files`, `samples` | what is open, what there is to open |
//! | `order`, `reader`, `loading` | reading what was asked for, off the frame |
//! | `folder`, `sorting`, `glance`, `sketch` | what is in folders and in files that are not open |
//! | `findings`, `listed`, `comparing`, `exporting` | what is found out and written off the frame |
//! | `settings`, `remember`, `saved_view` | what is kept from run to run |
//! | `same_node`, `watch` | a file that is read anew; noticing that it was written |
//! | `job`, `at_work` | work off the frame, and whether there is any |

mod action;
mod apply;
mod at_work;
mod availability;
mod command;
mod comparing;
mod exporting;
mod files;
mod findings;
mod folder;
mod glance;
mod job;
mod listed;
mod loading;
mod open;
mod order;
mod panels;
mod plugin;
mod reader;
mod remember;
mod same_node;
mod samples;
mod saved_view;
mod settings;
mod sketch;
mod snapshots;
mod sorting;
#[cfg(test)]
mod tests;
mod watch;
mod window_request;

pub use action::{ACTIONS, Action, Modifier, Section, Shortcut};
pub use at_work::AtWork;
pub use availability::{Needs, Situation, is_on};
pub use command::{Command, CommandQueue, Compare, Toggle};
pub use comparing::{Comparing, Measured};
pub use exporting::{ExportKind, ExportOrder, Exported, Exports};
pub use files::{FailedLoading, Files, Listing, Loading, Remark, RigFile, Source};
pub use findings::Findings;
pub use folder::recordings_in;
pub use glance::{Glance, Seen};
pub use job::{Busy, Crashed, Job, Jobs, Progress};
pub use listed::Listed;
pub use open::{OpenRecording, OpenRecordings, SessionClock, letter};
pub use panels::{
    Collapse, Dock, Layout, Panel, PanelEdge, PanelRequest, PanelSizes, Panels, SideLayout,
    SidePanel, TimelineOptions,
};
pub use plugin::{SessionPlugin, SessionSystems};
pub use samples::{SAMPLES, Sample};
pub use saved_view::SavedView;
pub use sketch::{Sketch, Stroke};
use snapshots::Snapshots;
pub use window_request::{FilePurpose, Waker, WindowRequest};
