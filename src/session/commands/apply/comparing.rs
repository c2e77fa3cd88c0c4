//! Comparing recordings, showing and closing them.

use bevy::prelude::*;

use super::Targets;
use crate::{
    session::{
        Compare, FilePurpose, Source,
        files::loading,
        files::open_request::{OpenMode, OpenTarget},
    },
    stage::CameraRequest,
};
use mutoscope_core::measure::compare::{CompareOptions, Placement};

impl Targets<'_, '_> {
    pub(super) fn compare(&mut self, command: Compare) {
        let reference = self.open.reference();
        match command {
            Compare::Choose | Compare::With(..) if reference.is_none() => {
                self.files.failed = Some(loading::nothing_to_compare_with());
            }
            Compare::Choose => self.choose_files(FilePurpose::Comparison),
            Compare::With(source, options) => self.compare_with(source, options),
            Compare::SetTiming(recording, timing) => {
                if let Some(mut comparing) = self.open.comparing_mut(recording) {
                    comparing.forget_alignment();
                }
                if let Some(mut recording) = self.open.recording_mut(recording) {
                    recording.set_timing(timing);
                }
            }
            Compare::Align(recording) => {
                for one in self.compared(recording) {
                    if let Some(mut comparing) = self.open.comparing_mut(one) {
                        comparing.align_next();
                    }
                }
            }
            Compare::SetPlacement(recording, placement) => self.place(recording, placement),
            Compare::CyclePlacement => {
                let first = self.compared(None).first().and_then(|one| self.open.overlay(*one));
                if let Some(placement) = first.map(|overlay| overlay.placement.next()) {
                    self.place(None, placement);
                }
            }
            Compare::Rebase { recording, base } => self.rebase(recording, base),
            Compare::Match { recording, first, second } => {
                let base = self.open.overlay(recording).map(|overlay| overlay.base);
                let clips = [base, Some(recording)]
                    .map(|one| Some(self.open.recording(one?)?.clip().clone()));
                if let [Some(base), Some(own)] = clips
                    && let Some(mut comparing) = self.open.comparing_mut(recording)
                {
                    comparing.choose_match([&base, &own], first, second);
                }
            }
            Compare::Stop => {
                self.overlays.cancel();
                self.files.adding = None;
                for recording in self.compared(None) {
                    self.close(recording);
                }
            }
        }
    }

    /// Closes one recording, and forgets what was selected of it.
    pub(super) fn close(&mut self, recording: Entity) {
        if self.open.entities() == [recording] {
            self.close_all();
            return;
        }
        self.open.close(recording);
        let view = &mut *self.view;
        view.selected = view.selected.filter(|of| of.recording != recording);
        view.selected_key = view.selected_key.filter(|of| of.recording != recording);
        view.measured_from = view.measured_from.filter(|of| of.recording != recording);
        view.motion_trail.pinned.retain(|of| of.recording != recording);
    }

    /// Closes all recordings.
    pub(super) fn close_all(&mut self) {
        self.overlays.cancel();
        self.open.close_all();
        self.files.current = None;
        self.files.adding = None;
        self.select(None);
    }

    /// Shows a recording, or hides it.
    pub(super) fn toggle_recording(&mut self, recording: Entity) {
        let is_visible = self.open.is_visible(recording);
        self.open.show(recording, !is_visible);
    }

    /// Reloads the recordings that are compared.
    pub(super) fn reload_compared(&mut self) {
        for source in self.files.compared.clone() {
            if source.can_be_read_again() {
                let on = self.usual_skeleton(&source);
                let columns = self.columns_of(&source);
                let mut order = self.order_for(OpenTarget::Source(source), on, OpenMode::New);
                order.columns = columns;
                order.edited = self.edited_scenes();
                self.overlays.start(order, CompareOptions::default());
            }
        }
    }

    /// This one of the recordings that are compared with another, or all of them.
    fn compared(&self, recording: Option<Entity>) -> Vec<Entity> {
        let all = recording.map_or_else(|| self.open.entities(), |one| vec![one]);
        all.into_iter().filter(|one| self.open.overlay(*one).is_some()).collect()
    }

    fn compare_with(&mut self, source: Source, options: CompareOptions) {
        let on = self.usual_skeleton(&source);
        let order = self.order_for(OpenTarget::Source(source), on, OpenMode::New);
        self.overlays.start(order, options);
    }

    fn place(&mut self, recording: Option<Entity>, placement: Placement) {
        let mut is_other = false;
        for one in self.compared(recording) {
            if let Some(mut overlay) = self.open.overlay_mut(one)
                && overlay.placement != placement
            {
                overlay.placement = placement;
                is_other = true;
            }
        }
        if is_other && self.screen.sees_all {
            self.camera.write(CameraRequest::FrameAll { at_once: false });
        }
    }

    /// Compares `recording` with `base`, unless that is compared with it already, by whatever way.
    fn rebase(&mut self, recording: Entity, base: Entity) {
        let mut above = Some(base);
        while let Some(one) = above {
            if one == recording {
                return;
            }
            above = self.open.overlay(one).map(|overlay| overlay.base);
        }
        if let Some(mut overlay) = self.open.overlay_mut(recording)
            && overlay.base != base
        {
            (overlay.base, overlay.mean) = (base, None);
        }
    }
}
