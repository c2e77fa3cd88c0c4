//! Passes files from the page to the viewer.

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

fn update_inbox(change: impl FnOnce(&mut Inbox)) {
    let mut inbox = INBOX.lock().unwrap_or_else(PoisonError::into_inner);
    change(&mut inbox);
    let waker = inbox.waker.clone();
    // Unlock the inbox first, because the viewer locks it as soon as it wakes.
    drop(inbox);
    if let Some(waker) = waker {
        waker.wake();
    }
}

pub(super) fn watch_drops() -> Result<(), JsValue> {
    let hover = |hovers| update_inbox(|inbox| inbox.hovers = Some(hovers));
    browser::watch_drops(hover, |transfer| {
        open_when_read(GivenFiles::from_drop(transfer), FilePurpose::Recordings);
    })
}

fn open_when_read(
    given: impl Future<Output = Result<GivenFiles, String>> + 'static,
    purpose: FilePurpose,
) {
    let open = async move {
        let given = given.await?;
        let folder = next_folder();
        let path = |path: &str| Path::new(&folder).join(path.trim_start_matches('/'));
        given.read(|name, bytes| storage::add_file(&path(name), bytes)).await?;
        let paths: Vec<PathBuf> = given.opened.iter().map(|name| path(name)).collect();
        update_inbox(|inbox| inbox.commands.extend(purpose.commands(paths)));
        Ok::<(), String>(())
    };
    spawn_local(async {
        if let Err(why) = open.await {
            browser::show_message(&why, "problem");
        }
    });
}

fn allows_several(purpose: FilePurpose) -> bool {
    !matches!(
        purpose,
        FilePurpose::Skeleton
            | FilePurpose::ExportSkeleton
            | FilePurpose::BoneMap
            | FilePurpose::Labels
    )
}

/// Returns a new folder for each drop, so that files with equal names in different drops do not
/// collide.
fn next_folder() -> String {
    static NEXT_NUMBER: AtomicU32 = AtomicU32::new(1);
    NEXT_NUMBER.fetch_add(1, Ordering::Relaxed).to_string()
}

pub(in crate::viewer) fn receive_messages(
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

pub(in crate::viewer) fn choose_files(mut requests: MessageReader<WindowRequest>) {
    for request in requests.read() {
        let WindowRequest::ChooseFiles(purpose) = *request else { continue };
        let choose = browser::choose_files(allows_several(purpose), move |given| {
            open_when_read(async { Ok(given) }, purpose);
        });
        if let Err(why) = choose {
            error!("asking for files: {why:?}");
        }
    }
}
