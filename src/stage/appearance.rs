//! The table of appearances: which clips each draws, and how.

use bevy::{
    ecs::{hierarchy::ChildSpawnerCommands, system::SystemParam},
    math::DVec3,
    mesh::skinning::SkinnedMeshInverseBindposes,
    prelude::*,
};

use super::{PlayerSkin, material::Paint, minecraft, model, nodes, subject::Parts};
use mutoscope_core::clip::{self, Clip, NodeId, Pose, Reach};

/// Every appearance, the most specific first. A clip is drawn by all that apply, up to the first
/// that draws all of it.
static APPEARANCES: [Appearance; 3] = [minecraft::APPEARANCE, model::APPEARANCE, nodes::APPEARANCE];

/// One way in which recordings look.
pub(super) struct Appearance {
    /// Whether clips of this kind look so.
    pub(super) draws: fn(&Clip) -> bool,
    /// Whether nothing else of such a clip is drawn.
    pub(super) is_all: bool,
    /// Spawns the parts, which follow the pose from then on.
    pub(super) spawn: fn(&mut ChildSpawnerCommands, &Parts<'_>, &mut Workshop<'_>),
    /// The boxes that contain what is drawn around nodes.
    pub(super) reaches: fn(&Clip) -> Vec<Reach>,
    /// Points of what is drawn and does not move, in the viewer's space.
    pub(super) surroundings: fn(&Clip) -> Vec<DVec3>,
    /// How far from what moves these may be to be looked at from the start, in metres.
    pub(super) surroundings_within: f64,
    /// How much thicker than in a hand lines and joints are; nothing goes by the bones.
    pub(super) scale: Option<f64>,
    /// The boxes that stand for nodes in outlines: what makes each of a cube of size 1.
    pub(super) boxes: fn(&Clip) -> Vec<(NodeId, Transform)>,
    /// The eyes of a recorded view: their position and, along −Z, their look, in the viewer's
    /// space.
    pub(super) eyes: fn(&Clip, &Pose) -> Option<clip::Transform>,
}

impl Appearance {
    /// An appearance that draws nothing of any clip.
    pub(super) const NONE: Self = Self {
        draws: |_| false,
        is_all: false,
        spawn: |_, _, _| (),
        reaches: |_| Vec::new(),
        surroundings: |_| Vec::new(),
        surroundings_within: 0.0,
        scale: None,
        boxes: |_| Vec::new(),
        eyes: |_, _| None,
    };
}

/// The appearances of `clip`.
pub(super) fn of(clip: &Clip) -> impl Iterator<Item = &'static Appearance> {
    let mut is_complete = false;
    APPEARANCES.iter().filter(|one| (one.draws)(clip)).take_while(move |one| {
        let goes_on = !is_complete;
        is_complete |= one.is_all;
        goes_on
    })
}

/// The eyes in `pose`, if there are any.
pub(super) fn eyes(clip: &Clip, pose: &Pose) -> Option<clip::Transform> {
    of(clip).find_map(|one| (one.eyes)(clip, pose))
}

/// The assets that parts are made with.
#[derive(SystemParam)]
pub(super) struct Workshop<'w> {
    pub(super) paints: ResMut<'w, Assets<Paint>>,
    pub(super) lines: ResMut<'w, Assets<GizmoAsset>>,
    pub(super) meshes: ResMut<'w, Assets<Mesh>>,
    pub(super) images: ResMut<'w, Assets<Image>>,
    pub(super) bindings: ResMut<'w, Assets<SkinnedMeshInverseBindposes>>,
    pub(super) skin: Res<'w, PlayerSkin>,
}
