//! Motion recordings: bytes become a clip, a clip sampled at a time becomes a pose.
//!
//! ```text
//! bytes ─▶ formats::<name>: decode ─▶ document ─▶ convert ─▶ clip ─▶ sample(time) ─▶ pose
//! ```
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | [`diagnostics`] | errors and notices, each with its place in the file |
//! | [`io`] | files, bounds-checked reading, long work that yields |
//! | [`clip`] | nodes, tracks, curves, conventions, poses |
//! | [`rig`] | skeletons from other files |
//! | [`retarget`] | the motion of one body on another |
//! | [`formats`] | the registry of formats, recognition, one folder a format |
//! | [`read`] | from wherever a recording is to a clip |
//! | [`playback`] | the clock and the commands that steer it |
//! | [`measure`] | checks, comparison, analysis, trails, timelines, listings |
//! | [`export`] | the registry of targets, and clips as files of other tools |
//!
//! ```
//! use mutoscope_core::{clip::Pose, formats::{self, DecodeRequest}};
//!
//! let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
//! let clip = formats::decode(bytes, &DecodeRequest::default())?;
//! let mut pose = Pose::default();
//! clip.sample(1.25, &mut pose);
//! let wrist = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
//! assert!(pose.nodes[wrist].world.translation.x < 0.0, "the left hand is on the left");
//! # Ok::<(), formats::Failure>(())
//! ```

pub mod clip;
pub mod diagnostics;
pub mod export;
pub mod formats;
pub mod io;
pub mod measure;
pub mod playback;
pub mod read;
mod registry;
pub mod retarget;
pub mod rig;
