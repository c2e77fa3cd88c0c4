//! Takes: recordings as a scene plays them, each with a player, a placement and a cue.

use std::sync::Arc;

use super::{Cue, Placement, Round};
use crate::{Entity, Part, PlayerProfile, Recording, SampleTime, Size, TICKS_PER_SECOND, nodes};
use mutoscope_core::clip::NodeId;

/// A recording as a scene plays it: with the scene's actor, times and transformation.
#[derive(Clone, Debug)]
pub struct Take {
    /// The name in the scene, such as `intro/walk`. Empty for a recording without a scene.
    pub name: String,
    /// The recording.
    pub recording: Arc<Recording>,
    /// The profile of the actor: the recorded player, or the one that the scene sets.
    pub profile: PlayerProfile,
    /// The PNG image of the skin that the scene sets.
    pub skin: Option<Arc<[u8]>>,
    /// The kind of the entity that plays the recording instead of a player, such as
    /// `minecraft:cow`.
    pub entity_kind: Option<String>,
    /// Additional data of that entity, as SNBT.
    pub entity_nbt: Option<String>,
    /// The times at which the take plays.
    pub cue: Cue,
    /// Each round that the take plays. If there are too many rounds, only the first ones are
    /// listed.
    pub rounds: Box<[Round]>,
    /// The transformation from the recording's space to the space of the scene.
    pub placement: Placement,
    /// The scale of the actor.
    pub actor_scale: f64,
    /// The index of the top-level element in the scene file that this take belongs to.
    pub element: usize,
    pub(in super::super) first_node: usize,
}

/// All takes that are played together: a single recording, or all recordings of a scene.
///
/// A clip of this format contains a scene, which
/// [`Clip::procedural_as`](mutoscope_core::clip::Clip::procedural_as) returns.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The takes, in the order of the file.
    pub takes: Box<[Arc<Take>]>,
    /// The duration, in ticks.
    pub ticks: f64,
    /// `true` for a scene file, `false` for a recording without a scene.
    pub is_scene: bool,
    /// The number of elements that could not be loaded.
    pub missing_elements: usize,
    /// The first problem of each element that has a problem.
    pub element_diagnostics: Box<[ElementDiagnostic]>,
}

/// A problem with an element of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementDiagnostic {
    /// The index of the element in the scene file.
    pub element: usize,
    /// The message, as a sentence.
    pub message: String,
}

impl Take {
    pub(in super::super) fn from_recording(recording: Recording) -> Self {
        Self {
            name: String::new(),
            profile: recording.profile.clone(),
            skin: None,
            entity_kind: None,
            entity_nbt: None,
            rounds: [Round::new(recording.ticks.into())].into(),
            recording: Arc::new(recording),
            cue: Cue::default(),
            placement: Placement::IDENTITY,
            actor_scale: 1.0,
            element: 0,
            first_node: 0,
        }
    }

    /// Returns the sample time in the recording at `time` of the scene, which is in seconds.
    /// Returns `None` while the recording is absent.
    pub fn sample_time(&self, time: f64) -> Option<SampleTime> {
        self.cue.local_time(time).map(|time| self.recording.sample_time(time))
    }

    /// Returns `true` if the take has begun to play at `time`, in seconds. Before that, the
    /// recording waits at its start, and the changes of its first tick have not happened yet.
    pub fn has_begun(&self, time: f64) -> bool {
        !self.is_in_scene() || self.cue.local_time(time).is_none_or(|local| local >= 0.0)
    }

    /// Returns `true` if an entity is visible. `moment` must be the sample time at `time`, which is
    /// in seconds.
    pub(in super::super) fn is_entity_shown(
        &self,
        entity: &Entity,
        moment: SampleTime,
        time: f64,
    ) -> bool {
        entity.is_shown(moment.frame) && self.has_begun(time)
    }

    pub(super) fn is_in_scene(&self) -> bool {
        !self.name.is_empty()
    }

    pub(in super::super) fn prefix(&self) -> String {
        if self.is_in_scene() { format!("{}/", self.name) } else { String::new() }
    }

    pub(in super::super) fn node_count(&self) -> usize {
        nodes::node_count(self.recording.entities.len())
    }

    /// Returns the size of the entity that plays the recording, or `None` if a player plays the
    /// recording.
    pub fn entity_size(&self) -> Option<Size> {
        let nbt = self.entity_nbt.as_deref().unwrap_or_default();
        self.entity_kind.as_deref().map(|kind| Size::for_entity(kind, nbt))
    }

    /// Returns the player's node.
    pub fn player_node(&self) -> NodeId {
        self.to_scene_node(nodes::PLAYER)
    }

    /// Returns the node of a part of the player's body.
    pub fn part_node(&self, part: Part) -> NodeId {
        self.to_scene_node(nodes::part_node(part))
    }

    /// Returns the node of the entity with this index in the recording.
    pub fn entity_node(&self, index: usize) -> NodeId {
        self.to_scene_node(nodes::entity_node(index))
    }

    pub(in super::super) fn to_scene_node(&self, alone: NodeId) -> NodeId {
        NodeId::new(self.first_node + alone.index())
    }
}

impl Scene {
    pub(in super::super) fn from_recording(recording: Recording) -> Self {
        let ticks = recording.ticks.into();
        let takes = [Arc::new(Take::from_recording(recording))].into();
        Self {
            takes,
            ticks,
            is_scene: false,
            missing_elements: 0,
            element_diagnostics: Box::default(),
        }
    }

    /// Returns the index of the top-level element in the scene file that `node` belongs to. `None`
    /// for a recording without a scene.
    pub fn element_index(&self, node: NodeId) -> Option<usize> {
        let has = |take: &&Arc<Take>| {
            let first = take.first_node;
            (first..first + take.node_count()).contains(&node.index())
        };
        self.takes.iter().find(has).filter(|_| self.is_scene).map(|take| take.element)
    }

    /// Returns the duration in seconds.
    pub fn duration(&self) -> f64 {
        self.ticks / TICKS_PER_SECOND
    }
}
