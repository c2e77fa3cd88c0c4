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
    let frames = range.map(frames);
    let Rewritten { bytes, ticks, remarks } = rewrite(&document, &Rewrite { frames, ..how })?;
    let mut report = Report::default();
    report.info(format!(
        "version 5, {ticks} ticks, from {}: every position is read as it was recorded",
        document.layout.dialect
    ));
    if let Some(range) = range.filter(|range| *range.start() > 0.0) {
        report.info(format!("it begins at 0: {} s of the recording", range.start()));
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

/// The frames in a range of times, in seconds; both ends included.
fn frames(range: &RangeInclusive<f64>) -> RangeInclusive<u32> {
    /// The tolerance for rounded seconds, in ticks.
    const SLACK: f64 = 1e-5;
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
