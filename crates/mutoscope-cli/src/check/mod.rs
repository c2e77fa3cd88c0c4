//! `check`: lists the diagnostics of decoders and checks, each with its location, or prints a verdict
//! on each file.

pub(crate) mod codes;
mod folder;
mod message_kinds;
mod sarif;
mod verdict;

pub use verdict::read_profile;

use mutoscope_core::read;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use folder::{FolderTally, SkipReason};
use message_kinds::MessageKinds;
use sarif::SarifLog;

use super::{
    CheckArgs, CheckFormat, Input, Interrupt, Message, ReadError, ReadOptions, Source, Status,
    format_path, json, library,
    parallel::{self, Outcome},
    print_message,
    recording_hint::{self, OpenedFile},
    walk::{Walk, WalkEntry},
};
use mutoscope_core::{
    clip::{Clip, FormatId},
    diagnostics::format_count,
    diagnostics::{Code, Severity, SourceLocation, Topic},
    formats::prime::characters::FileKind,
    measure::checks::ClipDiagnostic,
};
use mutoscope_study::verdict::{CheckedClip, Profile};

const MAX_PRINTED_PER_KIND: usize = 20;

pub(super) fn run(
    args: &CheckArgs,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let min_severity = if args.all { Severity::Info } else { Severity::Warning };
    let format = if args.json { CheckFormat::Json } else { args.format };
    let profile = match read_profile(&args.profile, &read_options.registry) {
        Ok(_) if args.verdict && format == CheckFormat::Sarif => {
            Err("--verdict has no format sarif; pass --format json".to_owned())
        }
        profile => profile,
    };
    let profile = match profile {
        Ok(profile) => profile,
        Err(message) => {
            print_message(format_args!("error: {message}"));
            return Ok(Status::WrongUsage);
        }
    };
    let settings = Settings {
        format,
        min_severity,
        profile: &profile,
        verdict: args.verdict.then_some(VerdictOptions { is_strict: args.strict }),
        read_options,
    };
    let mut check = Check::new(settings, out);
    for source in &args.sources {
        match source.path() {
            Some(path) if path.is_dir() => {
                check.check_folder(path)?;
                let folder = std::mem::take(&mut check.folder);
                let path = source.to_string();
                let code = codes::MIXED_UNITS.as_str();
                let severity = profile.severity(code, Severity::Warning);
                for (format, message) in folder.describe_mixed_units() {
                    let Some(severity) = severity else { continue };
                    let message = Message {
                        format: Some(format),
                        code: Some(code.into()),
                        severity,
                        ..Message::for_file(&path, message)
                    };
                    match settings.verdict {
                        Some(_) => print_message(message),
                        None => check.print_messages([message])?,
                    }
                }
                folder.print(&path);
            }
            _ => {
                let file = read::read(source, read_options);
                match library::library_content(source, &file, read_options) {
                    Some((bytes, kind)) => check.check_library(source, bytes, kind)?,
                    None => check.check_input(&Input::open_content(source, file, read_options))?,
                }
            }
        }
    }
    if format == CheckFormat::Sarif {
        check.log.write(&read_options.registry, check.out)?;
    }
    Ok(Status::done_if(check.is_sound))
}

#[derive(Clone, Copy)]
struct Settings<'a> {
    format: CheckFormat,
    min_severity: Severity,
    profile: &'a Profile,
    /// `None` to list problems instead.
    verdict: Option<VerdictOptions>,
    read_options: &'a ReadOptions,
}

struct Check<'a, W> {
    settings: Settings<'a>,
    log: SarifLog,
    is_sound: bool,
    folder: FolderTally,
    out: W,
}

#[derive(Clone, Copy, Debug)]
struct VerdictOptions {
    /// `true` if a verdict of review counts as a failure.
    is_strict: bool,
}

/// A checked file.
struct CheckedFile<'a> {
    path: &'a str,
    format: Option<FormatId>,
    /// The messages of the decoder and, for a verdict, those of the checks.
    messages: Vec<Message<'a>>,
    /// `false` if nothing of the file could be read.
    is_readable: bool,
    not_applicable: &'a [Code],
}

impl<'a, W: Write> Check<'a, W> {
    fn new(settings: Settings<'a>, out: W) -> Self {
        let (log, folder) = (SarifLog::default(), FolderTally::default());
        Self { settings, log, is_sound: true, folder, out }
    }

