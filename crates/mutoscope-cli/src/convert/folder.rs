//! All recordings below a folder, each as a file below another one.

use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock},
};

use super::{Conversion, Written};
use crate::{
    AnimationArgs, ConvertArgs, Input, InputError, Interrupt, Message, Reader, Source, Status,
    interrupt, json, library,
    parallel::{self, Taken},
    path_text,
    progress::{Amount, Progress},
    rewrite::Rewriting,
    seems::{self, Opened, Seems},
    tell,
    walk::{Found, Walk},
};
use mutoscope_core::{
    clip::Clip,
    export::{self, ExportError, InputFiles, Report, counted, write_whole},
    formats::{self, prime::characters::FileKind},
    io::bytes::FileContent,
};
use mutoscope_minecraft::EXTENSION;

/// The folder of the first table, for targets that write several.
const OWN_TABLE: &str = "poses";

/// How each recording is converted.
#[derive(Clone, Copy)]
pub(crate) enum How<'a> {
    /// As a file of another tool.
    Export(&'a Conversion<'a>),
    /// As a recording of Minecraft, which it is.
    Rewrite(&'a Rewriting<'a>),
}

/// Converts all recordings below the source, which is a folder. `inputs` are read with every recording.
pub(crate) fn run(
    args: &ConvertArgs,
    reader: &Reader,
    inputs: &InputFiles,
    how: How<'_>,
    out: &mut impl Write,
) -> io::Result<Status> {
    let name = args.output.to_string();
    let (Some(from), Some(to)) = (args.source.path(), args.output.path()) else {
        tell(format_args!("error: {name}: recordings below a folder go to a folder"));
        return Ok(Status::WrongUsage);
    };
    let made = fs::create_dir_all(to);
    let real = made.and_then(|()| Ok([fs::canonicalize(from)?, fs::canonicalize(to)?]));
    let [real_from, real_to] = match real {
        Ok(real) => real,
        Err(error) => {
            tell(Message::about_file(&name, format!("cannot be written: {error}")));
            return Ok(Status::Failed);
        }
    };
    if real_from == real_to {
        tell(format_args!(
            "error: {name}: it is the input folder; nothing written. Name another folder, \
             such as one in it"
        ));
        return Ok(Status::WrongUsage);
    }
    let files = (inputs, InputFiles::default());
    let writing = RwLock::new(());
    Folder { args, reader, how, from, to, real_from, real_to, files, writing }.convert(out)
}

struct Folder<'a> {
    args: &'a ConvertArgs,
    reader: &'a Reader,
    how: How<'a>,
    from: &'a Path,
    to: &'a Path,
    /// Where they really are.
    real_from: PathBuf,
    real_to: PathBuf,
    /// The files that are read with every recording, and all that are read one by one.
    files: (&'a InputFiles, InputFiles),
    /// Shared by those who write files, so that the program does not end meanwhile.
    writing: RwLock<()>,
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
    skipped: Option<Skipped>,
}

/// Why a file is not converted.
#[derive(Clone, Copy)]
enum Skipped {
    Unrecognised,
    /// A model or a skeleton.
    WithoutAnimations,
    /// It does not have the animation that was chosen.
    WithoutChoice,
    /// It is no recording of Minecraft, and only those are rewritten.
    OtherFormat,
}

/// How many files there are of each result.
#[derive(Default)]
struct Tally {
    written: usize,
    failed: usize,
    skipped: [usize; 4],
}

/// The converted content of a file, before it is written.
enum Content<'a> {
    Clip {
        conversion: &'a Conversion<'a>,
        clip: Box<Clip>,
        /// The files that it was read from besides its own.
        sidecars: Vec<PathBuf>,
    },
    Bytes(Vec<u8>, Report),
}

