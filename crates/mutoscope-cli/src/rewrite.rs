//! `convert` where a recording of Minecraft stays one: as the current mod writes them.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{
    ConvertArgs, Message, Reader, Source, Status,
    convert::{
        Written,
        folder::{self, How},
    },
    json, tell,
};
use mutoscope_core::{
    diagnostics::Notices,
    export::{InputFiles, Report, write_whole},
    formats::{self, extension_of},
    io::bytes::FileContent,
};
use mutoscope_minecraft::{
    EXTENSION, rewrite_mcmocap,
    scene::{EntityFilter, decode as decode_scene},
    write::Rewrite,
};

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
    inputs: InputFiles,
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
    if args.to.is_none() && args.source.path().is_some_and(Path::is_dir) {
        return wrong(&format!("{}: it is a folder; --to mcmocap_rec is needed", args.source));
    }
    if args.json && args.output == Source::Stdin {
        return wrong("--json and -o - would both go to standard output");
    }
    let how = Rewrite {
        frames: None,
        entities: filter.flatten(),
        kinds: args.entity_kinds.clone(),
        drops_numbers: args.drop_numeric_ids,
    };
    let rewriting = Rewriting { args, reader, how };
    if args.source.path().is_some_and(Path::is_dir) {
        return folder::run(args, reader, &inputs, How::Rewrite(&rewriting), out);
    }
    rewriting.run(inputs, out)
}

/// A rewrite as the arguments request it.
pub(super) struct Rewriting<'a> {
    args: &'a ConvertArgs,
    reader: &'a Reader,
    how: Rewrite,
}

impl Rewriting<'_> {
    /// Rewrites one recording.
    fn run(&self, mut inputs: InputFiles, out: &mut impl Write) -> io::Result<Status> {
        let args = self.args;
        let name = args.output.to_string();
        args.source.note_as(&mut inputs, "the recording");
        if let Err(message) = args.output.allow_as_output(&inputs) {
            tell(Message::about_file(&name, message));
            return Ok(Status::Failed);
        }
        let (messages, rewritten) = self.rewritten(&args.source, self.reader.read(&args.source));
        messages.iter().for_each(tell);
        let Some((bytes, report)) = rewritten else { return Ok(Status::Failed) };
        match args.output.path() {
            None => out.write_all(&bytes)?,
            Some(path) => {
                if let Err(error) = write_whole(path, &bytes).map_err(|error| error.to_string()) {
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

    /// Messages about a recording, which was read, a line each; and the recording rewritten, unless it
    /// cannot be.
    pub(super) fn rewritten(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> (Vec<String>, Option<(Vec<u8>, Report)>) {
        let name = source.to_string();
        let about = |message: String| Message::about_file(&name, message).to_string();
        let file = match file {
            Ok(file) => file,
            Err(error) => return (vec![about(format!("cannot be read: {error}"))], None),
        };
        // Of a file that is decoded piece by piece, which is of another format, the start is enough.
        let bytes = file.content().start();
        let mut notices = Notices::new();
        let (range, how) = (self.args.range.as_ref(), self.how.clone());
        let result = rewrite_mcmocap(bytes, range, how, &mut notices);
        let of_notice =
            |notice| Message::of_notice(&name, mutoscope_minecraft::FORMAT_ID, notice).to_string();
        let mut messages: Vec<_> = notices.iter().map(of_notice).collect();
        let rewritten = match result {
            // Of a large file that is not recognised, only the first bytes were read.
            Ok(_) if self.reader.format.is_none() && !is_minecraft(bytes) => {
                let message =
                    "not recognised as a recording of Minecraft; --as mcmocap reads it as one";
                messages.push(about(message.to_owned()));
                None
            }
            Ok(rewritten) => Some(rewritten),
            Err(_) if is_scene(bytes) => {
                let message = "it is a scene; convert one of its recordings instead";
                messages.push(about(message.to_owned()));
                None
            }
            Err(error) => {
                messages.push(about(error.to_string()));
                None
            }
        };
        (messages, rewritten)
    }

    /// Whether a file, which was read and is a recording, is one that is rewritten: of Minecraft, and no
    /// scene of several.
    pub(super) fn takes(&self, source: &Source, file: &FileContent) -> bool {
        let bytes = file.content().start();
        let name = source.file_name();
        let format = formats::find(bytes, extension_of(&name), self.reader.format);
        // A file that is broken from its start is reported.
        format.map_or(true, |format| format.id == mutoscope_minecraft::FORMAT_ID)
            && !is_scene(bytes)
    }
}

fn is_minecraft(bytes: &[u8]) -> bool {
    formats::is_recognised(bytes, Some(mutoscope_minecraft::FORMAT_ID))
}

fn is_scene(bytes: &[u8]) -> bool {
    decode_scene(bytes, &mut Notices::new()).is_ok()
}
