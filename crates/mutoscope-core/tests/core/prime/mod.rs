//! Metroid Prime's animations and skeletons: against numbers that an independent reader in double
//! precision gave for the same files, against files that are broken, and against the rules.
//!
//! No file of the games is among them: all were made for the project.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken_characters;
mod characters;
mod golden;
mod keys;
mod layouts;
mod mutilated;
mod skeletons;
mod walk;

use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    formats::{self, DecodeRequest, FormatId},
    io::bytes::NoSidecars,
};
use mutoscope_testing::fixtures;

/// A file that was made for the project, without a skeleton.
fn clip(bytes: &[u8]) -> Clip {
    formats::decode(bytes, &DecodeRequest::default().format(FormatId::PRIME)).unwrap()
}

/// One of the fixtures on the skeleton of its game.
fn on_rig(name: &str) -> Clip {
    let rig = if name.contains("mp2") { "rig_mp2.CINF" } else { "rig_mp1.CINF" };
    on_this_rig(&fixtures::prime_file(name), &fixtures::prime_file(rig))
}

/// An animation on a skeleton.
fn on_this_rig(bytes: &[u8], rig: &[u8]) -> Clip {
    let rig = formats::decode_skeleton(rig, "rig", &NoSidecars).unwrap();
    formats::decode(bytes, &DecodeRequest::default().format(FormatId::PRIME).rig(&rig)).unwrap()
}

fn node(clip: &Clip, name: &str) -> NodeId {
    let is_it = |found: &(NodeId, &mutoscope_core::clip::Node)| found.1.name == name;
    clip.nodes.with_ids().find(is_it).unwrap_or_else(|| panic!("no node {name}")).0
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}
