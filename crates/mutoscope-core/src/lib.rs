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
//! The types that most programs need are also at the root of the crate, and the [`prelude`] has
//! those for decoding and sampling. A decoder needs more of [`clip`], and an export target more of
//! [`export`].
//!
//! ```
//! use mutoscope_core::prelude::*;
//!
//! let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
//! let clip = decode(bytes, &ReadOptions::default())?;
//! let mut pose = Pose::default();
//! clip.sample(1.25, &mut pose); // seconds
//! let (wrist, _) = clip.nodes.with_ids().find(|(_, node)| node.name == "left/Wrist").unwrap();
//! assert!(pose[wrist].world.translation.x < 0.0, "the left hand is on the left");
//! # Ok::<(), mutoscope_core::Failure>(())
//! ```

pub mod clip;
pub mod diagnostics;
pub mod export;
pub mod formats;
pub mod io;
pub mod measure;
pub mod playback;
pub mod prelude;
pub mod read;
pub mod retarget;
pub mod skeleton_file;

pub use clip::{
    Annotations, AnyCurve, Assumption, Assumptions, Clip, Convention, Event, FormatId, GroupId,
    Handedness, HumanBone, Humanoid, Interpolation, KeyId, Node, NodeId, NodeKind, NodePose, Nodes,
    Owner, Pose, ProceduralAnimation, RotationRule, ScalarCurve, Side, Signal, Skeleton, Span,
    Track, TrackId, Transform, Unit, UpAxis, Value, Variants,
};
pub use diagnostics::{Diagnostic, Diagnostics, Error, ErrorKind, Severity, SourceLocation};
pub use export::{ExportError, ExportOptions, ExportTarget, Report};
pub use formats::{
    Failure, Fit, Format, ReadOptions, Registry, SkeletonSource, SourceFile, decode, decode_async,
};
pub use io::bytes::{FileContent, FolderSidecars, MemorySidecars, Sidecars};
pub use measure::{
    checks::{ClipDiagnostic, check_clip},
    compare::{CompareOptions, Comparison},
};
pub use playback::{Clock, TimeCommand};
pub use read::{ReadError, Recording, Source, open};
pub use retarget::{BoneMap, Retargeting};
pub use skeleton_file::LoadedSkeleton;
