//! Caches the content of rows while the time axis is unchanged.

use std::{collections::HashMap, sync::Arc};

use super::signal_shape::SignalShape;
use mutoscope_core::clip::Clip;
use mutoscope_view::timeline::{Density, ItemId, KeyIndex, TimeAxis};

#[derive(Clone, Debug, Default)]
pub(super) struct RowCache {
    axis: Option<TimeAxis>,
    densities: HashMap<ItemId, Arc<Density>>,
    shapes: HashMap<usize, Arc<SignalShape>>,
    overview: Option<(TimeAxis, Arc<Density>)>,
}

impl RowCache {
    pub(super) fn set_axis(&mut self, axis: &TimeAxis) {
        if self.axis.as_ref() != Some(axis) {
            self.axis = Some(axis.clone());
            self.densities.clear();
            self.shapes.clear();
        }
    }

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

    pub(super) fn overview_density(
        &mut self,
        clip: &Clip,
        keys: &KeyIndex,
        axis: &TimeAxis,
    ) -> Arc<Density> {
        if let Some((_, known)) = self.overview.as_ref().filter(|(known, _)| known == axis) {
            return known.clone();
        }
        let density = Arc::new(keys.density_of_all(clip, axis));
        self.overview = Some((axis.clone(), density.clone()));
        density
    }

    pub(super) fn signal_shape(
        &mut self,
        clip: &Clip,
        signal: usize,
        axis: &TimeAxis,
    ) -> Arc<SignalShape> {
        let shape = || Arc::new(SignalShape::new(clip, &clip.signals[signal], axis));
        self.shapes.entry(signal).or_insert_with(shape).clone()
    }
}
