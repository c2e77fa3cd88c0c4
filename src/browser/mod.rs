//! Services of the browser for the page that the program runs in.

mod canvas;
mod files;
mod pause;

pub(crate) use canvas::{take_over_canvas, watch_drops};
pub(crate) use files::{GivenFiles, choose_files, fetch};
pub(crate) use pause::{frame_is_drawn, in_slices, next_turn};

use std::{io, time::Duration};

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Shows a line of text on the page; nothing if `words` is empty. Its `kind` is `problem`, `end` if nothing
    /// can follow, or empty.
    #[wasm_bindgen(js_namespace = mutoscope)]
    pub(crate) fn say(words: &str, kind: &str);
}

/// The id of the canvas that everything is drawn on.
const CANVAS: &str = "mutoscope";

/// The text that was kept under `name` in this browser for this site, if any was.
pub(crate) fn kept_text(name: &str) -> Option<String> {
    window().ok()?.local_storage().ok()??.get_item(name).ok()?
}

/// Keeps `text` under `name` in this browser for this site.
///
/// # Errors
/// If the browser has no storage, as in a private window, or it is full.
pub(crate) fn keep_text(name: &str, text: &str) -> io::Result<()> {
    let keep = || {
        let storage = window()?.local_storage()?.ok_or("the browser has no storage")?;
        storage.set_item(name, text)
    };
    keep().map_err(refused)
}

/// Downloads a file.
///
/// # Errors
/// If the browser refuses it.
pub(crate) fn download(name: &str, bytes: &[u8]) -> io::Result<()> {
    let download = || {
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
        let url = web_sys::Url::create_object_url_with_blob(&blob)?;
        let link: web_sys::HtmlAnchorElement = document()?.create_element("a")?.unchecked_into();
        link.set_href(&url);
        link.set_download(name);
        link.click();
        web_sys::Url::revoke_object_url(&url)
    };
    download().map_err(refused)
}

/// Sets the title of the tab, and the description of the canvas for screen readers.
pub(crate) fn describe(title: &str, words: &str) {
    let Ok(document) = document() else { return };
    document.set_title(title);
    if let Some(canvas) = document.get_element_by_id(CANVAS) {
        // It fails for invalid names of attributes only.
        let _ = canvas.set_attribute("aria-label", words);
    }
}

/// The address of the page, without the query, and the query.
///
/// # Errors
/// If the page has no address.
pub(crate) fn address() -> Result<(String, String), JsValue> {
    let location = window()?.location();
    Ok((location.origin()? + &location.pathname()?, location.search()?))
}

/// Calls `then` after `delay`, between frames.
pub(crate) fn later(delay: Duration, then: impl FnOnce() + 'static) {
    let Ok(window) = window() else { return };
    let then = Closure::once_into_js(then);
    let delay = i32::try_from(delay.as_millis()).unwrap_or(i32::MAX);
    // It fails where the page is being closed, and no one waits any more.
    let _ =
        window.set_timeout_with_callback_and_timeout_and_arguments_0(then.unchecked_ref(), delay);
}

/// The window of the page.
///
/// # Errors
/// If there is none, as in a worker.
fn window() -> Result<web_sys::Window, JsValue> {
    web_sys::window().ok_or_else(|| "there is no window".into())
}

fn document() -> Result<web_sys::Document, JsValue> {
    window()?.document().ok_or_else(|| "there is no document".into())
}

fn element(id: &str) -> Result<web_sys::Element, JsValue> {
    document()?.get_element_by_id(id).ok_or_else(|| format!("the page has no {id}").into())
}

/// The error of a refused request.
fn refused(why: JsValue) -> io::Error {
    io::Error::other(words_of(why))
}

/// The message of what the browser has thrown.
fn words_of(why: JsValue) -> String {
    let words = why.as_string().or_else(|| {
        let error = why.dyn_ref::<js_sys::Error>()?;
        error.message().as_string()
    });
    words.unwrap_or_else(|| "the browser refused".to_owned())
}
