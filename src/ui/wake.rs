//! Repaints an idle window after a delay.
//!
//! egui requests delayed repaints: a tooltip appears after the pointer has rested, and a message
//! disappears after a few seconds. bevy_egui passes on only immediate repaints, and an idle window
//! draws no frames by itself. So without this module a tooltip would not appear until the next
//! input.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Instant,
};

use bevy_egui::egui::Context;

/// The longest delay for which we set an alarm. Input usually redraws the window before a longer
/// delay ends.
const MAX_DELAY: Duration = Duration::from_secs(60);

#[cfg(target_family = "wasm")]
pub(super) fn wake_for_repaints(ctx: &Context, wake: impl Fn() + Clone + Send + Sync + 'static) {
    ctx.set_request_repaint_callback(move |info| {
        if info.delay.is_zero() {
            wake();
        } else if info.delay < MAX_DELAY {
            crate::browser::call_later(info.delay, wake.clone());
        }
    });
}

#[cfg(not(target_family = "wasm"))]
pub(super) fn wake_for_repaints(ctx: &Context, wake: impl Fn() + Clone + Send + Sync + 'static) {
    let (alarms, pending) = channel();
    let ring = wake.clone();
    let builder = thread::Builder::new().name("wake".to_owned());
    // If the thread cannot start, tooltips appear late, but everything else works.
    let thread_runs = builder.spawn(move || run_alarms(&pending, ring)).is_ok();
    ctx.set_request_repaint_callback(move |info| {
        if info.delay.is_zero() {
            wake();
        } else if thread_runs && info.delay < MAX_DELAY {
            // Sending cannot fail, because the thread runs until this sender is dropped.
            let _ = alarms.send(Instant::now() + info.delay);
        }
    });
}

#[cfg(not(target_family = "wasm"))]
fn run_alarms(alarms: &Receiver<Instant>, ring: impl Fn()) {
    let mut pending: Vec<Instant> = Vec::new();
    loop {
        let received = match pending.iter().min() {
            None => alarms.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(next) => alarms.recv_timeout(next.saturating_duration_since(Instant::now())),
        };
        match received {
            Ok(alarm) => pending.push(alarm),
            Err(RecvTimeoutError::Timeout) => {
                let now = Instant::now();
                pending.retain(|alarm| *alarm > now);
                ring();
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn delayed_repaints_wake_the_window() {
        let (woken, wakes) = channel();
        let ctx = Context::default();
        wake_for_repaints(&ctx, move || woken.send(Instant::now()).unwrap());
        let requested = Instant::now();
        ctx.request_repaint_after(Duration::from_millis(40));
        let first = wakes.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(first - requested >= Duration::from_millis(20), "{:?}", first - requested);
    }
}
