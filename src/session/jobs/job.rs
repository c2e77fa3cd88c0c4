//! Background jobs: their key, progress and result.
//!
//! A [`Job`] runs on the engine's task pools, which need no threads: in a browser they take turns
//! with the page. [`Jobs`] counts all running jobs.

use std::{
    fmt,
    future::poll_fn,
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
use bevy::tasks::futures_lite::future::yield_now as frame_is_drawn;

#[cfg(target_family = "wasm")]
use crate::browser::{frame_is_drawn, in_slices};
#[cfg(not(target_family = "wasm"))]
use mutoscope_core::io::cooperative;

/// The number of running jobs.
#[derive(Resource, Clone, Debug, Default)]
pub struct Jobs(Arc<AtomicUsize>);

impl Jobs {
    /// How many jobs are running, and whatever else is waited for.
    pub fn busy(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts one more until what this gives is dropped.
    #[must_use]
    pub fn begin(&self) -> Busy {
        self.0.fetch_add(1, Ordering::Relaxed);
        Busy(self.0.clone())
    }
}

/// Something that is waited for, as long as this is kept.
#[derive(Debug)]
pub struct Busy(Arc<AtomicUsize>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The progress of a job, and whether it was cancelled; shared with the worker.
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

    /// The part that is done, within 0..=1; nothing before it is known how much there is.
    pub fn part(&self) -> Option<f32> {
        let [done, all] = [&self.0.done, &self.0.all].map(|count| count.load(Ordering::Relaxed));
        (all > 0).then(|| (done as f64 / all as f64).min(1.0) as f32)
    }

    /// Cancels the job.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled: then its result is discarded.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }
}

/// A background job that gives a `T`, known by its key. There is one at a time: a new one replaces
/// the one before, whose result is discarded.
pub struct Job<K, T>(Option<Running<K, T>>);

struct Running<K, T> {
    key: K,
    progress: CancelOnDrop,
    answer: Answer<T>,
    _busy: Busy,
}

/// Cancels the work when it is no longer wanted.
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

/// The work panicked, which is an error in the program.
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
    /// Starts `work` in place of what is running.
    pub fn start(
        &mut self,
        jobs: &Jobs,
        key: K,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) {
        self.start_with(jobs, key, Progress::default(), work);
    }

    /// Starts `work`, which tells `progress` how far it is, in place of what is running.
    pub fn start_with(
        &mut self,
        jobs: &Jobs,
        key: K,
        progress: Progress,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) {
        let shared = progress.clone();
        let future = async move {
            // Where there are no threads, the frame that asked for it is drawn first.
            frame_is_drawn().await;
            work(&shared)
        };
        let task = AsyncComputeTaskPool::get().spawn(caught(future));
        self.run(jobs, key, progress, Answer::Task(task));
    }

    /// Starts `work`, which yields now and then, in place of what is running.
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

    /// Starts `work`, which yields now and then, in place of what is running. The page is drawn between its
    /// steps.
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
            async move |progress| in_slices(work(progress), || !cancelled.is_cancelled()).await;
        self.spawn_here(jobs, key, progress, work);
    }

    /// Starts to wait for `future` in place of the running job: for work that mostly waits.
    pub fn wait_for(
        &mut self,
        jobs: &Jobs,
        key: K,
        future: impl Future<Output = T> + Send + 'static,
    ) {
        let task = IoTaskPool::get().spawn(caught(future));
        self.run(jobs, key, Progress::default(), Answer::Task(task));
    }

    /// Starts `work` on a thread of its own, in place of what is running: for what takes minutes or
    /// waits itself for the task pools.
    ///
    /// # Errors
    /// If the system gives no thread.
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
            // The receiver is gone when another has taken its place.
            let _ = sender.send(result);
        })?;
        self.run(jobs, key, progress, Answer::Thread(SyncCell::new(answer)));
        Ok(())
    }

    /// Starts `work` on the thread of the page, in place of what is running: for what is bound to it, as
    /// drawing is. It lets the page draw where it waits.
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
            frame_is_drawn().await;
            if let Some(result) = work(shared).await {
                // The receiver is gone when another has taken its place.
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

    /// The result of the job, once, with its key.
    pub fn poll(&mut self) -> Option<(K, Result<T, Crashed>)> {
        let result = match &mut self.0.as_mut()?.answer {
            Answer::Task(task) => check_ready(task)?,
            Answer::Thread(receiver) => match receiver.get().try_recv() {
                Err(TryRecvError::Empty) => return None,
                // Its end of the channel lives as long as the work.
                Err(TryRecvError::Disconnected) => Err(Box::new(()) as _),
                Ok(result) => result,
            },
        };
        let Running { key, .. } = self.0.take()?;
        Some((key, result.map_err(|_| Crashed)))
    }
}

