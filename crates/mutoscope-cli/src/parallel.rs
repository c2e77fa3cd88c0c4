//! Parallel work on all cores, with results in order.

use std::{
    collections::BTreeMap,
    io,
    num::NonZero,
    panic::{self, AssertUnwindSafe},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use super::Interrupt;

/// How many results may wait for a slow one before them.
const MOST_WAITING: usize = 256;

/// How often an interruption is looked for while a job takes long.
const GLANCE: Duration = Duration::from_millis(50);

/// A result, or an interruption.
pub(super) enum Taken<R> {
    /// The result of a job.
    Result(R),
    /// An interruption came. The results that there were are taken; jobs that are not done may take
    /// as long as they like, so this is the time to end the program.
    Interrupted,
}

/// Runs `work` on each of `jobs` in parallel and passes the results to `take` in the order of the jobs.
/// If `take` fails or an interruption comes, no further job is started.
///
/// As many jobs run at once as there are cores; the next ones are taken from the iterator only then.
///
/// # Errors
/// As `take`.
pub(super) fn in_order<T: Send, R: Send>(
    jobs: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    interrupt: &Interrupt,
    mut take: impl FnMut(Taken<R>) -> io::Result<()>,
) -> io::Result<()> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let queue = Queue { state: Mutex::new(State::new(jobs)), changed: Condvar::new() };
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        // However this ends, the other threads must not wait for it forever.
        let _stop = Stop(&queue);
        for _ in 0..threads {
            let (queue, work, sender) = (&queue, &work, sender.clone());
            scope.spawn(move || {
                let stop = Stop(queue);
                while let Some((number, job)) = queue.next() {
                    if sender.send((number, work(job))).is_err() {
                        return;
                    }
                }
                // No job is left, or all were stopped: the other threads notice on their own.
                std::mem::forget(stop);
            });
        }
        drop(sender);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        loop {
            match receiver.recv_timeout(GLANCE) {
                Ok((number, result)) => drop(waiting.insert(number, result)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some(result) = waiting.remove(&next) {
                take(Taken::Result(result))?;
                next += 1;
            }
            queue.taken(next);
            if interrupt.came() {
                waiting.extend(receiver.try_iter());
                waiting.into_values().try_for_each(|result| take(Taken::Result(result)))?;
                return take(Taken::Interrupted);
            }
        }
    })
}

/// The result of `work`, or else of `failed` with why it ended the thread: a defect of ours that one file brings
/// to light must not end the work on all others.
pub(super) fn isolated<R>(work: impl FnOnce() -> R, failed: impl FnOnce(String) -> R) -> R {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no reason given".to_owned());
        failed(format!(
            "a defect of Mutoscope ({text}); nothing done. Please report it, with the file"
        ))
    })
}

/// The remaining jobs.
struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    jobs: J,
    /// How many were started.
    begun: usize,
    /// How many results were taken.
    taken: usize,
    is_stopped: bool,
}

impl<J> State<J> {
    fn new(jobs: J) -> Self {
        Self { jobs, begun: 0, taken: 0, is_stopped: false }
    }
}

impl<J> Queue<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn taken(&self, taken: usize) {
        self.lock().taken = taken;
        self.changed.notify_all();
    }
}

impl<T, J: Iterator<Item = T>> Queue<J> {
    /// The next job and its number; nothing if there is none, or all is stopped.
    fn next(&self) -> Option<(usize, T)> {
        let mut state = self.lock();
        while !state.is_stopped && state.begun - state.taken >= MOST_WAITING {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped {
            return None;
        }
        let job = state.jobs.next()?;
        state.begun += 1;
        Some((state.begun - 1, job))
    }
}

/// Stops all when it is dropped.
struct Stop<'a, J>(&'a Queue<J>);

impl<J> Drop for Stop<'_, J> {
    fn drop(&mut self) {
        self.0.lock().is_stopped = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    fn result<R>(taken: Taken<R>) -> Option<R> {
        match taken {
            Taken::Result(result) => Some(result),
            Taken::Interrupted => None,
        }
    }

    #[test]
    fn a_defect_is_a_result_like_any_other() {
        let (mut results, mut crashes) = (Vec::new(), 0);
        let work =
            |number: u32| isolated(|| Ok(number.checked_sub(5).expect("at least five")), Err);
        in_order(0..50, work, &Interrupt::default(), |taken: Taken<Result<u32, String>>| {
            match result(taken).unwrap() {
                Ok(result) => results.push(result),
                Err(why) => {
                    assert!(why.contains("at least five"), "{why}");
                    crashes += 1;
                }
            }
            Ok(())
        })
        .unwrap();
        assert_eq!((results, crashes), (Vec::from_iter(0..45), 5));
    }

    #[test]
    fn results_come_in_order_whatever_takes_longest() {
        let mut results = Vec::new();
        let work = |number: u32| {
            // Every tenth is much slower than the ones after it.
            (0..if number.is_multiple_of(10) { 100_000 } else { 1 })
                .fold(number, |sum, _| sum.rotate_left(32))
        };
        let taken = in_order(0..3000, work, &Interrupt::default(), |taken| {
            results.extend(result(taken));
            Ok(())
        });
        taken.unwrap();
        assert_eq!(results, Vec::from_iter(0..3000));
    }

    #[test]
    fn little_is_done_ahead_and_nothing_after_a_failure() {
        let done = AtomicUsize::new(0);
        let mut most_ahead = 0;
        let work = |number: usize| {
            done.fetch_add(1, Ordering::SeqCst);
            number
        };
        let failed = in_order(0.., work, &Interrupt::default(), |taken| {
            let number = result(taken).unwrap();
            most_ahead = most_ahead.max(done.load(Ordering::SeqCst) - number);
            if number == 1000 { Err(io::Error::other("enough")) } else { Ok(()) }
        });
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        assert!(most_ahead <= MOST_WAITING, "{most_ahead}");
        assert!(done.into_inner() <= 1000 + 2 * MOST_WAITING);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_the_work_is_passed_on_and_nobody_waits_for_ever() {
        let work = |number: usize| assert_ne!(number, 3, "a broken job");
        in_order(0..100_000, work, &Interrupt::default(), |_| Ok(())).unwrap();
    }

    /// Finished results are taken although an earlier job is not done; then the taker is told.
    #[test]
    fn an_interruption_is_told_while_a_job_takes_long() {
        if thread::available_parallelism().is_ok_and(|cores| cores.get() == 1) {
            return;
        }
        let (interrupt, is_told) = (Interrupt::default(), AtomicBool::new(false));
        let wait = || thread::sleep(Duration::from_millis(1));
        let others = AtomicUsize::new(0);
        let work = |number: usize| {
            if number == 0 {
                // Only the notification of the taker ends it.
                while !is_told.load(Ordering::SeqCst) {
                    wait();
                }
            } else if others.fetch_add(1, Ordering::SeqCst) == 2 {
                interrupt.come();
            }
            number
        };
        let mut results = Vec::new();
        let ended = in_order(0..4, work, &interrupt, |taken| {
            match taken {
                Taken::Result(number) => results.push(number),
                Taken::Interrupted => is_told.store(true, Ordering::SeqCst),
            }
            Ok(())
        });
        ended.unwrap();
        assert!(is_told.into_inner() && !results.is_empty(), "{results:?}");
        assert!(results.is_sorted() && !results.contains(&0), "{results:?}");
    }
}
