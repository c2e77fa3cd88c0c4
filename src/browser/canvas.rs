//! Suppression of the browser's own handling of input on the canvas.

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, convert::FromWasmAbi};
use web_sys::{
    AddEventListenerOptions, DataTransfer, DragEvent, Event, EventTarget, KeyboardEvent,
};

use super::{CANVAS, element, say, window};

/// Keeps menus, zooming and keys of the browser from what is drawn, and says so when the graphics are lost.
///
/// # Errors
/// If there is no canvas.
pub(crate) fn take_over_canvas() -> Result<(), JsValue> {
    let canvas = element(CANVAS)?;
    listen(&canvas, "contextmenu", |event: Event| event.prevent_default())?;
    listen(&canvas, "wheel", |event: Event| event.prevent_default())?;
    listen(&canvas, "keydown", |event: KeyboardEvent| {
        if is_ours(&event.key(), event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
        }
    })?;
    listen(&canvas, "webglcontextlost", |_: Event| {
        say(
            "The browser has stopped the graphics of this page; nothing more is drawn. Load the page again",
            "end",
        );
    })
}

/// Whether a key is the viewer's: the browser keeps those for copying, reloading and its windows.
fn is_ours(key: &str, with_command: bool) -> bool {
    match key {
        "F5" | "F11" | "F12" => false,
        _ if !with_command => true,
        "b" | "B" | "d" | "D" | "e" | "E" | "k" | "K" | "o" | "O" | "p" | "P" | "t" | "T" => true,
        _ => key.starts_with("Arrow"),
    }
}

/// Calls `hover` when files come over the page and when they leave it, and `drop` with what is dropped.
///
/// # Errors
/// If there is no window.
pub(crate) fn watch_drops(
    hover: impl Fn(bool) + Copy + 'static,
    drop: impl Fn(&DataTransfer) + 'static,
) -> Result<(), JsValue> {
    let page = window()?;
    listen(&page, "dragover", move |_: Event| hover(true))?;
    listen(&page, "dragleave", move |_: Event| hover(false))?;
    listen(&page, "drop", move |event: DragEvent| {
        hover(false);
        event.data_transfer().iter().for_each(&drop);
    })
}

/// Calls `then` with each event of this kind, as long as the page is there.
fn listen<E: FromWasmAbi + 'static>(
    target: &EventTarget,
    kind: &str,
    then: impl FnMut(E) + 'static,
) -> Result<(), JsValue> {
    let options = AddEventListenerOptions::new();
    // Or nothing could be prevented.
    options.set_passive(false);
    let then = Closure::<dyn FnMut(E)>::new(then).into_js_value();
    target.add_event_listener_with_callback_and_add_event_listener_options(
        kind,
        then.unchecked_ref(),
        &options,
    )
}
