//! Starts the viewer on what the link to the page requests.

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
    capture::lend_renderer,
    session::{Command, CommandQueue, FileCommand, Link, Page, RigFile, SavedView, SessionPlugin},
    stage::PlayerSkin,
    viewer::app::app,
};
use mutoscope_core::{
    formats::decode_skeleton,
    io::{bytes::FolderSidecars, storage},
};

/// Starts the viewer, as soon as the files that the link names are there. It lives on when this is done.
#[wasm_bindgen]
pub fn start() -> Promise {
    future_to_promise(async {
        browser::take_over_canvas()?;
        inbox::watch_drops()?;
        let (page, query) = browser::address()?;
        let (link, mut problems) = Link::parse(&query);
        let fetched = fetch(&link, &mut problems).await;
        run(page, link, fetched, &mut problems);
        browser::say(&problems.join("\n"), "problem");
        Ok(JsValue::UNDEFINED)
    })
}

/// The paths of the files that `link` names, by their addresses, once they are in memory.
async fn fetch(link: &Link, problems: &mut Vec<String>) -> HashMap<String, PathBuf> {
    let compared: Vec<_> =
        link.view.compared.iter().map(|(address, _)| address.display().to_string()).collect();
    let mut paths = HashMap::new();
    for address in link.files.iter().chain(&link.rig).chain(&compared) {
        match browser::fetch(address).await {
            Ok((path, bytes)) => {
                let path = PathBuf::from(path);
                storage::give(&path, bytes);
                paths.insert(address.clone(), path);
            }
            Err(why) => problems.push(why),
        }
    }
    paths
}

fn run(page: String, link: Link, paths: HashMap<String, PathBuf>, problems: &mut Vec<String>) {
    let rig = link.rig.as_ref().and_then(|address| paths.get(address)).and_then(|path| {
        skeleton(path).map_err(|why| problems.push(format!("{}: {why}", path.display()))).ok()
    });
    let path_of = |address: &Path| paths.get(address.to_str()?).cloned();
    let compared = link.view.compared.iter();
    let compared = compared.filter_map(|(address, options)| Some((path_of(address)?, *options)));
    let view = SavedView { compared: compared.collect(), ..link.view.clone() };
    let session = SessionPlugin {
        format: link.format,
        rig,
        retarget: None,
        columns: None,
        rotation: link.rotation,
        view,
    };
    let mut app = app(session, PlayerSkin::default());
    lend_renderer(&mut app);
    let files: Vec<_> = link.files.iter().filter_map(|file| paths.get(file).cloned()).collect();
    let mut queue = app.world_mut().resource_mut::<CommandQueue>();
    match link.sample {
        Some(index) => queue.0.push(Command::File(FileCommand::OpenSample(index))),
        None if !files.is_empty() => queue.0.push(Command::File(FileCommand::Open(files))),
        None => {}
    }
    let fetched = paths.into_iter().map(|(address, path)| (path, address)).collect();
    app.insert_resource(Page { address: page, fetched, asked: link });
    // It returns at once; from now on the browser calls the app.
    app.run();
}

/// The skeleton in the file at `path`, or why there is none.
fn skeleton(path: &Path) -> Result<RigFile, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let rig = decode_skeleton(&bytes, &name, &FolderSidecars::of_file(path))
        .map_err(|error| format!("as a skeleton: {error}"))?;
    Ok(RigFile::new(rig, Some(path.to_owned())))
}
