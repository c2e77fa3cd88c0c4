//! Exports and view commands, which are made of all open recordings.

use bevy::prelude::*;

use crate::session::{
    ExportOrder, Exports, Files, Jobs, Linked, OpenFootage, Page, SavedView, WindowRequest,
    files::open::OpenRecordings, jobs::exporting::Scene,
};
use crate::stage::{PlayerSkin, StageScreen, View};

/// Requests, until all commands of the frame are applied.
#[derive(Resource, Debug, Default)]
pub(in crate::session) struct Snapshots {
    /// The requested export.
    pub(in crate::session) export: Option<ExportOrder>,
    /// Whether the command that shows what is seen now is to be copied.
    pub(in crate::session) copy_view: bool,
}

/// Carries out the requests.
pub(in crate::session) fn take(
    mut wanted: ResMut<Snapshots>,
    open: OpenRecordings,
    (view, screen, player_skin): (Res<View>, Res<StageScreen>, Res<PlayerSkin>),
    (mut exports, jobs, page): (ResMut<Exports>, Res<Jobs>, Option<Res<Page>>),
    (mut files, footage): (ResMut<Files>, Res<OpenFootage>),
    mut window: MessageWriter<WindowRequest>,
) {
    let wanted = std::mem::take(wanted.bypass_change_detection());
    if let Some(order) = wanted.export
        && let Some(scene) = Scene::of(&open, &view, &screen, &player_skin, &footage)
    {
        exports.start(order, scene, &jobs);
    }
    if wanted.copy_view {
        let footage = footage.saved().cloned();
        let view = SavedView { footage, ..SavedView::of(&open, &view, &screen) };
        match copied(&view, &files, page.as_deref()) {
            Some((text, remark)) => {
                files.say(remark);
                window.write(WindowRequest::CopyText(text));
            }
            None => files.say("No command was copied: examples are not files".to_owned()),
        }
    }
}

/// The text that restores `view` of `files`, and the confirmation: a link in a web page, else a
/// command; nothing for examples on the desktop.
fn copied(view: &SavedView, files: &Files, page: Option<&Page>) -> Option<(String, String)> {
    let Some(page) = page else {
        let line = view.command_line(files)?;
        let remark = format!("Copied: {line}");
        return Some((line, remark));
    };
    let (address, linked) = page.link(view, files);
    let remark = match linked {
        Linked::All => format!("Copied: {address}"),
        Linked::NotTheFiles => {
            format!("Copied: {address}; without the files of this machine. Drop them on that page")
        }
    };
    Some((address, remark))
}
