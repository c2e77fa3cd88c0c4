//! A recording of Minecraft Motion Capture rewritten, so that the game plays it.
//!
//! This is no target of its own among the others: it takes the file's bytes, not the clip, because
//! every action of the recording stays.

use std::ops::RangeInclusive;

use mutoscope_core::{
    diagnostics::{Error, Notices, Severity},
    export::Report,
};

use crate::{
    TICKS_PER_SECOND,
    write::{Rewrite, Rewritten, rewrite},
};

/// The extension of its files, which is also its word on the command line.
pub const EXTENSION: &str = "mcmocap_rec";

/// Writes the recording in `bytes` as version 5, of the times in `range`, in seconds, or of all of
/// it. Issues in the recording go to `notices`.
///
/// # Errors
/// If it is no recording of Minecraft Motion Capture, if nothing of it is in the range, or if it
/// says what version 5 cannot.
pub fn rewrite_mcmocap(
    bytes: &[u8],
    range: Option<&RangeInclusive<f64>>,
    how: Rewrite,
    notices: &mut Notices,
) -> Result<(Vec<u8>, Report), Error> {
    let document = crate::decode(bytes, notices)?;
    let how = Rewrite { frames: range.map(frames), ..how };
    let Rewritten { bytes, ticks, remarks } = rewrite(&document, &how)?;
    let mut report = Report::default();
    report.info(format!(
        "version 5, {ticks} ticks, from {}: every position is read as it was recorded",
        document.layout.dialect
    ));
    // Of a recording without ticks, there are no times to report.
    if let (Some(range), Some(frames), Some(last)) = (range, &how.frames, ticks.checked_sub(1)) {
        let most = frames.start().saturating_add(last);
        report_range(range, *frames.start()..=most.min(*frames.end()), &mut report);
    }
    if how.frames.is_some_and(|frames| *frames.start() > 0) {
        report.warning(
            "states that depend on the time before the range start over: body yaw, steps, \
             swings, death animations",
        );
    }
    for (severity, message) in remarks {
        match severity {
            Severity::Info => report.info(message),
            _ => report.warning(message),
        }
    }
    Ok((bytes, report))
}

/// Says which times of the recording the `written` frames are, where a range of it was wanted: ticks are whole.
fn report_range(wanted: &RangeInclusive<f64>, written: RangeInclusive<u32>, report: &mut Report) {
    let time = |frame: u32| f64::from(frame) / TICKS_PER_SECOND;
    let (first, last) = (time(*written.start()), time(*written.end()));
    if first > 0.0 {
        report.info(format!("it begins at 0: {first} s of the recording"));
    }
    let (from, to) = (wanted.start().max(0.0), *wanted.end());
    let is_within_a_tick = |end: f64, time: f64| {
        (SLACK..1.0 - SLACK).contains(&((end - time).abs() * TICKS_PER_SECOND))
    };
    if is_within_a_tick(from, first) || is_within_a_tick(to, last) {
        report.info(format!(
            "cut at whole ticks: from {first} to {last} s, instead of {from} to {to} s"
        ));
    }
}

/// The tolerance for rounded seconds, in ticks.
const SLACK: f64 = 1e-5;

/// The frames in a range of times, in seconds; both ends included.
fn frames(range: &RangeInclusive<f64>) -> RangeInclusive<u32> {
    let first = (range.start() * TICKS_PER_SECOND - SLACK).ceil().max(0.0);
    let last = (range.end() * TICKS_PER_SECOND + SLACK).floor();
    // A range before the start has no frame: it ends before it begins.
    let empty = RangeInclusive::new(1, 0);
    if last < first { empty } else { first as u32..=last as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_includes_both_end_frames() {
        let cases = [
            (0.0..=0.0, 0..=0),
            (0.05..=0.15, 1..=3),
            (0.051..=0.149, 2..=2),
            (-3.0..=1.0, 0..=20),
            (0.15 - 1e-9..=0.3 + 1e-9, 3..=6),
            (-2.0..=-1.0, RangeInclusive::new(1, 0)),
        ];
        for (range, expected) in cases {
            assert_eq!(frames(&range), expected, "{range:?}");
        }
    }
}
