//! The subcommand.

use std::io::{self, Write};

use super::{
    ReportedFiles, motion_maker, page_player, recordings::MeasuredFile, sources, write_parquet,
};
use crate::{
    Interrupt, Message, Reader, Reading, ReportArgs, Source, Status, index::found::Files,
    interrupt, parallel::Taken, progress::Progress, tell,
};
use mutoscope_core::export::{InputFiles, counted};
use mutoscope_study::report::{Measuring, PageOptions, Report, ReportFormat, Writing};

/// Writes a report of everything that `args` name.
pub(crate) fn run(
    args: &ReportArgs,
    reader: &Reader,
    reading: &Reading,
    out: &mut impl Write,
) -> io::Result<Status> {
    let format = match format_of(args) {
        Ok(format) => format,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let mut inputs = reading.files();
    let labels = match sources::label_source(args, &mut inputs) {
        Ok(labels) => labels,
        Err(status) => return Ok(status),
    };
    let reader = Reader { animation: args.animation.choice(), ..reader.clone() };
    let for_page = format == ReportFormat::Html;
    let motion = (for_page && args.motion > 0).then(|| motion_maker(args.motion));
    let measuring =
        Measuring { labels, areas: &args.areas, options: args.options(), for_page, motion };
    let files = ReportedFiles::new(&args.sources, &reader, &measuring);
    Run { args, format, files, measuring: &measuring }.write(inputs, out)
}

/// The format that the arguments ask for: by name, or else by the extension of the output.
fn format_of(args: &ReportArgs) -> Result<ReportFormat, String> {
    let words = ReportFormat::WORDS.join(", ");
    if let Some(word) = &args.to {
        return ReportFormat::of_word(word).ok_or_else(|| format!("--to takes one of {words}"));
    }
    let Some(path) = args.output.path() else {
        return Err(format!("-o - needs --to and one of {words}"));
    };
    let found = ReportFormat::of_path(path);
    found.ok_or_else(|| format!("{}: its extension is none of {words}", args.output))
}

struct Run<'a> {
    args: &'a ReportArgs,
    format: ReportFormat,
    files: ReportedFiles<'a>,
    measuring: &'a Measuring<'a>,
}

/// Counts of files and recordings.
#[derive(Default)]
struct Tally {
    failed: usize,
    skipped: [usize; 4],
    has_broken_labels: bool,
    is_wrong_usage: bool,
}

impl Run<'_> {
    fn write(&self, mut inputs: InputFiles, out: &mut impl Write) -> io::Result<Status> {
        let name = self.args.output.to_string();
        let interrupt = Interrupt::listen();
        let all = self.files.note_until(&mut inputs, &interrupt);
        if let Err(message) = self.allow(&inputs) {
            tell(Message::about_file(&name, message));
            return Ok(Status::WrongUsage);
        }
        let (mut reports, mut tally) = (Vec::new(), Tally::default());
        let mut progress = Progress::begin("reported", all);
        self.files.measure_each(&interrupt, |taken| {
            let file = match taken {
                Taken::Result(file) => file,
                Taken::Interrupted => {
                    progress.clear();
                    tell(Message::about_file(&name, "stopped; nothing written".to_owned()));
                    interrupt::end()
                }
            };
            if !file.lines.is_empty() {
                progress.clear();
            }
            file.lines.iter().for_each(tell);
            progress.done(file.bytes);
            tally.add(&file);
            Report::gather(&mut reports, file.reports);
            Ok(())
        })?;
        drop(progress);
        if interrupt.came() {
            tell(Message::about_file(&name, "stopped; nothing written".to_owned()));
            return Ok(Status::Failed);
        }
        if tally.has_broken_labels {
            tell(Message::about_file(
                &name,
                "labels cannot be read; nothing written. --no-labels leaves them out".to_owned(),
            ));
            return Ok(Status::Failed);
        }
        if tally.is_wrong_usage {
            return Ok(Status::WrongUsage);
        }
        let count = reports.len();
        let report =
            Report::new(reports, self.measuring.options.clone(), self.args.device.as_deref());
        if let Err(error) = self.write_report(&report, out) {
            // Whoever reads the output has seen enough.
            if self.args.output == Source::Stdin {
                return Err(error);
            }
            tell(Message::about_file(&name, format!("cannot be written: {error}")));
            return Ok(Status::Failed);
        }
        tally.tell(&name, count);
        let is_all_read = tally.failed == 0 && Files::of(&self.args.sources).is_ok();
        Ok(Status::done_if(is_all_read))
    }

    fn allow(&self, inputs: &InputFiles) -> Result<(), String> {
        match self.args.output.path() {
            Some(path) => inputs.allow_all(&self.format.files(path)),
            None => self.args.output.allow_as_output(inputs),
        }
    }

    fn write_report(&self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        let link = self.args.link.clone().unwrap_or_default();
        let page = PageOptions { link, player: page_player(self.args.motion) };
        let writing = Writing { format: self.format, page, parquet: write_parquet };
        match self.args.output.path() {
            Some(path) => report.write_files(&writing, path),
            None => {
                if self.format.has_tables() {
                    tell(format_args!(
                        "info: {}: the table of ranges; the others are written beside a file",
                        self.args.output
                    ));
                }
                report.write(&writing, out)
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

    /// Reports how many recordings there are, if there were others or several.
    fn tell(&self, name: &str, recordings: usize) {
        let mut text = counted(recordings, "recording");
        let [unrecognised, without_animations, no_files, without_choice] = self.skipped;
        for (count, what) in [
            (self.failed, "without measures"),
            (unrecognised, "skipped (not recognised)"),
            (without_animations, "skipped (no animations)"),
            (no_files, "skipped (no files)"),
            (without_choice, "skipped (without that animation)"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        tell(format_args!("info: {name}: {text}"));
    }
}
