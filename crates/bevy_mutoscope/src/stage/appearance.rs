//! The table of appearances: which clips each appearance draws, and with which parts.

use bevy::{
    ecs::{hierarchy::ChildSpawnerCommands, system::SystemParam},
    math::DVec3,
    mesh::skinning::SkinnedMeshInverseBindposes,
    prelude::*,
};

#[cfg(feature = "minecraft")]
use super::{PlayerSkin, minecraft};
use super::{material::Paint, model, nodes, subject::PartContext};
use mutoscope_core::clip::{self, Clip, NodeBounds, NodeId, Pose};

/// All appearances, the most specific first. Every appearance that applies to a clip draws it. The
/// list ends for this clip at the first appearance that draws everything.
static APPEARANCES: &[Appearance] = &[
    #[cfg(feature = "minecraft")]
    minecraft::APPEARANCE,
    model::APPEARANCE,
    nodes::APPEARANCE,
];

pub(super) struct Appearance {
    pub(super) applies_to: fn(&Clip) -> bool,
    pub(super) draws_everything: bool,
    /// `true` if the appearance is used only if [`StagePlugin::figures`](super::StagePlugin) is set.
    pub(super) is_figure: bool,
    pub(super) spawn: fn(&mut ChildSpawnerCommands, &PartContext<'_>, &mut PartAssets<'_>),
    pub(super) node_bounds: fn(&Clip) -> Vec<NodeBounds>,
    /// Returns points on the drawn objects that do not move, in the viewer's space.
    pub(super) surroundings: fn(&Clip) -> Vec<DVec3>,
    /// If surroundings are farther than this from the motion, in metres, the camera does not frame
    /// them.
    pub(super) max_surroundings_distance: f64,
    /// The thickness of lines and joints relative to those of a hand. If it is `None`, it is
    /// computed from the lengths of the bones.
    pub(super) scale: Option<f64>,
    pub(super) boxes: fn(&Clip) -> Vec<(NodeId, Transform)>,
    /// Returns the transform of the recorded eyes in the viewer's space. They look along −Z. `None`
    /// if the clip has no eyes.
    pub(super) eyes: fn(&Clip, &Pose) -> Option<clip::Transform>,
}

impl Appearance {
    pub(super) const NONE: Self = Self {
        applies_to: |_| false,
        draws_everything: false,
        is_figure: false,
        spawn: |_, _, _| (),
        node_bounds: |_| Vec::new(),
        surroundings: |_| Vec::new(),
        max_surroundings_distance: 0.0,
        scale: None,
        boxes: |_| Vec::new(),
        eyes: |_, _| None,
    };
}

/// Returns the appearances of a clip. Without `figures`, Minecraft players are drawn node by node.
pub(super) fn appearances_of(
    clip: &Clip,
    figures: bool,
) -> impl Iterator<Item = &'static Appearance> {
    let mut is_complete = false;
    let applies = move |appearance: &&Appearance| {
        (figures || !appearance.is_figure) && (appearance.applies_to)(clip)
    };
    APPEARANCES.iter().filter(applies).take_while(move |appearance| {
        let goes_on = !is_complete;
        is_complete |= appearance.draws_everything;
        goes_on
    })
}

pub(super) fn eyes(clip: &Clip, pose: &Pose, figures: bool) -> Option<clip::Transform> {
    appearances_of(clip, figures).find_map(|appearance| (appearance.eyes)(clip, pose))
}

#[derive(SystemParam)]
pub(super) struct PartAssets<'w> {
    pub(super) paints: ResMut<'w, Assets<Paint>>,
    pub(super) lines: ResMut<'w, Assets<GizmoAsset>>,
    pub(super) meshes: ResMut<'w, Assets<Mesh>>,
    pub(super) images: ResMut<'w, Assets<Image>>,
    pub(super) bindings: ResMut<'w, Assets<SkinnedMeshInverseBindposes>>,
    #[cfg(feature = "minecraft")]
    pub(super) skin: Res<'w, PlayerSkin>,
}
