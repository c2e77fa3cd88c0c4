//! Runs jobs in parallel on all cores and delivers their results in order.

use std::{
    collections::BTreeMap,
    io,
    panic::{self, AssertUnwindSafe},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use mutoscope_core::io::parallel::{HelperPermit, thread_count};

use super::Interrupt;

const MAX_PENDING_RESULTS: usize = 256;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

pub(super) enum Outcome<R> {
    Result(R),
    /// An interruption was requested. All finished results were delivered. The program should end
    /// now, because the other jobs may still run for long.
    Interrupted,
}

/// Runs `work` on each of `jobs` in parallel, and passes the results to `take` in the order of the
/// jobs.
///
/// As many jobs run at once as [`thread_count`] allows. A thread takes a job from the iterator only when
/// the thread is ready to run that job. After an error of `take` or an interruption, no further job
/// starts.
///
/// # Errors
/// Returns the first error of `take`.
pub(super) fn run_in_order<T: Send, R: Send>(
    jobs: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    interrupt: &Interrupt,
    mut take: impl FnMut(Outcome<R>) -> io::Result<()>,
) -> io::Result<()> {
    let threads = thread_count();
    // The caller only waits, so the first thread needs no permission. Each thread gives one back
    // when no job is left, so that the jobs that still run can use the free cores.
    let permits: Mutex<Vec<HelperPermit>> =
        Mutex::new((1..threads).map_while(|_| HelperPermit::claim()).collect());
    let queue = Queue { state: Mutex::new(State::new(jobs)), changed: Condvar::new() };
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        // Stop the queue even if `take` panics. Otherwise the worker threads would wait for ever,
        // and the scope would never end.
        let _stop = StopGuard(&queue);
        for _ in 0..threads {
            let (queue, work, sender) = (&queue, &work, sender.clone());
            let permits = &permits;
            scope.spawn(move || {
                let stop = StopGuard(queue);
                while let Some((index, job)) = queue.next_job() {
                    if sender.send((index, work(job))).is_err() {
                        return;
                    }
                }
                // No job is left, or the queue is already stopped. Do not stop the other threads,
                // which may still be working.
                std::mem::forget(stop);
                drop(permits.lock().unwrap_or_else(PoisonError::into_inner).pop());
            });
        }
        drop(sender);
        let (mut pending, mut next) = (BTreeMap::new(), 0);
        loop {
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok((index, result)) => drop(pending.insert(index, result)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some(result) = pending.remove(&next) {
                take(Outcome::Result(result))?;
                next += 1;
            }
            queue.set_delivered(next);
            if interrupt.is_requested() {
                pending.extend(receiver.try_iter());
                pending.into_values().try_for_each(|result| take(Outcome::Result(result)))?;
                return take(Outcome::Interrupted);
            }
        }
    })
}

/// Returns the result of `work`. If `work` panics, passes the panic message to `on_panic` and
/// returns the result. Otherwise a bug that one file triggers would end the work on all files.
pub(super) fn catch_panic<R>(work: impl FnOnce() -> R, on_panic: impl FnOnce(String) -> R) -> R {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
        let message = message.unwrap_or_else(|| "unknown cause".to_owned());
        on_panic(format!(
            "a bug in Mutoscope ({message}); the file was skipped. Please report the bug and attach the file"
        ))
    })
}

struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    jobs: J,
    started: usize,
    delivered: usize,
    is_stopped: bool,
}

impl<J> State<J> {
    fn new(jobs: J) -> Self {
        Self { jobs, started: 0, delivered: 0, is_stopped: false }
    }
}

impl<J> Queue<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_delivered(&self, delivered: usize) {
        self.lock().delivered = delivered;
        self.changed.notify_all();
    }
}

impl<T, J: Iterator<Item = T>> Queue<J> {
    fn next_job(&self) -> Option<(usize, T)> {
        let mut state = self.lock();
        while !state.is_stopped && state.started - state.delivered >= MAX_PENDING_RESULTS {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped {
            return None;
        }
        let job = state.jobs.next()?;
        state.started += 1;
        Some((state.started - 1, job))
    }
}

struct StopGuard<'a, J>(&'a Queue<J>);

