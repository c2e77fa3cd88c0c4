//! Opens files: chooses the files to read, their skeleton, and what is kept of the current view.

use std::path::PathBuf;

use super::CommandContext;
use crate::session::{
    AttachedSkeleton, LinkedFiles, SAMPLES, Source,
    files::folder::folder_of,
    files::open_request::{OpenMode, OpenRequest, OpenTarget, SkeletonSource},
};
use mutoscope_core::{
    clip::{Clip, VariantChoice, Variants},
    playback::Direction,
    read::Retarget,
};

impl CommandContext<'_, '_> {
    pub(super) fn open(&mut self, source: Source) {
        let skeleton = self.default_skeleton(&source);
        self.start_opening(OpenTarget::Source(source), skeleton, OpenMode::New);
    }

    pub(super) fn open_listed(&mut self, index: usize) {
        if let Some(path) = self.files.listed.get(index).cloned() {
            let source = Source::from_path(path);
            let skeleton = self.default_skeleton(&source);
            self.start_opening(OpenTarget::Source(source), skeleton, OpenMode::KeepView);
        }
    }

    pub(super) fn open_linked(&mut self, LinkedFiles { files, view, .. }: LinkedFiles) {
        *self.first_view = view;
        self.open_together(files);
    }

    pub(super) fn open_together(&mut self, files: Vec<PathBuf>) {
        let open = self.loading_or_current_source();
        let skeleton = match self.files.skeleton.clone() {
            // The user attached the skeleton before opening a recording, so the skeleton is meant
            // for this recording.
            Some(AttachedSkeleton { path: Some(path), .. }) if open.is_none() => {
                SkeletonSource::File(path)
            }
            Some(file) => SkeletonSource::Attached(file),
            None => SkeletonSource::Folder,
        };
        self.start_opening(OpenTarget::Files { files, open }, skeleton, OpenMode::New);
    }

    pub(super) fn reload(&mut self) {
        self.reload_compared();
        self.reload_as(self.chosen_variants(), self.files.retarget.clone());
    }

    pub(super) fn retarget(&mut self, retarget: Option<Retarget>) {
        if self.files.current.is_some() {
            self.reload_as(self.chosen_variants(), retarget);
        } else {
            self.files.retarget = retarget;
        }
    }

    /// Reloads the reference with the variant `name` of the group `label`. If `name` is `None`, the
    /// decoder chooses the variant. The user's choices in other groups are kept, except the choice
    /// of a clip.
    pub(super) fn choose_variant(&mut self, label: &str, name: Option<String>) {
        let mut variants = self.chosen_variants();
        // Drop the chosen clip, because another animation or character may not have this clip.
        variants.retain(|choice| choice.label != label && choice.label != Variants::CLIP);
        variants.extend(name.map(|name| VariantChoice { label: label.to_owned(), name }));
        self.reload_as(variants, self.files.retarget.clone());
    }

    pub(super) fn step_animation(&mut self, direction: Direction) {
        let Some(animations) = self.open.reference_clip().and_then(Clip::animations) else {
            return;
        };
        let count = animations.names.len();
        let step = match direction {
            Direction::Forward => 1,
            Direction::Backward => count - 1,
        };
        let name = animations.names[(animations.current + step) % count].clone();
        self.choose_variant(Variants::ANIMATION, Some(name));
    }

    fn chosen_variants(&self) -> Vec<VariantChoice> {
        let variants = self.open.reference_clip().map_or(&[][..], |clip| clip.variants.as_slice());
        variants.iter().filter_map(Variants::user_choice).collect()
    }

    fn reload_as(&mut self, variants: Vec<VariantChoice>, retarget: Option<Retarget>) {
        let Some(source) = self.files.current.clone() else { return };
        let mut request = OpenRequest { retarget, ..self.reload_request(source) };
        if !variants.is_empty() {
            // Keep the current format even if the bytes match another format, because the chosen
            // variants exist only in the current format.
            request.format = self.open.reference_clip().map(|clip| clip.format);
            request.variants = variants;
        }
        self.loading.start(request, &mut self.files, &self.jobs);
    }

    pub(super) fn reload_request(&self, source: Source) -> OpenRequest {
        let attached = self.open.reference_clip().and_then(|clip| clip.skeleton.attached());
        let skeleton = match self.default_skeleton(&source) {
            SkeletonSource::Attached(AttachedSkeleton { path: Some(path), .. })
                if attached.is_some() =>
            {
                SkeletonSource::File(path)
            }
            skeleton => skeleton,
        };
        let columns = self.chosen_columns(&source);
        let request = self.open_request(OpenTarget::Source(source), skeleton, OpenMode::Reload);
        OpenRequest { columns, ..request }
    }

    pub(super) fn attach_skeleton(&mut self, skeleton: SkeletonSource) {
        let open = self.loading_or_current_source();
        self.start_opening(
            OpenTarget::Files { files: Vec::new(), open },
            skeleton,
            OpenMode::Reload,
        );
    }

    fn start_opening(&mut self, target: OpenTarget, skeleton: SkeletonSource, mode: OpenMode) {
        let request = self.open_request(target, skeleton, mode);
        self.loading.start(request, &mut self.files, &self.jobs);
    }

    pub(super) fn open_request(
        &self,
        target: OpenTarget,
        skeleton: SkeletonSource,
        mode: OpenMode,
    ) -> OpenRequest {
        let (format, assumptions) = (self.loading.format, self.settings.format_assumptions());
        // Pass the unsaved scenes to the reader, so that reloading a scene does not lose its edits.
        let edited = if mode == OpenMode::Reload { self.edited_scenes() } else { Vec::new() };
        let retarget = self.files.retarget.clone();
        OpenRequest {
            what: target,
            on: skeleton,
            retarget,
            format,
            columns: self.files.columns.clone(),
            variants: Vec::new(),
            assumptions,
            mode,
            edited,
        }
    }

    fn loading_or_current_source(&self) -> Option<Source> {
        self.loading.source().or(self.files.current.as_ref()).cloned()
    }

    pub(super) fn default_skeleton(&self, source: &Source) -> SkeletonSource {
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
                SkeletonSource::Folder
            }
            _ => SkeletonSource::None,
        };
        let attached = || self.files.skeleton.clone().map(SkeletonSource::Attached);
        from_sample.map(SkeletonSource::Sample).or_else(attached).unwrap_or(from_folder)
    }

    pub(super) fn step_file(&mut self, direction: Direction) {
        if let Some(index) = self.files.adjacent_file(direction) {
            self.open_listed(index);
        }
    }
}
