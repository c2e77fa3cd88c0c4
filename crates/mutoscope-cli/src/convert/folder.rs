//! Converts all recordings below a folder into files below another folder.

use crate::registry;
use mutoscope_core::read;
use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use super::{Conversion, WrittenFile};
use crate::{
    AnimationArgs, ConvertArgs, Input, Interrupt, Message, ReadError, ReadOptions, Source, Status,
    format_path, interrupt, json, library,
    parallel::{self, Outcome},
    print_message,
    progress::{Amount, Progress},
    recording_hint::{self, OpenedFile, RecordingHint},
    rewrite::Rewriter,
    walk::{Walk, WalkEntry},
};
use mutoscope_core::{
    clip::Clip,
    diagnostics::format_count,
    export::{self, ExportError, ExportOptions, InputFiles, Report, write_atomically},
    formats::prime::characters::FileKind,
    io::bytes::FileContent,
};
use mutoscope_minecraft::EXTENSION;

const MAIN_TABLE: &str = "poses";

#[derive(Clone, Copy)]
pub(crate) enum ConversionKind<'a> {
    /// A conversion to the format of another tool.
    Export(&'a Conversion<'a>),
    /// A conversion to the current version of the Minecraft format.
    Rewrite(&'a Rewriter<'a>),
}

pub(crate) fn run(
    args: &ConvertArgs,
    read_options: &ReadOptions,
    inputs: &InputFiles,
    kind: ConversionKind<'_>,
    out: &mut impl Write,
) -> io::Result<Status> {
    let name = args.output.to_string();
    let (Some(from), Some(to)) = (args.source.path(), args.output.path()) else {
        print_message(format_args!("error: {name}: expected an output folder for an input folder"));
        return Ok(Status::WrongUsage);
    };
    let created = fs::create_dir_all(to);
    let real = created.and_then(|()| Ok([fs::canonicalize(from)?, fs::canonicalize(to)?]));
    let [real_from, real_to] = match real {
        Ok(real) => real,
        Err(error) => {
            print_message(Message::for_file(&name, format!("cannot be written: {error}")));
            return Ok(Status::Failed);
        }
    };
    if real_from == real_to {
        print_message(format_args!(
            "error: {name}: the output folder is the input folder; nothing written. Name another \
             folder, such as one inside it"
        ));
        return Ok(Status::WrongUsage);
    }
    let conversion = FolderConversion {
        args,
        read_options,
        kind,
        from,
        to,
        real_from,
        real_to,
        common_inputs: inputs,
        folder_inputs: InputFiles::default(),
        write_lock: RwLock::new(()),
    };
    conversion.convert(out)
}

struct FolderConversion<'a> {
    args: &'a ConvertArgs,
    read_options: &'a ReadOptions,
    kind: ConversionKind<'a>,
    from: &'a Path,
    to: &'a Path,
    real_from: PathBuf,
    real_to: PathBuf,
    common_inputs: &'a InputFiles,
    folder_inputs: InputFiles,
    /// Keeps the program from ending while files are written. A thread holds the read lock while
    /// the thread writes a file. After an interruption, the main thread takes the write lock before
    /// it ends the program.
    write_lock: RwLock<()>,
}

#[derive(Default)]
struct FileResult {
    bytes: u64,
    lines: Vec<String>,
    /// The path of the output and its report. `None` if nothing was written.
    written: Option<(PathBuf, Report)>,
    is_failure: bool,
    skipped: Option<SkipReason>,
}

#[derive(Clone, Copy)]
enum SkipReason {
    Unrecognised,
    WithoutAnimations,
    /// The file does not have the chosen animation.
    WithoutChosenAnimation,
    /// The file is not a Minecraft recording, so it cannot be rewritten.
    OtherFormat,
}

#[derive(Default)]
struct Tally {
    written: usize,
    failed: usize,
    skipped: [usize; 4],
}

enum PendingOutput<'a> {
    Clip {
        conversion: &'a Conversion<'a>,
        clip: Box<Clip>,
        takes: Vec<Arc<Clip>>,
        sidecars: Vec<PathBuf>,
    },
    Bytes(Vec<u8>, Report),
}

