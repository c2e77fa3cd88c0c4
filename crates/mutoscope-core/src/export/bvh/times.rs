//! Chooses the frame times, which are evenly spaced, because BVH has only a frame rate.

use crate::{
    diagnostics::format_number,
    export::{ExportError, Job, Report, key_times},
};

const DEFAULT_RATE_HZ: f64 = 60.0;

const MAX_DEFAULT_FRAMES: f64 = (1 << 22) as f64;

const MAX_DEFAULT_FRAMES_PER_KEY: f64 = 64.0;

const EVEN_TOLERANCE_STEPS: f64 = 1e-3;

pub(super) struct Frames {
    pub(super) times: Vec<f64>,
    pub(super) interval: f64,
}

impl Frames {
    /// Chooses the times of the frames. A requested rate comes first. Otherwise the recording's own
    /// keys are used if they are evenly spaced. Otherwise the frames are at the recording's rate,
    /// or at 60 Hz if it has none.
    pub(super) fn choose(job: &Job<'_>, report: &mut Report) -> Result<Self, ExportError> {
        if let Some(rate) = job.rate {
            report.info(format!("sampled at {rate} Hz"));
            return Self::at_rate(job, rate, report);
        }
        let own = key_times::times_of_clip(job)?;
        if let Some(interval) = even_interval(&own) {
            report.info("frames are at the times of the recording's own keys, which are even");
            return Ok(Self { times: own, interval });
        }
        let rate = job.clip.rate_hz.unwrap_or(DEFAULT_RATE_HZ);
        let most = MAX_DEFAULT_FRAMES.max(own.len() as f64 * MAX_DEFAULT_FRAMES_PER_KEY);
        if (job.to - job.from) * rate > most {
            return Err(ExportError::LimitExceeded(format!(
                "the recording's keys are not at even times, which BVH needs, and {rate} Hz from {} to {} s \
                 are more than {most} frames; not exported. Choose fewer with --range or --fps",
                job.from, job.to
            )));
        }
        let stated = if job.clip.rate_hz.is_some() { ", as it states" } else { "" };
        report.warning(format!(
            "the recording's keys are not at even times, which BVH needs; sampled at {rate} \
             Hz{stated}",
            rate = format_number(rate)
        ));
        Self::at_rate(job, rate, report)
    }

    fn at_rate(job: &Job<'_>, rate: f64, report: &mut Report) -> Result<Self, ExportError> {
        let times = key_times::even_times(job, rate)?;
        let last_frame = job.from + times.len().saturating_sub(1) as f64 / rate;
        // The last frame may also be a little after the end. It then has the pose at the end.
        if (job.to - last_frame).abs() * rate > EVEN_TOLERANCE_STEPS {
            report.warning(format!(
                "the end, {} s, is between two frames; the last frame is at {last_frame} s",
                job.to
            ));
        }
        Ok(Self { times, interval: rate.recip() })
    }
}

fn even_interval(times: &[f64]) -> Option<f64> {
    let (&[first, .., last], 3..) = (times, times.len()) else { return None };
    let interval = (last - first) / (times.len() - 1) as f64;
    let is_even = |(index, time): (usize, &f64)| {
        (time - (first + index as f64 * interval)).abs() <= EVEN_TOLERANCE_STEPS * interval
    };
    times.iter().enumerate().all(is_even).then_some(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_spacing_is_detected() {
        let even_times: Vec<f64> = (0..100).map(|frame| 1.0 + f64::from(frame) / 30.0).collect();
        assert!((even_interval(&even_times).unwrap() - 1.0 / 30.0).abs() < 1e-12);
        assert_eq!(even_interval(&[0.0, 1.0, 2.5]), None);
        assert_eq!(even_interval(&[0.0, 1.0]), None, "two are no row");
        assert_eq!(even_interval(&[0.0]), None);
    }
}
