//! `convert` for Minecraft recordings that keep their format: rewrites them as the current version
//! of the mod writes them.

use crate::registry;
use mutoscope_core::read;
use std::{
    io::{self, Write},
    path::Path,
};

use super::{
    ConvertArgs, Message, ReadOptions, Source, Status,
    convert::{
        WrittenFile,
        folder::{self, ConversionKind},
    },
    json, print_message,
};
use mutoscope_core::{
    diagnostics::Diagnostics,
    export::{InputFiles, MotionOptions, Report, write_atomically},
    formats::extension_of,
    io::bytes::FileContent,
};
use mutoscope_minecraft::{
    EXTENSION, rewrite_mcmocap,
    scene::{EntityFilter, decode as decode_scene},
    write::RewriteOptions,
};

pub(super) fn is_requested(args: &ConvertArgs) -> bool {
    let path = args.output.path();
    let extension = path.and_then(Path::extension).map(|it| it.to_string_lossy().into_owned());
    let target = args.to.clone().or(extension);
    target.is_some_and(|target| target.eq_ignore_ascii_case(EXTENSION))
}

pub(super) fn first_rewrite_option(args: &ConvertArgs) -> Option<&'static str> {
    let given = [
        ("--entities", args.entities.is_some()),
        ("--entity-kind", !args.entity_kinds.is_empty()),
        ("--drop-numeric-ids", args.drop_numeric_ids),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}

pub(super) fn run(
    args: &ConvertArgs,
    read_options: &ReadOptions,
    inputs: InputFiles,
    out: &mut impl Write,
) -> io::Result<Status> {
    let wrong = |message: &str| {
        print_message(format_args!("error: {message}"));
        Ok(Status::WrongUsage)
    };
    let filter = args.entities.as_deref().map(EntityFilter::parse);
    if filter == Some(None) {
        return wrong("--entities: expected a filter such as @mobs;-minecraft:cow");
    }
    if read_options.format.is_some_and(|format| format != mutoscope_minecraft::FORMAT_ID) {
        return wrong("--as: only Minecraft recordings can be written as mcmocap_rec");
    }
    if read_options.given_skeleton().is_some() {
        return wrong("--rig: Minecraft recordings do not use a skeleton");
    }
    if args.fps.is_some() {
        return wrong("--fps: Minecraft recordings always have 20 ticks a second");
    }
    if args.motion_options() != MotionOptions::default() {
        return wrong(
            "--in-place, --up, --forward, --rest, --scale and --speed: Minecraft recordings are \
             rewritten without changing the motion",
        );
    }
    if !args.animation.is_empty() {
        return wrong(
            "--animation, --character and --clip: Minecraft recordings have a single animation",
        );
    }
    if read_options.assumptions.for_format(mutoscope_minecraft::FORMAT_ID).rotation.is_some() {
        return wrong("--rotation: Minecraft recordings are rewritten without interpolation");
    }
    if args.to.is_none() && args.source.path().is_some_and(Path::is_dir) {
        return wrong(&format!("{}: a folder needs a target. Pass --to mcmocap_rec", args.source));
    }
    if args.json && args.output == Source::Stdin {
        return wrong("--json and -o - would both go to standard output");
    }
    let options = RewriteOptions {
        frames: None,
        entities: filter.flatten(),
        kinds: args.entity_kinds.clone(),
        drops_numeric_ids: args.drop_numeric_ids,
    };
    let rewriter = Rewriter { args, read_options, options };
    if args.source.path().is_some_and(Path::is_dir) {
        return folder::run(args, read_options, &inputs, ConversionKind::Rewrite(&rewriter), out);
    }
    rewriter.run(inputs, out)
}

pub(super) struct Rewriter<'a> {
    args: &'a ConvertArgs,
    read_options: &'a ReadOptions,
    options: RewriteOptions,
}

impl Rewriter<'_> {
    fn run(&self, mut inputs: InputFiles, out: &mut impl Write) -> io::Result<Status> {
        let args = self.args;
        let name = args.output.to_string();
        args.source.add_to_inputs(&mut inputs, "the recording");
        if let Err(message) = args.output.check_output(&inputs) {
            print_message(Message::for_file(&name, message));
            return Ok(Status::Failed);
        }
        let (messages, rewritten) =
            self.rewrite_content(&args.source, read::read(&args.source, self.read_options));
        messages.iter().for_each(print_message);
        let Some((bytes, report)) = rewritten else { return Ok(Status::Failed) };
        match args.output.path() {
            None => out.write_all(&bytes)?,
            Some(path) => {
                if let Err(error) =
                    write_atomically(path, &bytes).map_err(|error| error.to_string())
                {
                    print_message(Message::for_file(&name, error));
                    return Ok(Status::Failed);
                }
            }
        }
        report
            .remarks()
            .iter()
            .for_each(|remark| print_message(Message::from_remark(&name, remark)));
        if args.json {
            let length = Some(bytes.len() as u64);
            json::write_line(out, &WrittenFile::new(&name, EXTENSION, length, &report))?;
        }
        Ok(Status::Done)
    }

    pub(super) fn rewrite_content(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> (Vec<String>, Option<(Vec<u8>, Report)>) {
        let name = source.to_string();
        let file_message = |message: String| Message::for_file(&name, message).to_string();
        let file = match file {
            Ok(file) => file,
            Err(error) => return (vec![file_message(format!("cannot be read: {error}"))], None),
        };
        // If a file is decoded in pieces, it is not a Minecraft recording. Its start is enough to
        // report that.
        let bytes = file.as_content().start();
        let mut diagnostics = Diagnostics::new();
        let (range, options) = (self.args.range.as_ref(), self.options.clone());
        let result = rewrite_mcmocap(bytes, range, options, &mut diagnostics);
        let to_message = |diagnostic| {
            Message::from_diagnostic(&name, mutoscope_minecraft::FORMAT_ID, diagnostic).to_string()
        };
        let mut messages: Vec<_> = diagnostics.iter().map(to_message).collect();
        let rewritten = match result {
            // Do not write the result, because only the first bytes of a large unrecognised file
            // are read. The rewritten recording would be incomplete.
            Ok(_) if self.read_options.format.is_none() && !is_minecraft(bytes) => {
                let message =
                    "not recognised as a Minecraft recording. Pass --as mcmocap to read it as one";
                messages.push(file_message(message.to_owned()));
                None
            }
            Ok(rewritten) => Some(rewritten),
            Err(_) if is_scene(bytes) => {
                let message =
                    "a scene of several recordings. Convert one of its recordings instead";
                messages.push(file_message(message.to_owned()));
                None
            }
            Err(error) => {
                messages.push(file_message(error.to_string()));
                None
            }
        };
        (messages, rewritten)
    }

    pub(super) fn accepts(&self, source: &Source, file: &FileContent) -> bool {
        let bytes = file.as_content().start();
        let name = source.file_name();
        let format = registry().find_format(bytes, extension_of(&name), self.read_options.format);
        // Accept a file of unknown format, because it may be a broken recording whose error must be
        // reported.
        format.map_or(true, |format| format.id == mutoscope_minecraft::FORMAT_ID)
            && !is_scene(bytes)
    }
}

fn is_minecraft(bytes: &[u8]) -> bool {
    registry().is_recognised(bytes, Some(mutoscope_minecraft::FORMAT_ID))
}

fn is_scene(bytes: &[u8]) -> bool {
    decode_scene(bytes, &mut Diagnostics::new()).is_ok()
}
