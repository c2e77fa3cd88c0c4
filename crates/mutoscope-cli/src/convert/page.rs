//! Several recordings as one web page that plays them on one clock.

use std::io::{self, Write};

use super::{Conversion, title, until_interrupted};
use crate::{Input, Source, Status, compare, failure, report, tell};
use mutoscope_core::{
    clip::Clip,
    export::{ExportError, ExportOptions, Report, write_whole},
    measure::compare::{CompareOptions, Relation, Timing, color_of},
};
use mutoscope_player::{Bounds, Page, PageRecording, bounds_of};

/// Writes the recording and those that are named with `--against` as one page.
pub(super) fn run(conversion: &Conversion<'_>, out: &mut impl Write) -> io::Result<Status> {
    let args = conversion.args;
    let (bounds, options) = match usage(conversion) {
        Ok(usage) => usage,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let mut inputs = conversion.inputs.clone();
    let sources = || conversion.recordings();
    sources().for_each(|source| source.note_as(&mut inputs, "a recording"));
    if let Err(message) = conversion.allow(&inputs) {
        return conversion.refused(message);
    }
    let read: Vec<_> = sources().enumerate().map(|one| open(conversion, one)).collect();
    read.iter().for_each(|input| conversion.note_sidecars(&input.sidecars, &mut inputs));
    if let Err(message) = conversion.allow(&inputs) {
        return conversion.refused(message);
    }
    let mut clips = Vec::new();
    for input in &read {
        match report(input) {
            Some(clip) => clips.push(clip),
            None => return Ok(failure(input)),
        }
    }
    let parts = match parts(conversion, &clips, &options) {
        Ok(parts) => parts,
        Err(message) => return conversion.refused(message),
    };
    let recordings = parts.iter().map(Part::recording).collect();
    let page = Page { bounds, ..Page::new(&title(&args.source), recordings) };
    let written = write(&page, &args.output, out);
    conversion.tell_written(written, out)
}

/// Reads a recording. The skeleton is for those that take it, and the choice of an animation for the first.
fn open(conversion: &Conversion<'_>, (index, source): (usize, &Source)) -> Input {
    let mut reader = conversion.reader.clone();
    if index > 0 {
        reader.animation = Default::default();
    }
    conversion.dressed(compare::open(&reader, source))
}

/// The bounds of the page, and how each of the others is compared; or what is wrong with the arguments.
fn usage(conversion: &Conversion<'_>) -> Result<(Option<Bounds>, Vec<CompareOptions>), String> {
    let args = conversion.args;
    let bounds = bounds_of(conversion.target)
        .ok_or_else(|| format!("--against is for html, not for {}", conversion.target.id))?;
    let all = [&args.source].into_iter().chain(&args.against);
    if let Some(folder) = all.filter_map(Source::path).find(|path| path.is_dir()) {
        return Err(format!("{}: it is a folder; --against takes recordings", folder.display()));
    }
    let mut options = CompareOptions::each(args.against.len(), &args.offset, &[], &[])?;
    options.iter_mut().for_each(|options| options.align = args.align);
    Ok((bounds, options))
}

/// A recording of the page.
struct Part<'a> {
    clip: &'a Clip,
    index: usize,
    timing: Timing,
    options: ExportOptions,
}

impl Part<'_> {
    fn recording(&self) -> PageRecording<'_> {
        PageRecording {
            offset: self.timing.offset,
            rate: self.timing.rate,
            tint: color_of(self.index),
            ..PageRecording::new(self.clip, &self.options)
        }
    }
}

/// The recordings, each with its timing on the clock of the first; the message about one that does not play within the
/// range, or cannot be aligned.
fn parts<'a>(
    conversion: &Conversion<'_>,
    clips: &[&'a Clip],
    compared: &[CompareOptions],
) -> Result<Vec<Part<'a>>, String> {
    let args = conversion.args;
    let sources = [&args.source].into_iter().chain(&args.against);
    let mut parts = Vec::new();
    for (index, (clip, source)) in clips.iter().copied().zip(sources).enumerate() {
        let timing = match index.checked_sub(1) {
            None => Timing::default(),
            Some(other) if compared[other].align => {
                let relation = Relation::new(clips[0], clip, &compared[other]);
                relation.map_err(|why| format!("{source}: cannot be aligned: {why}"))?.timing
            }
            Some(other) => compared[other].timing.unwrap_or_default(),
        };
        let mut options = conversion.options(source);
        if let Some(range) = &args.range {
            let within = timing.within(range, clip.span);
            options.range =
                Some(within.ok_or_else(|| format!("{source}: does not play within the range"))?);
        }
        parts.push(Part { clip, index, timing, options });
    }
    Ok(parts)
}

fn write(page: &Page<'_>, output: &Source, out: &mut impl Write) -> Result<Report, ExportError> {
    let mut progress = until_interrupted();
    let Some(path) = output.path() else { return page.write(out, &mut progress) };
    let mut html = Vec::new();
    let report = page.write(&mut html, &mut progress)?;
    write_whole(path, &html)?;
    Ok(report)
}
