//! The motion of recordings, which a page plays where it is small enough.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mutoscope_core::clip::Clip;

use super::MOST_PLOTTED;

/// The bytes of motion that a page holds if nothing else is asked for: about an hour of two hands in short takes.
pub const MOTION_BYTES: usize = 2_000_000;

/// The motion of a recording, as the player of a page takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motion {
    /// An SVG of one pose.
    pub picture: String,
    /// The motion, as text that needs no escapes.
    pub pack: String,
}

impl Motion {
    /// How many bytes of a page it takes.
    pub fn size(&self) -> usize {
        self.picture.len() + self.pack.len()
    }
}

/// Makes the motion of a recording with this name; nothing if it cannot be made.
pub type MakeMotion = fn(&Clip, &str) -> Option<Motion>;

/// Makes the motions of recordings, as long as a page may hold them.
#[derive(Clone, Debug)]
pub struct MotionMaker {
    make: MakeMotion,
    most_bytes: usize,
    /// How many recordings were asked for, by all clones.
    asked: Arc<AtomicUsize>,
}

impl MotionMaker {
    /// Makes what fits into a page that holds this many bytes of motion.
    pub fn new(make: MakeMotion, most_bytes: usize) -> Self {
        Self { make, most_bytes, asked: Arc::default() }
    }

    /// The motion of a recording; nothing if a page would not hold it: because it is too large, or because there
    /// are so many recordings that the page is an overview. A recording with more keys than bytes may be held is
    /// not even tried: that would take long.
    pub fn motion(&self, clip: &Clip, name: &str) -> Option<Motion> {
        let before = self.asked.fetch_add(1, Ordering::Relaxed);
        if before >= MOST_PLOTTED || clip.key_count() > self.most_bytes {
            return None;
        }
        (self.make)(clip, name).filter(|motion| motion.size() <= self.most_bytes)
    }
}