impl FolderConversion<'_> {
    fn convert(mut self, out: &mut impl Write) -> io::Result<Status> {
        let interrupt = Interrupt::listen();
        let total = self.collect_files(&interrupt);
        let mut progress = Progress::begin("converted", total);
        let mut tally = Tally::default();
        let jobs = self.walk().take_while(|_| !interrupt.is_requested());
        let work = |entry| self.convert_entry(entry, &interrupt);
        parallel::run_in_order(jobs, work, &interrupt, |outcome| {
            let result = match outcome {
                Outcome::Result(result) => result,
                Outcome::Interrupted => {
                    // Wait for the threads that write files, so that each of them can notice the
                    // interruption and remove its partial file.
                    let _write_guard =
                        self.write_lock.write().unwrap_or_else(PoisonError::into_inner);
                    progress.finish();
                    out.flush()?;
                    self.print_stopped(&tally);
                    interrupt::exit_with_failure()
                }
            };
            progress.print_messages(&result.lines);
            tally.add(&result);
            if let Some((path, report)) = result.written.filter(|_| self.args.json) {
                let (name, source) = (format_path(&path), Source::File(path));
                json::write_line(
                    out,
                    &WrittenFile::for_output(&source, self.target_id(), &report, &name),
                )?;
            }
            progress.add_file(result.bytes);
            Ok(())
        })?;
        drop(progress);
        if interrupt.is_requested() {
            self.print_stopped(&tally);
            return Ok(Status::Failed);
        }
        Ok(self.print_summary(&tally))
    }

    fn print_stopped(&self, tally: &Tally) {
        let message = format!("stopped; {}", tally.summary_text(&self.args.animation));
        print_message(Message::for_file(&format_path(self.to), message));
    }

    fn print_summary(&self, tally: &Tally) -> Status {
        let name = format_path(self.to);
        print_message(format_args!("info: {name}: {}", tally.summary_text(&self.args.animation)));
        let without_chosen = tally.skipped[SkipReason::WithoutChosenAnimation as usize];
        if without_chosen > 0 && tally.written + tally.failed == 0 {
            print_message(format_args!(
                "error: {}: none of {} has the animation that --animation, --character or --clip names; nothing written. \
                 `mutoscope info --json` lists the animations of a file",
                format_path(self.from),
                format_count(without_chosen, "recording")
            ));
            return Status::WrongUsage;
        }
        Status::done_if(tally.failed == 0)
    }

    fn collect_files(&mut self, interrupt: &Interrupt) -> Amount {
        let mut total = Amount::default();
        for entry in self.walk().take_while(|_| !interrupt.is_requested()) {
            if let WalkEntry::File(path) = entry {
                total.add(file_size(&path));
                self.folder_inputs.add(&path, "a file of the folder");
            }
        }
        total
    }

    fn walk(&self) -> Walk {
        Walk::new(self.from).excluding(self.to)
    }

    fn target_id(&self) -> &'static str {
        match self.kind {
            ConversionKind::Export(conversion) => conversion.target.id,
            ConversionKind::Rewrite(_) => EXTENSION,
        }
    }

    fn convert_entry(&self, entry: WalkEntry, interrupt: &Interrupt) -> FileResult {
        match entry {
            WalkEntry::NotAFile => FileResult::skipped(SkipReason::Unrecognised),
            WalkEntry::Unreadable(path, error) => {
                FileResult::failed(&format_path(&path), format!("cannot be read: {error}"))
            }
            WalkEntry::File(path) => {
                let result = parallel::catch_panic(
                    || self.convert_file(&path, interrupt),
                    |message| FileResult::failed(&format_path(&path), message),
                );
                FileResult { bytes: file_size(&path), ..result }
            }
        }
    }

    fn convert_file(&self, path: &Path, interrupt: &Interrupt) -> FileResult {
        let source = Source::File(path.to_owned());
        let opened = match self.kind {
            ConversionKind::Export(conversion) => self.open_clip(conversion, path, &source),
            ConversionKind::Rewrite(rewriter) => self.rewrite_recording(rewriter, path, &source),
        };
        let (mut lines, content) = match opened {
            Ok(opened) => opened,
            Err(why) => return FileResult::skipped(why),
        };
        let Some(content) = content else {
            return FileResult { lines, is_failure: true, ..FileResult::default() };
        };
        let outputs = self.output_paths(path);
        let name = format_path(&outputs[0]);
        match self.write_output(&source, content, &outputs, interrupt) {
            Err(message) => {
                lines.extend(FileResult::failed(&name, message).lines);
                FileResult { lines, is_failure: true, ..FileResult::default() }
            }
            Ok(report) => {
                let remarks = report.remarks().iter();
                lines.extend(remarks.map(|remark| Message::from_remark(&name, remark).to_string()));
                let output = outputs.into_iter().next();
                FileResult {
                    lines,
                    written: output.map(|output| (output, report)),
                    ..FileResult::default()
                }
            }
        }
    }

    fn write_output(
        &self,
        source: &Source,
        content: PendingOutput<'_>,
        outputs: &[PathBuf],
        interrupt: &Interrupt,
    ) -> Result<Report, String> {
        self.check_outputs(source, &content, outputs)?;
        let _read_guard = self.write_lock.read().unwrap_or_else(PoisonError::into_inner);
        let mut folders = outputs.iter().filter_map(|output| output.parent());
        let write = || {
            folders.try_for_each(fs::create_dir_all)?;
            match content {
                PendingOutput::Clip { conversion, clip, takes, .. } => {
                    let target = conversion.target;
                    let options = ExportOptions { takes, ..conversion.export_options(source) };
                    export::write_files(target, &clip, &options, outputs, &mut interrupt.progress())
                }
                PendingOutput::Bytes(bytes, report) => {
                    outputs.iter().try_for_each(|output| write_atomically(output, &bytes))?;
                    Ok(report)
                }
            }
        };
        write().map_err(|error: ExportError| super::describe_export_error(&error))
    }

    /// Returns an error if an output would overwrite an input, now or when the folder is converted
    /// again.
    fn check_outputs(
        &self,
        source: &Source,
        content: &PendingOutput<'_>,
        outputs: &[PathBuf],
    ) -> Result<(), String> {
        let mut inputs = self.common_inputs.clone();
        source.add_to_inputs(&mut inputs, "the recording");
        if let PendingOutput::Clip { conversion, sidecars, .. } = content {
            conversion.add_sidecars(sidecars, &mut inputs);
        }
        let checked = inputs.check_outputs(outputs);
        checked
            .and_then(|()| self.folder_inputs.check_outputs(outputs))
            .map_err(|error| error.to_string())?;
        match outputs.iter().any(|output| self.is_among_recordings(output)) {
            true => {
                Err("the output would be among the recordings that are read; nothing written. \
                         Name another folder"
                    .to_owned())
            }
            false => Ok(()),
        }
    }

    fn is_among_recordings(&self, output: &Path) -> bool {
        let real = resolve_path(output);
        let is_excluded =
            self.real_to.starts_with(&self.real_from) && real.starts_with(&self.real_to);
        real.starts_with(&self.real_from) && !is_excluded
    }

    fn open_clip<'c>(
        &self,
        conversion: &'c Conversion<'c>,
        path: &Path,
        source: &Source,
    ) -> Result<(Vec<String>, Option<PendingOutput<'c>>), SkipReason> {
        let read_options = self.read_options;
        let hint = recording_hint::hint_for_path(path, read_options.format);
        let file = read::read_if_recognised(source, read_options);
        if is_archive_part(source, &file, read_options) {
            return Err(SkipReason::Unrecognised);
        }
        if !self.has_chosen_animation(source, &file) {
            return Err(SkipReason::WithoutChosenAnimation);
        }
        let input = into_recording(hint.open(read_options, source, file))?;
        if matches!(input.result, Err(ReadError::WrongUsage(_))) {
            return Err(SkipReason::WithoutChosenAnimation);
        }
        let input = conversion.with_player_skins(input);
        let mut lines: Vec<String> = input.messages().iter().map(ToString::to_string).collect();
        let Ok(read::Recording { clip, sidecars, .. }) = input.result else {
            return Ok((lines, None));
        };
        let output = match conversion.open_takes(source, &clip) {
            Ok(takes) => {
                Some(PendingOutput::Clip { conversion, clip: Box::new(clip), takes, sidecars })
            }
            Err(error) => {
                lines.push(Message::for_file(&source.to_string(), error).to_string());
                None
            }
        };
        Ok((lines, output))
    }

    /// Returns `false` if the file lists its animations and the chosen animation is not among them.
    /// Returns `true` for an archive, because opening the archive reports a missing animation.
    fn has_chosen_animation(&self, source: &Source, file: &io::Result<FileContent>) -> bool {
        let Some(name) = &self.args.animation.animation else { return true };
        if library::library_content(source, file, self.read_options).is_some() {
            return true;
        }
        match read::list_animations_in(source, file, self.read_options) {
            // The list is also empty if the format has no names for animations. In that case, try
            // to open the file.
            Ok(animations) => {
                animations.is_empty() || animations.iter().any(|animation| animation.name == *name)
            }
            Err(_) => true,
        }
    }

    fn rewrite_recording(
        &self,
        rewriter: &Rewriter<'_>,
        path: &Path,
        source: &Source,
    ) -> Result<(Vec<String>, Option<PendingOutput<'static>>), SkipReason> {
        let read_options = self.read_options;
        let file = read::read_if_recognised(source, read_options);
        let is_foreign = file.as_ref().is_ok_and(|file| !rewriter.accepts(source, file));
        if is_foreign {
            return Err(SkipReason::OtherFormat);
        }
        if is_archive_part(source, &file, read_options) {
            return Err(SkipReason::Unrecognised);
        }
        if recording_hint::hint_for_path(path, read_options.format) == RecordingHint::Unknown
            && let Ok(file) = &file
            && !registry().is_recognised(file.as_content().start(), read_options.format)
        {
            return Err(SkipReason::Unrecognised);
        }
        let (lines, rewritten) = rewriter.rewrite_content(source, file);
        Ok((lines, rewritten.map(|(bytes, report)| PendingOutput::Bytes(bytes, report))))
    }

    /// Returns the paths of the outputs for the recording at `path`.
    ///
    /// The output name keeps the extension of the recording, so that `a.bin` and `a.bvh` have
    /// different outputs. Tables of one kind share a folder, so that each folder is one data set.
    fn output_paths(&self, path: &Path) -> Vec<PathBuf> {
        let (extension, side_tables) = match self.kind {
            ConversionKind::Export(Conversion { target, .. }) => {
                (target.extension, target.side_table_names().collect())
            }
            ConversionKind::Rewrite(_) => (EXTENSION, Vec::new()),
        };
        let mut name = OsString::from(path.strip_prefix(self.from).unwrap_or(path));
        name.push(".");
        name.push(extension);
        match side_tables.is_empty() {
            true => vec![self.to.join(name)],
            false => {
                let tables = [MAIN_TABLE].into_iter().chain(side_tables);
                tables.map(|table| self.to.join(table).join(&name)).collect()
            }
        }
    }
}

