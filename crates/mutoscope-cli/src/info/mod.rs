//! `info`: what is inside.

mod library;
mod object;
mod summary;

use std::io::{self, Write};

use super::{
    InfoArgs, Input, Message, Reader, Source, Status, failure, json, library as libraries, report,
    tell,
};
use mutoscope_core::{
    clip::FormatId,
    formats::{
        NamedAnimation,
        prime::characters::{FileKind, Library},
    },
};

pub(super) fn run(args: &InfoArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let reader = &Reader { animation: args.animation.choice(), ..reader.clone() };
    let mut status = Status::Done;
    for source in &args.sources {
        status = status.worse(one(args, source, reader, out)?);
        // Keeps the order on a terminal, where the next file's messages follow.
        out.flush()?;
    }
    Ok(status)
}

fn one(
    args: &InfoArgs,
    source: &Source,
    reader: &Reader,
    out: &mut impl Write,
) -> io::Result<Status> {
    let file = reader.read(source);
    match libraries::of_read(source, &file, reader) {
        Some((bytes, kind @ (FileKind::Archive | FileKind::Characters)))
            if args.animation.is_empty() =>
        {
            let name = source.to_string();
            match libraries::library(source, bytes, kind) {
                Ok(library) => listed(args, &name, &library, bytes, out),
                Err(error) => {
                    tell(Message::of_error(&name, Some(FormatId::PRIME), &error));
                    Ok(Status::Failed)
                }
            }
        }
        _ => {
            // A file that cannot be read is reported when it is opened.
            let animations = match args.json {
                true => reader.animations_of_read(source, &file).unwrap_or_default(),
                false => Vec::new(),
            };
            recording(args, &reader.open_read(source, file), &animations, out)
        }
    }
}

/// Tells what an archive or a set of characters holds.
fn listed(
    args: &InfoArgs,
    name: &str,
    library: &Library,
    bytes: &[u8],
    out: &mut impl Write,
) -> io::Result<Status> {
    library.notices.iter().for_each(|one| tell(Message::of_notice(name, FormatId::PRIME, one)));
    if args.json {
        library::print_json(name, library, bytes, out)?;
    } else {
        library::print(name, library, out)?;
    }
    Ok(Status::Done)
}

/// Tells what is in a recording.
fn recording(
    args: &InfoArgs,
    input: &Input,
    animations: &[NamedAnimation],
    out: &mut impl Write,
) -> io::Result<Status> {
    let Some(clip) = report(input) else { return Ok(failure(input)) };
    if args.json {
        let character = input.character.as_deref();
        json::line(out, &object::Info::new(&input.name, clip, character, animations))?;
    } else {
        summary::print(&input.name, clip, out)?;
    }
    Ok(Status::Done)
}