impl<J> Drop for StopGuard<'_, J> {
    fn drop(&mut self) {
        self.0.lock().is_stopped = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    fn result_of<R>(outcome: Outcome<R>) -> Option<R> {
        match outcome {
            Outcome::Result(result) => Some(result),
            Outcome::Interrupted => None,
        }
    }

    #[test]
    fn catch_panic_turns_a_panic_into_a_result() {
        let (mut results, mut panics) = (Vec::new(), 0);
        let work =
            |number: u32| catch_panic(|| Ok(number.checked_sub(5).expect("at least five")), Err);
        run_in_order(
            0..50,
            work,
            &Interrupt::default(),
            |outcome: Outcome<Result<u32, String>>| {
                match result_of(outcome).unwrap() {
                    Ok(result) => results.push(result),
                    Err(message) => {
                        assert!(message.contains("at least five"), "{message}");
                        panics += 1;
                    }
                }
                Ok(())
            },
        )
        .unwrap();
        assert_eq!((results, panics), (Vec::from_iter(0..45), 5));
    }

    #[test]
    fn results_are_delivered_in_order() {
        let mut results = Vec::new();
        let work = |number: u32| {
            // Make every tenth job much slower than the jobs after it.
            (0..if number.is_multiple_of(10) { 100_000 } else { 1 })
                .fold(number, |sum, _| sum.rotate_left(32))
        };
        let ended = run_in_order(0..3000, work, &Interrupt::default(), |outcome| {
            results.extend(result_of(outcome));
            Ok(())
        });
        ended.unwrap();
        assert_eq!(results, Vec::from_iter(0..3000));
    }

    #[test]
    fn few_jobs_run_ahead_and_none_start_after_an_error() {
        let done = AtomicUsize::new(0);
        let mut max_ahead = 0;
        let work = |number: usize| {
            done.fetch_add(1, Ordering::SeqCst);
            number
        };
        let failed = run_in_order(0.., work, &Interrupt::default(), |outcome| {
            let number = result_of(outcome).unwrap();
            max_ahead = max_ahead.max(done.load(Ordering::SeqCst) - number);
            if number == 1000 { Err(io::Error::other("enough")) } else { Ok(()) }
        });
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        assert!(max_ahead <= MAX_PENDING_RESULTS, "{max_ahead}");
        assert!(done.into_inner() <= 1000 + 2 * MAX_PENDING_RESULTS);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn panic_of_a_job_ends_the_run() {
        let work = |number: usize| assert_ne!(number, 3, "a broken job");
        run_in_order(0..100_000, work, &Interrupt::default(), |_| Ok(())).unwrap();
    }

    /// Job 0 waits for the interruption. The finished results of other jobs must be delivered
    /// before it.
    #[test]
    fn interruption_is_delivered_while_a_job_is_running() {
        if thread_count() == 1 {
            return;
        }
        let (interrupt, is_delivered) = (Interrupt::default(), AtomicBool::new(false));
        let wait = || thread::sleep(Duration::from_millis(1));
        let others = AtomicUsize::new(0);
        let work = |number: usize| {
            if number == 0 {
                // The job ends only after the callback has received the interruption.
                while !is_delivered.load(Ordering::SeqCst) {
                    wait();
                }
            } else if others.fetch_add(1, Ordering::SeqCst) == 2 {
                interrupt.request();
            }
            number
        };
        let mut results = Vec::new();
        let ended = run_in_order(0..4, work, &interrupt, |outcome| {
            match outcome {
                Outcome::Result(number) => results.push(number),
                Outcome::Interrupted => is_delivered.store(true, Ordering::SeqCst),
            }
            Ok(())
        });
        ended.unwrap();
        assert!(is_delivered.into_inner() && !results.is_empty(), "{results:?}");
        assert!(results.is_sorted() && !results.contains(&0), "{results:?}");
    }
}
