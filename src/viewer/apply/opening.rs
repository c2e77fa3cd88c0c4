//! Opening files: what is read, on which skeleton, and what becomes of what is looked at.

use std::path::PathBuf;

use super::Targets;
use crate::{
    clip::{VariantChoice, Variants},
    playback::Direction,
    viewer::{
        RigFile, SAMPLES, Source,
        folder::folder_of,
        order::{Manner, On, Order, What},
    },
};

impl Targets<'_, '_> {
    pub(super) fn open(&mut self, source: Source) {
        let on = self.usual_skeleton(&source);
        self.order(What::Source(source), on, Manner::Afresh);
    }

    /// Opens the file with this index of those to step through, to be seen as the one before was.
    pub(super) fn open_listed(&mut self, index: usize) {
        if let Some(path) = self.files.given.get(index).cloned() {
            let source = Source::of_path(path);
            let on = self.usual_skeleton(&source);
            self.order(What::Source(source), on, Manner::Alike);
        }
    }

    pub(super) fn open_together(&mut self, files: Vec<PathBuf>) {
        let open = self.open_or_opening();
        let on = self.files.rig.clone().map_or(On::KeptWithRecording, On::Kept);
        self.order(What::Together { files, open }, on, Manner::Afresh);
    }

    /// Reads what is open anew, its skeleton too, as the variants that were chosen for it.
    pub(super) fn reload(&mut self) {
        self.reload_counterpart();
        self.reload_as(self.chosen_variants());
    }

    /// Reads what is open anew as this of its variants, or as the decoder decides; other choices
    /// stay.
    pub(super) fn choose_variant(&mut self, label: &str, name: Option<String>) {
        let mut variants = self.chosen_variants();
        variants.retain(|choice| choice.label != label);
        variants.extend(name.map(|name| VariantChoice { label: label.to_owned(), name }));
        self.reload_as(variants);
    }

    fn chosen_variants(&self) -> Vec<VariantChoice> {
        let variants = self.player.clip().map_or(&[][..], |clip| &clip.variants);
        variants.iter().filter_map(Variants::choice).collect()
    }

    /// Reads what is open anew, its skeleton too, as these variants.
    fn reload_as(&mut self, variants: Vec<VariantChoice>) {
        let Some(source) = self.files.current.clone() else { return };
        let attached = self.player.clip().and_then(|clip| clip.skeleton.attached());
        let on = match self.usual_skeleton(&source) {
            On::Kept(RigFile { path: Some(path), .. }) if attached.is_some() => On::File(path),
            on => on,
        };
        let what = What::Source(source);
        let mut order = self.order_for(what, on, Manner::GoesOn);
        if !variants.is_empty() {
            // The choice is one of this format, whatever else the file may look like.
            order.format = self.player.clip().map(|clip| clip.format);
            order.variants = variants;
        }
        self.loading.start(order, &mut self.files);
    }

    /// Puts what is open on another skeleton, or keeps that for what is opened next.
    pub(super) fn put_on(&mut self, on: On) {
        let open = self.open_or_opening();
        self.order(What::Together { files: Vec::new(), open }, on, Manner::GoesOn);
    }

    fn order(&mut self, what: What, on: On, manner: Manner) {
        let order = self.order_for(what, on, manner);
        self.loading.start(order, &mut self.files);
    }

    /// The order to read that, as the user has files read.
    pub(super) fn order_for(&self, what: What, on: On, manner: Manner) -> Order {
        let (format, assumptions) = (self.loading.format, self.settings.format_assumptions());
        Order { what, on, format, variants: Vec::new(), assumptions, manner }
    }

    fn open_or_opening(&self) -> Option<Source> {
        self.loading.source().or(self.files.current.as_ref()).cloned()
    }

    /// The skeleton that belongs to a sample, else the one that the user attached, else what lies
    /// beside a file, unless the user took it off there.
    pub(super) fn usual_skeleton(&self, source: &Source) -> On {
        let own = match source {
            Source::Sample(index) => SAMPLES[*index].rig().map(|rig| RigFile::new(rig, None)),
            Source::File(_) | Source::Stdin => None,
        };
        let beside = match source {
            Source::File(path) if self.files.alone_in.as_deref() != Some(folder_of(path)) => {
                On::KeptWithRecording
            }
            _ => On::Nothing,
        };
        own.or_else(|| self.files.rig.clone()).map_or(beside, On::Kept)
    }

    pub(super) fn step_file(&mut self, direction: Direction) {
        if let Some(index) = self.files.next(direction) {
            self.open_listed(index);
        }
    }
}
