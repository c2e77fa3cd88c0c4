//! Adds recordings to compare, and shows, hides and closes recordings.

use bevy::prelude::*;

use super::CommandContext;
use crate::{
    session::{
        CompareCommand, FilePurpose, Source,
        files::loading,
        files::open_job::{OpenMode, OpenTarget},
    },
    stage::CameraRequest,
};
use mutoscope_core::measure::compare::{CompareOptions, Placement};

impl CommandContext<'_, '_> {
    pub(super) fn apply_compare_command(&mut self, command: CompareCommand) {
        let reference = self.open.reference();
        match command {
            CompareCommand::Choose | CompareCommand::Add(..) if reference.is_none() => {
                self.files.failure = Some(loading::no_reference_failure());
            }
            CompareCommand::Choose => self.choose_files(FilePurpose::Comparison),
            CompareCommand::Add(source, options) => self.add_comparison(source, options),
            CompareCommand::SetTiming(recording, timing) => {
                if let Some(mut comparing) = self.open.comparing_mut(recording) {
                    comparing.clear_alignment();
                }
                if let Some(mut recording) = self.open.recording_mut(recording) {
                    recording.set_timing(timing);
                }
            }
            CompareCommand::Align(recording) => {
                for one in self.compared_recordings(recording) {
                    if let Some(mut comparing) = self.open.comparing_mut(one) {
                        comparing.request_alignment();
                    }
                }
            }
            CompareCommand::SetPlacement(recording, placement) => {
                self.set_placement(recording, placement)
            }
            CompareCommand::CyclePlacement => {
                let first =
                    self.compared_recordings(None).first().and_then(|one| self.open.overlay(*one));
                if let Some(placement) = first.map(|overlay| overlay.placement.next()) {
                    self.set_placement(None, placement);
                }
            }
            CompareCommand::Rebase { recording, base } => self.rebase(recording, base),
            CompareCommand::Match { recording, first, second } => {
                let base = self.open.overlay(recording).map(|overlay| overlay.base);
                let clips = [base, Some(recording)]
                    .map(|one| Some(self.open.recording(one?)?.clip().clone()));
                if let [Some(base), Some(clip)] = clips
                    && let Some(mut comparing) = self.open.comparing_mut(recording)
                {
                    comparing.choose_match([&base, &clip], first, second);
                }
            }
            CompareCommand::Stop => {
                self.overlays.cancel();
                self.files.loading_compared = None;
                for recording in self.compared_recordings(None) {
                    self.close(recording);
                }
            }
        }
    }

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

    pub(super) fn close_all(&mut self) {
        self.overlays.cancel();
        self.open.close_all();
        self.files.current = None;
        self.files.loading_compared = None;
        self.select(None);
    }

    pub(super) fn toggle_recording(&mut self, recording: Entity) {
        let is_visible = self.open.is_visible(recording);
        self.open.set_visible(recording, !is_visible);
    }

    pub(super) fn reload_compared(&mut self) {
        for recording in self.compared_recordings(None) {
            if self.open.source(recording).is_some_and(Source::is_rereadable) {
                self.reload_with(recording, |_| {});
            }
        }
    }

    fn compared_recordings(&self, recording: Option<Entity>) -> Vec<Entity> {
        let all = recording.map_or_else(|| self.open.entities(), |one| vec![one]);
        all.into_iter().filter(|one| self.open.overlay(*one).is_some()).collect()
    }

    fn add_comparison(&mut self, source: Source, options: CompareOptions) {
        let skeleton = self.default_skeleton(&source);
        let job = self.open_job(OpenTarget::Source(source), skeleton, OpenMode::New);
        self.overlays.start(job, options);
    }

    fn set_placement(&mut self, recording: Option<Entity>, placement: Placement) {
        let mut has_changed = false;
        for one in self.compared_recordings(recording) {
            if let Some(mut overlay) = self.open.overlay_mut(one)
                && overlay.placement != placement
            {
                overlay.placement = placement;
                has_changed = true;
            }
        }
        if has_changed && self.screen.frames_all {
            self.camera.write(CameraRequest::FrameAll { at_once: false });
        }
    }

    /// Compares `recording` with `base`. Does nothing if `base` is already compared with
    /// `recording`, directly or through other recordings, because the comparisons would form a
    /// cycle.
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
            (overlay.base, overlay.mean_offset) = (base, None);
        }
    }
}
