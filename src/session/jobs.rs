//! Background jobs: their key, progress and result.
//!
//! A [`Job`] runs on Bevy's task pools. These need no threads: in a browser the tasks take turns
//! with the page. [`Jobs`] counts all running jobs.

use std::{
    fmt,
    future::poll_fn,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, TryRecvError, channel},
    },
    task::Poll,
    thread,
};

use bevy::{
    platform::cell::SyncCell,
    prelude::*,
    tasks::{AsyncComputeTaskPool, IoTaskPool, Task, futures::check_ready},
};

#[cfg(not(target_family = "wasm"))]
use bevy::tasks::futures_lite::future::yield_now as wait_for_frame;

#[cfg(target_family = "wasm")]
use crate::browser::{run_in_slices, wait_for_frame};
#[cfg(not(target_family = "wasm"))]
use mutoscope_core::io::cooperative;
use mutoscope_core::io::progress;

/// The number of running jobs.
#[derive(Resource, Clone, Debug, Default)]
pub struct Jobs(Arc<AtomicUsize>);

impl Jobs {
    /// Returns the number of running jobs, including other work that holds a [`Busy`].
    pub fn running_count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Increases the count until the returned guard is dropped.
    #[must_use]
    pub fn begin(&self) -> Busy {
        self.0.fetch_add(1, Ordering::Relaxed);
        Busy(self.0.clone())
    }
}

/// A guard that counts as a running job until it is dropped.
#[derive(Debug)]
pub struct Busy(Arc<AtomicUsize>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The progress of a job and its cancellation flag, shared with the worker.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<ProgressState>);

#[derive(Debug, Default)]
struct ProgressState {
    done: AtomicU64,
    all: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Progress {
    /// Sets the progress to `done` of `all`, in bytes or another unit.
    pub fn set(&self, done: u64, all: u64) {
        self.0.done.store(done, Ordering::Relaxed);
        self.0.all.store(all, Ordering::Relaxed);
    }

    /// Returns the fraction that is done, from 0 to 1. `None` until the total is known.
    pub fn fraction(&self) -> Option<f32> {
        let [done, all] = [&self.0.done, &self.0.all].map(|count| count.load(Ordering::Relaxed));
        (all > 0).then(|| (done as f64 / all as f64).min(1.0) as f32)
    }

    /// Cancels the job.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the job was cancelled, so that its result will be discarded.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Returns a progress for the work of the job. Its reports set the progress of the job, and it
    /// is cancelled if the job is.
    pub fn watch_work(&self) -> progress::Progress<'_> {
        const STEPS: f64 = 1e6;
        progress::Progress::new(|fraction| {
            self.set((fraction * STEPS) as u64, STEPS as u64);
            if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }
}

/// A background job that computes a `T`, identified by a key. A new job replaces the running one,
/// whose result is discarded.
pub struct Job<K, T>(Option<Running<K, T>>);

struct Running<K, T> {
    key: K,
    progress: CancelOnDrop,
    answer: Answer<T>,
    _busy: Busy,
}

struct CancelOnDrop(Progress);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

enum Answer<T> {
    Task(Task<thread::Result<T>>),
    Thread(SyncCell<Receiver<thread::Result<T>>>),
}

/// The work panicked, because of a bug in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program failed; please report it")]
pub struct Crashed;

impl<K, T> Default for Job<K, T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: fmt::Debug, T> fmt::Debug for Job<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.key()).finish()
    }
}

