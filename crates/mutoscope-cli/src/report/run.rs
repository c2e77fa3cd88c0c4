//! The subcommand `report`.

use std::io::{self, Write};

use super::{
    ReportedFiles, motion_maker, page_player, recordings::MeasuredFile, sources, write_parquet,
};
use crate::{
    Interrupt, Message, ReadArgs, ReadOptions, ReportArgs, Source, Status,
    index::source_files::SourceFiles, interrupt, parallel::Outcome, print_message,
    progress::Progress,
};
use mutoscope_core::diagnostics::format_count;
use mutoscope_core::export::{InputFiles, OverwriteError};
use mutoscope_study::report::{MeasureOptions, PageOptions, Report, ReportFormat, WriteOptions};

pub(crate) fn run(
    args: &ReportArgs,
    read_options: &ReadOptions,
    read_args: &ReadArgs,
    out: &mut impl Write,
) -> io::Result<Status> {
    let format = match select_format(args) {
        Ok(format) => format,
        Err(message) => {
            print_message(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let mut inputs = read_args.input_files();
    let labels = match sources::label_source(args, &mut inputs) {
        Ok(labels) => labels,
        Err(status) => return Ok(status),
    };
    let read_options =
        ReadOptions { variants: args.animation.to_variants(), ..read_options.clone() };
    let for_page = format == ReportFormat::Html;
    let motion = (for_page && args.motion > 0).then(|| motion_maker(args.motion));
    let measure_options = MeasureOptions {
        labels,
        areas: &args.areas,
        options: args.to_study_options(),
        for_page,
        motion,
    };
    let files = ReportedFiles::new(&args.sources, &read_options, &measure_options);
    ReportRun { args, format, files, measure_options: &measure_options }.write(inputs, out)
}

fn select_format(args: &ReportArgs) -> Result<ReportFormat, String> {
    let names = ReportFormat::NAMES.join(", ");
    if let Some(name) = &args.to {
        return ReportFormat::from_name(name)
            .ok_or_else(|| format!("--to: expected one of {names}"));
    }
    let Some(path) = args.output.path() else {
        return Err(format!("standard output needs a format. Pass --to with one of {names}"));
    };
    let format = ReportFormat::from_path(path);
    format.ok_or_else(|| {
        format!("{}: the extension selects no format. Pass --to with one of {names}", args.output)
    })
}

struct ReportRun<'a> {
    args: &'a ReportArgs,
    format: ReportFormat,
    files: ReportedFiles<'a>,
    measure_options: &'a MeasureOptions<'a>,
}

#[derive(Default)]
struct Tally {
    failed: usize,
    skipped: [usize; 4],
    has_broken_labels: bool,
    is_wrong_usage: bool,
}

impl ReportRun<'_> {
    fn write(&self, mut inputs: InputFiles, out: &mut impl Write) -> io::Result<Status> {
        let name = self.args.output.to_string();
        let interrupt = Interrupt::listen();
        let total = self.files.add_to_inputs_until(&mut inputs, &interrupt);
        if let Err(message) = self.check_outputs(&inputs) {
            print_message(Message::for_file(&name, message));
            return Ok(Status::WrongUsage);
        }
        let (mut reports, mut tally) = (Vec::new(), Tally::default());
        let mut progress = Progress::begin("reported", total);
        self.files.measure_each(&interrupt, |outcome| {
            let file = match outcome {
                Outcome::Result(file) => file,
                Outcome::Interrupted => {
                    progress.finish();
                    print_message(Message::for_file(&name, "stopped; nothing written".to_owned()));
                    interrupt::exit_with_failure()
                }
            };
            progress.print_messages(&file.lines);
            progress.add_file(file.bytes);
            tally.add(&file);
            Report::append_recordings(&mut reports, file.reports);
            Ok(())
        })?;
        drop(progress);
        if interrupt.is_requested() {
            print_message(Message::for_file(&name, "stopped; nothing written".to_owned()));
            return Ok(Status::Failed);
        }
        if tally.has_broken_labels {
            print_message(Message::for_file(
                &name,
                "labels cannot be read; nothing written. Pass --no-labels to ignore them"
                    .to_owned(),
            ));
            return Ok(Status::Failed);
        }
        if tally.is_wrong_usage {
            return Ok(Status::WrongUsage);
        }
        let count = reports.len();
        let report =
            Report::new(reports, self.measure_options.options.clone(), self.args.device.as_deref());
        if let Err(error) = self.write_report(&report, out) {
            // Return an error of standard output to the caller. If the reader has closed the pipe,
            // the caller ends the program quietly.
            if self.args.output == Source::Stdin {
                return Err(error);
            }
            print_message(Message::for_file(&name, format!("cannot be written: {error}")));
            return Ok(Status::Failed);
        }
        tally.print(&name, count);
        let is_all_read = tally.failed == 0 && SourceFiles::new(&self.args.sources).is_ok();
        Ok(Status::done_if(is_all_read))
    }

    fn check_outputs(&self, inputs: &InputFiles) -> Result<(), OverwriteError> {
        match self.args.output.path() {
            Some(path) => inputs.check_outputs(&self.format.files(path)),
            None => self.args.output.check_output(inputs),
        }
    }

    fn write_report(&self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        let link = self.args.link.clone().unwrap_or_default();
        let page = PageOptions { link, player: page_player(self.args.motion) };
        let options = WriteOptions { format: self.format, page, parquet: write_parquet };
        match self.args.output.path() {
            Some(path) => report.write_files(&options, path),
            None => {
                if self.format.has_tables() {
                    print_message(format_args!(
                        "info: {}: only the table of ranges. Name an output file to write the other tables next to it",
                        self.args.output
                    ));
                }
                report.write(&options, out)
            }
        }
    }
}

impl Tally {
    fn add(&mut self, file: &MeasuredFile) {
        self.failed += file.reports.iter().filter(|report| report.error.is_some()).count();
        self.has_broken_labels |= !file.broken_labels.is_empty();
        self.is_wrong_usage |= file.is_wrong_usage;
        if let Some(why) = file.skipped {
            self.skipped[why as usize] += 1;
        }
    }

    fn print(&self, name: &str, recordings: usize) {
        let mut text = format_count(recordings, "recording");
        let [unrecognised, without_animations, non_files, without_chosen] = self.skipped;
        for (count, what) in [
            (self.failed, "without measures"),
            (unrecognised, "skipped (not recognised)"),
            (without_animations, "skipped (no animations)"),
            (non_files, "skipped (not a file)"),
            (without_chosen, "skipped (no such animation)"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        print_message(format_args!("info: {name}: {text}"));
    }
}
