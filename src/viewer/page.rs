//! The interface to the script of the page, which gives files as names and bytes.
//!
//! A path begins with the number of the drop, or with `link` for fetched files. So files that were
//! given together are in one folder, apart from those that were given before.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use bevy::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

use super::app::app;
use crate::{
    browser,
    bytes::FolderSidecars,
    capture::lend_renderer,
    formats::decode_skeleton,
    session::{
        Command, CommandQueue, Exports, FilePurpose, Files, Link, OpenRecordings, Page, RigFile,
        SavedView, SessionPlugin, Waker, WindowRequest,
    },
    stage::PlayerSkin,
    storage,
    ui::FileHover,
};

#[wasm_bindgen]
extern "C" {
    /// Asks the user for files; the script answers with [`open_files`].
    #[wasm_bindgen(js_namespace = mutoscope, js_name = chooseFiles)]
    fn choose(purpose: &str, several: bool);
}

/// Messages of the page that the viewer has not received yet.
static INBOX: Mutex<Inbox> = Mutex::new(Inbox::new());

struct Inbox {
    commands: Vec<Command>,
    hovers: Option<bool>,
    /// The addresses of fetched files, and their paths in memory.
    fetched: Vec<(String, PathBuf)>,
    waker: Option<Waker>,
}

impl Inbox {
    const fn new() -> Self {
        Self { commands: Vec::new(), hovers: None, fetched: Vec::new(), waker: None }
    }
}

/// Changes the inbox, and wakes the viewer.
fn tell(change: impl FnOnce(&mut Inbox)) {
    let mut inbox = INBOX.lock().unwrap_or_else(PoisonError::into_inner);
    change(&mut inbox);
    let waker = inbox.waker.clone();
    // The viewer locks it when it is woken.
    drop(inbox);
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// The bytes of a file that is given piece by piece.
#[wasm_bindgen]
#[derive(Debug)]
pub struct FileBytes(Vec<u8>);

#[wasm_bindgen]
impl FileBytes {
    /// None yet, of about `size`: that which a server states is not always right.
    #[wasm_bindgen(constructor)]
    pub fn new(size: usize) -> Self {
        let mut bytes = Vec::new();
        // If this fails, adding pieces tells.
        let _ = bytes.try_reserve_exact(size);
        Self(bytes)
    }

    /// Adds the next piece; returns whether the page has memory for it.
    pub fn push(&mut self, piece: &[u8]) -> bool {
        let fits = self.0.try_reserve(piece.len()).is_ok();
        if fits {
            self.0.extend_from_slice(piece);
        }
        fits
    }

    /// Keeps the file, which was dropped or chosen, until the page is closed.
    pub fn give(self, path: &str) {
        storage::give(Path::new(path), self.0);
    }

    /// Keeps the file, which was fetched from `address`, until the page is closed.
    #[wasm_bindgen(js_name = giveFetched)]
    pub fn give_fetched(self, address: String, path: String) {
        storage::give(Path::new(&path), self.0);
        tell(|inbox| inbox.fetched.push((address, path.into())));
    }
}

/// Opens files and folders that were given, for the purpose that they were chosen for; dropped ones
/// have none.
#[wasm_bindgen(js_name = openFiles)]
pub fn open_files(paths: Vec<String>, purpose: &str) {
    let purpose = purpose_of(purpose);
    tell(|inbox| {
        let paths = paths.into_iter().map(PathBuf::from).collect();
        inbox.commands.extend(purpose.commands(paths));
    });
}

/// Notes whether a file is dragged over the page.
#[wasm_bindgen(js_name = hoverFiles)]
pub fn hover_files(hovers: bool) {
    tell(|inbox| inbox.hovers = Some(hovers));
}

/// Starts the viewer of the address `page` on the request of `query`, whose files were given before.
/// Returns the problems with it, a line each.
#[wasm_bindgen]
pub fn start(page: String, query: &str) -> String {
    let (link, mut problems) = Link::parse(query);
    let fetched = std::mem::take(&mut INBOX.lock().unwrap_or_else(PoisonError::into_inner).fetched);
    let paths: HashMap<String, PathBuf> = fetched.iter().cloned().collect();
    let rig = link.rig.as_ref().and_then(|address| paths.get(address)).and_then(|path| {
        skeleton(path).map_err(|why| problems.push(format!("{}: {why}", path.display()))).ok()
    });
    let with_path =
        |(address, options): &(String, _)| Some((paths.get(address)?.clone(), *options));
    let view = SavedView {
        at: link.at,
        range: link.range,
        select: link.select.clone(),
        areas: link.areas.clone(),
        camera: link.camera,
        compared: link.against.iter().filter_map(with_path).collect(),
        footage: None,
    };
    let session = SessionPlugin { format: link.format, rig, rotation: link.rotation, view };
    let mut app = app(session, PlayerSkin::default());
    lend_renderer(&mut app);
    let files: Vec<_> = link.files.iter().filter_map(|file| paths.get(file).cloned()).collect();
    let mut queue = app.world_mut().resource_mut::<CommandQueue>();
    match link.sample {
        Some(index) => queue.0.push(Command::OpenSample(index)),
        None if !files.is_empty() => queue.0.push(Command::OpenPaths(files)),
        None => {}
    }
    let fetched = fetched.into_iter().map(|(address, path)| (path, address)).collect();
    app.insert_resource(Page { address: page, fetched, asked: link });
    // It returns at once; from now on the browser calls the app.
    app.run();
    problems.join("\n")
}

/// The skeleton in the file at `path`, or why there is none.
fn skeleton(path: &Path) -> Result<RigFile, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let rig = decode_skeleton(&bytes, &name, &FolderSidecars::of_file(path))
        .map_err(|error| format!("as a skeleton: {error}"))?;
    Ok(RigFile::new(rig, Some(path.to_owned())))
}

