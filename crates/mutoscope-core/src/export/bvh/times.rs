//! Even times, which are all that BVH has.

use crate::{
    diagnostics::number_text,
    export::{ExportError, Job, Report, breaks},
};

/// The default frame rate, where a recording has none.
const RATE: f64 = 60.0;

/// How many frames are written of a recording of few keys, unless a rate is asked for: hours.
const MOST_UNASKED: f64 = (1 << 22) as f64;

/// How many frames are written for each key.
const MOST_PER_KEY: f64 = 64.0;

/// The part of a step within which times are even.
const EVEN: f64 = 1e-3;

/// The times of frames.
pub(super) struct Frames {
    /// Seconds.
    pub(super) times: Vec<f64>,
    /// The seconds from one to the next.
    pub(super) interval: f64,
}

impl Frames {
    /// The requested times; else the recording's own keys, if these are even; else at the rate of
    /// the recording, or at 60 Hz.
    pub(super) fn of(job: &Job<'_>, report: &mut Report) -> Result<Self, ExportError> {
        if let Some(rate) = job.rate {
            report.info(format!("sampled at {rate} Hz"));
            return Self::sampled(job, rate, report);
        }
        let own = breaks::of_all(job)?;
        if let Some(interval) = even(&own) {
            report.info("frames are at the times of the recording's own keys, which are even");
            return Ok(Self { times: own, interval });
        }
        let rate = job.clip.rate_hz.unwrap_or(RATE);
        let most = MOST_UNASKED.max(own.len() as f64 * MOST_PER_KEY);
        if (job.to - job.from) * rate > most {
            return Err(ExportError::TooMuch(format!(
                "the recording's keys are not at even times, which BVH needs, and {rate} Hz from {} to {} s \
                 are more than {most} frames: --range and --fps choose fewer",
                job.from, job.to
            )));
        }
        let stated = if job.clip.rate_hz.is_some() { ", as it states" } else { "" };
        report.warning(format!(
            "the recording's keys are not at even times, which BVH needs; sampled at {rate} \
             Hz{stated}",
            rate = number_text(rate)
        ));
        Self::sampled(job, rate, report)
    }

    fn sampled(job: &Job<'_>, rate: f64, report: &mut Report) -> Result<Self, ExportError> {
        let times = breaks::even(job, rate)?;
        let last = times.last().copied().unwrap_or(job.from);
        if (job.to - last) * rate > EVEN {
            report.warning(format!(
                "the end, {} s, is between two frames; the last frame is at {last} s",
                job.to
            ));
        }
        Ok(Self { times, interval: rate.recip() })
    }
}

/// The distance of times that are even.
fn even(times: &[f64]) -> Option<f64> {
    let (&[first, .., last], 3..) = (times, times.len()) else { return None };
    let interval = (last - first) / (times.len() - 1) as f64;
    let is_even = |(index, time): (usize, &f64)| {
        (time - (first + index as f64 * interval)).abs() <= EVEN * interval
    };
    times.iter().enumerate().all(is_even).then_some(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_spacing_is_detected() {
        let even_times: Vec<f64> = (0..100).map(|frame| 1.0 + f64::from(frame) / 30.0).collect();
        assert!((even(&even_times).unwrap() - 1.0 / 30.0).abs() < 1e-12);
        assert_eq!(even(&[0.0, 1.0, 2.5]), None);
        assert_eq!(even(&[0.0, 1.0]), None, "two are no row");
        assert_eq!(even(&[0.0]), None);
    }
}
