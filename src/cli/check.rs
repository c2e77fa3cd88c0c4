//! `check`: every problem with its place.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use super::{CheckArgs, Input, InputError, Message, Reader, Source, Status, json};
use crate::diagnostics::Severity;

pub(super) fn run(args: &CheckArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let mut check = Check { json: args.json, reader, is_sound: true, out };
    for source in &args.sources {
        match source.path() {
            Some(path) if path.is_dir() => check.folder(path)?,
            _ => check.input(&reader.open(source))?,
        }
    }
    Ok(Status::done_if(check.is_sound))
}

struct Check<'a, W> {
    json: bool,
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
                let input = self.reader.open_if_recognised(&Source::File(path));
                input.map_or(Ok(()), |input| self.input(&input))?;
            }
        }
        Ok(())
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        self.is_sound &= input.is_sound();
        let problems = input.messages().into_iter();
        problems
            .filter(|message| message.severity >= Severity::Warning)
            .try_for_each(|message| self.print(&message))
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
