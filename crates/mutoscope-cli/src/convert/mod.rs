//! `convert`: a recording as a file that other tools read, or all recordings below a folder.

pub(super) mod folder;
mod full;
mod page;

use std::{
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use folder::How;
use serde::Serialize;

use super::{
    ConvertArgs, Input, Interrupt, Message, Reader, Reading, Source, Status, failure, json, report,
    rewrite, tell,
};
use mutoscope_core::{
    clip::Clip,
    export::{self, ExportError, ExportOptions, ExportTarget, InputFiles, Remark, Report},
};
use mutoscope_minecraft::{EXTENSION, PlayerSkins};

pub(super) fn run(
    args: &ConvertArgs,
    reader: &Reader,
    (skins, reading): (&PlayerSkins, &Reading),
    out: &mut impl Write,
) -> io::Result<Status> {
    let inputs = reading.files();
    let of_pages = [("--against", !args.against.is_empty()), ("--full", args.full.is_some())];
    let of_pages = of_pages.into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = of_pages.filter(|_| rewrite::is_wanted(args)) {
        tell(format_args!("error: {option} is for html, not for {EXTENSION}"));
        return Ok(Status::WrongUsage);
    }
    if rewrite::is_wanted(args) {
        return rewrite::run(args, reader, inputs, out);
    }
    if let Some(option) = rewrite::option_of_it(args) {
        tell(format_args!("error: {option} is for recordings of Minecraft written as mcmocap_rec"));
        return Ok(Status::WrongUsage);
    }
    let target = match target(args).and_then(|target| as_exact(args, target)) {
        Ok(target) => target,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let reader = Reader { animation: args.animation.choice(), with_model: true, ..reader.clone() };
    let conversion = Conversion { args, target, reader: &reader, skins, inputs: &inputs };
    if let Some(dist) = &args.full {
        return full::run(&conversion, reading, dist.as_deref(), out);
    }
    if !args.against.is_empty() {
        return page::run(&conversion, out);
    }
    if args.source.path().is_some_and(Path::is_dir) {
        return folder::run(args, &reader, &inputs, How::Export(&conversion), out);
    }
    conversion.run(out)
}

/// A conversion as the arguments request it.
pub(super) struct Conversion<'a> {
    args: &'a ConvertArgs,
    target: &'static ExportTarget,
    reader: &'a Reader,
    skins: &'a PlayerSkins,
    /// The files that are read with every recording.
    inputs: &'a InputFiles,
}

impl Conversion<'_> {
    /// The recording, and those that are named with `--against`.
    fn recordings(&self) -> impl Iterator<Item = &Source> {
        [&self.args.source].into_iter().chain(&self.args.against)
    }

    /// Converts one recording.
    fn run(&self, out: &mut impl Write) -> io::Result<Status> {
        let Self { args, target, .. } = self;
        let mut inputs = self.inputs.clone();
        args.source.note_as(&mut inputs, "the recording");
        if let Err(message) = self.allow(&inputs) {
            return self.refused(message);
        }
        let input = self.open(&args.source);
        self.note_sidecars(&input.sidecars, &mut inputs);
        if let Err(message) = self.allow(&inputs) {
            return self.refused(message);
        }
        let Some(clip) = report(&input) else { return Ok(failure(&input)) };
        let options = self.options(&args.source);
        let written = write(target, clip, &options, &args.output, out);
        self.tell_written(written, out)
    }

    /// Whether no input would be overwritten; if one would, the message.
    fn allow(&self, inputs: &InputFiles) -> Result<(), String> {
        match self.args.output.path() {
            Some(path) => inputs.allow_all(&self.target.files(path)),
            None => self.args.output.allow_as_output(inputs),
        }
    }

    fn refused(&self, message: String) -> io::Result<Status> {
        tell(Message::about_file(&self.args.output.to_string(), message));
        Ok(Status::Failed)
    }

    /// Prints the report of what was written, or why nothing was.
    fn tell_written(
        &self,
        written: Result<Report, ExportError>,
        out: &mut impl Write,
    ) -> io::Result<Status> {
        let Self { args, target, .. } = self;
        let name = args.output.to_string();
        match written {
            Ok(report) => {
                report.remarks().iter().for_each(|remark| tell(Message::of_remark(&name, remark)));
                if args.json {
                    json::line(out, &Written::of_file(&args.output, target.id, &report, &name))?;
                }
                Ok(Status::Done)
            }
            // Whoever reads the output has seen enough.
            Err(ExportError::Unwritable(error)) if args.output == Source::Stdin => Err(error),
            Err(error) => self.refused(error.to_string()),
        }
    }

    /// Reads a recording, its players in their skins.
    fn open(&self, source: &Source) -> Input {
        self.dressed(self.reader.open(source))
    }

    fn dressed(&self, mut input: Input) -> Input {
        if let Ok(clip) = &mut input.result
            && !self.skins.is_empty()
        {
            self.skins.dress(clip);
        }
        input
    }

    /// Takes note of the files that a recording and the skeleton were read from besides their own.
    fn note_sidecars(&self, sidecars: &[PathBuf], inputs: &mut InputFiles) {
        let sidecars = sidecars.iter().map(|path| (path, "a file of the recording"));
        let of_rig = self.reader.rig_sidecars.iter().map(|path| (path, "a file of the skeleton"));
        sidecars.chain(of_rig).for_each(|(path, what)| inputs.add(path, what));
    }

    fn options(&self, source: &Source) -> ExportOptions {
        let Self { args, .. } = self;
        ExportOptions { title: title(source), range: args.range.clone(), rate: args.fps }
    }
}

