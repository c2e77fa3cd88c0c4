//! The motion of recordings, for the player of a page.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mutoscope_core::clip::Clip;

use super::MAX_PLOTTED_RECORDINGS;

/// Enough for about an hour of two-handed motion, split into short recordings.
pub const DEFAULT_MOTION_BYTES: usize = 2_000_000;

/// The motion of a recording, in the form that the player of a page reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motion {
    /// An SVG image of one pose.
    pub svg: String,
    /// The packed motion, as text that needs no escaping in HTML.
    pub pack: String,
}

impl Motion {
    /// Returns the number of bytes that the motion takes in a page.
    pub fn size(&self) -> usize {
        self.svg.len() + self.pack.len()
    }
}

/// A function that packs the motion of a recording with this name. It returns `None` if the motion
/// cannot be packed.
pub type PackMotion = fn(&Clip, &str) -> Option<Motion>;

/// Packs the motions of recordings that a page has room for.
#[derive(Clone, Debug)]
pub struct MotionPacker {
    pack: PackMotion,
    max_bytes: usize,
    calls: Arc<AtomicUsize>,
}

impl MotionPacker {
    /// Creates a packer for a page that holds at most `max_bytes` of motion.
    pub fn new(pack: PackMotion, max_bytes: usize) -> Self {
        Self { pack, max_bytes, calls: Arc::default() }
    }

    /// Packs the motion of a recording.
    ///
    /// Returns `None` if the motion is larger than the limit, or if the page becomes an overview
    /// because it has too many recordings. If a recording has more keys than the limit has bytes,
    /// it is not packed at all, because packing would take long.
    pub fn pack_motion(&self, clip: &Clip, name: &str) -> Option<Motion> {
        let before = self.calls.fetch_add(1, Ordering::Relaxed);
        if before >= MAX_PLOTTED_RECORDINGS || clip.key_count() > self.max_bytes {
            return None;
        }
        (self.pack)(clip, name).filter(|motion| motion.size() <= self.max_bytes)
    }
}
