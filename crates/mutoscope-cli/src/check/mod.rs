//! `check`: every problem with its place: the notices of the decoder, and the issues of the
//! checks of every clip.

mod folder;
mod kinds;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use folder::{Folder, Skipped};
use kinds::Kinds;

use super::{
    CheckArgs, Input, InputError, Message, Reader, Source, Status, json, library, path_text,
    seems::{self, Opened},
    walk::{Found, Walk},
};
use mutoscope_core::{
    clip::{Clip, FormatId},
    diagnostics::{Severity, SourceLocation, Topic},
    export::counted,
    formats::prime::characters::FileKind,
    measure::checks::{Issue, unreported_issues},
};

/// At most this many issues about one topic in one file are printed in full.
const TOLD: usize = 20;

pub(super) fn run(args: &CheckArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let least = if args.all { Severity::Info } else { Severity::Warning };
    let mut check =
        Check { json: args.json, least, reader, is_sound: true, folder: Folder::default(), out };
    for source in &args.sources {
        match source.path() {
            Some(path) if path.is_dir() => {
                check.folder(path)?;
                std::mem::take(&mut check.folder).report(&source.to_string());
            }
            _ => {
                let file = reader.read(source);
                match library::of_read(source, &file, reader) {
                    Some((bytes, kind)) => check.game_file(source, bytes, kind)?,
                    None => check.input(&reader.open_read(source, file))?,
                }
            }
        }
    }
    Ok(Status::done_if(check.is_sound))
}

struct Check<'a, W> {
    json: bool,
    /// Less severe ones are not printed.
    least: Severity,
    reader: &'a Reader,
    is_sound: bool,
    folder: Folder,
    out: &'a mut W,
}

impl<W: Write> Check<'_, W> {
    /// Everything below `folder`. Files of no known format are skipped, and counted; those with the
    /// extension of recordings are checked whatever their content.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        for found in Walk::of(folder) {
            match found {
                Found::File(path) => self.file_in_folder(path)?,
                Found::NoFile => self.folder.skip(Skipped::NoFile),
                Found::Unreadable(path, error) => self.unreadable(&path_text(&path), error)?,
            }
        }
        Ok(())
    }

    fn file_in_folder(&mut self, path: PathBuf) -> io::Result<()> {
        let seems = seems::of(&path, self.reader.format);
        let source = Source::File(path);
        let file = self.reader.read_if_recognised(&source);
        if let Some((bytes, kind)) = library::of_read(&source, &file, self.reader) {
            self.folder.checked += 1;
            return self.game_file(&source, bytes, kind);
        }
        match seems.open(self.reader, &source, file) {
            Opened::Recording(input) => {
                self.folder.checked += 1;
                return self.input(&input);
            }
            Opened::WithoutAnimations => self.folder.skip(Skipped::WithoutAnimations),
            Opened::Unrecognised => self.folder.skip(Skipped::Unrecognised),
        }
        Ok(())
    }

    /// An archive of Metroid Prime, or a file that was in one.
    fn game_file(&mut self, source: &Source, bytes: &[u8], kind: FileKind) -> io::Result<()> {
        let path = source.to_string();
        let (notices, error) = match library::check(source, bytes, kind, self.reader.rig.as_ref()) {
            Ok(notices) => (notices, None),
            Err(failure) => (failure.notices, Some(failure.error)),
        };
        self.is_sound &= error.is_none() && notices.worst() < Some(Severity::Error);
        let notices = notices.iter().map(|one| Message::of_notice(&path, FormatId::PRIME, one));
        let error =
            error.iter().map(|error| Message::of_error(&path, Some(FormatId::PRIME), error));
        self.messages(notices.chain(error))
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        self.is_sound &= input.is_sound();
        self.messages(input.messages())?;
        match &input.result {
            Ok(clip) => self.issues(&input.name, clip),
            Err(_) => Ok(()),
        }
    }

    /// The messages of one file: the first of each kind, and how many more there are.
    fn messages<'m>(&mut self, all: impl IntoIterator<Item = Message<'m>>) -> io::Result<()> {
        let mut kinds = Kinds::default();
        for message in all {
            if message.severity >= self.least
                && let Some(message) = kinds.tell(message, TOLD)
            {
                self.print(&message)?;
            }
        }
        for (count, first) in kinds.untold(TOLD) {
            let message = format!("{}, first: {}", more(count, None), first.message);
            self.print(&Message { message, ..first })?;
        }
        Ok(())
    }

    /// The issues of the checks of every clip, topic by topic.
    fn issues(&mut self, path: &str, clip: &Clip) -> io::Result<()> {
        let mut issues = unreported_issues(clip);
        issues.retain(|issue| issue.severity >= self.least);
        for about in issues.chunk_by(|one, other| one.topic == other.topic) {
            for issue in about.iter().take(TOLD) {
                self.print(&Message::of_issue(path, clip.format, issue))?;
            }
            if let Some(first_untold) = about.get(TOLD) {
                let message = more(about.len() - TOLD, first_untold.topic);
                let rest = Issue {
                    place: SourceLocation::File,
                    time: None,
                    message,
                    ..first_untold.clone()
                };
                self.print(&Message::of_issue(path, clip.format, &rest))?;
            }
        }
        Ok(())
    }

    fn unreadable(&mut self, path: &str, error: io::Error) -> io::Result<()> {
        self.is_sound = false;
        let error = InputError::from(error);
        self.print(&Message::about_file(path, error.to_string()))
    }

    fn print(&mut self, message: &Message) -> io::Result<()> {
        if self.json { json::line(self.out, message) } else { writeln!(self.out, "{message}") }
    }
}

/// Reports that there is more of the same; the viewer shows where.
fn more(count: usize, topic: Option<Topic>) -> String {
    let topic = topic.map_or("of the same kind", Topic::name).to_lowercase();
    let issues = counted(count, "more issue");
    format!("{issues} ({topic}); the viewer lists them all")
}