    /// Checks everything below `folder` on all cores. Skips and counts the files of unknown formats.
    /// Checks files with the extension of a recording even if their content is not recognised.
    fn check_folder(&mut self, folder: &Path) -> io::Result<()> {
        let settings = self.settings;
        let work = |entry| {
            let mut check = Check::new(settings, Vec::new());
            check.check_entry(entry)?;
            Ok::<_, io::Error>(check)
        };
        // A signal ends the program at once, because a check writes no files.
        let never = Interrupt::default();
        parallel::run_in_order(Walk::new(folder), work, &never, |outcome| match outcome {
            Outcome::Result(check) => self.append(check?),
            Outcome::Interrupted => Ok(()),
        })
    }

    /// Adds what another check has found and printed.
    fn append(&mut self, other: Check<'_, Vec<u8>>) -> io::Result<()> {
        self.log.append(other.log);
        self.folder.append(other.folder);
        self.is_sound &= other.is_sound;
        self.out.write_all(&other.out)
    }

    fn check_entry(&mut self, entry: WalkEntry) -> io::Result<()> {
        match entry {
            WalkEntry::File(path) => {
                let name = format_path(&path);
                let mut panicked = None;
                let checked = parallel::catch_panic(
                    || self.check_file_in_folder(path),
                    |message| {
                        panicked = Some(message);
                        Ok(())
                    },
                );
                match panicked {
                    Some(message) => self.print_unreadable(&name, io::Error::other(message)),
                    None => checked,
                }
            }
            WalkEntry::NotAFile => {
                self.folder.skip(SkipReason::NotAFile);
                Ok(())
            }
            WalkEntry::Unreadable(path, error) => self.print_unreadable(&format_path(&path), error),
        }
    }

    fn check_file_in_folder(&mut self, path: PathBuf) -> io::Result<()> {
        let read_options = self.settings.read_options;
        let hint = recording_hint::hint_for_path(&path, read_options.format);
        let source = Source::File(path);
        let file = read::read_if_recognised(&source, read_options);
        if let Some((bytes, kind)) = library::library_content(&source, &file, read_options) {
            self.folder.checked += 1;
            return self.check_library(&source, bytes, kind);
        }
        match hint.open(read_options, &source, file) {
            OpenedFile::Recording(input) => {
                self.folder.checked += 1;
                if let Some(clip) = input.clip() {
                    self.folder.record_unit(&input.name, clip);
                }
                return self.check_input(&input);
            }
            OpenedFile::WithoutAnimations => self.folder.skip(SkipReason::WithoutAnimations),
            OpenedFile::Unrecognised => self.folder.skip(SkipReason::Unrecognised),
        }
        Ok(())
    }

    fn check_library(&mut self, source: &Source, bytes: &[u8], kind: FileKind) -> io::Result<()> {
        let path = source.to_string();
        let (diagnostics, error) = match library::check_file(
            source,
            bytes,
            kind,
            self.settings.read_options.given_skeleton(),
        ) {
            Ok(diagnostics) => (diagnostics, None),
            Err(failure) => (failure.diagnostics, Some(failure.error)),
        };
        let messages = diagnostics
            .iter()
            .map(|diagnostic| Message::from_diagnostic(&path, FormatId::PRIME, diagnostic));
        let is_readable = error.is_none();
        let error =
            error.iter().map(|error| Message::from_error(&path, Some(FormatId::PRIME), error));
        let messages = self.settings.profile.apply(messages.chain(error));
        let format = Some(FormatId::PRIME);
        self.print_file(CheckedFile {
            path: &path,
            format,
            messages,
            is_readable,
            not_applicable: &[],
        })
    }

