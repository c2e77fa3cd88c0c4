//! That work grows with its input, and no faster, on machines of any speed and with other work.

use std::time::{Duration, Instant};

/// How much larger the larger input is.
const LARGER: usize = 8;

/// How much longer it may take: work that grows with the square of its input takes 64 times as long.
const MOST: u32 = 30;

/// What is too short to be measured.
const SHORT: Duration = Duration::from_millis(20);

/// Does `work` on inputs of `size` and of an eighth of it, and panics if it takes out of all
/// proportion longer on the larger one.
pub(crate) fn assert_grows_with_its_input<T>(
    case: &str,
    size: usize,
    input: impl Fn(usize) -> T,
    mut work: impl FnMut(&T),
) {
    let (small, large) = (input(size / LARGER), input(size));
    let mut time = |input: &T| {
        let start = Instant::now();
        work(input);
        start.elapsed()
    };
    // The least of a few: others may have had the machine meanwhile.
    let mut least = [Duration::MAX; 2];
    for _ in 0..5 {
        least = [least[0].min(time(&small)), least[1].min(time(&large))];
        if least[1] <= SHORT.max(least[0] * MOST) {
            return;
        }
    }
    panic!("{case}: {LARGER} times the input takes {least:?}");
}