impl<K, T: Send + 'static> Job<K, T> {
    /// Starts `work` in place of the running job.
    pub fn start(
        &mut self,
        jobs: &Jobs,
        key: K,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) {
        self.start_with(jobs, key, Progress::default(), work);
    }

    /// Starts `work`, which reports to `progress`, in place of the running job.
    pub fn start_with(
        &mut self,
        jobs: &Jobs,
        key: K,
        progress: Progress,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) {
        let shared = progress.clone();
        let future = async move {
            // Draw a frame that shows the new state first, because a browser has no threads and the
            // work blocks the page.
            wait_for_frame().await;
            work(&shared)
        };
        let task = AsyncComputeTaskPool::get().spawn(catch_panic(future));
        self.run(jobs, key, progress, Answer::Task(task));
    }

    /// Starts `work`, which yields regularly, in place of the running job.
    #[cfg(not(target_family = "wasm"))]
    pub fn start_cooperative<F: Future<Output = T>>(
        &mut self,
        jobs: &Jobs,
        key: K,
        progress: Progress,
        work: impl FnOnce(Progress) -> F + Send + 'static,
    ) {
        let work = |progress: &Progress| cooperative::block_on(work(progress.clone()));
        self.start_with(jobs, key, progress, work);
    }

    /// Starts `work`, which yields regularly, in place of the running job. The page is drawn
    /// between its steps.
    #[cfg(target_family = "wasm")]
    pub fn start_cooperative<F: Future<Output = T> + 'static>(
        &mut self,
        jobs: &Jobs,
        key: K,
        progress: Progress,
        work: impl FnOnce(Progress) -> F + 'static,
    ) {
        let cancelled = progress.clone();
        let work =
            async move |progress| run_in_slices(work(progress), || !cancelled.is_cancelled()).await;
        self.spawn_here(jobs, key, progress, work);
    }

    /// Starts to wait for `future`, in place of the running job. Use it for work that mostly waits.
    pub fn wait_for(
        &mut self,
        jobs: &Jobs,
        key: K,
        future: impl Future<Output = T> + Send + 'static,
    ) {
        let task = IoTaskPool::get().spawn(catch_panic(future));
        self.run(jobs, key, Progress::default(), Answer::Task(task));
    }

    /// Starts `work` on its own thread, in place of the running job. Use it for work that takes
    /// minutes or waits for the task pools itself.
    ///
    /// # Errors
    /// If the system cannot create a thread.
    pub fn start_on_thread(
        &mut self,
        jobs: &Jobs,
        key: K,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> std::io::Result<()> {
        let progress = Progress::default();
        let shared = progress.clone();
        let (sender, answer) = channel();
        thread::Builder::new().name("job".to_owned()).spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&shared)));
            // Sending fails if another job has replaced this one. Then nobody needs the result.
            let _ = sender.send(result);
        })?;
        self.run(jobs, key, progress, Answer::Thread(SyncCell::new(answer)));
        Ok(())
    }

    /// Starts `work` on the thread of the page, in place of the running job. Use it for work that
    /// is bound to that thread, such as drawing. The page is drawn whenever `work` waits.
    #[cfg(target_family = "wasm")]
    pub fn start_here<F: Future<Output = T> + 'static>(
        &mut self,
        jobs: &Jobs,
        key: K,
        work: impl FnOnce(Progress) -> F + 'static,
    ) {
        let work = async move |progress| Some(work(progress).await);
        self.spawn_here(jobs, key, Progress::default(), work);
    }

    #[cfg(target_family = "wasm")]
    fn spawn_here<F: Future<Output = Option<T>> + 'static>(
        &mut self,
        jobs: &Jobs,
        key: K,
        progress: Progress,
        work: impl FnOnce(Progress) -> F + 'static,
    ) {
        let shared = progress.clone();
        let (sender, answer) = channel();
        let work = async move {
            wait_for_frame().await;
            if let Some(result) = work(shared).await {
                // Sending fails if another job has replaced this one. Then nobody needs the result.
                let _ = sender.send(Ok(result));
            }
        };
        IoTaskPool::get().spawn_local(work).detach();
        self.run(jobs, key, progress, Answer::Thread(SyncCell::new(answer)));
    }

    fn run(&mut self, jobs: &Jobs, key: K, progress: Progress, answer: Answer<T>) {
        let (progress, _busy) = (CancelOnDrop(progress), jobs.begin());
        self.0 = Some(Running { key, progress, answer, _busy });
    }

    /// Returns the key and the result of the job once it has ended. The next call returns `None`.
    pub fn poll(&mut self) -> Option<(K, Result<T, Crashed>)> {
        let result = match &mut self.0.as_mut()?.answer {
            Answer::Task(task) => check_ready(task)?,
            Answer::Thread(receiver) => match receiver.get().try_recv() {
                Err(TryRecvError::Empty) => return None,
                // The work has ended without a result, because the sender is dropped only when the
                // work ends.
                Err(TryRecvError::Disconnected) => Err(Box::new(()) as _),
                Ok(result) => result,
            },
        };
        let Running { key, .. } = self.0.take()?;
        Some((key, result.map_err(|_| Crashed)))
    }
}

