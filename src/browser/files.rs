//! Reads files that the user drops or chooses, and fetches files from a link.
//!
//! Files are read in pieces, so that the browser can draw the page between them.

use std::fmt::Write as _;

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use percent_encoding::percent_decode_str;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry,
    HtmlInputElement, ReadableStream, ReadableStreamDefaultReader, ReferrerPolicy, RequestInit,
    Response, Url,
};

use super::{error_message, find_element, show_message, window};

/// The maximum size of a file. A page can use at most 4 GiB, and the decoded recording needs about
/// as much memory as the file.
const MAX_FILE_BYTES: f64 = 1.5 * 1024.0 * 1024.0 * 1024.0;

const FILE_INPUT_ID: &str = "files";

#[derive(Debug, Default)]
pub(crate) struct GivenFiles {
    files: Vec<(String, File)>,
    /// The paths that the user dropped or chose. A folder is one path here, and `files` has the
    /// files inside.
    pub(crate) opened: Vec<String>,
}

impl GivenFiles {
    fn add(&mut self, file: File) {
        let path = format!("/{}", file.name());
        self.opened.push(path.clone());
        self.files.push((path, file));
    }

    fn from_list(list: &FileList) -> Self {
        let mut given = Self::default();
        (0..list.length()).filter_map(|index| list.get(index)).for_each(|file| given.add(file));
        given
    }

    /// Collects dropped files, including all files in dropped folders. This function reads
    /// `transfer` before it returns the future, because the browser empties `transfer` after the
    /// drop event.
    pub(crate) fn from_drop(
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
                let below = collect_files(folder).await;
                given.files.extend(below.map_err(|why| format!("{path}: {}", error_message(why)))?);
                given.opened.push(path);
            }
            Ok(given)
        }
    }

    pub(crate) async fn read(&self, mut take: impl FnMut(&str, Vec<u8>)) -> Result<(), String> {
        for (path, file) in &self.files {
            let name = file.name();
            if file.size() > MAX_FILE_BYTES {
                return Err(format!(
                    "{name} is too large for a browser; nothing opened. Open it with the \
                     desktop program"
                ));
            }
            take(path, read_stream(&file.stream(), file.size(), &format!("Reading {name}")).await?);
        }
        show_message("", "");
        Ok(())
    }
}

pub(crate) fn choose_files(
    several: bool,
    then: impl FnOnce(GivenFiles) + 'static,
) -> Result<(), JsValue> {
    let input: HtmlInputElement = find_element(FILE_INPUT_ID)?.unchecked_into();
    input.set_value("");
    input.set_multiple(several);
    let input_element = input.clone();
    let then = Closure::once_into_js(move || {
        if let Some(files) = input_element.files() {
            then(GivenFiles::from_list(&files));
        }
    });
    input.set_onchange(Some(then.unchecked_ref()));
    input.click();
    Ok(())
}

