//! All recordings below a folder, each as a file below another one.

use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{Conversion, Written};
use crate::{
    cli::{
        Input, Interrupt, Message, Source, Status, json, library,
        message::path_text,
        parallel,
        progress::{Amount, Progress},
        seems, tell,
        walk::{Found, Walk},
    },
    export::{self, ExportError, Report, counted},
    formats::prime::characters::FileKind,
};

/// The folder of the first table, for targets that write several.
const OWN_TABLE: &str = "poses";

/// Converts all recordings below the source, which is a folder.
pub(super) fn run(conversion: &Conversion<'_>, out: &mut impl Write) -> io::Result<Status> {
    let name = conversion.args.output.to_string();
    let (Some(from), Some(to)) = (conversion.args.source.path(), conversion.args.output.path())
    else {
        tell(format_args!("error: {name}: recordings below a folder go to a folder"));
        return Ok(Status::WrongUsage);
    };
    if let Err(error) = fs::create_dir_all(to) {
        tell(Message::about_file(&name, format!("cannot be written: {error}")));
        return Ok(Status::Failed);
    }
    Folder { conversion, from, to }.convert(out)
}

struct Folder<'a> {
    conversion: &'a Conversion<'a>,
    from: &'a Path,
    to: &'a Path,
}

/// The result of one file.
#[derive(Default)]
struct Done {
    bytes: u64,
    /// Messages, a line each.
    lines: Vec<String>,
    /// Its output path and report; `None` if nothing was written.
    written: Option<(PathBuf, Report)>,
    is_failure: bool,
    is_skipped: bool,
}

impl Folder<'_> {
    fn convert(&self, out: &mut impl Write) -> io::Result<Status> {
        let interrupt = Interrupt::listen();
        let mut all = Amount::default();
        for found in self.found().take_while(|_| !interrupt.came()) {
            if let Found::File(path) = found {
                all.add(size(&path));
            }
        }
        let mut progress = Progress::begin("converted", all);
        let (mut written, mut failed, mut skipped) = (0, 0, 0);
        let jobs = self.found().take_while(|_| !interrupt.came());
        parallel::in_order(
            jobs,
            |found| self.one(found, &interrupt),
            |done| {
                if !done.lines.is_empty() {
                    progress.clear();
                }
                done.lines.iter().for_each(tell);
                if let Some((path, report)) = &done.written {
                    written += 1;
                    if self.conversion.args.json {
                        let (name, source) = (path_text(path), Source::File(path.clone()));
                        let target = self.conversion.target.id;
                        json::line(out, &Written::of_file(&source, target, report, &name))?;
                    }
                }
                failed += usize::from(done.is_failure);
                skipped += usize::from(done.is_skipped);
                progress.done(done.bytes);
                Ok(())
            },
        )?;
        drop(progress);
        let mut tally = format!("{} converted", counted(written, "recording"));
        for (count, what) in [(failed, "failed"), (skipped, "skipped (not recognised)")] {
            if count > 0 {
                tally += &format!(", {count} {what}");
            }
        }
        let name = path_text(self.to);
        if interrupt.came() {
            tell(Message::about_file(&name, format!("stopped; {tally}")));
            return Ok(Status::Failed);
        }
        tell(format_args!("info: {name}: {tally}"));
        Ok(Status::done_if(failed == 0))
    }

    /// The files below the folder, without the output.
    fn found(&self) -> Walk {
        Walk::of(self.from).except(self.to)
    }

    fn one(&self, found: Found, interrupt: &Interrupt) -> Done {
        match found {
            Found::NoFile => Done { is_skipped: true, ..Done::default() },
            Found::Unreadable(path, error) => {
                Done::failed(&path_text(&path), format!("cannot be read: {error}"))
            }
            Found::File(path) => {
                let done = parallel::isolated(
                    || self.file(&path, interrupt),
                    |why| Done::failed(&path_text(&path), why),
                );
                Done { bytes: size(&path), ..done }
            }
        }
    }

    fn file(&self, path: &Path, interrupt: &Interrupt) -> Done {
        let source = Source::File(path.to_owned());
        let Some(input) = self.open(path, &source) else {
            return Done { is_skipped: true, ..Done::default() };
        };
        let mut lines: Vec<_> = input.messages().iter().map(ToString::to_string).collect();
        let Ok(clip) = &input.result else {
            return Done { lines, is_failure: true, ..Done::default() };
        };
        let outputs = self.outputs(path);
        let name = path_text(&outputs[0]);
        let mut inputs = self.conversion.inputs.clone();
        source.note_as(&mut inputs, "the recording");
        self.conversion.note_sidecars(&input, &mut inputs);
        let written = inputs.allow_all(&outputs).and_then(|()| {
            let mut progress = |_| match interrupt.came() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let mut folders = outputs.iter().filter_map(|output| output.parent());
            let made = folders.try_for_each(fs::create_dir_all);
            let options = self.conversion.options(&source);
            let target = self.conversion.target;
            made.map_err(ExportError::from)
                .and_then(|()| export::write_files(target, clip, &options, &outputs, &mut progress))
                .map_err(|error| error.to_string())
        });
        match written {
            Err(message) => {
                lines.extend(Done::failed(&name, message).lines);
                Done { lines, is_failure: true, ..Done::default() }
            }
            Ok(report) => {
                let remarks = report.remarks().iter();
                lines.extend(remarks.map(|one| Message::of_remark(&name, one).to_string()));
                let output = outputs.into_iter().next();
                Done { lines, written: output.map(|output| (output, report)), ..Done::default() }
            }
        }
    }

    /// Reads a file; `None` if it is no recording.
    fn open(&self, path: &Path, source: &Source) -> Option<Input> {
        let reader = self.conversion.reader;
        let seems = seems::of(path, reader.format);
        let file = reader.read_if_recognised(source);
        let is_part =
            matches!(library::of_read(source, &file, reader), Some((_, FileKind::Part(_))));
        if is_part {
            return None;
        }
        seems.open(reader, source, file).map(|input| self.conversion.dressed(input))
    }

    /// The output paths of the recording at `path`. Its own extension is kept, so that no two share a file;
    /// tables of one kind share a folder, so that each folder is one data set.
    fn outputs(&self, path: &Path) -> Vec<PathBuf> {
        let target = self.conversion.target;
        let mut name = OsString::from(path.strip_prefix(self.from).unwrap_or(path));
        name.push(".");
        name.push(target.extension);
        let beside: Vec<_> = target.beside().collect();
        match beside.is_empty() {
            true => vec![self.to.join(name)],
            false => {
                let tables = [OWN_TABLE].into_iter().chain(beside);
                tables.map(|table| self.to.join(table).join(&name)).collect()
            }
        }
    }
}

impl Done {
    fn failed(name: &str, message: String) -> Self {
        let line = Message::about_file(name, message).to_string();
        Self { lines: vec![line], is_failure: true, ..Self::default() }
    }
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}
