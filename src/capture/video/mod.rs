//! Writes videos atomically: images at regular times, as a GIF, an MP4 or PNG files.
//!
//! | file | purpose |
//! |---|---|
//! | `gif` | animated GIFs |
//! | `system` | videos as files and folders |
//! | `page` | videos that a browser downloads |

mod gif;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(target_family = "wasm")]
pub use page::Video;
#[cfg(not(target_family = "wasm"))]
pub use system::Video;

use std::{io, ops::RangeInclusive};

/// Returns the times of a video's images, in seconds, at `rate` images per second. The end of
/// `range` is excluded, because a repeated video shows the first image at that time. If the range
/// is a single time, returns that time.
///
/// # Errors
/// If there would be more than ten million images, for example because a single late key makes a
/// recording last a thousand years.
pub fn video_times(
    range: RangeInclusive<f64>,
    rate: f64,
) -> io::Result<impl ExactSizeIterator<Item = f64>> {
    /// A video of about four days at 30 Hz.
    const MAX_IMAGES: f64 = 1e7;
    let (start, end) = range.into_inner();
    let count = ((end - start) * rate).round().max(1.0);
    if count.is_nan() || count > MAX_IMAGES {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "{rate} Hz from {start} to {end} s are more than {MAX_IMAGES} images; nothing rendered. Choose \
                 a shorter range or a lower rate"
            ),
        ));
    }
    Ok((0..count as usize).map(move |index| start + index as f64 / rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn video_times_are_even_and_exclude_the_end() {
        let times = |range, rate| video_times(range, rate).unwrap().collect::<Vec<_>>();
        assert_eq!(times(1.0..=2.0, 4.0), [1.0, 1.25, 1.5, 1.75]);
        assert_eq!(times(1.0..=1.0, 30.0), [1.0]);
        assert_eq!(video_times(0.0..=11.248, 30.0).unwrap().len(), 337);
        for range in [0.0..=1e30, f64::MIN..=f64::MAX] {
            assert!(
                video_times(range, 30.0)
                    .is_err_and(|error| error.to_string().contains("more than"))
            );
        }
    }
}
