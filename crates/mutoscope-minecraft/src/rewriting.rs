//! Rewrites a recording of Minecraft Motion Capture as version 5, so that current versions of the
//! mod play it.
//!
//! This is not an export target, because it works on the bytes of the file instead of the clip:
//! every action of the recording is kept.

use std::ops::RangeInclusive;

use mutoscope_core::{
    clip::EvenTimes,
    diagnostics::{Diagnostics, Error, Severity, format_count},
    export::Report,
};

use crate::{
    TICKS_PER_SECOND,
    write::{RewriteOptions, Rewritten, rewrite},
};

/// The file extension of recordings. On the command line, this extension selects the output of a
/// recording.
pub const EXTENSION: &str = "mcmocap_rec";

/// Rewrites the recording in `bytes` as version 5. If `range` is set, only the ticks within these
/// times in seconds are written. Problems in the recording are added to `diagnostics`.
///
/// # Errors
/// If `bytes` is not a recording of Minecraft Motion Capture, if no tick is in the range, or if the
/// recording has data that version 5 cannot store.
pub fn rewrite_mcmocap(
    bytes: &[u8],
    range: Option<&RangeInclusive<f64>>,
    options: RewriteOptions,
    diagnostics: &mut Diagnostics,
) -> Result<(Vec<u8>, Report), Error> {
    let document = crate::decode(bytes, diagnostics)?;
    let options = RewriteOptions { frames: range.map(frames_in_range), ..options };
    let Rewritten { bytes, ticks, messages } = rewrite(&document, &options)?;
    let mut report = Report::default();
    report.info(format!(
        "version 5, {}, from {}: positions decode to the recorded ones",
        format_count(ticks as usize, "tick"),
        document.layout.dialect
    ));
    // If the rewritten recording has no ticks, there are no times to report.
    if let (Some(range), Some(frames), Some(last)) = (range, &options.frames, ticks.checked_sub(1))
    {
        let last_frame = frames.start().saturating_add(last);
        report_range(range, *frames.start()..=last_frame.min(*frames.end()), &mut report);
    }
    if options.frames.is_some_and(|frames| *frames.start() > 0) {
        report.warning(
            "body yaw, steps, swings and death animations restart at the start of the range, because \
             they depend on earlier ticks",
        );
    }
    for (severity, message) in messages {
        match severity {
            Severity::Info => report.info(message),
            _ => report.warning(message),
        }
    }
    Ok((bytes, report))
}

/// Adds to `report` the times of the recording that were written. Only whole ticks are written, so
/// these times can differ from the requested range.
fn report_range(
    requested: &RangeInclusive<f64>,
    written: RangeInclusive<u32>,
    report: &mut Report,
) {
    let time = |frame: u32| f64::from(frame) / TICKS_PER_SECOND;
    let (first, last) = (time(*written.start()), time(*written.end()));
    if first > 0.0 {
        report.info(format!("time 0 of the file is {first} s of the recording"));
    }
    let (from, to) = (requested.start().max(0.0), *requested.end());
    let is_within_a_tick = |end: f64, time: f64| {
        const TICK_TOLERANCE: f64 = 1e-5;
        (TICK_TOLERANCE..1.0 - TICK_TOLERANCE).contains(&((end - time).abs() * TICKS_PER_SECOND))
    };
    if is_within_a_tick(from, first) || is_within_a_tick(to, last) {
        report.info(format!(
            "cut at whole ticks: from {first} to {last} s, instead of {from} to {to} s"
        ));
    }
}

fn frames_in_range(range: &RangeInclusive<f64>) -> RangeInclusive<u32> {
    let frames = EvenTimes { start: 0.0, rate_hz: TICKS_PER_SECOND };
    let first = frames.first_index(*range.start()).max(0.0);
    let last = frames.last_index(*range.end());
    // A range that ends before time 0 contains no frame. Return an empty range for it, because the
    // range of frames cannot have negative numbers.
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
            assert_eq!(frames_in_range(&range), expected, "{range:?}");
        }
    }
}
