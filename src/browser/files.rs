//! Files that the browser gives: dropped, chosen or fetched.
//!
//! They are read piece by piece, so that the page is drawn meanwhile, and holds each once.

use std::fmt::Write as _;

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use percent_encoding::percent_decode_str;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry,
    HtmlInputElement, ReadableStream, ReadableStreamDefaultReader, ReferrerPolicy, RequestInit,
    Response, Url,
};

use super::{element, say, window, words_of};

/// A file of more bytes is not read: what is decoded takes about as much again, of the 4 GiB that a page
/// has.
const LARGEST: f64 = 1.5 * 1024.0 * 1024.0 * 1024.0;

/// The id of the hidden element that asks the user for files.
const INPUT: &str = "files";

/// Files that were given together.
#[derive(Debug, Default)]
pub(crate) struct GivenFiles {
    /// Each with its path among them, which begins with a slash.
    files: Vec<(String, File)>,
    /// The paths of the files and folders that were dropped or chosen.
    pub(crate) opened: Vec<String>,
}

impl GivenFiles {
    fn add(&mut self, file: File) {
        let path = format!("/{}", file.name());
        self.opened.push(path.clone());
        self.files.push((path, file));
    }

    fn chosen(list: &FileList) -> Self {
        let mut given = Self::default();
        (0..list.length()).filter_map(|index| list.get(index)).for_each(|file| given.add(file));
        given
    }

    /// The dropped files, with all that are in folders. `transfer` is empty once the event has been handled,
    /// so it is read before the future is polled.
    pub(crate) fn dropped(
        transfer: &DataTransfer,
    ) -> impl Future<Output = Result<Self, String>> + use<> {
        let items = transfer.items();
        let mut given = Self::default();
        let mut folders = Vec::new();
        for item in (0..items.length()).filter_map(|index| items.get(index)) {
            let entry = item.webkit_get_as_entry().ok().flatten();
            match entry.filter(FileSystemEntry::is_directory) {
                Some(folder) => folders.push(folder),
                None => {
                    item.get_as_file().ok().flatten().into_iter().for_each(|file| given.add(file))
                }
            }
        }
        async move {
            for folder in folders {
                let path = folder.full_path();
                let below = files_below(folder).await;
                given.files.extend(below.map_err(|why| format!("{path}: {}", words_of(why)))?);
                given.opened.push(path);
            }
            Ok(given)
        }
    }

    /// Reads each, and gives its path and its bytes to `take`.
    ///
    /// # Errors
    /// If one is too large, or can no longer be read; the message names it.
    pub(crate) async fn read(&self, mut take: impl FnMut(&str, Vec<u8>)) -> Result<(), String> {
        for (path, file) in &self.files {
            let name = file.name();
            if file.size() > LARGEST {
                return Err(format!(
                    "{name} is too large for a browser; nothing opened. Open it with the \
                     desktop program"
                ));
            }
            take(path, bytes_of(&file.stream(), file.size(), &format!("Reading {name}")).await?);
        }
        say("", "");
        Ok(())
    }
}

/// Asks the user for one file or several; `then` is called if any are chosen.
///
/// # Errors
/// If the page has lost the element that asks.
pub(crate) fn choose_files(
    several: bool,
    then: impl FnOnce(GivenFiles) + 'static,
) -> Result<(), JsValue> {
    let input: HtmlInputElement = element(INPUT)?.unchecked_into();
    input.set_value("");
    input.set_multiple(several);
    let asked = input.clone();
    let then = Closure::once_into_js(move || {
        if let Some(files) = asked.files() {
            then(GivenFiles::chosen(&files));
        }
    });
    input.set_onchange(Some(then.unchecked_ref()));
    input.click();
    Ok(())
}

