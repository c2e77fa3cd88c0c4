//! The motion of recordings, packed for the player of a page.

use std::ops::ControlFlow;

use mutoscope_core::clip::Clip;
use mutoscope_player::{Embedded, element_script};
use mutoscope_study::report::{Motion, MotionMaker, PagePlayer};

/// Makes the motions of a page that holds this many bytes of them.
pub fn motion_maker(most_bytes: usize) -> MotionMaker {
    MotionMaker::new(packed, most_bytes)
}

/// The player of a page that holds this many bytes of motion; none if it holds none.
pub fn page_player(most_bytes: usize) -> Option<PagePlayer> {
    (most_bytes > 0).then(|| PagePlayer { script: element_script(), most_bytes })
}

fn packed(clip: &Clip, name: &str) -> Option<Motion> {
    // What the player cannot play has its numbers all the same.
    let embedded = Embedded::new(clip, name, &mut |_| ControlFlow::Continue(())).ok()?;
    Some(Motion { picture: embedded.picture, pack: embedded.pack })
}
