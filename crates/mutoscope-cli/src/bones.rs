//! `bones`: the bones by which a character does what a recording does, as a file to edit.

use std::io::{self, Write};

use mutoscope_core::{
    read::Retarget,
    retarget::{Retargeting, bone_map},
};

use super::{BonesArgs, Message, Reader, Reading, Status, failure, report, tell};

pub(super) fn run(
    args: &BonesArgs,
    reader: &Reader,
    reading: &Reading,
    out: &mut impl Write,
) -> io::Result<Status> {
    let mut reader = Reader { animation: args.animation.choice(), ..reader.clone() };
    if reader.rig.is_none() {
        tell(Message::about_file(
            &args.source.to_string(),
            "of which character? --rig FILE".to_owned(),
        ));
        return Ok(Status::WrongUsage);
    }
    if reader.retarget == Retarget::Off {
        if reading.retarget.is_some() {
            tell("error: --retarget off maps no bones: expected auto or MAP.json");
            return Ok(Status::WrongUsage);
        }
        reader.retarget = Retarget::Auto;
    }
    let input = reader.open(&args.source);
    let Some(clip) = report(&input) else { return Ok(failure(&input)) };
    let Some(retargeting) = clip.procedural_as::<Retargeting>() else {
        return Ok(Status::Failed);
    };
    writeln!(out, "{}", bone_map(retargeting, &clip.nodes).to_json())?;
    Ok(Status::Done)
}
