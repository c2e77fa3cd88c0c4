//! `bones`: prints the bone map from a recording to a character, as a file to edit.

use std::io::{self, Write};

use mutoscope_core::{
    formats::Fit,
    read::Input,
    retarget::{Retargeting, bone_map},
};

use super::{
    BonesArgs, Message, ReadArgs, ReadOptions, Status, failure_status, print_message, report_input,
};

pub(super) fn run(
    args: &BonesArgs,
    read_options: &ReadOptions,
    read_args: &ReadArgs,
    out: &mut impl Write,
) -> io::Result<Status> {
    let mut read_options =
        ReadOptions { variants: args.animation.to_variants(), ..read_options.clone() };
    if read_options.given_skeleton().is_none() {
        print_message(Message::for_file(
            &args.source.to_string(),
            "the bone map needs a character. Pass --rig FILE".to_owned(),
        ));
        return Ok(Status::WrongUsage);
    }
    if read_options.fit == Fit::ByName {
        if read_args.retarget.is_some() {
            print_message("error: --retarget off maps no bones. Pass auto or MAP.json");
            return Ok(Status::WrongUsage);
        }
        read_options.fit = Fit::ByBones;
    }
    let input = Input::open(&args.source, &read_options);
    let Some(clip) = report_input(&input) else { return Ok(failure_status(&input)) };
    let Some(retargeting) = clip.procedural_as::<Retargeting>() else {
        return Ok(Status::Failed);
    };
    writeln!(out, "{}", bone_map(retargeting, &clip.nodes).to_json())?;
    Ok(Status::Done)
}