impl FileResult {
    fn failed(name: &str, message: String) -> Self {
        let line = Message::for_file(name, message).to_string();
        Self { lines: vec![line], is_failure: true, ..Self::default() }
    }

    fn skipped(why: SkipReason) -> Self {
        Self { skipped: Some(why), ..Self::default() }
    }
}

impl Tally {
    fn add(&mut self, result: &FileResult) {
        self.written += usize::from(result.written.is_some());
        self.failed += usize::from(result.is_failure);
        if let Some(why) = result.skipped {
            self.skipped[why as usize] += 1;
        }
    }

    fn summary_text(&self, choice: &AnimationArgs) -> String {
        let without_chosen_text = match choice {
            AnimationArgs { animation: Some(name), character: None, clip: None } => {
                format!("skipped (no animation {name:?})")
            }
            _ => "skipped (no such animation)".to_owned(),
        };
        let [unrecognised, without_animations, without_chosen, other_format] = self.skipped;
        let others = [
            (self.failed, "failed"),
            (unrecognised, "skipped (not recognised)"),
            (without_animations, "skipped (no animations)"),
            (without_chosen, without_chosen_text.as_str()),
            (other_format, "skipped (not Minecraft recordings)"),
        ];
        let mut text = format!("{} converted", format_count(self.written, "recording"));
        for (count, what) in others.iter().filter(|(count, _)| *count > 0) {
            text += &format!(", {count} {what}");
        }
        text
    }
}

fn into_recording(opened: OpenedFile) -> Result<Input, SkipReason> {
    match opened {
        OpenedFile::Recording(input) => Ok(*input),
        OpenedFile::WithoutAnimations => Err(SkipReason::WithoutAnimations),
        OpenedFile::Unrecognised => Err(SkipReason::Unrecognised),
    }
}

fn is_archive_part(
    source: &Source,
    file: &io::Result<FileContent>,
    read_options: &ReadOptions,
) -> bool {
    matches!(library::library_content(source, file, read_options), Some((_, FileKind::Part(_))))
}

fn resolve_path(path: &Path) -> PathBuf {
    let resolved = path.ancestors().find_map(|ancestor| {
        let real = fs::canonicalize(ancestor).ok()?;
        Some(real.join(path.strip_prefix(ancestor).ok()?))
    });
    resolved.unwrap_or_else(|| path.to_owned())
}

fn file_size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}
