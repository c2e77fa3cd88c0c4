//! Writes several recordings as one web page that plays them on one clock.

use std::io::{self, Write};

use super::{Conversion, default_title};
use crate::{
    Input, Interrupt, Source, Status, compare, failure_status, print_message, report_input,
};
use mutoscope_core::{
    clip::Clip,
    export::{ExportError, ExportOptions, Report, write_atomically},
    measure::compare::{CompareOptions, Relation, Timing, comparison_color},
};
use mutoscope_player::{Bounds, Page, PageRecording, bounds_for_target};

pub(super) fn run(conversion: &Conversion<'_>, out: &mut impl Write) -> io::Result<Status> {
    let args = conversion.args;
    let (bounds, options) = match check_usage(conversion) {
        Ok(usage) => usage,
        Err(message) => {
            print_message(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let mut inputs = conversion.inputs.clone();
    let sources = || conversion.recordings();
    sources().for_each(|source| source.add_to_inputs(&mut inputs, "a recording"));
    if let Err(message) = conversion.check_outputs(&inputs) {
        return conversion.print_refusal(message);
    }
    let opened = sources().enumerate();
    let opened: Vec<_> =
        opened.map(|(index, source)| open_recording(conversion, index, source)).collect();
    opened.iter().for_each(|input| conversion.add_sidecars(input.sidecars(), &mut inputs));
    if let Err(message) = conversion.check_outputs(&inputs) {
        return conversion.print_refusal(message);
    }
    let mut clips = Vec::new();
    for input in &opened {
        match report_input(input) {
            Some(clip) => clips.push(clip),
            None => return Ok(failure_status(input)),
        }
    }
    let planned = match plan_recordings(conversion, &clips, &options) {
        Ok(planned) => planned,
        Err(message) => return conversion.print_refusal(message),
    };
    let recordings = planned.iter().map(PlannedRecording::to_page_recording).collect();
    let page = Page { bounds, ..Page::new(&default_title(&args.source), recordings) };
    let written = write_page(&page, &args.output, out);
    conversion.print_result(written, out)
}

fn open_recording(conversion: &Conversion<'_>, index: usize, source: &Source) -> Input {
    let mut read_options = conversion.read_options.clone();
    if index > 0 {
        read_options.variants = Vec::new();
    }
    conversion.with_player_skins(compare::open_recording(&read_options, source))
}

fn check_usage(
    conversion: &Conversion<'_>,
) -> Result<(Option<Bounds>, Vec<CompareOptions>), String> {
    let args = conversion.args;
    let bounds = bounds_for_target(conversion.target)
        .ok_or_else(|| format!("--against is for html, not for {}", conversion.target.id))?;
    let sources = conversion.recordings();
    if let Some(folder) = sources.filter_map(Source::path).find(|path| path.is_dir()) {
        return Err(format!(
            "{}: expected a recording for --against, found a folder",
            folder.display()
        ));
    }
    let mut options = CompareOptions::for_recordings(args.against.len(), &args.offset, &[], &[])
        .map_err(|error| error.to_string())?;
    options.iter_mut().for_each(|options| options.align = args.align);
    Ok((bounds, options))
}

struct PlannedRecording<'a> {
    clip: &'a Clip,
    index: usize,
    timing: Timing,
    options: ExportOptions,
}

impl PlannedRecording<'_> {
    fn to_page_recording(&self) -> PageRecording<'_> {
        PageRecording {
            offset: self.timing.offset,
            rate: self.timing.rate,
            tint: comparison_color(self.index),
            ..PageRecording::new(self.clip, &self.options)
        }
    }
}

fn plan_recordings<'a>(
    conversion: &Conversion<'_>,
    clips: &[&'a Clip],
    compared: &[CompareOptions],
) -> Result<Vec<PlannedRecording<'a>>, String> {
    let args = conversion.args;
    let sources = conversion.recordings();
    let mut planned = Vec::new();
    for (index, (clip, source)) in clips.iter().copied().zip(sources).enumerate() {
        let timing = match index.checked_sub(1) {
            None => Timing::default(),
            Some(other) if compared[other].align => {
                let relation = Relation::new(clips[0], clip, &compared[other]);
                relation.map_err(|why| format!("{source}: cannot be aligned: {why}"))?.timing
            }
            Some(other) => compared[other].timing.unwrap_or_default(),
        };
        let mut options = conversion.export_options(source);
        if let Some(range) = &args.range {
            let clip_range = timing.to_clip_range(range, clip.span);
            options.range = Some(
                clip_range.ok_or_else(|| format!("{source}: does not play within the range"))?,
            );
        }
        planned.push(PlannedRecording { clip, index, timing, options });
    }
    Ok(planned)
}

fn write_page(
    page: &Page<'_>,
    output: &Source,
    out: &mut impl Write,
) -> Result<Report, ExportError> {
    let mut progress = Interrupt::listen().progress();
    let Some(path) = output.path() else { return page.write(out, &mut progress) };
    let mut html = Vec::new();
    let report = page.write(&mut html, &mut progress)?;
    write_atomically(path, &html)?;
    Ok(report)
}
