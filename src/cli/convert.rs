//! `convert`: a recording as a file that other tools read.

use std::{
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::Path,
};

use serde::Serialize;

use super::{ConvertArgs, Interrupt, Message, Reader, Source, Status, json, tell};
use crate::{
    clip::Clip,
    export::{self, ExportError, Remark, Report, TARGETS, Target, Wanted},
};

pub(super) fn run(args: &ConvertArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let target = match target(args) {
        Ok(target) => target,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let name = args.output.to_string();
    if is_same_file(&args.source, &args.output) {
        tell(Message::about_file(&name, "it is the recording itself: nothing written".to_owned()));
        return Ok(Status::Failed);
    }
    let reader = Reader { animation: args.animation.clone(), with_model: true, ..reader.clone() };
    let input = reader.open(&args.source);
    let Some(clip) = input.report() else { return Ok(input.failure()) };
    let wanted = Wanted { title: title(&args.source), range: args.range.clone(), rate: args.fps };
    match write(target, clip, &wanted, &args.output, out) {
        Ok(report) => {
            report.remarks().iter().for_each(|remark| tell(Message::of_remark(&name, remark)));
            if args.json {
                let bytes = args.output.path().and_then(|path| fs::metadata(path).ok());
                json::line(out, &Written::new(&name, target, bytes.map(|it| it.len()), &report))?;
            }
            Ok(Status::Done)
        }
        // Whoever reads the output has seen enough.
        Err(ExportError::Unwritable(error)) if args.output == Source::Stdin => Err(error),
        Err(error) => {
            tell(Message::about_file(&name, error.to_string()));
            Ok(Status::Failed)
        }
    }
}

/// What the file is to be: what is asked for, or else what its name says.
fn target(args: &ConvertArgs) -> Result<&'static Target, String> {
    let words = || TARGETS.iter().map(|target| target.extension).collect::<Vec<_>>().join(", ");
    if args.json && args.output == Source::Stdin {
        return Err("--json and -o - would both go to standard output".to_owned());
    }
    let path = args.output.path();
    let extension = path.and_then(Path::extension).map(|it| it.to_string_lossy().into_owned());
    match (args.to.as_deref().or(extension.as_deref()), path) {
        (Some(word), _) => Target::of_extension(word)
            .ok_or_else(|| format!("{}: its extension is none of {}", args.output, words())),
        (None, None) => Err(format!("-o - needs --to and one of {}", words())),
        (None, Some(_)) => {
            Err(format!("{}: it has no extension; --to takes one of {}", args.output, words()))
        }
    }
}

/// What the recording is called where it has no name of its own.
fn title(source: &Source) -> String {
    let stem = source.path().and_then(Path::file_stem);
    stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn is_same_file(source: &Source, output: &Source) -> bool {
    let real = |source: &Source| source.path().and_then(|path| fs::canonicalize(path).ok());
    real(source).is_some_and(|path| real(output) == Some(path))
}

fn write(
    target: &Target,
    clip: &Clip,
    wanted: &Wanted,
    output: &Source,
    out: &mut impl Write,
) -> Result<Report, ExportError> {
    let interrupt = Interrupt::listen();
    let mut progress = |_| match interrupt.came() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    match output {
        Source::Stdin => target.write(clip, wanted, out, &mut progress),
        Source::File(path) => export::write_file(target, clip, wanted, path, &mut progress),
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Written<'a> {
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
    fn new(path: &'a str, target: &Target, bytes: Option<u64>, report: &'a Report) -> Self {
        let said = |remark: &'a Remark| Said {
            severity: remark.severity.word(),
            message: &remark.message,
        };
        let report = report.remarks().iter().map(said).collect();
        Self { path, target: target.extension, bytes, report }
    }
}
