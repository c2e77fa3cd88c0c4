//! Decodes motion recordings into clips, samples clips into poses, and measures, retargets and
//! exports them.
//!
//! ```text
//! bytes ─▶ formats::<name>: decode ─▶ document ─▶ convert ─▶ clip ─▶ sample(time) ─▶ pose
//! ```
//!
//! # Modules
//! | module | contents |
//! |---|---|
//! | [`diagnostics`] | errors and diagnostics, each with its location in the file |
//! | [`io`] | files, bounds-checked reading, cancellable long work |
//! | [`clip`] | nodes, tracks, curves, conventions and poses |
//! | [`skeleton_file`] | skeletons from other files |
//! | [`retarget`] | transfer of motion from one body to another |
//! | [`formats`] | the registry of formats, format detection, and one folder per format |
//! | [`read`] | loading a recording from a path, a stream or memory |
//! | [`playback`] | the playback clock and its commands |
//! | [`measure`] | checks, comparison and analysis |
//! | [`export`] | the registry of export targets, and writers for the files of other tools |
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
pub mod skeleton_file;
