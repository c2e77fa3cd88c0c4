//! Opens, reloads and closes recordings: chooses the files to read, their skeleton, and what is kept
//! of the current view.

use std::path::PathBuf;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    AttachedSkeleton, Files, OpenRecordingsMut, Source,
    folder::folder_of,
    loading::{LoadingJob, OverlayJobs},
    open_job::{OpenJob, OpenMode, OpenTarget, SkeletonOrigin},
};
use crate::session::{
    history::{Edit, EditHistory, EditedValue},
    jobs::Jobs,
    samples::SAMPLES,
    view::Settings,
};
use bevy_mutoscope::stage::View;
use mutoscope_core::{
    clip::{Clip, VariantChoice, Variants},
    formats::{Fit, ReadOptions},
    measure::compare::CompareOptions,
    playback::Direction,
};

/// Opens, reloads and closes recordings.
#[derive(SystemParam)]
pub(in crate::session) struct FileOpener<'w, 's> {
    pub(in crate::session) open: OpenRecordingsMut<'w, 's>,
    pub(in crate::session) files: ResMut<'w, Files>,
    pub(in crate::session) loading: ResMut<'w, LoadingJob>,
    pub(in crate::session) overlays: ResMut<'w, OverlayJobs>,
    pub(in crate::session) settings: ResMut<'w, Settings>,
    pub(in crate::session) history: ResMut<'w, EditHistory>,
    pub(in crate::session) jobs: Res<'w, Jobs>,
}

impl FileOpener<'_, '_> {
    pub(in crate::session) fn open(&mut self, source: Source) {
        let skeleton = self.default_skeleton(&source);
        self.start_opening(OpenTarget::Source(source), skeleton, OpenMode::New);
    }

    pub(in crate::session) fn open_listed(&mut self, index: usize) {
        if let Some(path) = self.files.listed.get(index).cloned() {
            let source = Source::from_path(path);
            let skeleton = self.default_skeleton(&source);
            self.start_opening(OpenTarget::Source(source), skeleton, OpenMode::KeepView);
        }
    }

    pub(in crate::session) fn open_together(&mut self, files: Vec<PathBuf>) {
        let open = self.loading_or_current_source();
        let skeleton = match self.files.skeleton.clone() {
            // The user attached the skeleton before opening a recording, so the skeleton is meant
            // for this recording.
            Some(AttachedSkeleton { path: Some(path), .. }) if open.is_none() => {
                SkeletonOrigin::File(path)
            }
            Some(file) => SkeletonOrigin::Attached(file),
            None => SkeletonOrigin::Folder,
        };
        self.start_opening(OpenTarget::Files { files, open }, skeleton, OpenMode::New);
    }

    pub(in crate::session) fn reload_all(&mut self) {
        for recording in self.open.compared() {
            if self.open.source(recording).is_some_and(Source::is_rereadable) {
                self.reload_with(recording, |_| {});
            }
        }
        self.reload_reference_with(|_| {});
    }

    pub(in crate::session) fn retarget(&mut self, fit: Fit) {
        if let Some(reference) = self.open.reference() {
            let [before, after] =
                [self.files.options.fit.clone(), fit.clone()].map(EditedValue::Fit);
            let edit = Edit { name: "matching of bones".to_owned(), before, after };
            self.edit_options(reference, edit, |options| options.fit = fit);
        } else {
            self.files.options.fit = fit;
        }
    }

    /// Reloads `recording` with the variant `name` of the group `label`. If `name` is `None`, the
    /// decoder chooses the variant. The user's choices in other groups are kept, except the choice
    /// of a clip.
    pub(in crate::session) fn choose_variant(
        &mut self,
        recording: Entity,
        label: &str,
        name: Option<String>,
    ) {
        self.reload_with(recording, |options| {
            // Drop the chosen clip, because another animation or character may not have this clip.
            options
                .variants
                .retain(|choice| choice.label != label && choice.label != Variants::CLIP);
            let choice = name.map(|name| VariantChoice { label: label.to_owned(), name });
            options.variants.extend(choice);
        });
    }

    pub(in crate::session) fn step_animation(&mut self, direction: Direction, view: &View) {
        let Some(entity) = self.open.focused(view) else { return };
        let clip = self.open.recording(entity).map(|open| &**open.clip());
        let Some(animations) = clip.and_then(Clip::animations) else { return };
        let count = animations.names.len();
        let step = match direction {
            Direction::Forward => 1,
            Direction::Backward => count - 1,
        };
        let index = (animations.current + step) % count;
        let name = animations.names[index].clone();
        self.files.notify(format!("Animation {} of {count}: {name}", index + 1));
        self.choose_variant(entity, Variants::ANIMATION, Some(name));
    }

    pub(in crate::session) fn reload_reference_with(
        &mut self,
        change: impl FnOnce(&mut ReadOptions),
    ) {
        if let Some(reference) = self.open.reference() {
            self.reload_with(reference, change);
        }
    }

    /// Reads the recording of `entity` again. `change` changes the options with which the recording
    /// was read.
    pub(in crate::session) fn reload_with(
        &mut self,
        entity: Entity,
        change: impl FnOnce(&mut ReadOptions),
    ) {
        self.start_reloading(entity, None, change);
    }

