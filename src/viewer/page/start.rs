//! Starts the viewer with the files that the link to the page names.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use js_sys::{Promise, futures::future_to_promise};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::inbox;
use crate::{
    browser,
    capture::share_renderer,
    session::{
        AttachedSkeleton, Command, CommandQueue, FileCommand, Link, Page, SavedView, SessionPlugin,
    },
    viewer::app::build_app,
};
use bevy_mutoscope::stage::PlayerSkin;
use mutoscope_core::io::{bytes::FolderSidecars, storage};

/// Fetches the files that the link names, and starts the viewer. The promise resolves as soon as
/// the viewer has started, and the viewer keeps running.
#[wasm_bindgen]
pub fn start() -> Promise {
    future_to_promise(async {
        browser::take_over_canvas()?;
        inbox::watch_drops()?;
        let (page, query) = browser::address()?;
        let (link, mut problems) = Link::parse(&query);
        let fetched = fetch_files(&link, &mut problems).await;
        run(page, link, fetched, &mut problems);
        browser::show_message(&problems.join("\n"), "problem");
        Ok(JsValue::UNDEFINED)
    })
}

async fn fetch_files(link: &Link, problems: &mut Vec<String>) -> HashMap<String, PathBuf> {
    let compared: Vec<_> =
        link.view.compared.iter().map(|(address, _)| address.display().to_string()).collect();
    let mut paths = HashMap::new();
    for address in link.files.iter().chain(&link.rig).chain(&compared) {
        match browser::fetch(address).await {
            Ok((path, bytes)) => {
                let path = PathBuf::from(path);
                storage::add_file(&path, bytes);
                paths.insert(address.clone(), path);
            }
            Err(why) => problems.push(why),
        }
    }
    paths
}

fn run(page: String, link: Link, paths: HashMap<String, PathBuf>, problems: &mut Vec<String>) {
    let skeleton = link.rig.as_ref().and_then(|address| paths.get(address)).and_then(|path| {
        read_skeleton(path).map_err(|why| problems.push(format!("{}: {why}", path.display()))).ok()
    });
    let path_of = |address: &Path| paths.get(address.to_str()?).cloned();
    let compared = link.view.compared.iter();
    let compared = compared.filter_map(|(address, options)| Some((path_of(address)?, *options)));
    let view = SavedView { compared: compared.collect(), ..link.view.clone() };
    let session =
        SessionPlugin { skeleton, ..SessionPlugin::for_link(link.format, link.rotation, view) };
    let mut app = build_app(session, PlayerSkin::default());
    share_renderer(&mut app);
    let files: Vec<_> = link.files.iter().filter_map(|file| paths.get(file).cloned()).collect();
    let mut queue = app.world_mut().resource_mut::<CommandQueue>();
    match link.sample {
        Some(index) => queue.0.push(Command::File(FileCommand::OpenSample(index))),
        None if !files.is_empty() => queue.0.push(Command::File(FileCommand::Open(files))),
        None => {}
    }
    let fetched = paths.into_iter().map(|(address, path)| (path, address)).collect();
    app.insert_resource(Page { address: page, fetched, link });
    // In a browser, `run` returns at once. From then on, the browser calls the app for each frame.
    app.run();
}

fn read_skeleton(path: &Path) -> Result<AttachedSkeleton, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let skeleton = crate::registry()
        .decode_skeleton(&bytes, &name, &FolderSidecars::for_file(path))
        .map_err(|error| format!("as a skeleton: {error}"))?;
    Ok(AttachedSkeleton::new(skeleton, Some(path.to_owned())))
}
