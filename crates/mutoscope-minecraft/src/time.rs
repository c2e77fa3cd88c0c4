//! Conversions between frames and seconds. Frame k is the state after tick k, at k × 0.05 s.

/// The number of ticks in a second.
pub const TICKS_PER_SECOND: f64 = 20.0;

pub(super) const FRAME_TOLERANCE_S: f64 = 1e-6;

pub(super) fn frame_time(frame: u32) -> f64 {
    f64::from(frame) / TICKS_PER_SECOND
}

/// A time in a recording: a frame and a fraction of the time to the next frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleTime {
    /// The frame at or before the time.
    pub frame: u32,
    /// The fraction of the time to the next frame, from 0 to less than 1.
    pub t: f64,
}

impl SampleTime {
    pub(super) fn new(time: f64, frames: u32) -> Self {
        let last = frames.saturating_sub(1);
        let ticks = time * TICKS_PER_SECOND;
        let nearest = ticks.round();
        let is_frame = (ticks - nearest).abs() <= FRAME_TOLERANCE_S * TICKS_PER_SECOND;
        let whole = if is_frame { nearest } else { ticks.floor() };
        if whole < 0.0 || whole.is_nan() {
            return Self { frame: 0, t: 0.0 };
        }
        if whole >= f64::from(last) {
            return Self { frame: last, t: 0.0 };
        }
        Self { frame: whole as u32, t: if is_frame { 0.0 } else { ticks - whole } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_within_a_microsecond_of_a_frame_is_that_frame() {
        let cases = [
            (0.15, 3, 0.0),
            (3.0 * 0.05, 3, 0.0),
            (0.15 - 9e-7, 3, 0.0),
            (0.15 + 9e-7, 3, 0.0),
            (0.125, 2, 0.5),
            (-1.0, 0, 0.0),
            (99.0, 9, 0.0),
            (f64::NAN, 0, 0.0),
            (f64::INFINITY, 9, 0.0),
            (f64::NEG_INFINITY, 0, 0.0),
        ];
        for (time, frame, t) in cases {
            assert_eq!(SampleTime::new(time, 10), SampleTime { frame, t }, "{time}");
        }
        assert_eq!(SampleTime::new(1.0, 0), SampleTime { frame: 0, t: 0.0 });
    }

    #[test]
    fn frame_times_map_back_to_their_frame() {
        for frame in (0..2_000_000).step_by(37) {
            for time in [frame_time(frame), f64::from(frame) * 0.05] {
                let moment = SampleTime::new(time, u32::MAX);
                assert_eq!(moment, SampleTime { frame, t: 0.0 });
            }
        }
    }
}
