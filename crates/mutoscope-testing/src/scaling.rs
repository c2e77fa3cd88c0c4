//! Tests that work grows linearly with its input. The tests hold on machines of any speed and load.

use std::time::Duration;

/// The ratio of the two input sizes.
const SIZE_RATIO: usize = 8;

/// The largest accepted ratio of the durations. Quadratic work would take 64 times as long.
const MAX_RATIO: u32 = 30;

/// Shorter durations are too noisy to compare.
const MIN_DURATION: Duration = Duration::from_millis(20);

/// The number of measurements before the test fails.
const MAX_MEASUREMENTS: usize = 10;

/// Runs `work` on inputs of `size` and of an eighth of `size`. Panics if the larger input takes
/// more than 30 times as long in each of ten measurements.
pub fn assert_grows_linearly<T>(
    case: &str,
    size: usize,
    input: impl Fn(usize) -> T,
    mut work: impl FnMut(&T),
) {
    let inputs = [input(size / SIZE_RATIO), input(size)];
    let measured = std::iter::repeat_with(|| {
        inputs.each_ref().map(|input| {
            let start = worked();
            work(input);
            worked().saturating_sub(start)
        })
    });
    if let Err(least) = grows_linearly(measured.take(MAX_MEASUREMENTS)) {
        panic!("{case}: {SIZE_RATIO} times the input takes {least:?}");
    }
}

/// Returns `Ok` if any pair of durations, of the smaller and the larger input, is in proportion.
/// Otherwise returns the smallest duration of each. Several measurements are needed, because other
/// processes may evict the caches.
pub fn grows_linearly(measured: impl Iterator<Item = [Duration; 2]>) -> Result<(), [Duration; 2]> {
    let mut least = [Duration::MAX; 2];
    for times in measured {
        least = [least[0].min(times[0]), least[1].min(times[1])];
        if least[1] <= MIN_DURATION.max(least[0] * MAX_RATIO) {
            return Ok(());
        }
    }
    Err(least)
}

/// Returns the CPU time of this thread, which does not grow while other processes run.
#[cfg(unix)]
fn worked() -> Duration {
    let mut time = std::mem::MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the pointer is valid for writes, and the value is only read if the call succeeded.
    let time = unsafe {
        let failed = libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        assert_eq!(failed, 0, "every thread has a clock of its own");
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the CPU time of this thread with a resolution of about 16 ms. The time does not grow
/// while other processes run.
#[cfg(windows)]
fn worked() -> Duration {
    use windows_sys::Win32::{
        Foundation::FILETIME,
        System::Threading::{GetCurrentThread, GetThreadTimes},
    };
    let [mut created, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the handle is that of the current thread, and all pointers are valid for writes.
    let done = unsafe {
        GetThreadTimes(GetCurrentThread(), &mut created, &mut ended, &mut kernel, &mut user)
    };
    assert_ne!(done, 0, "every thread has a clock of its own");
    let nanoseconds = |time: FILETIME| {
        100 * (u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
    };
    Duration::from_nanos(nanoseconds(kernel) + nanoseconds(user))
}
