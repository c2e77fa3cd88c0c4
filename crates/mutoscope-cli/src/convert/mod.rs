//! `convert`: writes a recording as a file for other tools, or converts all recordings below a
//! folder.

mod animations;
pub(super) mod folder;
mod full;
mod page;

use crate::targets;
use std::{
    ffi::OsStr,
    fmt::Display,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use folder::ConversionKind;
use serde::Serialize;

use super::{
    ConvertArgs, Input, Interrupt, Message, ReadArgs, ReadOptions, Source, Status, failure_status,
    json, print_message, report_input, rewrite, target_options::SettingsError,
};
use mutoscope_core::{
    clip::Clip,
    diagnostics::Code,
    export::{
        self, ExportError, ExportOptions, ExportTarget, InPlace, InputFiles, OverwriteError,
        Remark, Report, TargetSettings,
    },
    formats::SkeletonSource,
    read::{self, ReadError},
};
use mutoscope_minecraft::{EXTENSION, PlayerSkins};

pub(super) fn run(
    args: &ConvertArgs,
    read_options: &ReadOptions,
    read_args: &ReadArgs,
    skins: &PlayerSkins,
    out: &mut impl Write,
) -> io::Result<Status> {
    let inputs = read_args.input_files();
    let page_options = [("--against", !args.against.is_empty()), ("--full", args.full.is_some())];
    let page_option = page_options.into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = page_option.filter(|_| rewrite::is_requested(args)) {
        print_message(format_args!("error: {option} is for html, not for {EXTENSION}"));
        return Ok(Status::WrongUsage);
    }
    if rewrite::is_requested(args) {
        return rewrite::run(args, read_options, inputs, out);
    }
    if let Some(option) = rewrite::first_rewrite_option(args) {
        print_message(format_args!(
            "error: {option} is for Minecraft recordings written as mcmocap_rec"
        ));
        return Ok(Status::WrongUsage);
    }
    let target = select_target(args, read_args).and_then(|target| apply_exact(args, target));
    let target = match target {
        Ok(target) => target,
        Err(message) => {
            print_message(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let settings = match args.target_options.settings(target, read_args) {
        Ok(settings) => settings,
        Err(SettingsError::WrongUsage(message)) => {
            print_message(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
        Err(SettingsError::Unreadable(name, message)) => {
            print_message(Message::for_file(&name, message));
            return Ok(Status::Failed);
        }
    };
    let mut read_options = ReadOptions {
        variants: args.animation.to_variants(),
        with_model: true,
        ..read_options.clone()
    };
    // If the target takes the skeleton, the recording is attached to it only for retargeting, and to
    // find its root motion.
    if target.skeleton_option().is_some() && read_args.retarget.is_none() {
        match args.motion_options().in_place {
            InPlace::Keep => read_options.skeleton = SkeletonSource::Own,
            InPlace::Remove | InPlace::Root => read_options.skips_unsupported_skeleton = true,
        }
    }
    let read_options = &read_options;
    let output = &args.output;
    let conversion = Conversion {
        args,
        output,
        settings: &settings,
        target,
        read_options,
        skins,
        inputs: &inputs,
    };
    if let Some(dist) = &args.full {
        return full::run(&conversion, read_args, dist.as_deref(), out);
    }
    if !args.against.is_empty() {
        return page::run(&conversion, out);
    }
    if args.source.path().is_some_and(Path::is_dir) {
        return folder::run(args, read_options, &inputs, ConversionKind::Export(&conversion), out);
    }
    let names = animations::names_to_write(&conversion);
    if !names.is_empty() {
        return animations::run(&conversion, &names, out);
    }
    conversion.run(out)
}

pub(super) struct Conversion<'a> {
    args: &'a ConvertArgs,
    output: &'a Source,
    settings: &'a TargetSettings,
    target: &'static ExportTarget,
    read_options: &'a ReadOptions,
    skins: &'a PlayerSkins,
    inputs: &'a InputFiles,
}

impl Conversion<'_> {
    fn recordings(&self) -> impl Iterator<Item = &Source> {
        [&self.args.source].into_iter().chain(&self.args.against)
    }

    fn run(&self, out: &mut impl Write) -> io::Result<Status> {
        let Self { args, target, .. } = self;
        let mut inputs = self.inputs.clone();
        args.source.add_to_inputs(&mut inputs, "the recording");
        if let Err(message) = self.check_outputs(&inputs) {
            return self.print_refusal(message);
        }
        let input = self.open(&args.source);
        self.add_sidecars(input.sidecars(), &mut inputs);
        if let Err(message) = self.check_outputs(&inputs) {
            return self.print_refusal(message);
        }
        let Some(clip) = report_input(&input) else { return Ok(failure_status(&input)) };
        let takes = match self.open_takes(&args.source, clip) {
            Ok(takes) => takes,
            Err(error) => {
                print_message(Message::for_file(&args.source.to_string(), error));
                return Ok(Status::Failed);
            }
        };
        let options = ExportOptions { takes, ..self.export_options(&args.source) };
        let written = write_clip(target, clip, &options, self.output, out);
        self.print_result(written, out)
    }

    fn check_outputs(&self, inputs: &InputFiles) -> Result<(), OverwriteError> {
        match self.output.path() {
            Some(path) => inputs.check_outputs(&self.target.output_paths(path)),
            None => self.output.check_output(inputs),
        }
    }

    fn print_refusal(&self, message: impl Display) -> io::Result<Status> {
        print_message(Message::for_file(&self.output.to_string(), message));
        Ok(Status::Failed)
    }

    fn print_result(
        &self,
        written: Result<Report, ExportError>,
        out: &mut impl Write,
    ) -> io::Result<Status> {
        let Self { args, output, target, .. } = self;
        let name = output.to_string();
        match written {
            Ok(report) => {
                report
                    .remarks()
                    .iter()
                    .for_each(|remark| print_message(Message::from_remark(&name, remark)));
                if args.json {
                    json::write_line(
                        out,
                        &WrittenFile::for_output(output, target.id, &report, &name),
                    )?;
                }
                Ok(Status::Done)
            }
            // Return an error of standard output to the caller. If the reader has closed the pipe,
            // the caller ends the program quietly.
            Err(ExportError::Unwritable(error)) if **output == Source::Stdin => Err(error),
            Err(error) => self.print_refusal(describe_export_error(&error)),
        }
    }

    fn open(&self, source: &Source) -> Input {
        self.with_player_skins(Input::open(source, self.read_options))
    }

    /// Opens the animations besides `clip`, if the target writes them into one file.
    fn open_takes(&self, source: &Source, clip: &Clip) -> Result<Vec<Arc<Clip>>, ReadError> {
        match self.target.wants_takes(self.settings) {
            true => read::open_other_animations(source, self.read_options, clip),
            false => Ok(Vec::new()),
        }
    }

    fn with_player_skins(&self, mut input: Input) -> Input {
        if let Ok(recording) = &mut input.result
            && !self.skins.is_empty()
        {
            self.skins.apply_to(&mut recording.clip);
        }
        input
    }

    fn add_sidecars(&self, sidecars: &[PathBuf], inputs: &mut InputFiles) {
        let sidecars = sidecars.iter().map(|path| (path, "a file of the recording"));
        let of_skeleton = self
            .read_options
            .given_skeleton()
            .into_iter()
            .flat_map(|rig| &rig.sidecars)
            .map(|path| (path, "a file of the skeleton"));
        sidecars.chain(of_skeleton).for_each(|(path, what)| inputs.add(path, what));
    }

    fn export_options(&self, source: &Source) -> ExportOptions {
        let Self { args, .. } = self;
        ExportOptions {
            title: default_title(source),
            range: args.range.clone(),
            rate: args.fps,
            motion: args.motion_options(),
            settings: self.settings.clone(),
            ..ExportOptions::default()
        }
    }
}

fn select_target(
    args: &ConvertArgs,
    read_args: &ReadArgs,
) -> Result<&'static ExportTarget, String> {
    let ids = || {
        let motion = targets().motion_targets().map(|target| target.id);
        motion.chain([EXTENSION]).collect::<Vec<_>>().join(", ")
    };
    if args.json && args.output == Source::Stdin {
        return Err("--json and -o - would both go to standard output".to_owned());
    }
    if let Some(id) = &args.to {
        return targets().target(id).ok_or_else(|| format!("--to: expected one of {}", ids()));
    }
    if args.source.path().is_some_and(Path::is_dir) {
        return Err(format!(
            "{}: a folder needs a target. Pass --to with one of {}",
            args.source,
            ids()
        ));
    }
    let Some(path) = args.output.path() else {
        return Err(format!("standard output needs a target. Pass --to with one of {}", ids()));
    };
    let rig = read_args.rig.as_ref().and_then(Source::path).and_then(Path::extension);
    match targets().target_for_output(path, rig.and_then(OsStr::to_str)) {
        Some(target) if target.video_format().is_some() => Err(format!(
            "{}: convert cannot write {}. Use `mutoscope render`",
            args.output, target.name
        )),
        Some(target) => Ok(target),
        None if path.extension().is_none() => Err(format!(
            "{}: the file name has no extension. Pass --to with one of {}",
            args.output,
            ids()
        )),
        None => Err(format!(
            "{}: the extension selects no target. Pass --to with one of {}",
            args.output,
            ids()
        )),
    }
}

fn apply_exact(
    args: &ConvertArgs,
    target: &'static ExportTarget,
) -> Result<&'static ExportTarget, String> {
    let exact = || targets().target(&format!("{}-exact", target.id));
    match args.exact && !target.id.ends_with("-exact") {
        true => exact().ok_or_else(|| format!("--exact is for html, not for {}", target.id)),
        false => Ok(target),
    }
}

fn default_title(source: &Source) -> String {
    let stem = source.path().and_then(Path::file_stem);
    stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Returns the message of `error`, with its code in brackets if it has one.
fn describe_export_error(error: &ExportError) -> String {
    match error.code() {
        Some(code) => format!("{error} [{code}]"),
        None => error.to_string(),
    }
}

fn write_clip(
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    output: &Source,
    out: &mut impl Write,
) -> Result<Report, ExportError> {
    let mut progress = Interrupt::listen().progress();
    match output.path() {
        None => target.write(clip, options, out, &mut progress),
        Some(path) => export::write_file(target, clip, options, path, &mut progress),
    }
}

#[derive(Serialize)]
pub(super) struct WrittenFile<'a> {
    path: &'a str,
    target: &'static str,
    bytes: Option<u64>,
    report: Vec<RemarkJson<'a>>,
}

#[derive(Serialize)]
struct RemarkJson<'a> {
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    message: &'a str,
}

impl<'a> WrittenFile<'a> {
    fn for_output(
        output: &Source,
        target: &'static str,
        report: &'a Report,
        path: &'a str,
    ) -> Self {
        let metadata = output.path().and_then(|path| fs::metadata(path).ok());
        Self::new(path, target, metadata.map(|metadata| metadata.len()), report)
    }

    pub(super) fn new(
        path: &'a str,
        target: &'static str,
        bytes: Option<u64>,
        report: &'a Report,
    ) -> Self {
        let to_json = |remark: &'a Remark| RemarkJson {
            severity: remark.severity.as_str(),
            code: remark.code.map(Code::as_str),
            message: &remark.message,
        };
        let report = report.remarks().iter().map(to_json).collect();
        Self { path, target, bytes, report }
    }
}
