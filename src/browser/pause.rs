//! Lets the browser draw during long work. The page has a single thread, so the browser cannot draw
//! while a job runs.

use std::{
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Poll, Waker},
    time::Duration,
};

use bevy::platform::time::Instant;

use super::call_later;
use mutoscope_core::io::cooperative;

/// The time in which the browser can draw a frame. Even a browser without hardware acceleration
/// needs less time for one frame.
const FRAME_WAIT: Duration = Duration::from_millis(50);

/// The maximum time that `work` runs before the browser can handle events. If slices were much
/// shorter, most of the time would be spent on pauses.
const SLICE_DURATION: Duration = Duration::from_millis(12);

pub(crate) async fn wait_for_frame() {
    pause(FRAME_WAIT).await;
}

pub(crate) async fn yield_to_browser() {
    pause(Duration::ZERO).await;
}

/// Runs `work` in slices, and lets the browser handle events between them. Returns `None` if
/// `should_continue` returns `false` before the work is done.
pub(crate) async fn run_in_slices<T>(
    work: impl Future<Output = T>,
    should_continue: impl Fn() -> bool,
) -> Option<T> {
    let mut work = pin!(work);
    while should_continue() {
        let start = Instant::now();
        while start.elapsed() < SLICE_DURATION {
            if let Poll::Ready(result) = cooperative::step(work.as_mut()) {
                return Some(result);
            }
        }
        yield_to_browser().await;
    }
    None
}

async fn pause(length: Duration) {
    let state = Arc::new(Mutex::new(State::New));
    poll_fn(move |context| {
        let mut now = state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *now {
            State::Finished => return Poll::Ready(()),
            State::Waiting(waker) => waker.clone_from(context.waker()),
            State::New => {
                *now = State::Waiting(context.waker().clone());
                let ended = state.clone();
                call_later(length, move || finish(&ended));
            }
        }
        Poll::Pending
    })
    .await;
}

enum State {
    New,
    Waiting(Waker),
    Finished,
}

fn finish(state: &Mutex<State>) {
    let before = std::mem::replace(
        &mut *state.lock().unwrap_or_else(PoisonError::into_inner),
        State::Finished,
    );
    if let State::Waiting(waker) = before {
        waker.wake();
    }
}
