//! Runs parts of a job on several threads and delivers their results in order.
//!
//! All jobs of a program share one budget of threads. A job begins on the thread of its caller, and
//! adds helper threads whenever the budget has some to spare. Therefore one large file uses the
//! cores that become free when small files next to it are finished. The results do not depend on
//! the number of threads.

use std::{
    any::Any,
    collections::BTreeMap,
    num::NonZero,
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    sync::{
        Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, Scope},
    time::Duration,
};

use super::progress::{Cancelled, Progress};

/// The number of threads that [`set_thread_count`] has chosen, or 0 for the number of cores.
static CHOSEN_THREADS: AtomicUsize = AtomicUsize::new(0);

/// The number of helper threads that run in all jobs together.
static HELPER_THREADS: AtomicUsize = AtomicUsize::new(0);

/// The largest number of results of a job that are in memory at once.
pub const MAX_UNTAKEN_RESULTS: usize = 16;

/// Sets the number of threads that jobs use together. By default they use as many threads as there
/// are cores.
pub fn set_thread_count(count: NonZero<usize>) {
    CHOSEN_THREADS.store(count.get(), Ordering::Relaxed);
}

/// Returns the number of threads that jobs use together. A browser has one thread.
pub fn thread_count() -> usize {
    if cfg!(target_family = "wasm") {
        return 1;
    }
    static CORES: OnceLock<usize> = OnceLock::new();
    match CHOSEN_THREADS.load(Ordering::Relaxed) {
        0 => *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get)),
        chosen => chosen,
    }
}

/// The permission to run one helper thread. The thread of the caller needs no permission.
#[derive(Debug)]
pub struct HelperPermit(());

impl HelperPermit {
    /// Returns a permission, or `None` if as many threads run as [`thread_count`] allows.
    pub fn claim() -> Option<Self> {
        let is_free = |helpers: usize| (helpers + 1 < thread_count()).then_some(helpers + 1);
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        HELPER_THREADS.fetch_update(set, fetch, is_free).ok().map(|_| Self(()))
    }
}

