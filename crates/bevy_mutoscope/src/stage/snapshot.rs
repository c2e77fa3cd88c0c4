//! Recordings and their appearance, independent of a Bevy world.

use std::sync::Arc;

use bevy::prelude::*;

use super::{HiddenNodes, Overlay, Tint};
use crate::{ClipAsset, FollowsClock, Recording};
use mutoscope_core::{
    clip::Clip,
    measure::compare::{AlignError, CompareOptions, Relation, Timing},
};

/// A recording and its appearance, copied from one Bevy world to be spawned in another.
#[derive(Clone, Debug)]
pub struct RecordingSnapshot {
    /// The asset, with the interpolation override applied to its clip.
    pub asset: ClipAsset,
    /// The timing of the clip on its clock.
    pub timing: Timing,
    /// The index of the snapshot on which this recording is laid, and its placement. `None` if the
    /// recording is not laid over another.
    pub overlay: Option<(usize, Overlay)>,
    /// The tint of the recording.
    pub tint: Tint,
    /// The nodes that are not drawn.
    pub hidden: HiddenNodes,
    /// `true` if the recording is drawn at all.
    pub is_visible: bool,
}

impl RecordingSnapshot {
    /// Creates a snapshot of `asset` alone, in its own colours and with all nodes drawn.
    pub fn new(asset: ClipAsset) -> Self {
        Self {
            asset,
            timing: Timing::default(),
            overlay: None,
            tint: Tint::default(),
            hidden: HiddenNodes::default(),
            is_visible: true,
        }
    }

    /// Creates a snapshot of `asset` as the recording at `index`, laid over the reference clip
    /// `reference`.
    ///
    /// # Errors
    /// If `options` ask for an alignment in time, and no offset makes the two motions match.
    pub fn overlaid(
        reference: &Clip,
        asset: ClipAsset,
        index: usize,
        options: &CompareOptions,
    ) -> Result<Self, AlignError> {
        let relation = Relation::new(reference, &asset.clip, options)?;
        let placement = options.placement.unwrap_or_default();
        let overlay = Overlay {
            mean_offset: relation.mean_offset,
            ..Overlay::new(Entity::PLACEHOLDER, placement)
        };
        Ok(Self {
            timing: relation.timing,
            overlay: Some((0, overlay)),
            tint: Tint::for_index(index),
            ..Self::new(asset)
        })
    }

    /// Copies a recording from its components. `index_of` returns the index of the base of an
    /// overlay among the snapshots.
    pub fn from_components(
        recording: &Recording,
        overlay: Option<&Overlay>,
        tint: Tint,
        hidden: &HiddenNodes,
        is_visible: bool,
        index_of: impl Fn(Entity) -> Option<usize>,
    ) -> Self {
        Self {
            asset: ClipAsset { clip: Arc::clone(recording.clip()), ..recording.asset().clone() },
            timing: recording.timing(),
            overlay: overlay.and_then(|overlay| Some((index_of(overlay.base)?, *overlay))),
            tint,
            hidden: hidden.clone(),
            is_visible,
        }
    }

    /// Spawns `snapshots` in `world`, on the clock of the entity `clock`. Returns their entities in
    /// the same order.
    pub fn spawn_all(snapshots: Vec<Self>, clock: Entity, world: &mut World) -> Vec<Entity> {
        let mut entities = Vec::new();
        for Self { asset, timing, overlay, tint, hidden, is_visible } in snapshots {
            let mut recording = Recording::new(asset);
            recording.set_timing(timing);
            let visibility = if is_visible { Visibility::Inherited } else { Visibility::Hidden };
            let mut entity =
                world.spawn((recording, FollowsClock(clock), tint, hidden, visibility));
            let base = overlay.and_then(|(index, overlay)| Some((*entities.get(index)?, overlay)));
            if let Some((base, overlay)) = base {
                entity.insert(Overlay { base, ..overlay });
            }
            entities.push(entity.id());
        }
        entities
    }
}
