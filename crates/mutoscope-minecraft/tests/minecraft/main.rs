//! Minecraft Motion Capture recordings.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod as_character;
mod broken;
mod conditions;
mod edits;
mod expected;
mod mutilated;
mod on_characters;
mod played;
mod rules;
mod sample;
mod scenes;
mod written;

use mutoscope_core::{
    clip::Clip,
    formats::{self},
};
use mutoscope_minecraft::{Recording, Scene};

/// The clip that these bytes make.
fn clip(bytes: &[u8]) -> Clip {
    formats::decode(
        bytes,
        &formats::DecodeRequest::default().format(mutoscope_minecraft::FORMAT_ID),
    )
    .unwrap()
}

/// The recording that a clip was made of.
fn recording(clip: &Clip) -> &Recording {
    &scene(clip).takes[0].recording
}

/// The scene that a clip plays.
fn scene(clip: &Clip) -> &Scene {
    clip.procedural_as().unwrap()
}

/// Before any test: formats and targets of other crates.
#[ctor::ctor]
fn register() {
    mutoscope_minecraft::register();
}