impl Folder<'_> {
    fn convert(mut self, out: &mut impl Write) -> io::Result<Status> {
        let interrupt = Interrupt::listen();
        let all = self.note_files(&interrupt);
        let mut progress = Progress::begin("converted", all);
        let mut tally = Tally::default();
        let jobs = self.found().take_while(|_| !interrupt.came());
        let work = |found| self.one(found, &interrupt);
        parallel::in_order(jobs, work, &interrupt, |taken| {
            let done = match taken {
                Taken::Result(done) => done,
                Taken::Interrupted => {
                    // Whoever writes sees that it is interrupted, and removes what it has begun.
                    let _nobody_writes =
                        self.writing.write().unwrap_or_else(PoisonError::into_inner);
                    progress.clear();
                    out.flush()?;
                    self.tell_stopped(&tally);
                    interrupt::end()
                }
            };
            if !done.lines.is_empty() {
                progress.clear();
            }
            done.lines.iter().for_each(tell);
            tally.add(&done);
            if let Some((path, report)) = done.written.filter(|_| self.args.json) {
                let (name, source) = (path_text(&path), Source::File(path));
                json::line(out, &Written::of_file(&source, self.target(), &report, &name))?;
            }
            progress.done(done.bytes);
            Ok(())
        })?;
        drop(progress);
        if interrupt.came() {
            self.tell_stopped(&tally);
            return Ok(Status::Failed);
        }
        Ok(self.end(&tally))
    }

    fn tell_stopped(&self, tally: &Tally) {
        let message = format!("stopped; {}", tally.text(&self.args.animation));
        tell(Message::about_file(&path_text(self.to), message));
    }

    fn end(&self, tally: &Tally) -> Status {
        let name = path_text(self.to);
        tell(format_args!("info: {name}: {}", tally.text(&self.args.animation)));
        let lacking = tally.skipped[Skipped::WithoutChoice as usize];
        if lacking > 0 && tally.written + tally.failed == 0 {
            tell(format_args!(
                "error: {}: none of {} has what --animation, --character or --clip names; nothing \
                 written. `info --json` lists what each has",
                path_text(self.from),
                counted(lacking, "recording")
            ));
            return Status::WrongUsage;
        }
        Status::done_if(tally.failed == 0)
    }

    /// Notes all files, none of which may be an output; and how much there is of them.
    fn note_files(&mut self, interrupt: &Interrupt) -> Amount {
        let mut all = Amount::default();
        for found in self.found().take_while(|_| !interrupt.came()) {
            if let Found::File(path) = found {
                all.add(size(&path));
                self.files.1.add(&path, "a file of the folder");
            }
        }
        all
    }

    /// The files below the folder, without the output.
    fn found(&self) -> Walk {
        Walk::of(self.from).except(self.to)
    }

    /// The id of the target.
    fn target(&self) -> &'static str {
        match self.how {
            How::Export(conversion) => conversion.target.id,
            How::Rewrite(_) => EXTENSION,
        }
    }

    fn one(&self, found: Found, interrupt: &Interrupt) -> Done {
        match found {
            Found::NoFile => Done::skipped(Skipped::Unrecognised),
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
        let opened = match self.how {
            How::Export(conversion) => self.open(conversion, path, &source),
            How::Rewrite(rewriting) => self.rewritten(rewriting, path, &source),
        };
        let (mut lines, content) = match opened {
            Ok(opened) => opened,
            Err(why) => return Done::skipped(why),
        };
        let Some(content) = content else {
            return Done { lines, is_failure: true, ..Done::default() };
        };
        let outputs = self.outputs(path);
        let name = path_text(&outputs[0]);
        match self.write(&source, content, &outputs, interrupt) {
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

    /// Writes what was read.
    fn write(
        &self,
        source: &Source,
        content: Content<'_>,
        outputs: &[PathBuf],
        interrupt: &Interrupt,
    ) -> Result<Report, String> {
        self.allow(source, &content, outputs)?;
        let _writing = self.writing.read().unwrap_or_else(PoisonError::into_inner);
        let mut progress = |_| match interrupt.came() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut folders = outputs.iter().filter_map(|output| output.parent());
        let written = || {
            folders.try_for_each(fs::create_dir_all)?;
            match content {
                Content::Clip { conversion, clip, .. } => {
                    let (target, options) = (conversion.target, conversion.options(source));
                    export::write_files(target, &clip, &options, outputs, &mut progress)
                }
                Content::Bytes(bytes, report) => {
                    outputs.iter().try_for_each(|output| write_whole(output, &bytes))?;
                    Ok(report)
                }
            }
        };
        written().map_err(|error: ExportError| error.to_string())
    }

    /// Whether nothing that is read would be written over, now or when the folder is converted again.
    fn allow(
        &self,
        source: &Source,
        content: &Content<'_>,
        outputs: &[PathBuf],
    ) -> Result<(), String> {
        let (always, all) = &self.files;
        let mut inputs = (*always).clone();
        source.note_as(&mut inputs, "the recording");
        if let Content::Clip { conversion, sidecars, .. } = content {
            conversion.note_sidecars(sidecars, &mut inputs);
        }
        inputs.allow_all(outputs)?;
        all.allow_all(outputs)?;
        match outputs.iter().any(|output| self.is_among_recordings(output)) {
            true => Err("it would be among the recordings that are read; nothing written. Name \
                         another folder"
                .to_owned()),
            false => Ok(()),
        }
    }

    /// Whether a file at this path would be read when the folder is converted again.
    fn is_among_recordings(&self, output: &Path) -> bool {
        let real = real(output);
        let is_excepted =
            self.real_to.starts_with(&self.real_from) && real.starts_with(&self.real_to);
        real.starts_with(&self.real_from) && !is_excepted
    }

    /// Reads a file: messages, and its clip if it can be read.
    fn open<'c>(
        &self,
        conversion: &'c Conversion<'c>,
        path: &Path,
        source: &Source,
    ) -> Result<(Vec<String>, Option<Content<'c>>), Skipped> {
        let reader = self.reader;
        let seems = seems::of(path, reader.format);
        let file = reader.read_if_recognised(source);
        if is_part(source, &file, reader) {
            return Err(Skipped::Unrecognised);
        }
        if !self.has_choice(source, &file) {
            return Err(Skipped::WithoutChoice);
        }
        let input = recording(seems.open(reader, source, file))?;
        if matches!(input.result, Err(InputError::WrongUsage(_))) {
            return Err(Skipped::WithoutChoice);
        }
        let input = conversion.dressed(input);
        let lines = input.messages().iter().map(ToString::to_string).collect();
        let Input { result, sidecars, .. } = input;
        let clip = result.ok().map(Box::new);
        Ok((lines, clip.map(|clip| Content::Clip { conversion, clip, sidecars })))
    }

    /// Whether a file has the animation that was chosen, as far as its list of them tells. Libraries tell
    /// when they are opened.
    fn has_choice(&self, source: &Source, file: &io::Result<FileContent>) -> bool {
        let Some(name) = &self.args.animation.animation else { return true };
        if library::of_read(source, file, self.reader).is_some() {
            return true;
        }
        match self.reader.animations_of_read(source, file) {
            // An empty list may be that of a format without names: then opening it tells.
            Ok(animations) => {
                animations.is_empty() || animations.iter().any(|one| one.name == *name)
            }
            Err(_) => true,
        }
    }

    /// Reads a recording of Minecraft and rewrites it.
    fn rewritten(
        &self,
        rewriting: &Rewriting<'_>,
        path: &Path,
        source: &Source,
    ) -> Result<(Vec<String>, Option<Content<'static>>), Skipped> {
        let reader = self.reader;
        let file = reader.read_if_recognised(source);
        let is_foreign = file.as_ref().is_ok_and(|file| !rewriting.takes(source, file));
        if is_foreign {
            return Err(Skipped::OtherFormat);
        }
        if is_part(source, &file, reader) {
            return Err(Skipped::Unrecognised);
        }
        if seems::of(path, reader.format) == Seems::Unknown
            && let Ok(file) = &file
            && !formats::is_recognised(file.content().start(), reader.format)
        {
            return Err(Skipped::Unrecognised);
        }
        let (lines, rewritten) = rewriting.rewritten(source, file);
        Ok((lines, rewritten.map(|(bytes, report)| Content::Bytes(bytes, report))))
    }

    /// The output paths of the recording at `path`. Its own extension is kept, so that no two share a file;
    /// tables of one kind share a folder, so that each folder is one data set.
    fn outputs(&self, path: &Path) -> Vec<PathBuf> {
        let (extension, beside) = match self.how {
            How::Export(Conversion { target, .. }) => (target.extension, target.beside().collect()),
            How::Rewrite(_) => (EXTENSION, Vec::new()),
        };
        let mut name = OsString::from(path.strip_prefix(self.from).unwrap_or(path));
        name.push(".");
        name.push(extension);
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

    fn skipped(why: Skipped) -> Self {
        Self { skipped: Some(why), ..Self::default() }
    }
}

impl Tally {
    fn add(&mut self, done: &Done) {
        self.written += usize::from(done.written.is_some());
        self.failed += usize::from(done.is_failure);
        if let Some(why) = done.skipped {
            self.skipped[why as usize] += 1;
        }
    }

    fn text(&self, choice: &AnimationArgs) -> String {
        let without_choice = match choice {
            AnimationArgs { animation: Some(name), character: None, clip: None } => {
                format!("skipped (no animation {name:?})")
            }
            _ => "skipped (no such animation)".to_owned(),
        };
        let [unrecognised, without_animations, lacking, other] = self.skipped;
        let others = [
            (self.failed, "failed"),
            (unrecognised, "skipped (not recognised)"),
            (without_animations, "skipped (no animations)"),
            (lacking, without_choice.as_str()),
            (other, "skipped (no recordings of Minecraft)"),
        ];
        let mut text = format!("{} converted", counted(self.written, "recording"));
        for (count, what) in others.iter().filter(|(count, _)| *count > 0) {
            text += &format!(", {count} {what}");
        }
        text
    }
}

fn recording(opened: Opened) -> Result<Input, Skipped> {
    match opened {
        Opened::Recording(input) => Ok(*input),
        Opened::WithoutAnimations => Err(Skipped::WithoutAnimations),
        Opened::Unrecognised => Err(Skipped::Unrecognised),
    }
}

/// Whether it is a resource of a recording, extracted from an archive.
fn is_part(source: &Source, file: &io::Result<FileContent>, reader: &Reader) -> bool {
    matches!(library::of_read(source, file, reader), Some((_, FileKind::Part(_))))
}

/// Where a path leads to, through links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|ancestor| {
        let real = fs::canonicalize(ancestor).ok()?;
        Some(real.join(path.strip_prefix(ancestor).ok()?))
    });
    there.unwrap_or_else(|| path.to_owned())
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}