impl Drop for HelperPermit {
    fn drop(&mut self) {
        HELPER_THREADS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs `work` for each index below `count`, on the thread of the caller and on helper threads, and
/// passes the results to `take` in the order of the indices. `take` runs on the thread of the
/// caller.
///
/// At most [`MAX_UNTAKEN_RESULTS`] are computed or wait for `take`, so that the memory is bounded on
/// machines with many cores. The progress that `work` receives only tells whether the job was
/// cancelled.
///
/// # Errors
/// Returns the first error, in the order of the indices, of `work` or `take`. Fails if `progress`
/// is cancelled.
///
/// # Panics
/// Panics with the payload of the panic if `work` panics.
pub fn map_in_order<R: Send, E: From<Cancelled> + Send>(
    count: usize,
    progress: &mut Progress<'_>,
    work: impl Fn(usize, &mut Progress<'_>) -> Result<R, E> + Sync,
    mut take: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let board = Board {
        state: Mutex::new(State { next: 0, taken: 0, results: BTreeMap::new() }),
        changed: Condvar::new(),
        is_stopped: AtomicBool::new(false),
        count,
    };
    thread::scope(|scope| {
        // Stop the helpers even if `take` fails or panics. Otherwise the scope would wait for all
        // remaining work.
        let _stop = StopGuard(&board);
        for index in 0..count {
            progress.report_progress(index, count)?;
            board.recruit(scope, &work);
            let result = board.result_of(index, progress, &work)?;
            take(index, result.unwrap_or_else(|payload| panic::resume_unwind(payload))?)?;
        }
        progress.report_progress(count, count)?;
        Ok(())
    })
}

/// Runs `work` and `take` like [`map_in_order`], for work that cannot fail and is not cancelled.
pub fn map_all_in_order<R: Send>(
    count: usize,
    work: impl Fn(usize) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let work = |index: usize, _: &mut Progress<'_>| -> Result<R, Cancelled> { Ok(work(index)) };
    let take = |_, result| {
        take(result);
        Ok(())
    };
    map_in_order(count, &mut Progress::default(), work, take).expect("nothing cancels this work");
}

/// Runs `work` and `take` like [`map_in_order`], for work that continues a state which is only known
/// when the index before is taken, such as the angles of the frame before.
///
/// `work` receives a guess: the latest state that is known. `take` receives the guess and the actual
/// state, has to repeat the work if the guess leads to another result, and returns the next state.
///
/// # Errors
/// The same as for [`map_in_order`].
pub fn map_continued<S: Clone + Send, R: Send, E: From<Cancelled> + Send>(
    count: usize,
    progress: &mut Progress<'_>,
    start: S,
    work: impl Fn(usize, &S, &mut Progress<'_>) -> Result<R, E> + Sync,
    mut take: impl FnMut(usize, R, &S, &S) -> Result<S, E>,
) -> Result<(), E> {
    let latest = Mutex::new(start.clone());
    let lock = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    let mut actual = start;
    let guess_and_work = |index: usize, progress: &mut Progress<'_>| {
        let guessed = lock().clone();
        Ok((work(index, &guessed, progress)?, guessed))
    };
    map_in_order(count, progress, guess_and_work, |index, (result, guessed)| {
        actual = take(index, result, &guessed, &actual)?;
        lock().clone_from(&actual);
        Ok(())
    })
}

type WorkResult<R, E> = Result<Result<R, E>, Box<dyn Any + Send>>;

struct Board<R, E> {
    state: Mutex<State<R, E>>,
    changed: Condvar,
    is_stopped: AtomicBool,
    count: usize,
}

struct State<R, E> {
    next: usize,
    taken: usize,
    results: BTreeMap<usize, WorkResult<R, E>>,
}

impl<R: Send, E: From<Cancelled> + Send> Board<R, E> {
    fn lock(&self) -> MutexGuard<'_, State<R, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts as many helpers as the budget allows, if there is work for them.
    fn recruit<'scope, 'env, W>(&'env self, scope: &'scope Scope<'scope, 'env>, work: &'env W)
    where
        W: Fn(usize, &mut Progress<'_>) -> Result<R, E> + Sync,
    {
        while self.lock().next + 1 < self.count
            && let Some(permit) = HelperPermit::claim()
        {
            let help = move || {
                let _permit = permit;
                self.help(work);
            };
            // Without a further thread, the job only takes longer.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
    }

    fn help(&self, work: &(impl Fn(usize, &mut Progress<'_>) -> Result<R, E> + Sync)) {
        let mut progress = Progress::new(|_| match self.is_stopped.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let mut state = self.lock();
        while !self.is_stopped.load(Ordering::Relaxed) && state.next < self.count {
            let Some(index) = self.claim(&mut state) else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let result = panic::catch_unwind(AssertUnwindSafe(|| work(index, &mut progress)));
            state = self.lock();
            state.results.insert(index, result);
            self.changed.notify_all();
        }
    }

    /// Returns the index of the next work, or `None` if no work is left or too many results wait.
    fn claim(&self, state: &mut State<R, E>) -> Option<usize> {
        // One more result than threads may wait, so that a thread need not wait for the caller.
        let max_untaken = (thread_count() + 1).min(MAX_UNTAKEN_RESULTS);
        let is_free = state.next < self.count && state.next < state.taken + max_untaken;
        is_free.then(|| {
            state.next += 1;
            state.next - 1
        })
    }

    /// Returns the result of the work with `index`. Meanwhile the caller works as the helpers do.
    fn result_of(
        &self,
        index: usize,
        progress: &mut Progress<'_>,
        work: &(impl Fn(usize, &mut Progress<'_>) -> Result<R, E> + Sync),
    ) -> Result<WorkResult<R, E>, E> {
        const POLL_INTERVAL: Duration = Duration::from_millis(20);
        loop {
            let mut state = self.lock();
            if let Some(result) = state.results.remove(&index) {
                state.taken = index + 1;
                self.changed.notify_all();
                return Ok(result);
            }
            match self.claim(&mut state) {
                Some(claimed) => {
                    drop(state);
                    let mut own = Progress::new(|_| match progress.check_cancelled() {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(Cancelled) => ControlFlow::Break(()),
                    });
                    let result = Ok(work(claimed, &mut own));
                    self.lock().results.insert(claimed, result);
                }
                None => {
                    let waited = self.changed.wait_timeout(state, POLL_INTERVAL);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                }
            }
            progress.check_cancelled()?;
        }
    }
}

struct StopGuard<'a, R, E>(&'a Board<R, E>);

impl<R, E> Drop for StopGuard<'_, R, E> {
    fn drop(&mut self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
        // Lock the state, so that no helper checks the flag before it is set and waits after the
        // notification.
        drop(self.0.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(
        count: usize,
        progress: &mut Progress<'_>,
        work: impl Fn(usize) -> Result<usize, Cancelled> + Sync,
    ) -> (Vec<usize>, Result<(), Cancelled>) {
        let mut taken = Vec::new();
        let result = map_in_order(
            count,
            progress,
            |index, _| work(index),
            |index, square| {
                assert_eq!(index, taken.len());
                taken.push(square);
                Ok(())
            },
        );
        (taken, result)
    }

    #[test]
    fn results_are_in_order_up_to_the_first_error() {
        for threads in [1, 2, 7] {
            set_thread_count(NonZero::new(threads).unwrap());
            let expected: Vec<usize> = (0..500).map(|index| index * index).collect();
            let square = |index: usize| {
                // Delay every fifth result, so that later results are finished first.
                thread::sleep(Duration::from_micros(if index.is_multiple_of(5) { 300 } else { 1 }));
                Ok(index * index)
            };
            let result = squares(500, &mut Progress::default(), square);
            assert_eq!(result, (expected.clone(), Ok(())), "{threads}");
            let fails = |index: usize| if index < 9 { square(index) } else { Err(Cancelled) };
            let result = squares(500, &mut Progress::default(), fails);
            assert_eq!(result, (expected[..9].to_vec(), Err(Cancelled)), "{threads}");
        }
    }

    #[test]
    fn cancelled_job_ends_while_work_runs() {
        let mut reports = 0;
        let mut progress = Progress::new(|_| {
            reports += 1;
            if reports > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // The work only ends when it is cancelled.
        let cancelled = map_in_order(
            8,
            &mut progress,
            |_, progress| -> Result<(), Cancelled> {
                loop {
                    progress.check_cancelled()?;
                    thread::sleep(Duration::from_millis(1));
                }
            },
            |_, ()| Ok(()),
        );
        assert_eq!(cancelled, Err(Cancelled));
    }

    #[test]
    fn continued_work_sees_the_state_before_or_is_repeated() {
        let sum = |index: usize, before: usize| before + index;
        let mut sums = Vec::new();
        let work = |index: usize, guessed: &usize, _: &mut Progress<'_>| -> Result<_, Cancelled> {
            Ok(sum(index, *guessed))
        };
        map_continued(500, &mut Progress::default(), 0, work, |index, result, guessed, actual| {
            let result = if guessed == actual { result } else { sum(index, *actual) };
            sums.push(result);
            Ok(result)
        })
        .unwrap();
        let expected: Vec<usize> = (0..500).map(|index| index * (index + 1) / 2).collect();
        assert_eq!(sums, expected);
    }

    #[test]
    #[should_panic(expected = "a broken part")]
    fn panic_of_a_helper_keeps_its_message() {
        let work = |index: usize| {
            assert_ne!(index, 7, "a broken part");
            Ok(index)
        };
        drop(squares(1000, &mut Progress::default(), work));
    }
}