/// Receives the messages of the page.
pub(super) fn listen(
    mut queue: ResMut<CommandQueue>,
    mut hover: ResMut<FileHover>,
    waker: Res<Waker>,
) {
    let mut inbox = INBOX.lock().unwrap_or_else(PoisonError::into_inner);
    if !inbox.commands.is_empty() {
        queue.0.append(&mut inbox.commands);
    }
    if let Some(hovers) = inbox.hovers.take() {
        hover.0 = hovers;
    }
    if inbox.waker.is_none() || waker.is_changed() {
        inbox.waker = Some(waker.clone());
    }
}

/// Describes the open files and the results of requests, for screen readers.
pub(super) fn describe(
    open: OpenRecordings,
    files: Res<Files>,
    exports: Res<Exports>,
    mut said: Local<String>,
) {
    let names: Vec<String> = open.in_order().iter().map(|one| one.source.name()).collect();
    let mut words = Vec::new();
    words.extend(files.loading.as_ref().map(|loading| format!("Loading {}", loading.name)));
    words.extend(files.failed.as_ref().map(|failed| format!("{} {}", failed.name, failed.message)));
    match open.clock().filter(|_| !names.is_empty()) {
        None => words.push("The gallery of examples".to_owned()),
        Some(clock) if clock.is_running() => words.push(format!("{} plays", names.join(", "))),
        Some(clock) => {
            words.push(format!("{}, paused at {:.3} s", names.join(", "), clock.time()));
        }
    }
    words.extend(exports.last.as_ref().map(|last| match &last.result {
        Ok(_) => format!("Wrote {}", last.path.display()),
        Err(why) => format!("Nothing was written to {}: {why}", last.path.display()),
    }));
    let words = words.join(". ");
    if *said != words {
        let title = match &names[..] {
            [] => "Mutoscope".to_owned(),
            names => format!("{} — Mutoscope", names.join(", ")),
        };
        browser::describe(&title, &words);
        *said = words;
    }
}

/// Forwards requests for files to the page.
pub(super) fn choose_files(mut requests: MessageReader<WindowRequest>) {
    for request in requests.read() {
        if let WindowRequest::ChooseFiles(purpose) = request {
            choose(word_of(*purpose), *purpose != FilePurpose::Skeleton);
        }
    }
}

fn word_of(purpose: FilePurpose) -> &'static str {
    match purpose {
        FilePurpose::Recordings => "recordings",
        FilePurpose::Skeleton => "skeleton",
        FilePurpose::Comparison => "comparison",
        FilePurpose::SceneElements => "scene",
        // Not offered: a browser has no ffmpeg.
        FilePurpose::Footage => "footage",
    }
}

fn purpose_of(word: &str) -> FilePurpose {
    let all = [FilePurpose::Skeleton, FilePurpose::Comparison, FilePurpose::SceneElements];
    all.into_iter().find(|&one| word_of(one) == word).unwrap_or(FilePurpose::Recordings)
}
