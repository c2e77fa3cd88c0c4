//! `convert` where a recording of Minecraft stays one: as the current mod writes them.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{ConvertArgs, Message, Reader, Source, Status, convert::Written, json, tell};
use mutoscope_core::{
    diagnostics::Notices,
    export::{ExportError, InputFiles, write_whole},
    formats::{self, FormatId},
};
use mutoscope_minecraft::{EXTENSION, rewrite_mcmocap, scene::EntityFilter, write::Rewrite};

/// Whether that is requested.
pub(super) fn is_wanted(args: &ConvertArgs) -> bool {
    let path = args.output.path();
    let extension = path.and_then(Path::extension).map(|it| it.to_string_lossy().into_owned());
    let word = args.to.clone().or(extension);
    word.is_some_and(|word| word.eq_ignore_ascii_case(EXTENSION))
}

/// The first given option that applies to nothing else.
pub(super) fn option_of_it(args: &ConvertArgs) -> Option<&'static str> {
    let given = [
        ("--entities", args.entities.is_some()),
        ("--entity-kind", !args.entity_kinds.is_empty()),
        ("--drop-numeric-ids", args.drop_numeric_ids),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}

pub(super) fn run(
    args: &ConvertArgs,
    reader: &Reader,
    mut inputs: InputFiles,
    out: &mut impl Write,
) -> io::Result<Status> {
    let wrong = |message: &str| {
        tell(format_args!("error: {message}"));
        Ok(Status::WrongUsage)
    };
    let filter = args.entities.as_deref().map(EntityFilter::parse);
    if filter == Some(None) {
        return wrong("--entities: expected a filter such as @mobs;-minecraft:cow");
    }
    if reader.format.is_some_and(|format| format != mutoscope_minecraft::FORMAT_ID) {
        return wrong("--as: only a recording of Minecraft is written as mcmocap_rec");
    }
    if reader.rig.is_some() {
        return wrong("--rig: a recording of Minecraft takes no skeleton");
    }
    if args.fps.is_some() {
        return wrong("--fps: a recording of Minecraft has 20 ticks a second");
    }
    if !args.animation.is_empty() {
        return wrong(
            "--animation, --character and --clip: a recording of Minecraft has none to choose from",
        );
    }
    if reader.assumptions.of(mutoscope_minecraft::FORMAT_ID).rotation.is_some() {
        return wrong("--rotation: a recording of Minecraft is written as it was recorded");
    }
    if args.json && args.output == Source::Stdin {
        return wrong("--json and -o - would both go to standard output");
    }
    let name = args.output.to_string();
    args.source.note_as(&mut inputs, "the recording");
    if let Err(message) = args.output.allow_as_output(&inputs) {
        tell(Message::about_file(&name, message));
        return Ok(Status::Failed);
    }
    let how = Rewrite {
        frames: None,
        entities: filter.flatten(),
        kinds: args.entity_kinds.clone(),
        drops_numbers: args.drop_numeric_ids,
    };
    let Some((bytes, report)) = rewritten(args, reader, how) else { return Ok(Status::Failed) };
    match args.output.path() {
        None => out.write_all(&bytes)?,
        Some(path) => {
            if let Err(error) = write_whole(path, &bytes).map_err(text) {
                tell(Message::about_file(&name, error));
                return Ok(Status::Failed);
            }
        }
    }
    report.remarks().iter().for_each(|remark| tell(Message::of_remark(&name, remark)));
    if args.json {
        let length = Some(bytes.len() as u64);
        json::line(out, &Written::new(&name, EXTENSION, length, &report))?;
    }
    Ok(Status::Done)
}

fn text(error: ExportError) -> String {
    error.to_string()
}

/// The recording rewritten; nothing, and why, if it cannot be.
fn rewritten(
    args: &ConvertArgs,
    reader: &Reader,
    how: Rewrite,
) -> Option<(Vec<u8>, mutoscope_core::export::Report)> {
    let name = args.source.to_string();
    let unreadable = |error: io::Error| {
        tell(Message::about_file(&name, format!("cannot be read: {error}")));
    };
    let file = reader.read(&args.source).map_err(unreadable).ok()?;
    // Of a file that is decoded piece by piece, which is of another format, the start is enough.
    let bytes = file.content().start();
    let mut notices = Notices::new();
    let result = rewrite_mcmocap(bytes, args.range.as_ref(), how, &mut notices);
    for notice in notices.iter() {
        tell(Message::of_notice(&name, mutoscope_minecraft::FORMAT_ID, notice));
    }
    let failed = |error: mutoscope_core::diagnostics::Error| {
        let message = match mutoscope_minecraft::scene::decode(bytes, &mut Notices::new()) {
            Ok(_) => "it is a scene, which names recordings: give one of those".to_owned(),
            Err(_) => error.to_string(),
        };
        tell(Message::about_file(&name, message));
    };
    let (bytes_written, report) = result.map_err(failed).ok()?;
    // Of something large that is not recognised no more than its first bytes were read.
    if reader.format.is_none()
        && !formats::is_recognised(bytes, Some(mutoscope_minecraft::FORMAT_ID))
    {
        let message = "not recognised as a recording of Minecraft; --as mcmocap reads it as one";
        tell(Message::about_file(&name, message.to_owned()));
        return None;
    }
    Some((bytes_written, report))
}
