//! `bones`: prints the bone map from a recording to a character, as a file to edit.

use std::io::{self, Write};

use mutoscope_core::{
    read::Retarget,
    retarget::{Retargeting, bone_map},
};

use super::{
    BonesArgs, Message, Reader, Reading, Status, failure_status, print_message, report_input,
};

pub(super) fn run(
    args: &BonesArgs,
    reader: &Reader,
    reading: &Reading,
    out: &mut impl Write,
) -> io::Result<Status> {
    let mut reader = Reader { animation: args.animation.to_choice(), ..reader.clone() };
    if reader.rig.is_none() {
        print_message(Message::for_file(
            &args.source.to_string(),
            "the bone map needs a character. Pass --rig FILE".to_owned(),
        ));
        return Ok(Status::WrongUsage);
    }
    if reader.retarget == Retarget::Off {
        if reading.retarget.is_some() {
            print_message("error: --retarget off maps no bones. Pass auto or MAP.json");
            return Ok(Status::WrongUsage);
        }
        reader.retarget = Retarget::Auto;
    }
    let input = reader.open(&args.source);
    let Some(clip) = report_input(&input) else { return Ok(failure_status(&input)) };
    let Some(retargeting) = clip.procedural_as::<Retargeting>() else {
        return Ok(Status::Failed);
    };
    writeln!(out, "{}", bone_map(retargeting, &clip.nodes).to_json())?;
    Ok(Status::Done)
}
