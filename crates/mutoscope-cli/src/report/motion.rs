//! Packs the motion of recordings for the player of a page.

use mutoscope_core::{clip::Clip, export::Progress};
use mutoscope_player::{Embedded, element_script};
use mutoscope_study::report::{Motion, MotionPacker, PagePlayer};

/// Returns a packer for a page that holds at most `max_bytes` of motion.
pub fn motion_maker(max_bytes: usize) -> MotionPacker {
    MotionPacker::new(pack_motion, max_bytes)
}

/// Returns the player of a page that holds at most `max_bytes` of motion. `None` if `max_bytes` is
/// 0.
pub fn page_player(max_bytes: usize) -> Option<PagePlayer> {
    (max_bytes > 0).then(|| PagePlayer { script: element_script(), max_bytes })
}

fn pack_motion(clip: &Clip, name: &str) -> Option<Motion> {
    // A recording that the player cannot play is still measured, so ignore the error.
    let embedded = Embedded::new(clip, name, &mut Progress::default()).ok()?;
    Some(Motion { svg: embedded.svg, pack: embedded.pack })
}
