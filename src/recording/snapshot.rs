//! Recordings and how they are shown, apart from any world.

use std::sync::Arc;

use bevy::prelude::*;

use super::{HiddenNodes, OnClock, Overlay, Recording, Tint};
use crate::asset::ClipAsset;
use mutoscope_core::{
    clip::Clip,
    measure::compare::{CompareOptions, Relation, Timing, Unaligned},
};

/// A recording and how it is shown: taken from one world and spawned in another.
#[derive(Clone, Debug)]
pub struct RecordingSnapshot {
    /// The recording as it plays: with an interpolation override, if there was one.
    pub asset: ClipAsset,
    /// How it runs on the clock.
    pub timing: Timing,
    /// Its base: the index among the snapshots, and how it is overlaid.
    pub overlay: Option<(usize, Overlay)>,
    /// Its tint.
    pub tint: Tint,
    /// The nodes that are not drawn.
    pub hidden: HiddenNodes,
    /// Whether it is drawn at all.
    pub is_visible: bool,
}

impl RecordingSnapshot {
    /// `asset` as a reference: alone, in its own colours, all of it drawn.
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

    /// `asset` as the recording with this `index`, laid over the reference `first`.
    ///
    /// # Errors
    /// If it is to be aligned in time, and there is no offset at which both move alike.
    pub fn overlaid(
        first: &Clip,
        asset: ClipAsset,
        index: usize,
        options: &CompareOptions,
    ) -> Result<Self, Unaligned> {
        let relation = Relation::new(first, &asset.clip, options)?;
        let placement = options.placement.unwrap_or_default();
        let overlay = Overlay { base: Entity::PLACEHOLDER, placement, mean: relation.mean };
        Ok(Self {
            timing: relation.timing,
            overlay: Some((0, overlay)),
            tint: Tint::in_turn(index),
            ..Self::new(asset)
        })
    }

    /// The recording of a world; `index_of` tells the index of what it is laid over.
    pub fn of(
        (recording, overlay, tint): (&Recording, Option<&Overlay>, Tint),
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

    /// Spawns `snapshots` in another world, on the clock of the entity `clock`; the entities are in
    /// the same order.
    pub fn spawn_all(snapshots: Vec<Self>, clock: Entity, world: &mut World) -> Vec<Entity> {
        let mut entities = Vec::new();
        for Self { asset, timing, overlay, tint, hidden, is_visible } in snapshots {
            let mut recording = Recording::new(asset);
            recording.set_timing(timing);
            let visibility = if is_visible { Visibility::Inherited } else { Visibility::Hidden };
            let mut entity = world.spawn((recording, OnClock(clock), tint, hidden, visibility));
            let base = overlay.and_then(|(index, overlay)| Some((*entities.get(index)?, overlay)));
            if let Some((base, overlay)) = base {
                entity.insert(Overlay { base, ..overlay });
            }
            entities.push(entity.id());
        }
        entities
    }
}
