//! `check`: every problem with its place: what decoding brought up, and what the checks of every clip
//! find.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use super::{CheckArgs, Input, InputError, Message, Reader, Source, Status, json, library};
use crate::{
    checks::{Finding, unsaid_findings},
    clip::{Clip, FormatId},
    diagnostics::{Place, Severity, Topic},
    formats::prime::characters::FileKind,
};

/// So many findings about one topic in one file are told in full.
const TOLD: usize = 20;

pub(super) fn run(args: &CheckArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let least = if args.all { Severity::Info } else { Severity::Warning };
    let mut check = Check { json: args.json, least, reader, is_sound: true, out };
    for source in &args.sources {
        match source.path() {
            Some(path) if path.is_dir() => check.folder(path)?,
            _ => {
                let (bytes, kind) = library::read(source, reader);
                match (&bytes, kind) {
                    (Ok(bytes), Some(kind)) => check.game_file(source, bytes, kind)?,
                    _ => check.input(&reader.open_read(source, bytes))?,
                }
            }
        }
    }
    Ok(Status::done_if(check.is_sound))
}

struct Check<'a, W> {
    json: bool,
    /// What is less severe is not told.
    least: Severity,
    reader: &'a Reader,
    is_sound: bool,
    out: &'a mut W,
}

impl<W: Write> Check<'_, W> {
    /// Everything below `folder`, in the order of names. Files of no known format are none of our
    /// business; neither are folders that are only linked to, which may lead in circles.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut entries =
            match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
                Ok(entries) => entries,
                Err(error) => return self.unreadable(&folder.display().to_string(), error),
            };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.folder(&path)?;
            } else if path.is_file() {
                self.file_of_folder(&Source::File(path))?;
            }
        }
        Ok(())
    }

    fn file_of_folder(&mut self, source: &Source) -> io::Result<()> {
        let (bytes, kind) = library::read(source, self.reader);
        if let (Ok(bytes), Some(kind)) = (&bytes, kind) {
            return self.game_file(source, bytes, kind);
        }
        let input = self.reader.open_read_if_recognised(source, bytes);
        input.map_or(Ok(()), |input| self.input(&input))
    }

    /// An archive of Metroid Prime, or a file that was in one.
    fn game_file(&mut self, source: &Source, bytes: &[u8], kind: FileKind) -> io::Result<()> {
        let path = source.to_string();
        let (notices, error) = match library::check(source, bytes, kind, self.reader.rig.as_ref()) {
            Ok(notices) => (notices, None),
            Err(failure) => (failure.notices, Some(failure.error)),
        };
        self.is_sound &= error.is_none() && notices.worst() < Some(Severity::Error);
        let least = self.least;
        for notice in notices.iter().filter(|notice| notice.severity >= least) {
            self.print(&Message::of_notice(&path, FormatId::PRIME, notice))?;
        }
        let error = error.map(|error| Message::of_error(&path, Some(FormatId::PRIME), &error));
        error.map_or(Ok(()), |message| self.print(&message))
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        self.is_sound &= input.is_sound();
        for message in input.messages() {
            if message.severity >= self.least {
                self.print(&message)?;
            }
        }
        match &input.result {
            Ok(clip) => self.findings(&input.name, clip),
            Err(_) => Ok(()),
        }
    }

    /// What the checks of every clip find, topic by topic.
    fn findings(&mut self, path: &str, clip: &Clip) -> io::Result<()> {
        let mut findings = unsaid_findings(clip);
        findings.retain(|finding| finding.severity >= self.least);
        for about in findings.chunk_by(|one, other| one.topic == other.topic) {
            for finding in about.iter().take(TOLD) {
                self.print(&Message::of_finding(path, clip.format, finding))?;
            }
            if let Some(first_untold) = about.get(TOLD) {
                let message = more(about.len() - TOLD, first_untold.topic);
                let rest =
                    Finding { place: Place::File, time: None, message, ..first_untold.clone() };
                self.print(&Message::of_finding(path, clip.format, &rest))?;
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

/// Says that there is more of the same; the viewer shows where.
fn more(count: usize, topic: Option<Topic>) -> String {
    let topic = topic.map_or("of the same kind", Topic::name).to_lowercase();
    format!("{count} more findings ({topic}); the viewer lists them")
}
