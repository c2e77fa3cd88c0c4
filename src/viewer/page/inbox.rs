//! Files that the user gives to the page, and their way to the viewer.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use bevy::prelude::*;
use js_sys::futures::spawn_local;
use wasm_bindgen::JsValue;

use crate::{
    browser::{self, GivenFiles},
    session::{Command, CommandQueue, FilePurpose, Waker, WindowRequest},
    ui::FileHover,
};
use mutoscope_core::io::storage;

/// Messages of the page that the viewer has not received yet.
static INBOX: Mutex<Inbox> = Mutex::new(Inbox::new());

struct Inbox {
    commands: Vec<Command>,
    hovers: Option<bool>,
    waker: Option<Waker>,
}

impl Inbox {
    const fn new() -> Self {
        Self { commands: Vec::new(), hovers: None, waker: None }
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

/// Listens for files that are dropped onto the page.
///
/// # Errors
/// If there is no page.
pub(super) fn watch_drops() -> Result<(), JsValue> {
    let hover = |hovers| tell(|inbox| inbox.hovers = Some(hovers));
    browser::watch_drops(hover, |transfer| {
        open_soon(GivenFiles::dropped(transfer), FilePurpose::Recordings);
    })
}

/// Opens files as soon as they are there and have been read; problems with them are reported.
fn open_soon(
    given: impl Future<Output = Result<GivenFiles, String>> + 'static,
    purpose: FilePurpose,
) {
    let open = async move {
        let given = given.await?;
        let folder = next_folder();
        let path = |path: &str| Path::new(&folder).join(path.trim_start_matches('/'));
        given.read(|name, bytes| storage::give(&path(name), bytes)).await?;
        let paths: Vec<PathBuf> = given.opened.iter().map(|name| path(name)).collect();
        tell(|inbox| inbox.commands.extend(purpose.commands(paths)));
        Ok::<(), String>(())
    };
    spawn_local(async {
        if let Err(why) = open.await {
            browser::say(&why, "problem");
        }
    });
}

/// Whether several files may be chosen for that.
fn takes_several(purpose: FilePurpose) -> bool {
    !matches!(purpose, FilePurpose::Skeleton | FilePurpose::BoneMap | FilePurpose::Labels)
}

/// The folder of files that are given together, apart from those that were given before.
fn next_folder() -> String {
    static GIVEN: AtomicU32 = AtomicU32::new(1);
    GIVEN.fetch_add(1, Ordering::Relaxed).to_string()
}

/// Receives the messages of the page.
pub(in crate::viewer) fn listen(
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

/// Asks the user for the files that are requested.
pub(in crate::viewer) fn choose_files(mut requests: MessageReader<WindowRequest>) {
    for request in requests.read() {
        let WindowRequest::ChooseFiles(purpose) = *request else { continue };
        let choose = browser::choose_files(takes_several(purpose), move |given| {
            open_soon(async { Ok(given) }, purpose);
        });
        if let Err(why) = choose {
            error!("asking for files: {why:?}");
        }
    }
}
