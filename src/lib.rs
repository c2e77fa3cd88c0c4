//! Mutoscope plays motion recordings in 3D: open a file, see it move, drag the time, understand
//! it, take it elsewhere.
//!
//! # How data flows
//! Bytes become a document (what the file says), a document becomes a [`Clip`](clip::Clip) (what
//! moves, when, by which curve), a clip sampled at a time becomes a [`Pose`](clip::Pose), and the
//! pose drives what is seen and what the command line prints. Nothing on the right of this line
//! is known on its left:
//!
//! ```text
//! bytes ─▶ formats::<name>: decode ─▶ document ─▶ convert ─▶ clip ─▶ sample(time) ─▶ pose ─▶ stage, command line
//! ```
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | [`diagnostics`] | errors and notices, each with its place in the file |
//! | [`bytes`] | bounds-checked reading |
//! | [`formats`] | the table of formats, recognition, one folder a format |
//! | [`clip`] | nodes, tracks, curves, conventions, poses |
//! | [`rig`] | skeletons from other files |
//! | [`load`] | from a file with a name and sidecars to a clip |
//! | [`checks`] | checks that run on every clip |
//! | [`listing`] | the listing of a file and where its keys are |
//! | [`playback`] | the clock and the commands that steer it |
//! | [`timeline`] | which rows a timeline has, and where their keys are on it |
//! | [`compare`] | recordings compared with each other, and measured |
//! | [`analysis`] | fixations, dwell, episodes, speed of joints |
//! | [`trails`] | where joints have been and will be, for drawing |
//! | [`figure`] | proportions, palms, and what of a recording moves, for drawing |
//! | [`export`] | exporting clips for other tools |
//! | [`cli`] | the subcommands |
//!
//! With the feature `viewer` (on by default) the crate also holds what needs Bevy. Without it no
//! engine crate is in the tree.
//!
//! | module | what it does |
//! |---|---|
//! | `asset` | recordings as Bevy assets, and their loader |
//! | `recording` | recordings as entities: clocks, poses, Bevy's animation |
//! | `stage` | the 3D view |
//! | `footage` | reference videos, image sequences and sound, decoded by ffmpeg |
//! | `capture` | images without a window |
//! | `session` | open recordings and commands on them, files, tasks, settings |
//! | `ui` | panels: functions that read the session and return commands |
//! | `viewer` | the window: dialogs, files that are dropped, the run loop |
//!
//! ```
//! let bytes = include_bytes!("../assets/mrtk/two-hands.bin");
//! let clip = mutoscope::formats::decode(bytes, &mutoscope::formats::DecodeRequest::default())?;
//! let mut pose = mutoscope::clip::Pose::default();
//! clip.sample(1.25, &mut pose);
//! let wrist = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
//! assert!(pose.nodes[wrist].world.translation.x < 0.0, "the left hand is on the left");
//! # Ok::<(), mutoscope::formats::Failure>(())
//! ```

pub mod analysis;
#[cfg(feature = "viewer")]
pub mod asset;
mod atomic_file;
#[cfg(target_family = "wasm")]
mod browser;
pub mod bytes;
#[cfg(feature = "viewer")]
pub mod capture;
#[cfg(test)]
#[path = "../tests/support/chance.rs"]
mod chance;
pub mod checks;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod clip;
pub mod compare;
mod cooperative;
pub mod diagnostics;
pub mod export;
pub mod figure;
#[cfg(feature = "viewer")]
pub mod footage;
pub mod formats;
pub mod listing;
pub mod load;
pub mod playback;
#[cfg(feature = "viewer")]
pub mod recording;
pub mod rig;
#[cfg(feature = "viewer")]
pub mod session;
#[cfg(feature = "viewer")]
pub mod stage;
mod storage;
#[cfg(not(target_family = "wasm"))]
mod tables;
pub mod timeline;
pub mod trails;
#[cfg(feature = "viewer")]
pub mod ui;
#[cfg(feature = "viewer")]
pub mod viewer;