/// The target: as requested, or else by the extension.
fn target(args: &ConvertArgs) -> Result<&'static ExportTarget, String> {
    let ids = || {
        let motion = ExportTarget::motion().map(|target| target.id);
        motion.chain([EXTENSION]).collect::<Vec<_>>().join(", ")
    };
    if args.json && args.output == Source::Stdin {
        return Err("--json and -o - would both go to standard output".to_owned());
    }
    if let Some(id) = &args.to {
        return ExportTarget::of_id(id).ok_or_else(|| format!("--to takes one of {}", ids()));
    }
    if args.source.path().is_some_and(Path::is_dir) {
        return Err(format!("{}: it is a folder; --to takes one of {}", args.source, ids()));
    }
    let Some(path) = args.output.path() else {
        return Err(format!("-o - needs --to and one of {}", ids()));
    };
    match ExportTarget::of_path(path) {
        Some(target) if target.video().is_some() => {
            Err(format!("{}: `render` writes {}", args.output, target.name))
        }
        Some(target) => Ok(target),
        None if path.extension().is_none() => {
            Err(format!("{}: it has no extension; --to takes one of {}", args.output, ids()))
        }
        None => Err(format!("{}: its extension is none of {}", args.output, ids())),
    }
}

/// The target, or for `--exact` the one that keeps every key.
fn as_exact(
    args: &ConvertArgs,
    target: &'static ExportTarget,
) -> Result<&'static ExportTarget, String> {
    let exact = || ExportTarget::of_id(&format!("{}-exact", target.id));
    match args.exact && !target.id.ends_with("-exact") {
        true => exact().ok_or_else(|| format!("--exact is for html, not for {}", target.id)),
        false => Ok(target),
    }
}

/// The name of the recording where it has none of its own.
fn title(source: &Source) -> String {
    let stem = source.path().and_then(Path::file_stem);
    stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Progress that stops what is written when an interrupt comes.
fn until_interrupted() -> impl FnMut(f64) -> ControlFlow<()> {
    let interrupt = Interrupt::listen();
    move |_| match interrupt.came() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn write(
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    output: &Source,
    out: &mut impl Write,
) -> Result<Report, ExportError> {
    let mut progress = until_interrupted();
    match output.path() {
        None => target.write(clip, options, out, &mut progress),
        Some(path) => export::write_file(target, clip, options, path, &mut progress),
    }
}

/// The output of `--json`: a written file.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    path: &'a str,
    target: &'static str,
    bytes: Option<u64>,
    report: Vec<Said<'a>>,
}

#[derive(Serialize)]
struct Said<'a> {
    severity: &'static str,
    message: &'a str,
}

impl<'a> Written<'a> {
    /// The line for `output`, which was written under the name `path`.
    fn of_file(output: &Source, target: &'static str, report: &'a Report, path: &'a str) -> Self {
        let about = output.path().and_then(|path| fs::metadata(path).ok());
        Self::new(path, target, about.map(|about| about.len()), report)
    }

    pub(super) fn new(
        path: &'a str,
        target: &'static str,
        bytes: Option<u64>,
        report: &'a Report,
    ) -> Self {
        let said = |remark: &'a Remark| Said {
            severity: remark.severity.word(),
            message: &remark.message,
        };
        let report = report.remarks().iter().map(said).collect();
        Self { path, target, bytes, report }
    }
}