/// Fetches the file at `address`, which may be relative to the page. Returns a path for it, and its
/// bytes.
///
/// # Errors
/// If the server does not send the file, or does not allow this page to read it.
pub(crate) async fn fetch(address: &str) -> Result<(String, Vec<u8>), String> {
    let window = window().map_err(error_message)?;
    let location = window.location();
    let page = location.href().map_err(error_message)?;
    let url = Url::new_with_base(address, &page)
        .map_err(|_| format!("{address} cannot be fetched: it is not an address"))?;
    let options = RequestInit::new();
    options.set_referrer_policy(ReferrerPolicy::NoReferrer);
    let Ok(response) = window.fetch_with_str_and_init(&url.href(), &options).await else {
        let mut message = format!("{address} cannot be fetched. Check the address");
        let origin = url.origin();
        if location.origin().is_ok_and(|own| own != origin) {
            // Writing to a `String` cannot fail.
            let _ = write!(
                message,
                ", and that {origin} allows other pages to read it (Access-Control-Allow-Origin)"
            );
        }
        return Err(message);
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
    let activity = format!("Fetching {address}");
    let stream = response.body().ok_or_else(|| format!("{activity} stopped: it has no content"))?;
    let bytes = read_stream(&stream, size, &activity).await?;
    let path = percent_decode_str(&url.pathname()).decode_utf8_lossy().into_owned();
    Ok((format!("link/{}{path}", url.host()), bytes))
}

/// Fetches a file that belongs to the page.
///
/// # Errors
/// Fails if the server does not send the file.
pub(crate) async fn fetch_asset(path: &str) -> Result<Vec<u8>, String> {
    let window = window().map_err(error_message)?;
    let failed = |why: JsValue| format!("{path} cannot be fetched: {}", error_message(why));
    let response: Response = window.fetch_with_str(path).await.map_err(failed)?.unchecked_into();
    if !response.ok() {
        return Err(format!("{path} cannot be fetched: the server says {}", response.status()));
    }
    let buffer = response.array_buffer().map_err(failed)?.await.map_err(failed)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// Reads `stream` to its end. `size` is the expected number of bytes, or 0 if unknown. Progress
/// messages and errors begin with `activity`, for example "downloading".
async fn read_stream(
    stream: &ReadableStream,
    size: f64,
    activity: &str,
) -> Result<Vec<u8>, String> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    // Ignore a failed reservation, because the size from the server may be wrong. If the page is
    // really out of memory, the loop below reports it.
    let _ = bytes.try_reserve_exact(size.min(MAX_FILE_BYTES) as usize);
    loop {
        let piece = reader
            .read()
            .await
            .map_err(|why| format!("{activity} stopped: {}", error_message(why)))?;
        let piece = Reflect::get(&piece, &"value".into()).unwrap_or_default();
        // At the end of a stream, `read` returns a result without a value.
        let Ok(piece) = piece.dyn_into::<Uint8Array>() else { return Ok(bytes) };
        let before = bytes.len();
        if bytes.try_reserve(piece.length() as usize).is_err() {
            return Err(format!(
                "{activity} stopped: the page is out of memory. Open it with the desktop program"
            ));
        }
        bytes.resize(before + piece.length() as usize, 0);
        piece.copy_to(&mut bytes[before..]);
        show_message(&format_progress(activity, bytes.len() as f64, size), "");
    }
}

fn format_progress(activity: &str, done: f64, size: f64) -> String {
    let mebibytes = |bytes: f64| bytes / 1024.0 / 1024.0;
    match size > done {
        true => format!("{activity}: {:.1} MiB of {:.1}", mebibytes(done), mebibytes(size)),
        false => format!("{activity}: {:.1} MiB", mebibytes(done)),
    }
}

async fn collect_files(folder: FileSystemEntry) -> Result<Vec<(String, File)>, JsValue> {
    let (mut remaining, mut files) = (vec![folder], Vec::new());
    while let Some(entry) = remaining.pop() {
        if entry.is_directory() {
            remaining.extend(read_entries(entry.unchecked_ref()).await?);
        } else {
            let path = entry.full_path();
            let entry: FileSystemFileEntry = entry.unchecked_into();
            let file = await_callback(|resolve, reject| {
                entry.file_with_callback_and_callback(resolve, reject);
                Ok(())
            });
            files.push((path, file.await?.unchecked_into()));
        }
    }
    Ok(files)
}

async fn read_entries(folder: &FileSystemDirectoryEntry) -> Result<Vec<FileSystemEntry>, JsValue> {
    let reader = folder.create_reader();
    let mut entries = Vec::new();
    loop {
        // The browser returns at most 100 entries per call. After the last entry, it returns an
        // empty list.
        let batch = await_callback(|resolve, reject| {
            reader.read_entries_with_callback_and_callback(resolve, reject)
        });
        let batch: Array = batch.await?.unchecked_into();
        if batch.length() == 0 {
            return Ok(entries);
        }
        entries.extend(batch.iter().map(|entry| entry.unchecked_into::<FileSystemEntry>()));
    }
}

async fn await_callback(
    mut start: impl FnMut(&Function, &Function) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let mut refused = None;
    let promise = Promise::new(&mut |resolve, reject| refused = start(&resolve, &reject).err());
    match refused {
        Some(why) => Err(why),
        None => promise.await,
    }
}
