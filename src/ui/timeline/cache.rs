//! Cached rows, kept while the axis is unchanged.

use std::{collections::HashMap, sync::Arc};

use super::signal_shape::SignalShape;
use mutoscope_core::{
    clip::Clip,
    measure::timeline::{Density, ItemId, KeyIndex, TimeAxis},
};

/// The content of rows: computed once for each axis, not in each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    axis: Option<TimeAxis>,
    densities: HashMap<ItemId, Arc<Density>>,
    runs: HashMap<usize, Arc<SignalShape>>,
    /// All rows together, on the axis of the overview.
    whole: Option<(TimeAxis, Arc<Density>)>,
}

impl Cache {
    /// Drops the rows of another axis.
    pub(super) fn aim_at(&mut self, axis: &TimeAxis) {
        if self.axis.as_ref() != Some(axis) {
            self.axis = Some(axis.clone());
            self.densities.clear();
            self.runs.clear();
        }
    }

    /// Where the keys of a row are on the axis aimed at.
    pub(super) fn density(
        &mut self,
        clip: &Clip,
        keys: &KeyIndex,
        row: ItemId,
        axis: &TimeAxis,
    ) -> Arc<Density> {
        let count = || Arc::new(keys.density(clip, row, axis));
        self.densities.entry(row).or_insert_with(count).clone()
    }

    /// Where the keys of all rows are on `axis`, which is that of the overview.
    pub(super) fn whole(&mut self, clip: &Clip, keys: &KeyIndex, axis: &TimeAxis) -> Arc<Density> {
        if let Some((_, known)) = self.whole.as_ref().filter(|(known, _)| known == axis) {
            return known.clone();
        }
        let density = Arc::new(keys.density_of_all(clip, axis));
        self.whole = Some((axis.clone(), density.clone()));
        density
    }

    /// How the numbers of the signal with this index run on the axis aimed at.
    pub(super) fn run(&mut self, clip: &Clip, signal: usize, axis: &TimeAxis) -> Arc<SignalShape> {
        let run = || Arc::new(SignalShape::new(clip, &clip.signals[signal], axis));
        self.runs.entry(signal).or_insert_with(run).clone()
    }
}
