//! `info`: prints what a recording or an archive contains.

mod library;
mod object;
mod summary;

use mutoscope_core::read;
use std::io::{self, Write};

use super::{
    InfoArgs, Input, Message, ReadOptions, Source, Status, failure_status, json,
    library as libraries, print_message, report_input,
};
use mutoscope_core::{
    clip::FormatId,
    formats::{
        NamedAnimation,
        prime::characters::{FileKind, Library},
    },
};

pub(super) fn run(
    args: &InfoArgs,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let read_options =
        &ReadOptions { variants: args.animation.to_variants(), ..read_options.clone() };
    let mut status = Status::Done;
    for source in &args.sources {
        status = status.worse(print_source(args, source, read_options, out)?);
        // Flush, so that the messages about the next file appear after this output on a terminal.
        out.flush()?;
    }
    Ok(status)
}

fn print_source(
    args: &InfoArgs,
    source: &Source,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let file = read::read(source, read_options);
    match libraries::library_content(source, &file, read_options) {
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
                true => read::list_animations_in(source, &file, read_options).unwrap_or_default(),
                false => Vec::new(),
            };
            print_recording(
                args,
                &Input::open_content(source, file, read_options),
                &animations,
                out,
            )
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
        let character =
            input.result.as_ref().ok().and_then(|recording| recording.character.as_deref());
        json::write_line(out, &object::ClipInfo::new(&input.name, clip, character, animations))?;
    } else {
        summary::print(&input.name, clip, out)?;
    }
    Ok(Status::Done)
}
