//! Cooperative multitasking: long work yields regularly, so that its driver can do other things in
//! between. A browser needs this, because a page has no threads and is not drawn while its code
//! runs.
//!
//! Such work is an `async fn` that awaits only [`yield_now`], so it can always be resumed at once.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

/// Yields once, so that [`step`] returns.
pub async fn yield_now() {
    let mut yielded = false;
    poll_fn(
        |_| {
            if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending }
        },
    )
    .await;
}

/// Runs `work` until it yields or ends.
pub fn step<T>(work: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    work.poll(&mut Context::from_waker(Waker::noop()))
}

/// Runs `work` to its end.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(result) = step(work.as_mut()) {
            return result;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_resumes_where_it_yielded() {
        let done = std::cell::Cell::new(0);
        let mut work = pin!(async {
            for _ in 0..3 {
                done.set(done.get() + 1);
                yield_now().await;
            }
            "all"
        });
        for steps in 1..=3 {
            assert_eq!((step(work.as_mut()), done.get()), (Poll::Pending, steps));
        }
        assert_eq!(step(work.as_mut()), Poll::Ready("all"));
        assert_eq!(block_on(async { yield_now().await }), ());
    }
}
