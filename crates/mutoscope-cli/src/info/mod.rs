//! `info`: prints what a recording or an archive contains.

mod library;
mod object;
mod summary;

use std::io::{self, Write};

use super::{
    InfoArgs, Input, Message, Reader, Source, Status, failure_status, json, library as libraries,
    print_message, report_input,
};
use mutoscope_core::{
    clip::FormatId,
    formats::{
        NamedAnimation,
        prime::characters::{FileKind, Library},
    },
};

pub(super) fn run(args: &InfoArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let reader = &Reader { animation: args.animation.to_choice(), ..reader.clone() };
    let mut status = Status::Done;
    for source in &args.sources {
        status = status.worse(print_source(args, source, reader, out)?);
        // Flush, so that the messages about the next file appear after this output on a terminal.
        out.flush()?;
    }
    Ok(status)
}

fn print_source(
    args: &InfoArgs,
    source: &Source,
    reader: &Reader,
    out: &mut impl Write,
) -> io::Result<Status> {
    let file = reader.read(source);
    match libraries::library_content(source, &file, reader) {
        Some((bytes, kind @ (FileKind::Archive | FileKind::Characters)))
            if args.animation.is_empty() =>
        {
            let name = source.to_string();
            match libraries::read_library(source, bytes, kind) {
                Ok(library) => print_library(args, &name, &library, bytes, out),
                Err(error) => {
                    print_message(Message::from_error(&name, Some(FormatId::PRIME), &error));
                    Ok(Status::Failed)
                }
            }
        }
        _ => {
            // Ignore an error here, because opening the file reports it.
            let animations = match args.json {
                true => reader.list_animations_in(source, &file).unwrap_or_default(),
                false => Vec::new(),
            };
            print_recording(args, &reader.decode_content(source, file), &animations, out)
        }
    }
}

fn print_library(
    args: &InfoArgs,
    name: &str,
    library: &Library,
    bytes: &[u8],
    out: &mut impl Write,
) -> io::Result<Status> {
    library.diagnostics.iter().for_each(|diagnostic| {
        print_message(Message::from_diagnostic(name, FormatId::PRIME, diagnostic));
    });
    if args.json {
        library::print_json(name, library, bytes, out)?;
    } else {
        library::print_text(name, library, out)?;
    }
    Ok(Status::Done)
}

fn print_recording(
    args: &InfoArgs,
    input: &Input,
    animations: &[NamedAnimation],
    out: &mut impl Write,
) -> io::Result<Status> {
    let Some(clip) = report_input(input) else { return Ok(failure_status(input)) };
    if args.json {
        let character = input.character.as_deref();
        json::write_line(out, &object::ClipInfo::new(&input.name, clip, character, animations))?;
    } else {
        summary::print(&input.name, clip, out)?;
    }
    Ok(Status::Done)
}
