//! `sample`: prints poses, or the file's own values, at given times.

mod non_finite;
mod poses;
mod tracks;

use std::io::{self, Write};

use super::{
    Input, Message, ReadOptions, SampleArgs, SampleFormat, Status, failure_status, print_message,
    report_input,
};
use mutoscope_core::{
    clip::{EvenTimes, Span},
    export::key_times::check_value_count,
};
use non_finite::NonFinite;

pub(super) fn run(
    args: &SampleArgs,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let read_options =
        ReadOptions { variants: args.animation.to_variants(), ..read_options.clone() };
    let input = Input::open(&args.source, &read_options);
    let Some(clip) = report_input(&input) else { return Ok(failure_status(&input)) };
    let times = match select_times(args, clip.span) {
        Ok(times) => times,
        Err(message) => {
            print_message(Message::for_file(&input.name, message));
            return Ok(Status::Failed);
        }
    };
    let values =
        if args.tracks { clip.tracks.len() } else { clip.nodes.len() + clip.signals.len() };
    if let Err(message) = check_value_count(clip, times.clone().count(), values, true) {
        print_message(Message::for_file(&input.name, message));
        return Ok(Status::Failed);
    }
    let mut non_finite = NonFinite::new(clip);
    match (args.tracks, args.format) {
        (false, SampleFormat::Jsonl) => poses::print_lines(clip, times, &mut non_finite, out),
        (false, SampleFormat::Csv) => poses::print_table(clip, times, &mut non_finite, out),
        (true, SampleFormat::Jsonl) => tracks::print_lines(clip, times, &mut non_finite, out),
        (true, SampleFormat::Csv) => tracks::print_table(clip, times, &mut non_finite, out),
    }?;
    non_finite.messages(&input.name).iter().for_each(print_message);
    Ok(Status::Done)
}

/// Returns the requested times, in seconds. These are the listed times, or a time every 1/`fps` s
/// in the range or in the whole clip. The end is included if a step reaches it.
///
/// Fails if there are too many times. Even a small file may ask for too many, because a single late
/// key can make a clip of a thousand years.
fn select_times(
    args: &SampleArgs,
    span: Span,
) -> Result<impl Iterator<Item = f64> + Clone, String> {
    let listed = args.times.iter().flat_map(|times| times.0.iter().copied());
    let (from, to) =
        args.range.clone().map_or((span.start, span.end()), |range| range.into_inner());
    let regular = args.fps.map(|rate| regular_times(rate, from, to)).transpose()?;
    Ok(listed.chain(regular.into_iter().flatten()))
}

fn regular_times(
    rate: f64,
    from: f64,
    to: f64,
) -> Result<impl Iterator<Item = f64> + Clone, String> {
    const MAX_TIMES: f64 = 20e6;
    let times = EvenTimes { start: from, rate_hz: rate };
    let steps = times.last_index(to);
    if steps.is_nan() || steps >= MAX_TIMES {
        return Err(format!(
            "{rate} Hz from {from} to {to} s gives more than {MAX_TIMES} times; nothing sampled. Reduce \
             --range or --fps"
        ));
    }
    Ok((0..=steps as u64).map(move |step| times.time_snapped_to(to, step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_times_reach_the_end_but_never_pass_it() {
        let cases = [
            (2.0, 0.0, 1.0, vec![0.0, 0.5, 1.0]),
            (2.0, -0.25, 0.5, vec![-0.25, 0.25]),
            (30.0, 0.1, 0.2, vec![0.1, 0.1 + 1.0 / 30.0, 0.1 + 2.0 / 30.0, 0.2]),
            (60.0, 3.0, 3.0, vec![3.0]),
        ];
        for (rate, from, to, expected) in cases {
            let times: Vec<_> = regular_times(rate, from, to).unwrap().collect();
            assert_eq!(times, expected, "{rate} Hz from {from} to {to}");
        }
    }
}
