//! `sample`: poses, or the file's own values, at given times.

mod non_finite;
mod poses;
mod tracks;

use std::io::{self, Write};

use super::{Reader, SampleArgs, SampleFormat, Status, failure, report, tell};
use mutoscope_core::clip::Span;
use non_finite::NonFinite;

pub(super) fn run(args: &SampleArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let reader = Reader { animation: args.animation.choice(), ..reader.clone() };
    let input = reader.open(&args.source);
    let Some(clip) = report(&input) else { return Ok(failure(&input)) };
    let times = times(args, clip.span);
    let mut non_finite = NonFinite::new(clip);
    match (args.tracks, args.format) {
        (false, SampleFormat::Jsonl) => poses::lines(clip, times, &mut non_finite, out),
        (false, SampleFormat::Csv) => poses::table(clip, times, &mut non_finite, out),
        (true, SampleFormat::Jsonl) => tracks::lines(clip, times, out),
        (true, SampleFormat::Csv) => tracks::table(clip, times, out),
    }?;
    non_finite.messages(&input.name).iter().for_each(tell);
    Ok(Status::Done)
}

/// The requested times, in seconds: the listed ones, or every 1/`fps` from the start of the range,
/// or of the clip, up to its end.
fn times(args: &SampleArgs, span: Span) -> impl Iterator<Item = f64> {
    let listed = args.times.iter().flat_map(|times| times.0.iter().copied());
    let regular = args.fps.into_iter().flat_map(move |rate| {
        let (from, to) = args
            .range
            .as_ref()
            .map_or((span.start, span.end()), |range| range.clone().into_inner());
        regular_times(rate, from, to)
    });
    listed.chain(regular)
}

fn regular_times(rate: f64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    /// The fraction of a step by which rounding may miss the end.
    const TOLERANCE: f64 = 1e-6;
    let steps = ((to - from) * rate + TOLERANCE).floor() as u64;
    (0..=steps).map(move |step| (from + step as f64 / rate).min(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_times_reach_the_end_and_never_pass_it() {
        let cases = [
            (2.0, 0.0, 1.0, vec![0.0, 0.5, 1.0]),
            (2.0, -0.25, 0.5, vec![-0.25, 0.25]),
            (30.0, 0.1, 0.2, vec![0.1, 0.1 + 1.0 / 30.0, 0.1 + 2.0 / 30.0, 0.2]),
            (60.0, 3.0, 3.0, vec![3.0]),
        ];
        for (rate, from, to, expected) in cases {
            let times: Vec<_> = regular_times(rate, from, to).collect();
            assert_eq!(times, expected, "{rate} a second from {from} to {to}");
        }
    }
}
