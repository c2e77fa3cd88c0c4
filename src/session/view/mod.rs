//! The view: panels, settings, the selection, saved views, links and requests to the window.

mod command;
mod link;
mod page;
mod panels;
#[cfg(not(target_family = "wasm"))]
mod program_link;
mod saved_view;
mod selection;
mod settings;
mod window_request;

use bevy::prelude::*;

pub use command::{PanelCommand, TimelineCommand};
pub use link::Link;
pub use page::Page;
pub use panels::{
    Collapse, Dock, Layout, LinkedFiles, Panel, PanelEdge, PanelSizes, Panels, SideLayout,
    SidePanel, TimelineOptions,
};
#[cfg(not(target_family = "wasm"))]
pub use program_link::{ProgramLink, recent_recordings};
pub(in crate::session) use saved_view::node_selector;
pub use saved_view::{SavedFootage, SavedView};
pub(in crate::session) use selection::{NodeSelected, select_node};
pub use settings::Settings;
pub(in crate::session) use settings::absolute_path;
pub use window_request::{FilePurpose, Waker, WindowRequest};

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<Panels>()
        .init_resource::<SavedView>()
        .init_resource::<Waker>()
        .add_message::<WindowRequest>();
}

/// Applies a command on panels.
pub(in crate::session) fn apply_panel_command(
    In(command): In<PanelCommand>,
    mut panels: ResMut<Panels>,
) {
    panels.apply(&command);
}
