//! Integration tests of Minecraft Motion Capture recordings and scenes.
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

use mutoscope_core::{ReadOptions, clip::Clip, decode};
use mutoscope_minecraft::{Recording, Scene};

fn clip(bytes: &[u8]) -> Clip {
    decode(bytes, &options().with_format(mutoscope_minecraft::FORMAT_ID)).unwrap()
}

fn recording(clip: &Clip) -> &Recording {
    &scene(clip).takes[0].recording
}

fn scene(clip: &Clip) -> &Scene {
    clip.procedural_as().unwrap()
}

fn options() -> ReadOptions {
    ReadOptions::default().with_formats(mutoscope_minecraft::formats())
}
