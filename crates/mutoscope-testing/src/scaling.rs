//! Checks that work grows in proportion to its input, on machines of any speed and under other
//! load.

use std::time::Duration;

/// How much larger the larger input is.
const LARGER: usize = 8;

/// How much longer it may take: work that grows with the square of its input takes 64 times as long.
const MOST: u32 = 30;

/// The shortest duration that can be measured.
const SHORT: Duration = Duration::from_millis(20);

/// How often it is tried before the work is to blame.
const TRIES: usize = 10;

/// Does `work` on inputs of `size` and of an eighth of it, and panics if it takes out of all
/// proportion longer on the larger one.
pub fn assert_grows_with_its_input<T>(
    case: &str,
    size: usize,
    input: impl Fn(usize) -> T,
    mut work: impl FnMut(&T),
) {
    let inputs = [input(size / LARGER), input(size)];
    let measured = std::iter::repeat_with(|| {
        inputs.each_ref().map(|input| {
            let start = worked();
            work(input);
            worked().saturating_sub(start)
        })
    });
    if let Err(least) = grows_with_its_input(measured.take(TRIES)) {
        panic!("{case}: {LARGER} times the input takes {least:?}");
    }
}

/// Whether any of these times, of the smaller and of the larger input, are in proportion; else the
/// least of each: other processes may have displaced the caches meanwhile.
pub fn grows_with_its_input(
    measured: impl Iterator<Item = [Duration; 2]>,
) -> Result<(), [Duration; 2]> {
    let mut least = [Duration::MAX; 2];
    for times in measured {
        least = [least[0].min(times[0]), least[1].min(times[1])];
        if least[1] <= SHORT.max(least[0] * MOST) {
            return Ok(());
        }
    }
    Err(least)
}

/// How long this thread has worked: while others have the processor, it does not.
#[cfg(unix)]
fn worked() -> Duration {
    let mut time = std::mem::MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the time is written to where there is room for it, and only read if that went well.
    let time = unsafe {
        let failed = libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        assert_eq!(failed, 0, "every thread has a clock of its own");
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// How long this thread has worked, to some 16 ms: while others have the processor, it does not.
#[cfg(windows)]
fn worked() -> Duration {
    use windows_sys::Win32::{
        Foundation::FILETIME,
        System::Threading::{GetCurrentThread, GetThreadTimes},
    };
    let [mut created, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: this thread is there, and each time is written to where there is room for it.
    let done = unsafe {
        GetThreadTimes(GetCurrentThread(), &mut created, &mut ended, &mut kernel, &mut user)
    };
    assert_ne!(done, 0, "every thread has a clock of its own");
    let nanoseconds = |time: FILETIME| {
        100 * (u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
    };
    Duration::from_nanos(nanoseconds(kernel) + nanoseconds(user))
}
