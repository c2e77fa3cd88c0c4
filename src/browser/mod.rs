//! Wraps the functions of the browser that the viewer needs in a web page.

mod canvas;
mod files;
mod pause;

pub(crate) use canvas::{take_over_canvas, watch_drops};
pub(crate) use files::{GivenFiles, choose_files, fetch, fetch_asset};
pub(crate) use pause::{run_in_slices, wait_for_frame, yield_to_browser};

use std::{io, time::Duration};

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Shows a line of text on the page, or hides the line if `text` is empty. `kind` is `problem`
    /// for an error, `end` for an error after which the viewer cannot continue, or empty for other
    /// messages.
    #[wasm_bindgen(js_namespace = mutoscope, js_name = say)]
    pub(crate) fn show_message(text: &str, kind: &str);
}

const CANVAS_ID: &str = "mutoscope";

/// Returns the text that this browser stores for this site under `name`. `None` if there is none,
/// or if the browser has no storage.
pub(crate) fn load_text(name: &str) -> Option<String> {
    window().ok()?.local_storage().ok()??.get_item(name).ok()?
}

/// Stores `text` under `name` in this browser for this site.
///
/// # Errors
/// If the browser has no storage, as in a private window, or the storage is full.
pub(crate) fn save_text(name: &str, text: &str) -> io::Result<()> {
    let save = || {
        let storage = window()?.local_storage()?.ok_or("the browser has no storage")?;
        storage.set_item(name, text)
    };
    save().map_err(to_io_error)
}

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
    download().map_err(to_io_error)
}

pub(crate) fn describe(title: &str, description: &str) {
    let Ok(document) = document() else { return };
    document.set_title(title);
    if let Some(canvas) = document.get_element_by_id(CANVAS_ID) {
        // The call fails only for an invalid attribute name.
        let _ = canvas.set_attribute("aria-label", description);
    }
}

/// Returns the address of the page without the query, and the query.
///
/// # Errors
/// If the page has no address.
pub(crate) fn address() -> Result<(String, String), JsValue> {
    let location = window()?.location();
    Ok((location.origin()? + &location.pathname()?, location.search()?))
}

pub(crate) fn call_later(delay: Duration, then: impl FnOnce() + 'static) {
    let Ok(window) = window() else { return };
    let then = Closure::once_into_js(then);
    let delay = i32::try_from(delay.as_millis()).unwrap_or(i32::MAX);
    // The call fails only while the page is closing, when nobody waits for the result.
    let _ =
        window.set_timeout_with_callback_and_timeout_and_arguments_0(then.unchecked_ref(), delay);
}

fn window() -> Result<web_sys::Window, JsValue> {
    web_sys::window().ok_or_else(|| "there is no window".into())
}

fn document() -> Result<web_sys::Document, JsValue> {
    window()?.document().ok_or_else(|| "there is no document".into())
}

fn find_element(id: &str) -> Result<web_sys::Element, JsValue> {
    document()?.get_element_by_id(id).ok_or_else(|| format!("the page has no {id}").into())
}

fn to_io_error(why: JsValue) -> io::Error {
    io::Error::other(error_message(why))
}

fn error_message(why: JsValue) -> String {
    let message = why.as_string().or_else(|| {
        let error = why.dyn_ref::<js_sys::Error>()?;
        error.message().as_string()
    });
    message.unwrap_or_else(|| "the browser refused".to_owned())
}
