//! The view: panels, settings, saved views and links.

mod link;
mod page;
mod panels;
pub(super) mod persistence;
#[cfg(not(target_family = "wasm"))]
mod program_link;
mod saved_view;
pub(super) mod settings;
pub(super) mod snapshots;
mod window_request;

pub use link::Link;
pub use page::{LinkCoverage, Page};
pub use panels::{
    Collapse, Dock, Layout, LinkedFiles, Panel, PanelEdge, PanelSizes, Panels, SideLayout,
    SidePanel, TimelineOptions,
};
#[cfg(not(target_family = "wasm"))]
pub use program_link::{ProgramLink, recent_recordings};
pub use saved_view::SavedView;
pub(super) use snapshots::SnapshotRequests;
pub use window_request::{FilePurpose, Waker, WindowRequest};
