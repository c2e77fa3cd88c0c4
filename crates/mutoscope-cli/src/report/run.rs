//! All files on all cores.

use std::{
    fs,
    io::{self, Write},
};

use super::{
    output,
    recordings::{Done, Measuring, Skipped},
    sources::LabelSource,
    target::Target,
};
use crate::{
    Interrupt, Message, Reader, Reading, ReportArgs, Source, Status,
    index::found::{Entry, Files},
    interrupt,
    parallel::{self, Taken},
    path_text,
    progress::{Amount, Progress},
    tell,
    walk::Found,
};
use mutoscope_core::{
    export::{InputFiles, counted},
    formats,
};
use mutoscope_study::report::{MOST_PLOTTED, RecordingReport, Report};

/// Writes a report of everything that `args` name.
pub(crate) fn run(
    args: &ReportArgs,
    reader: &Reader,
    reading: &Reading,
    out: &mut impl Write,
) -> io::Result<Status> {
    let target = match Target::of(args) {
        Ok(target) => target,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let mut inputs = reading.files();
    let labels = match LabelSource::of(args, &mut inputs) {
        Ok(labels) => labels,
        Err(status) => return Ok(status),
    };
    let files = match Files::of(&args.sources) {
        Ok(files) => files,
        Err(unreadable) => {
            for (path, error) in &unreadable {
                tell(Message::about_file(&path_text(path), format!("cannot be read: {error}")));
            }
            // The others are reported.
            Files::of_readable(&args.sources)
        }
    };
    let reader = Reader { animation: args.animation.choice(), ..reader.clone() };
    let options = args.options();
    let for_page = target == Target::Html;
    let measuring = Measuring { reader: &reader, labels, areas: &args.areas, options, for_page };
    Run { args, target, files, measuring }.write(inputs, out)
}

struct Run<'a> {
    args: &'a ReportArgs,
    target: Target,
    files: Files<'a>,
    measuring: Measuring<'a>,
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
        let all = self.note_files(&mut inputs, &interrupt);
        if let Err(message) = self.allow(&inputs) {
            tell(Message::about_file(&name, message));
            return Ok(Status::WrongUsage);
        }
        let (mut reports, mut tally) = (Vec::new(), Tally::default());
        let mut progress = Progress::begin("reported", all);
        let jobs = self.files.each().take_while(|_| !interrupt.came());
        parallel::in_order(
            jobs,
            |entry| self.one(entry),
            &interrupt,
            |taken| {
                let done = match taken {
                    Taken::Result(done) => done,
                    Taken::Interrupted => {
                        progress.clear();
                        tell(Message::about_file(&name, "stopped; nothing written".to_owned()));
                        interrupt::end()
                    }
                };
                if !done.lines.is_empty() {
                    progress.clear();
                }
                done.lines.iter().for_each(tell);
                progress.done(done.bytes);
                tally.add(&done);
                add(&mut reports, done.reports);
                Ok(())
            },
        )?;
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
        if let Err(error) = output::write(&report, self.target, self.args, out) {
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

    /// Notes all files, none of which may be an output; and how much there is of them.
    fn note_files(&self, inputs: &mut InputFiles, interrupt: &Interrupt) -> Amount {
        let mut all = Amount::default();
        for entry in self.files.each().take_while(|_| !interrupt.came()) {
            match entry {
                Entry::Stdin => Source::Stdin.note_as(inputs, "the recording"),
                Entry::Found { found: Found::File(path), is_named } => {
                    all.add(size(&path));
                    // In a folder, an earlier report is read by nobody.
                    if is_named
                        || formats::is_recognised(&head(&path), self.measuring.reader.format)
                    {
                        inputs.add(&path, "a recording");
                    }
                    self.measuring.labels.note(&path, inputs);
                }
                Entry::Found { .. } => {}
            }
        }
        all
    }

    fn allow(&self, inputs: &InputFiles) -> Result<(), String> {
        match self.args.output.path() {
            Some(path) => inputs.allow_all(&self.target.files(path)),
            None => self.args.output.allow_as_output(inputs),
        }
    }

    fn one(&self, entry: Entry) -> Done {
        match entry {
            Entry::Stdin => self.measuring.file(&Source::Stdin, true),
            Entry::Found { found: Found::NoFile, .. } => Done::skipped(Skipped::NoFile),
            Entry::Found { found: Found::Unreadable(path, error), .. } => {
                let error = format!("cannot be read: {error}");
                let line = Message::about_file(&path_text(&path), error.clone()).to_string();
                Done::failed(path_text(&path), line, error)
            }
            Entry::Found { found: Found::File(path), is_named } => {
                let failed = |why: String| {
                    let line = Message::about_file(&path_text(&path), why.clone()).to_string();
                    Done::failed(path_text(&path), line, why)
                };
                let source = Source::File(path.clone());
                let done = parallel::isolated(|| self.measuring.file(&source, is_named), failed);
                Done { bytes: size(&path), ..done }
            }
        }
    }
}

/// Adds reports; beyond a number of them, plots are of no use and take memory.
fn add(reports: &mut Vec<RecordingReport>, mut new: Vec<RecordingReport>) {
    let before = reports.len();
    if before + new.len() > MOST_PLOTTED {
        if before <= MOST_PLOTTED {
            reports.iter_mut().for_each(RecordingReport::drop_plots);
        }
        new.iter_mut().for_each(RecordingReport::drop_plots);
    }
    reports.extend(new);
}

impl Tally {
    fn add(&mut self, done: &Done) {
        self.failed += done.reports.iter().filter(|report| report.error.is_some()).count();
        self.has_broken_labels |= done.has_broken_labels;
        self.is_wrong_usage |= done.is_wrong_usage;
        if let Some(why) = done.skipped {
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

fn size(path: &std::path::Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

/// The bytes by which a file is recognised.
fn head(path: &std::path::Path) -> Vec<u8> {
    let mut head = Vec::new();
    let file = fs::File::open(path).map(|file| io::Read::take(file, 1 << 16));
    // What cannot be read is told when it is.
    let _ = file.and_then(|mut file| io::Read::read_to_end(&mut file, &mut head));
    head
}
