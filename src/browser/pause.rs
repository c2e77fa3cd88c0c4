//! Waiting, so that the browser can draw: without threads, the page is not drawn while a job runs.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex, PoisonError},
    task::{Poll, Waker},
    time::Duration,
};

use super::later;

/// Longer than a frame takes where there is no graphics card.
const UNTIL_DRAWN: Duration = Duration::from_millis(50);

/// Completes when the current frame has been drawn.
pub(crate) async fn frame_is_drawn() {
    pause(UNTIL_DRAWN).await;
}

/// Completes when all that the browser has to do has had its turn.
pub(crate) async fn next_turn() {
    pause(Duration::ZERO).await;
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
