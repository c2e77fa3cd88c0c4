//! Opening files: which are read, on which skeleton, and what is kept of the current view.

use std::path::PathBuf;

use super::Targets;
use crate::session::{
    LinkedFiles, RigFile, SAMPLES, Source,
    files::folder::folder_of,
    files::open_request::{OpenMode, OpenRequest, OpenTarget, SkeletonSource},
};
use mutoscope_core::{
    clip::{Clip, VariantChoice, Variants},
    playback::Direction,
    read::Retarget,
};

impl Targets<'_, '_> {
    pub(super) fn open(&mut self, source: Source) {
        let on = self.usual_skeleton(&source);
        self.order(OpenTarget::Source(source), on, OpenMode::New);
    }

    /// Opens the file with this index of the list, keeping the view.
    pub(super) fn open_listed(&mut self, index: usize) {
        if let Some(path) = self.files.given.get(index).cloned() {
            let source = Source::of_path(path);
            let on = self.usual_skeleton(&source);
            self.order(OpenTarget::Source(source), on, OpenMode::KeepView);
        }
    }

    /// Opens files that a link asks for, with its view.
    pub(super) fn open_linked(&mut self, LinkedFiles { files, view, .. }: LinkedFiles) {
        *self.first_view = view;
        self.open_together(files);
    }

    pub(super) fn open_together(&mut self, files: Vec<PathBuf>) {
        let open = self.open_or_opening();
        let on = match self.files.rig.clone() {
            // Attached before anything was open: meant for this.
            Some(RigFile { path: Some(path), .. }) if open.is_none() => SkeletonSource::File(path),
            Some(file) => SkeletonSource::Attached(file),
            None => SkeletonSource::Folder,
        };
        self.order(OpenTarget::Files { files, open }, on, OpenMode::New);
    }

    /// Reloads what is open, its skeleton too, as the variants that were chosen for it.
    pub(super) fn reload(&mut self) {
        self.reload_compared();
        self.reload_as(self.chosen_variants(), self.files.retarget.clone());
    }

    /// Puts what is open on its skeleton in another way.
    pub(super) fn retarget(&mut self, retarget: Option<Retarget>) {
        if self.files.current.is_some() {
            self.reload_as(self.chosen_variants(), retarget);
        } else {
            self.files.retarget = retarget;
        }
    }

    /// Reloads what is open as this of its variants, or as the decoder decides; other choices stay.
    pub(super) fn choose_variant(&mut self, label: &str, name: Option<String>) {
        let mut variants = self.chosen_variants();
        // Another animation, or that of another character, has other clips.
        variants.retain(|choice| choice.label != label && choice.label != Variants::CLIP);
        variants.extend(name.map(|name| VariantChoice { label: label.to_owned(), name }));
        self.reload_as(variants, self.files.retarget.clone());
    }

    /// Reads the next or previous animation of what is open, round and round.
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
        variants.iter().filter_map(Variants::choice).collect()
    }

    /// Reloads what is open, its skeleton too, as these variants.
    fn reload_as(&mut self, variants: Vec<VariantChoice>, retarget: Option<Retarget>) {
        let Some(source) = self.files.current.clone() else { return };
        let mut order = OpenRequest { retarget, ..self.order_again(source) };
        if !variants.is_empty() {
            // The choice belongs to this format, whatever else the file may look like.
            order.format = self.open.reference_clip().map(|clip| clip.format);
            order.variants = variants;
        }
        self.loading.start(order, &mut self.files, &self.jobs);
    }

    /// The request to read the reference again, and its skeleton too.
    pub(super) fn order_again(&self, source: Source) -> OpenRequest {
        let attached = self.open.reference_clip().and_then(|clip| clip.skeleton.attached());
        let on = match self.usual_skeleton(&source) {
            SkeletonSource::Attached(RigFile { path: Some(path), .. }) if attached.is_some() => {
                SkeletonSource::File(path)
            }
            on => on,
        };
        let columns = self.columns_of(&source);
        let order = self.order_for(OpenTarget::Source(source), on, OpenMode::Reload);
        OpenRequest { columns, ..order }
    }

    /// Puts what is open on another skeleton, or keeps that for what is opened next.
    pub(super) fn put_on(&mut self, on: SkeletonSource) {
        let open = self.open_or_opening();
        self.order(OpenTarget::Files { files: Vec::new(), open }, on, OpenMode::Reload);
    }

    fn order(&mut self, what: OpenTarget, on: SkeletonSource, mode: OpenMode) {
        let order = self.order_for(what, on, mode);
        self.loading.start(order, &mut self.files, &self.jobs);
    }

    /// The request to read that, with the user's options.
    pub(super) fn order_for(
        &self,
        what: OpenTarget,
        on: SkeletonSource,
        mode: OpenMode,
    ) -> OpenRequest {
        let (format, assumptions) = (self.loading.format, self.settings.format_assumptions());
        // Reloading a scene keeps its edits.
        let edited = if mode == OpenMode::Reload { self.edited_scenes() } else { Vec::new() };
        let retarget = self.files.retarget.clone();
        OpenRequest {
            what,
            on,
            retarget,
            format,
            columns: self.files.columns.clone(),
            variants: Vec::new(),
            assumptions,
            mode,
            edited,
        }
    }

    fn open_or_opening(&self) -> Option<Source> {
        self.loading.source().or(self.files.current.as_ref()).cloned()
    }

    /// The skeleton that belongs to a sample, else the one that the user attached, else the one in
    /// a file's folder, unless the user detached it there.
    pub(super) fn usual_skeleton(&self, source: &Source) -> SkeletonSource {
        let own = match source {
            Source::Sample(index) => SAMPLES[*index].rig().map(|rig| RigFile::new(rig, None)),
            Source::File(_) | Source::Stdin => None,
        };
        let beside = match source {
            Source::File(path) if self.files.alone_in.as_deref() != Some(folder_of(path)) => {
                SkeletonSource::Folder
            }
            _ => SkeletonSource::None,
        };
        let attached = || self.files.rig.clone().map(SkeletonSource::Attached);
        own.map(SkeletonSource::OfSample).or_else(attached).unwrap_or(beside)
    }

    pub(super) fn step_file(&mut self, direction: Direction) {
        if let Some(index) = self.files.next(direction) {
            self.open_listed(index);
        }
    }
}
