//! Tests that work grows linearly with its input. The tests hold on machines of any speed and load.

use std::time::Duration;

/// The ratio of consecutive input sizes.
const SIZE_RATIO: usize = 8;

/// The largest accepted exponent of the work between two sizes. The exponent of n log n is 1.1 for the
/// sizes in our tests. Caches raise the exponent of linear work, so 1.2 would be too strict.
const MAX_EXPONENT: f64 = 1.4;

/// The shortest duration that the clock measures to a few per cent. Faster work is repeated.
const MIN_DURATION: Duration = Duration::from_millis(if cfg!(windows) { 300 } else { 10 });

/// The number of measurements before the test fails.
const MAX_MEASUREMENTS: usize = 10;

/// Runs `work` on inputs of `size`, of an eighth of `size` and of a 64th. Panics if the work grows
/// faster than with n^1.4 between two of these sizes.
pub fn assert_grows_linearly<T>(
    case: &str,
    size: usize,
    input: impl Fn(usize) -> T,
    mut work: impl FnMut(&T),
) {
    let growth = Growth::measure(size, input, &mut work);
    assert!(
        growth.exponent() <= MAX_EXPONENT,
        "{case}: the work grows with n^{:.2}: {growth:?}",
        growth.exponent()
    );
}

/// The shortest seconds of work for three sizes, ascending.
#[derive(Debug)]
struct Growth([f64; 3]);

impl Growth {
    /// Measures each size again while the exponent is too large, because other processes may evict the
    /// caches.
    fn measure<T>(size: usize, input: impl Fn(usize) -> T, mut work: impl FnMut(&T)) -> Self {
        let inputs = [size / SIZE_RATIO / SIZE_RATIO, size / SIZE_RATIO, size]
            .map(|size| input(size.max(1)));
        let mut growth = Self([f64::INFINITY; 3]);
        for _ in 0..MAX_MEASUREMENTS {
            for (least, input) in growth.0.iter_mut().zip(&inputs) {
                *least = least.min(seconds_of(|| work(input)));
            }
            if growth.exponent() <= MAX_EXPONENT {
                break;
            }
        }
        growth
    }

    /// Returns the exponent e of the work n^e between two consecutive sizes, whichever is larger. A
    /// fit to all three sizes would hide the exponent of large inputs behind a constant cost.
    fn exponent(&self) -> f64 {
        let exponents = self.0.windows(2).map(|pair| (pair[1] / pair[0]).log(SIZE_RATIO as f64));
        exponents.fold(0.0, f64::max)
    }
}

/// Returns the CPU time of one run of `work`. Repeats the work until the total can be measured.
fn seconds_of(mut work: impl FnMut()) -> f64 {
    let mut runs = 1;
    loop {
        let start = worked();
        (0..runs).for_each(|_| work());
        let total = worked().saturating_sub(start);
        if total >= MIN_DURATION {
            return total.as_secs_f64() / f64::from(runs);
        }
        runs *= 2;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(seconds: impl Fn(f64) -> f64) -> f64 {
        Growth([6_250.0, 50_000.0, 400_000.0].map(seconds)).exponent()
    }

    #[test]
    fn exponents_are_told_apart() {
        assert!(growth(|n| n) <= 1.001);
        assert!(growth(|n| n * n.ln()) < 1.2);
        assert!(growth(|n| n.powf(1.6)) > 1.59);
        assert!(growth(|n| n.powf(1.6) + 1e7) > MAX_EXPONENT, "a constant cost hides little");
        assert!(growth(|n| n * n) > 1.99);
    }

    /// Does `count` steps that the compiler cannot remove.
    fn spin(count: f64) {
        (0..count as u64).for_each(|step| {
            std::hint::black_box(step);
        });
    }

    #[test]
    fn slow_work_is_detected_and_linear_work_accepted() {
        let exponent = |steps: fn(f64) -> f64| {
            Growth::measure(20_000, |size| size as f64, |&size| spin(steps(size))).exponent()
        };
        assert!(exponent(|n| n * n.ln()) <= MAX_EXPONENT);
        assert!(exponent(|n| n.powf(1.6)) > MAX_EXPONENT);
    }

    #[test]
    fn idle_time_is_not_measured_as_work() {
        let start = worked();
        std::thread::sleep(Duration::from_millis(100));
        assert!(worked().saturating_sub(start) < Duration::from_millis(50));
    }
}
