//! Waiting, so that the browser can draw: without threads, the page is not drawn while a job runs.

use std::{
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Poll, Waker},
    time::Duration,
};

use bevy::platform::time::Instant;

use super::later;
use mutoscope_core::io::cooperative;

/// Longer than a frame takes where there is no graphics card.
const UNTIL_DRAWN: Duration = Duration::from_millis(50);

/// How long the page is kept waiting: much shorter, and the pauses take most of the time.
const SLICE: Duration = Duration::from_millis(12);

/// Completes when the current frame has been drawn.
pub(crate) async fn frame_is_drawn() {
    pause(UNTIL_DRAWN).await;
}

/// Completes when all that the browser has to do has had its turn.
pub(crate) async fn next_turn() {
    pause(Duration::ZERO).await;
}

/// Drives cooperative `work` in slices, between which the browser has its turn; gives up when it no longer
/// `goes_on`.
pub(crate) async fn in_slices<T>(
    work: impl Future<Output = T>,
    goes_on: impl Fn() -> bool,
) -> Option<T> {
    let mut work = pin!(work);
    while goes_on() {
        let start = Instant::now();
        while start.elapsed() < SLICE {
            if let Poll::Ready(result) = cooperative::step(work.as_mut()) {
                return Some(result);
            }
        }
        next_turn().await;
    }
    None
}

async fn pause(length: Duration) {
    let state = Arc::new(Mutex::new(State::Begins));
    poll_fn(move |context| {
        let mut now = state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *now {
            State::Over => return Poll::Ready(()),
            State::Waits(waker) => waker.clone_from(context.waker()),
            State::Begins => {
                *now = State::Waits(context.waker().clone());
                let ended = state.clone();
                later(length, move || end(&ended));
            }
        }
        Poll::Pending
    })
    .await;
}

enum State {
    Begins,
    Waits(Waker),
    Over,
}

fn end(state: &Mutex<State>) {
    let before =
        std::mem::replace(&mut *state.lock().unwrap_or_else(PoisonError::into_inner), State::Over);
    if let State::Waits(waker) = before {
        waker.wake();
    }
}
