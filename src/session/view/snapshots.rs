//! Exports and copied views, which need the state of all open recordings.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::session::{
    ExportRequest, Exports, Files, Jobs, LinkCoverage, OpenFootage, Page, SavedView, WindowRequest,
    files::open::OpenRecordings, jobs::exporting::ExportScene,
};
use crate::stage::{PlayerSkin, StageScreen, View};

#[derive(Resource, Debug, Default)]
pub(in crate::session) struct SnapshotRequests {
    pub(in crate::session) export: Option<ExportRequest>,
    pub(in crate::session) copy_view: bool,
}

#[derive(SystemParam)]
pub(in crate::session) struct ShownState<'w, 's> {
    open: OpenRecordings<'w, 's>,
    view: Res<'w, View>,
    screen: Res<'w, StageScreen>,
    player_skin: Res<'w, PlayerSkin>,
    footage: Res<'w, OpenFootage>,
}

pub(in crate::session) fn carry_out_requests(
    mut requests: ResMut<SnapshotRequests>,
    state: ShownState,
    mut exports: ResMut<Exports>,
    mut files: ResMut<Files>,
    jobs: Res<Jobs>,
    page: Option<Res<Page>>,
    mut window: MessageWriter<WindowRequest>,
) {
    let ShownState { open, view, screen, player_skin, footage } = &state;
    let requests = std::mem::take(requests.bypass_change_detection());
    if let Some(request) = requests.export
        && let Some(scene) = ExportScene::capture(open, view, screen, player_skin, footage)
    {
        exports.start(request, scene, &jobs);
    }
    if requests.copy_view {
        let footage = footage.saved().cloned();
        let view = SavedView { footage, ..SavedView::capture(open, view, screen) };
        match view_text(&view, &files, page.as_deref()) {
            Some((text, remark)) => {
                files.notify(remark);
                window.write(WindowRequest::CopyText(text));
            }
            None => files.notify("No command was copied: examples are not files".to_owned()),
        }
    }
}

/// Returns the text that restores `view` of `files`, and the confirmation for the user. On a web
/// page the text is a link, otherwise a command. `None` for samples on the desktop, because they
/// are not files.
fn view_text(view: &SavedView, files: &Files, page: Option<&Page>) -> Option<(String, String)> {
    let Some(page) = page else {
        let line = view.command_line(files)?;
        let remark = format!("Copied: {line}");
        return Some((line, remark));
    };
    let (address, linked) = page.link_to(view, files);
    let remark = match linked {
        LinkCoverage::All => format!("Copied: {address}"),
        LinkCoverage::Partial => {
            format!("Copied: {address}, without local files. Drop them on that page")
        }
    };
    Some((address, remark))
}
