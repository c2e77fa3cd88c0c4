//! Holding a second recording against the one that plays.

use super::Targets;
use crate::{
    counterpart::{Placement, Wish},
    stage::CameraRequest,
    viewer::{
        AskedFor, Compare, Source, comparing,
        order::{Manner, What},
    },
};

impl Targets<'_, '_> {
    pub(super) fn compare(&mut self, command: Compare) {
        match command {
            Compare::Choose | Compare::With(..) if self.player.clip().is_none() => {
                self.files.failed = Some(comparing::nothing_to_hold_against());
            }
            Compare::Choose => self.dialog.ask(AskedFor::Counterpart),
            Compare::With(source, wish) => self.hold_against(source, wish),
            Compare::Lay(timing) => {
                self.comparing.forget_alignment();
                self.counterpart.set_timing(timing);
            }
            Compare::Align => self.comparing.align(&self.player, &self.counterpart),
            Compare::Place(placement) => self.place(placement),
            Compare::PlaceElsewhere => self.place(self.counterpart.placement.next()),
            Compare::Pair { first, second } => {
                if let Some(clip) = self.player.clip() {
                    self.counterpart.choose(clip, first, second);
                }
            }
            Compare::Stop => {
                comparing::stop(&mut self.comparing, &mut self.counterpart, &mut self.files);
            }
        }
    }

    /// Reads the second recording anew, if there is one.
    pub(super) fn reload_counterpart(&mut self) {
        if let Some(source) = comparing::again(&self.files) {
            self.hold_against(source, Wish::default());
        }
    }

    fn hold_against(&mut self, source: Source, wish: Wish) {
        let on = self.usual_skeleton(&source);
        let order = self.order_for(What::Source(source), on, Manner::Afresh);
        self.comparing.read(order, wish);
    }

    fn place(&mut self, placement: Placement) {
        if self.counterpart.clip().is_some() && self.counterpart.placement != placement {
            self.counterpart.placement = placement;
            if self.screen.sees_all {
                self.camera.write(CameraRequest::FrameAll { at_once: false });
            }
        }
    }
}
