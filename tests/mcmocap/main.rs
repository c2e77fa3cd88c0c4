//! Minecraft Motion Capture recordings.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken;
mod expected;
mod mutilated;
mod rules;
mod sample;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod support;

use mutoscope::{
    clip::Clip,
    formats::{self, FormatId, mcmocap::Recording},
};

/// The clip that these bytes make.
fn clip(bytes: &[u8]) -> Clip {
    formats::decode(bytes, None, Some(FormatId::Mcmocap)).unwrap()
}

/// What a clip was made of.
fn recording(clip: &Clip) -> &Recording {
    clip.driver_as().unwrap()
}
