//! Recordings as they are played: each with a player, a place and a time.

use std::sync::Arc;

use super::{Cue, Placement, Round};
use crate::{Entity, Part, Person, Recording, SampleTime, Size, TICKS_PER_SECOND, nodes};
use mutoscope_core::clip::NodeId;

/// A recording as it is played.
#[derive(Clone, Debug)]
pub struct Take {
    /// Its name in the scene: `intro/walk`; empty if the recording is on its own.
    pub name: String,
    /// The recording.
    pub recording: Arc<Recording>,
    /// The actor: the recording's player, or another.
    pub person: Person,
    /// The image of the skin that the scene gives: a PNG.
    pub skin: Option<Arc<[u8]>>,
    /// The kind of entity that plays it, if not a player: `minecraft:cow`.
    pub kind: Option<String>,
    /// Further data of that entity, as SNBT.
    pub kind_nbt: Option<String>,
    /// When.
    pub cue: Cue,
    /// Each time that it plays: all, or the first if there are too many to be listed.
    pub rounds: Box<[Round]>,
    /// Where.
    pub placement: Placement,
    /// How much larger who plays it is.
    pub size: f64,
    /// The index of the element of the scene's file that it is, or is within.
    pub element: usize,
    /// The index of the first of its nodes.
    pub(in super::super) first_node: usize,
}

/// All recordings that are played together: one on its own, or all of a scene.
///
/// A clip of this format holds one, which
/// [`Clip::procedural_as`](mutoscope_core::clip::Clip::procedural_as) gives back.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Every recording as it is played, in the order of the file.
    pub takes: Box<[Arc<Take>]>,
    /// How long it plays, in ticks.
    pub ticks: f64,
    /// Whether it is a scene, and not a recording on its own.
    pub is_scene: bool,
    /// How many elements are missing, because their files are or cannot be read.
    pub missing: usize,
    /// The issues of its elements, the first of each.
    pub issues: Box<[ElementIssue]>,
}

/// Something that is wrong with an element of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementIssue {
    /// The index of the element in the scene's file.
    pub element: usize,
    /// The issue, as a sentence.
    pub message: String,
}

impl Take {
    /// A recording on its own.
    pub(in super::super) fn alone(recording: Recording) -> Self {
        Self {
            name: String::new(),
            person: recording.person.clone(),
            skin: None,
            kind: None,
            kind_nbt: None,
            rounds: [Round::new(recording.ticks.into())].into(),
            recording: Arc::new(recording),
            cue: Cue::default(),
            placement: Placement::IDENTITY,
            size: 1.0,
            element: 0,
            first_node: 0,
        }
    }

    /// The moment of the recording at `time`, in seconds; nothing while it is not there.
    pub fn moment(&self, time: f64) -> Option<SampleTime> {
        self.cue.local(time).map(|time| self.recording.moment(time))
    }

    /// Whether it plays by `time`, in seconds, or has played: before, it is at its start, and the
    /// changes of its first tick have not happened yet.
    pub fn has_begun(&self, time: f64) -> bool {
        !self.is_in_scene() || self.cue.local(time).is_none_or(|local| local >= 0.0)
    }

    /// Whether an entity is visible at a moment of `time`, in seconds.
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

    /// The prefix of its nodes' names.
    pub(in super::super) fn prefix(&self) -> String {
        if self.is_in_scene() { format!("{}/", self.name) } else { String::new() }
    }

    /// How many nodes it has.
    pub(in super::super) fn node_count(&self) -> usize {
        nodes::count(self.recording.entities.len())
    }

    /// How large the entity is that plays it, if it is no player.
    pub fn kind_size(&self) -> Option<Size> {
        let nbt = self.kind_nbt.as_deref().unwrap_or_default();
        self.kind.as_deref().map(|kind| Size::of_entity(kind, nbt))
    }

    /// The node of the player.
    pub fn player(&self) -> NodeId {
        self.node(nodes::PLAYER)
    }

    /// The node of a part of the player's body.
    pub fn part(&self, part: Part) -> NodeId {
        self.node(nodes::part(part))
    }

    /// The node of the entity at this position among those of the recording.
    pub fn entity(&self, index: usize) -> NodeId {
        self.node(nodes::entity(index))
    }

    /// The node of the clip for this node of the recording on its own.
    pub(in super::super) fn node(&self, alone: NodeId) -> NodeId {
        NodeId::new(self.first_node + alone.index())
    }
}

impl Scene {
    /// A recording on its own.
    pub(in super::super) fn alone(recording: Recording) -> Self {
        let ticks = recording.ticks.into();
        let takes = [Arc::new(Take::alone(recording))].into();
        Self { takes, ticks, is_scene: false, missing: 0, issues: Box::default() }
    }

    /// The index of the element in the scene's file that this node is of.
    pub fn element_of(&self, node: NodeId) -> Option<usize> {
        let has = |take: &&Arc<Take>| {
            let first = take.first_node;
            (first..first + take.node_count()).contains(&node.index())
        };
        self.takes.iter().find(has).filter(|_| self.is_scene).map(|take| take.element)
    }

    /// How long it plays, in seconds.
    pub fn duration(&self) -> f64 {
        self.ticks / TICKS_PER_SECOND
    }
}