    fn check_input(&mut self, input: &Input) -> io::Result<()> {
        let path = input.name.as_str();
        let mut messages = self.settings.profile.apply(input.messages());
        let Some(clip) = input.clip() else {
            let format = match &input.result {
                Err(ReadError::Undecodable(failure)) => failure.format,
                _ => None,
            };
            let (is_readable, not_applicable) = (false, &[][..]);
            return self.print_file(CheckedFile {
                path,
                format,
                messages,
                is_readable,
                not_applicable,
            });
        };
        let CheckedClip { diagnostics, not_applicable, .. } = match self.settings.verdict {
            Some(_) => self.settings.profile.check_for_verdict(clip),
            None => self.settings.profile.check(clip),
        };
        if self.settings.verdict.is_some() {
            let of_checks = diagnostics.iter();
            messages.extend(of_checks.map(|one| Message::from_clip_diagnostic(path, clip, one)));
        }
        self.print_file(CheckedFile {
            path,
            format: Some(clip.format),
            messages,
            is_readable: true,
            not_applicable: &not_applicable,
        })?;
        if self.settings.verdict.is_some() {
            return Ok(());
        }
        let is_error = |diagnostic: &ClipDiagnostic| diagnostic.severity == Severity::Error;
        self.is_sound &= !diagnostics.iter().any(is_error);
        self.print_clip_diagnostics(path, clip, diagnostics)
    }

    /// Prints the verdict on a file, or its messages.
    fn print_file(&mut self, file: CheckedFile<'_>) -> io::Result<()> {
        if let Some(options) = self.settings.verdict {
            return self.print_verdict(options, &file);
        }
        let is_error = |message: &Message<'_>| message.severity == Severity::Error;
        self.is_sound &= file.is_readable && !file.messages.iter().any(is_error);
        self.print_messages(file.messages)
    }

    fn print_messages<'m>(
        &mut self,
        messages: impl IntoIterator<Item = Message<'m>>,
    ) -> io::Result<()> {
        let mut kinds = MessageKinds::default();
        for message in messages {
            if message.severity >= self.settings.min_severity
                && let Some(message) = kinds.count_message(message, MAX_PRINTED_PER_KIND)
            {
                self.print(&message)?;
            }
        }
        for (count, first) in kinds.into_omitted(MAX_PRINTED_PER_KIND) {
            let message = format!("{}, first: {}", describe_omitted(count, None), first.message);
            self.print(&Message { message, ..first })?;
        }
        Ok(())
    }

    fn print_clip_diagnostics(
        &mut self,
        path: &str,
        clip: &Clip,
        mut diagnostics: Vec<ClipDiagnostic>,
    ) -> io::Result<()> {
        diagnostics.retain(|diagnostic| diagnostic.severity >= self.settings.min_severity);
        for same_topic in diagnostics.chunk_by(|one, other| one.code == other.code) {
            for diagnostic in same_topic.iter().take(MAX_PRINTED_PER_KIND) {
                self.print(&Message::from_clip_diagnostic(path, clip, diagnostic))?;
            }
            if let Some(first_omitted) = same_topic.get(MAX_PRINTED_PER_KIND) {
                let message = describe_omitted(
                    same_topic.len() - MAX_PRINTED_PER_KIND,
                    first_omitted.topic(),
                );
                let summary = ClipDiagnostic {
                    location: SourceLocation::File,
                    time: None,
                    end: None,
                    measure: None,
                    message,
                    ..first_omitted.clone()
                };
                self.print(&Message::from_clip_diagnostic(path, clip, &summary))?;
            }
        }
        Ok(())
    }

    fn print_unreadable(&mut self, path: &str, error: io::Error) -> io::Result<()> {
        let error = ReadError::from(error);
        let code = Some("file/unreadable".into());
        let message = Message { code, ..Message::for_file(path, error.to_string()) };
        let messages = self.settings.profile.apply([message]);
        self.print_file(CheckedFile {
            path,
            format: None,
            messages,
            is_readable: false,
            not_applicable: &[],
        })
    }

    fn print(&mut self, message: &Message) -> io::Result<()> {
        match (self.settings.format, &message.code) {
            (CheckFormat::Text, None) => writeln!(self.out, "{message}"),
            (CheckFormat::Text, Some(code)) => writeln!(self.out, "{message} [{code}]"),
            (CheckFormat::Json, _) => json::write_line(&mut self.out, message),
            (CheckFormat::Sarif, _) => {
                self.log.add(message);
                Ok(())
            }
        }
    }
}

fn describe_omitted(count: usize, topic: Option<Topic>) -> String {
    let topic = topic.map_or("of the same kind", Topic::name).to_lowercase();
    let issues = format_count(count, "more issue");
    format!("{issues} ({topic}); the viewer lists them all")
}