/// Fetches the file at `address`, which may be relative to the page; returns its path too.
///
/// # Errors
/// If the server does not give it, or forbids the page to have it.
pub(crate) async fn fetch(address: &str) -> Result<(String, Vec<u8>), String> {
    let window = window().map_err(words_of)?;
    let location = window.location();
    let page = location.href().map_err(words_of)?;
    let url = Url::new_with_base(address, &page)
        .map_err(|_| format!("{address} cannot be fetched: it is not an address"))?;
    let options = RequestInit::new();
    options.set_referrer_policy(ReferrerPolicy::NoReferrer);
    let Ok(response) = window.fetch_with_str_and_init(&url.href(), &options).await else {
        let mut words = format!("{address} cannot be fetched. Check the address");
        let origin = url.origin();
        if location.origin().is_ok_and(|own| own != origin) {
            // Writing to a string does not fail.
            let _ = write!(
                words,
                ", and whether {origin} allows other pages to read it (Access-Control-Allow-Origin)"
            );
        }
        return Err(words);
    };
    let response: Response = response.unchecked_into();
    if !response.ok() {
        let status = response.status();
        return Err(format!(
            "{address} cannot be fetched: the server says {status}. Check the address"
        ));
    }
    let size = response.headers().get("content-length").ok().flatten();
    let size = size.and_then(|size| size.parse().ok()).unwrap_or(0.0);
    let words = format!("Fetching {address}");
    let stream = response.body().ok_or_else(|| format!("{words} stopped: it has no content"))?;
    let bytes = bytes_of(&stream, size, &words).await?;
    let path = percent_decode_str(&url.pathname()).decode_utf8_lossy().into_owned();
    Ok((format!("link/{}{path}", url.host()), bytes))
}

/// All that `stream` gives, which is about `size`; `words` say what is under way.
async fn bytes_of(stream: &ReadableStream, size: f64, words: &str) -> Result<Vec<u8>, String> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    // The size that a server states may be wrong. If this fails, reading the pieces reports it.
    let _ = bytes.try_reserve_exact(size.min(LARGEST) as usize);
    loop {
        let piece =
            reader.read().await.map_err(|why| format!("{words} stopped: {}", words_of(why)))?;
        let piece = Reflect::get(&piece, &"value".into()).unwrap_or_default();
        // The last one has no value.
        let Ok(piece) = piece.dyn_into::<Uint8Array>() else { return Ok(bytes) };
        let before = bytes.len();
        if bytes.try_reserve(piece.length() as usize).is_err() {
            return Err(format!(
                "{words} stopped: the page is out of memory. Open it with the desktop program"
            ));
        }
        bytes.resize(before + piece.length() as usize, 0);
        piece.copy_to(&mut bytes[before..]);
        say(&progress(words, bytes.len() as f64, size), "");
    }
}

fn progress(words: &str, done: f64, size: f64) -> String {
    let mebibytes = |bytes: f64| bytes / 1024.0 / 1024.0;
    match size > done {
        true => format!("{words}: {:.1} MiB of {:.1}", mebibytes(done), mebibytes(size)),
        false => format!("{words}: {:.1} MiB", mebibytes(done)),
    }
}

/// The files in `folder`, however deep, with their paths.
async fn files_below(folder: FileSystemEntry) -> Result<Vec<(String, File)>, JsValue> {
    let (mut left, mut files) = (vec![folder], Vec::new());
    while let Some(entry) = left.pop() {
        if entry.is_directory() {
            left.extend(entries_in(entry.unchecked_ref()).await?);
        } else {
            let path = entry.full_path();
            let entry: FileSystemFileEntry = entry.unchecked_into();
            let file = called_back(|yes, no| {
                entry.file_with_callback_and_callback(yes, no);
                Ok(())
            });
            files.push((path, file.await?.unchecked_into()));
        }
    }
    Ok(files)
}

async fn entries_in(folder: &FileSystemDirectoryEntry) -> Result<Vec<FileSystemEntry>, JsValue> {
    let reader = folder.create_reader();
    let mut entries = Vec::new();
    loop {
        // A hundred at most at a time, and none in the end.
        let some = called_back(|yes, no| reader.read_entries_with_callback_and_callback(yes, no));
        let some: Array = some.await?.unchecked_into();
        if some.length() == 0 {
            return Ok(entries);
        }
        entries.extend(some.iter().map(|entry| entry.unchecked_into::<FileSystemEntry>()));
    }
}

/// The argument of the first of two callbacks of `ask`; an error, if the second is called.
async fn called_back(
    mut ask: impl FnMut(&Function, &Function) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let mut refused = None;
    let answer = Promise::new(&mut |yes, no| refused = ask(&yes, &no).err());
    match refused {
        Some(why) => Err(why),
        None => answer.await,
    }
}