impl<K, T> Job<K, T> {
    /// The key of the running job, if there is one.
    pub fn key(&self) -> Option<&K> {
        self.0.as_ref().map(|running| &running.key)
    }

    /// Whether something is being worked on.
    pub fn is_running(&self) -> bool {
        self.0.is_some()
    }

    /// How far it is, if something is being worked on.
    pub fn progress(&self) -> Option<&Progress> {
        self.0.as_ref().map(|running| &running.progress.0)
    }

    /// Cancels it: its result is discarded.
    pub fn cancel(&mut self) {
        self.0 = None;
    }
}

/// The result of `future`, or its panic.
fn caught<T>(
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

    /// The result of `job`, waited for as frames would.
    fn result<K, T: Send + 'static>(job: &mut Job<K, T>) -> (K, Result<T, Crashed>) {
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
        assert_eq!((jobs.busy(), job.poll()), (0, None));
        job.start(&jobs, "sum", |progress| {
            progress.set(1, 2);
            1 + 1
        });
        assert_eq!((job.key(), jobs.busy()), (Some(&"sum"), 1));
        assert_eq!(result(&mut job), ("sum", Ok(2)));
        assert_eq!((jobs.busy(), job.is_running(), job.poll()), (0, false, None));
        job.start_on_thread(&jobs, "thread", |_| 3).unwrap();
        assert_eq!(jobs.busy(), 1);
        assert_eq!(result(&mut job), ("thread", Ok(3)));
    }

    #[test]
    fn new_job_cancels_the_previous_one() {
        let jobs = jobs();
        let mut job = Job::default();
        let (tell, told) = channel();
        job.start(&jobs, 1, move |progress: &Progress| {
            // It is cancelled while running, or never begins.
            while !progress.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            tell.send(()).unwrap();
            1
        });
        let progress = job.progress().unwrap().clone();
        job.start(&jobs, 2, |_| 2);
        assert!(progress.is_cancelled());
        assert_eq!(jobs.busy(), 1);
        assert_eq!(result(&mut job), (2, Ok(2)));
        // It has ended, or was dropped before it began.
        let _ = told.recv_timeout(Duration::from_secs(60));
        job.start(&jobs, 3, |_| 3);
        job.cancel();
        assert_eq!((jobs.busy(), job.key()), (0, None));
    }

    #[test]
    fn a_panic_in_the_work_is_its_result() {
        let jobs = jobs();
        let mut job: Job<(), ()> = Job::default();
        job.start(&jobs, (), |_| panic!("expected by the test"));
        assert_eq!(result(&mut job), ((), Err(Crashed)));
        job.start_on_thread(&jobs, (), |_| panic!("expected by the test")).unwrap();
        assert_eq!(result(&mut job), ((), Err(Crashed)));
        assert_eq!(jobs.busy(), 0);
    }

    #[test]
    fn progress_is_a_fraction_of_the_total() {
        let progress = Progress::default();
        assert_eq!(progress.part(), None);
        progress.set(1, 4);
        assert_eq!(progress.part(), Some(0.25));
        progress.set(9, 4);
        assert_eq!(progress.part(), Some(1.0));
    }
}
