//! Delayed repaints of an idle window.
//!
//! egui asks for such moments: a tooltip comes when the pointer has been still for a while, a
//! remark goes when it has been read. bevy_egui passes on only what is wanted at once, and a
//! window at rest draws nothing by itself.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Instant,
};

use bevy_egui::egui::Context;

/// Later repaints will come about by other events.
const LONGEST: Duration = Duration::from_secs(60);

/// Makes `ctx` call `wake` whenever it wants to be drawn again.
#[cfg(target_family = "wasm")]
pub(super) fn wake_when_asked(ctx: &Context, wake: impl Fn() + Clone + Send + Sync + 'static) {
    ctx.set_request_repaint_callback(move |info| {
        if info.delay.is_zero() {
            wake();
        } else if info.delay < LONGEST {
            crate::browser::later(info.delay, wake.clone());
        }
    });
}

/// Makes `ctx` call `wake` whenever it wants to be drawn again.
#[cfg(not(target_family = "wasm"))]
pub(super) fn wake_when_asked(ctx: &Context, wake: impl Fn() + Clone + Send + Sync + 'static) {
    let (alarms, pending) = channel();
    let ring = wake.clone();
    let clock = thread::Builder::new().name("wake".to_owned());
    // Without the thread tooltips come late; nothing else is lost.
    let clock_runs = clock.spawn(move || keep_alarms(&pending, ring)).is_ok();
    ctx.set_request_repaint_callback(move |info| {
        if info.delay.is_zero() {
            wake();
        } else if clock_runs && info.delay < LONGEST {
            // The thread ends only with this end of the channel.
            let _ = alarms.send(Instant::now() + info.delay);
        }
    });
}

/// Rings at each of `alarms`, until their sender is gone.
#[cfg(not(target_family = "wasm"))]
fn keep_alarms(alarms: &Receiver<Instant>, ring: impl Fn()) {
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
        wake_when_asked(&ctx, move || woken.send(Instant::now()).unwrap());
        let asked = Instant::now();
        ctx.request_repaint_after(Duration::from_millis(40));
        let first = wakes.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(first - asked >= Duration::from_millis(20), "{:?}", first - asked);
    }
}
