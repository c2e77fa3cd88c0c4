//! `check`: lists the diagnostics of decoders and of the checks that run on every clip, each with
//! its location.

pub(crate) mod codes;
mod folder;
mod message_kinds;
mod sarif;

use mutoscope_core::read;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use folder::{FolderTally, SkipReason};
use message_kinds::MessageKinds;
use sarif::SarifLog;

use super::{
    CheckArgs, CheckFormat, Input, Message, ReadError, ReadOptions, Source, Status, format_path,
    json, library,
    recording_hint::{self, OpenedFile},
    walk::{Walk, WalkEntry},
};
use mutoscope_core::{
    clip::{Clip, FormatId},
    diagnostics::format_count,
    diagnostics::{Severity, SourceLocation, Topic},
    formats::prime::characters::FileKind,
    measure::checks::{ClipDiagnostic, unreported_diagnostics},
};

const MAX_PRINTED_PER_KIND: usize = 20;

pub(super) fn run(
    args: &CheckArgs,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let min_severity = if args.all { Severity::Info } else { Severity::Warning };
    let mut check = Check {
        format: if args.json { CheckFormat::Json } else { args.format },
        log: SarifLog::default(),
        min_severity,
        read_options,
        is_sound: true,
        folder: FolderTally::default(),
        out,
    };
    for source in &args.sources {
        match source.path() {
            Some(path) if path.is_dir() => {
                check.check_folder(path)?;
                let folder = std::mem::take(&mut check.folder);
                let path = source.to_string();
                for (format, message) in folder.describe_mixed_units() {
                    let format = Some(format);
                    let severity = Severity::Warning;
                    check.print(&Message {
                        format,
                        code: Some(codes::MIXED_UNITS.as_str().into()),
                        severity,
                        ..Message::for_file(&path, message)
                    })?;
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
    if check.format == CheckFormat::Sarif {
        check.log.write(&read_options.registry, check.out)?;
    }
    Ok(Status::done_if(check.is_sound))
}

struct Check<'a, W> {
    format: CheckFormat,
    log: SarifLog,
    min_severity: Severity,
    read_options: &'a ReadOptions,
    is_sound: bool,
    folder: FolderTally,
    out: &'a mut W,
}

impl<W: Write> Check<'_, W> {
    /// Checks everything below `folder`. Skips and counts the files of unknown formats. Checks
    /// files with the extension of a recording even if their content is not recognised.
    fn check_folder(&mut self, folder: &Path) -> io::Result<()> {
        for entry in Walk::new(folder) {
            match entry {
                WalkEntry::File(path) => self.check_file_in_folder(path)?,
                WalkEntry::NotAFile => self.folder.skip(SkipReason::NotAFile),
                WalkEntry::Unreadable(path, error) => {
                    self.print_unreadable(&format_path(&path), error)?
                }
            }
        }
        Ok(())
    }

    fn check_file_in_folder(&mut self, path: PathBuf) -> io::Result<()> {
        let hint = recording_hint::hint_for_path(&path, self.read_options.format);
        let source = Source::File(path);
        let file = read::read_if_recognised(&source, self.read_options);
        if let Some((bytes, kind)) = library::library_content(&source, &file, self.read_options) {
            self.folder.checked += 1;
            return self.check_library(&source, bytes, kind);
        }
        match hint.open(self.read_options, &source, file) {
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
        let (diagnostics, error) =
            match library::check_file(source, bytes, kind, self.read_options.given_skeleton()) {
                Ok(diagnostics) => (diagnostics, None),
                Err(failure) => (failure.diagnostics, Some(failure.error)),
            };
        self.is_sound &= error.is_none() && diagnostics.worst_severity() < Some(Severity::Error);
        let messages = diagnostics
            .iter()
            .map(|diagnostic| Message::from_diagnostic(&path, FormatId::PRIME, diagnostic));
        let error =
            error.iter().map(|error| Message::from_error(&path, Some(FormatId::PRIME), error));
        self.print_messages(messages.chain(error))
    }

    fn check_input(&mut self, input: &Input) -> io::Result<()> {
        self.is_sound &= input.is_sound();
        self.print_messages(input.messages())?;
        match input.clip() {
            Some(clip) => self.print_clip_diagnostics(&input.name, clip),
            None => Ok(()),
        }
    }

    fn print_messages<'m>(
        &mut self,
        messages: impl IntoIterator<Item = Message<'m>>,
    ) -> io::Result<()> {
        let mut kinds = MessageKinds::default();
        for message in messages {
            if message.severity >= self.min_severity
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

    fn print_clip_diagnostics(&mut self, path: &str, clip: &Clip) -> io::Result<()> {
        let mut diagnostics = unreported_diagnostics(clip);
        diagnostics.retain(|diagnostic| diagnostic.severity >= self.min_severity);
        for same_topic in diagnostics.chunk_by(|one, other| one.code == other.code) {
            for diagnostic in same_topic.iter().take(MAX_PRINTED_PER_KIND) {
                self.print(&Message::from_clip_diagnostic(path, clip.format, diagnostic))?;
            }
            if let Some(first_omitted) = same_topic.get(MAX_PRINTED_PER_KIND) {
                let message = describe_omitted(
                    same_topic.len() - MAX_PRINTED_PER_KIND,
                    first_omitted.topic(),
                );
                let summary = ClipDiagnostic {
                    location: SourceLocation::File,
                    time: None,
                    message,
                    ..first_omitted.clone()
                };
                self.print(&Message::from_clip_diagnostic(path, clip.format, &summary))?;
            }
        }
        Ok(())
    }

    fn print_unreadable(&mut self, path: &str, error: io::Error) -> io::Result<()> {
        self.is_sound = false;
        let error = ReadError::from(error);
        let code = Some("file/unreadable".into());
        self.print(&Message { code, ..Message::for_file(path, error.to_string()) })
    }

    fn print(&mut self, message: &Message) -> io::Result<()> {
        match (self.format, &message.code) {
            (CheckFormat::Text, None) => writeln!(self.out, "{message}"),
            (CheckFormat::Text, Some(code)) => writeln!(self.out, "{message} [{code}]"),
            (CheckFormat::Json, _) => json::write_line(self.out, message),
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
