//! Stops the browser from handling input on the canvas itself.

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, convert::FromWasmAbi};
use web_sys::{
    AddEventListenerOptions, DataTransfer, DragEvent, Event, EventTarget, KeyboardEvent,
};

use super::{CANVAS_ID, find_element, show_message, window};

pub(crate) fn take_over_canvas() -> Result<(), JsValue> {
    let canvas = find_element(CANVAS_ID)?;
    add_listener(&canvas, "contextmenu", |event: Event| event.prevent_default())?;
    add_listener(&canvas, "wheel", |event: Event| event.prevent_default())?;
    add_listener(&canvas, "keydown", |event: KeyboardEvent| {
        if is_viewer_key(&event.key(), event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
        }
    })?;
    add_listener(&canvas, "webglcontextlost", |_: Event| {
        show_message(
            "The browser has stopped the graphics of this page; the view no longer changes. Reload the page",
            "end",
        );
    })
}

fn is_viewer_key(key: &str, with_command: bool) -> bool {
    match key {
        "F5" | "F11" | "F12" => false,
        _ if !with_command => true,
        "b" | "B" | "d" | "D" | "e" | "E" | "k" | "K" | "o" | "O" | "p" | "P" | "t" | "T" => true,
        _ => key.starts_with("Arrow"),
    }
}

pub(crate) fn watch_drops(
    hover: impl Fn(bool) + Copy + 'static,
    drop: impl Fn(&DataTransfer) + 'static,
) -> Result<(), JsValue> {
    let page = window()?;
    add_listener(&page, "dragover", move |_: Event| hover(true))?;
    add_listener(&page, "dragleave", move |_: Event| hover(false))?;
    add_listener(&page, "drop", move |event: DragEvent| {
        hover(false);
        event.data_transfer().iter().for_each(&drop);
    })
}

/// Calls `then` for each event of this kind. The listener is never removed.
fn add_listener<E: FromWasmAbi + 'static>(
    target: &EventTarget,
    kind: &str,
    then: impl FnMut(E) + 'static,
) -> Result<(), JsValue> {
    let options = AddEventListenerOptions::new();
    // Register an active listener, because `prevent_default` has no effect in a passive listener.
    // Wheel listeners are passive by default.
    options.set_passive(false);
    let then = Closure::<dyn FnMut(E)>::new(then).into_js_value();
    target.add_event_listener_with_callback_and_add_event_listener_options(
        kind,
        then.unchecked_ref(),
        &options,
    )
}