    /// Reads the recording of `entity` again after an edit of the options, which can be undone.
    pub(in crate::session) fn edit_options(
        &mut self,
        entity: Entity,
        edit: Edit,
        change: impl FnOnce(&mut ReadOptions),
    ) {
        self.start_reloading(entity, Some(edit), change);
    }

    fn start_reloading(
        &mut self,
        entity: Entity,
        edit: Option<Edit>,
        change: impl FnOnce(&mut ReadOptions),
    ) {
        let Some(recording) = self.open.recording(entity) else { return };
        let Some(source) = self.open.source(entity).cloned() else { return };
        let is_reference = self.open.reference() == Some(entity);
        let skeleton = match self.default_skeleton(&source) {
            SkeletonOrigin::Attached(AttachedSkeleton { path: Some(path), .. })
                if is_reference && recording.clip().skeleton.attached().is_some() =>
            {
                SkeletonOrigin::File(path)
            }
            skeleton => skeleton,
        };
        // Keep the user's choices for this recording only.
        let own = recording.asset().options.clone();
        let ReadOptions { format, variants, columns, frame_rate, .. } = own;
        let options = self.files.read_options(&self.settings);
        let format = options.format.or(format);
        let mut options = ReadOptions { format, variants, columns, frame_rate, ..options };
        change(&mut options);
        if !options.variants.is_empty() {
            // Keep the current format even if the bytes match another format, because the chosen
            // variants exist only in the current format.
            options.format = Some(recording.clip().format);
        }
        let job = self.open_job(OpenTarget::Source(source), skeleton, OpenMode::Reload);
        let job = OpenJob { options, edit, reloads: Some(entity), ..job };
        match is_reference {
            true => self.loading.start(job, &mut self.files, &self.jobs),
            false => self.overlays.start(job, CompareOptions::default()),
        }
    }

    pub(in crate::session) fn attach_skeleton(&mut self, skeleton: SkeletonOrigin) {
        let open = self.loading_or_current_source();
        self.start_opening(
            OpenTarget::Files { files: Vec::new(), open },
            skeleton,
            OpenMode::Reload,
        );
    }

    fn start_opening(&mut self, target: OpenTarget, skeleton: SkeletonOrigin, mode: OpenMode) {
        let job = self.open_job(target, skeleton, mode);
        self.loading.start(job, &mut self.files, &self.jobs);
    }

    fn open_job(&self, target: OpenTarget, skeleton: SkeletonOrigin, mode: OpenMode) -> OpenJob {
        // Pass the edited content to the job, so that reloading does not lose unsaved edits.
        let edited = if mode == OpenMode::Reload {
            self.open.unsaved_content(&self.history)
        } else {
            Vec::new()
        };
        let options = self.files.read_options(&self.settings);
        OpenJob { target, skeleton, options, mode, edited, edit: None, reloads: None }
    }

    /// Returns the source of the recording that is being loaded, or else of the reference. `None` if
    /// only a character is shown.
    fn loading_or_current_source(&self) -> Option<Source> {
        let character = self.files.skeleton.as_ref().and_then(|character| character.path.clone());
        let source = self.loading.source().or(self.open.reference_source());
        source.filter(|source| character.map(Source::File).as_ref() != Some(source)).cloned()
    }

    fn default_skeleton(&self, source: &Source) -> SkeletonOrigin {
        let from_sample = match source {
            Source::Sample(index) => {
                SAMPLES[*index].load_skeleton().map(|rig| AttachedSkeleton::new(rig, None))
            }
            Source::File(_) | Source::Stdin => None,
        };
        let from_folder = match source {
            Source::File(path)
                if self.files.detached_folder.as_deref() != Some(folder_of(path)) =>
            {
                SkeletonOrigin::Folder
            }
            _ => SkeletonOrigin::None,
        };
        let attached = || self.files.skeleton.clone().map(SkeletonOrigin::Attached);
        from_sample.map(SkeletonOrigin::Sample).or_else(attached).unwrap_or(from_folder)
    }

    pub(in crate::session) fn step_file(&mut self, direction: Direction) {
        if let Some(index) = self.files.adjacent_file(self.open.reference_source(), direction) {
            self.open_listed(index);
        }
    }

    /// Opens a recording next to the others, and compares it with the reference.
    pub(in crate::session) fn open_compared(&mut self, source: Source, options: CompareOptions) {
        let skeleton = self.default_skeleton(&source);
        let job = self.open_job(OpenTarget::Source(source), skeleton, OpenMode::New);
        self.overlays.start(job, options);
    }

    pub(in crate::session) fn close(&mut self, recording: Entity, view: &mut View) {
        if self.open.entities() == [recording] {
            self.close_all(view);
            return;
        }
        self.open.close(recording);
        view.selected = view.selected.filter(|of| of.recording != recording);
        view.selected_key = view.selected_key.filter(|of| of.recording != recording);
        view.measured_from.retain(|of| of.recording != recording);
        view.motion_trail.pinned.retain(|of| of.recording != recording);
    }

    pub(in crate::session) fn close_all(&mut self, view: &mut View) {
        self.overlays.cancel();
        self.open.close_all();
        self.files.loading_compared = None;
        (view.selected, view.selected_key) = (None, None);
    }
}

pub(in crate::session) fn open_compared(
    In((source, options)): In<(Source, CompareOptions)>,
    mut opener: FileOpener,
) {
    opener.open_compared(source, options);
}