impl<K, T> Job<K, T> {
    /// Returns the key of the running job.
    pub fn key(&self) -> Option<&K> {
        self.0.as_ref().map(|running| &running.key)
    }

    /// Returns `true` if a job is running.
    pub fn is_running(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the progress of the running job.
    pub fn progress(&self) -> Option<&Progress> {
        self.0.as_ref().map(|running| &running.progress.0)
    }

    /// Cancels the running job and discards its result.
    pub fn cancel(&mut self) {
        self.0 = None;
    }
}

fn catch_panic<T>(
    future: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = thread::Result<T>> + Send {
    let mut future = Box::pin(future);
    poll_fn(move |context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use bevy::tasks::TaskPool;

    use super::*;

    fn wait_for_result<K, T: Send + 'static>(job: &mut Job<K, T>) -> (K, Result<T, Crashed>) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(result) = job.poll() {
                return result;
            }
            assert!(Instant::now() < deadline);
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn jobs() -> Jobs {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        Jobs::default()
    }

    #[test]
    fn job_result_is_taken_once_and_counted_until_then() {
        let jobs = jobs();
        let mut job = Job::default();
        assert_eq!((jobs.running_count(), job.poll()), (0, None));
        job.start(&jobs, "sum", |progress| {
            progress.set(1, 2);
            1 + 1
        });
        assert_eq!((job.key(), jobs.running_count()), (Some(&"sum"), 1));
        assert_eq!(wait_for_result(&mut job), ("sum", Ok(2)));
        assert_eq!((jobs.running_count(), job.is_running(), job.poll()), (0, false, None));
        job.start_on_thread(&jobs, "thread", |_| 3).unwrap();
        assert_eq!(jobs.running_count(), 1);
        assert_eq!(wait_for_result(&mut job), ("thread", Ok(3)));
    }

    #[test]
    fn new_job_cancels_the_previous_one() {
        let jobs = jobs();
        let mut job = Job::default();
        let (sender, receiver) = channel();
        job.start(&jobs, 1, move |progress: &Progress| {
            // The job is cancelled while it runs, or never starts.
            while !progress.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(()).unwrap();
            1
        });
        let progress = job.progress().unwrap().clone();
        job.start(&jobs, 2, |_| 2);
        assert!(progress.is_cancelled());
        assert_eq!(jobs.running_count(), 1);
        assert_eq!(wait_for_result(&mut job), (2, Ok(2)));
        // The channel closes without a message if the job was dropped before it started.
        let _ = receiver.recv_timeout(Duration::from_secs(60));
        job.start(&jobs, 3, |_| 3);
        job.cancel();
        assert_eq!((jobs.running_count(), job.key()), (0, None));
    }

    #[test]
    fn panic_is_reported_as_a_crash() {
        let jobs = jobs();
        let mut job: Job<(), ()> = Job::default();
        job.start(&jobs, (), |_| panic!("expected by the test"));
        assert_eq!(wait_for_result(&mut job), ((), Err(Crashed)));
        job.start_on_thread(&jobs, (), |_| panic!("expected by the test")).unwrap();
        assert_eq!(wait_for_result(&mut job), ((), Err(Crashed)));
        assert_eq!(jobs.running_count(), 0);
    }

    #[test]
    fn progress_is_a_fraction_of_the_total() {
        let progress = Progress::default();
        assert_eq!(progress.fraction(), None);
        progress.set(1, 4);
        assert_eq!(progress.fraction(), Some(0.25));
        progress.set(9, 4);
        assert_eq!(progress.fraction(), Some(1.0));
    }
}
