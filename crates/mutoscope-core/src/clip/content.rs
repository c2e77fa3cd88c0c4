//! The kinds of content that clips, formats and export targets can hold.

use glam::DVec3;

use super::{Clip, MORPH_WEIGHT_PREFIX, NodePose, NodeVisibility, Pose, Segment, Shapes};

/// A kind of content. Formats declare which kinds their recordings can have, and export targets
/// declare which kinds they keep.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Content {
    /// Positions and rotations of nodes over time.
    Motion,
    /// Parents of nodes.
    Hierarchy,
    /// A rest pose.
    RestPose,
    /// Nodes that are hidden at times.
    Visibility,
    /// Scales of nodes.
    Scales,
    /// Signals: values over time that move no node and no morph target.
    Signals,
    /// Events.
    Events,
    /// Meshes.
    Meshes,
    /// Morph targets of meshes and their weights.
    MorphTargets,
    /// Curves with tangents between keys.
    Tangents,
}

impl Content {
    /// Returns the name for users, such as `rest pose`.
    pub fn name(self) -> String {
        <&str>::from(self).replace('-', " ")
    }

    /// Returns the capital letter that stands for the kind in tables.
    pub const fn letter(self) -> char {
        match self {
            Self::Motion => 'P',
            Self::Hierarchy => 'H',
            Self::RestPose => 'R',
            Self::Visibility => 'V',
            Self::Scales => 'S',
            Self::Signals => 'G',
            Self::Events => 'E',
            Self::Meshes => 'M',
            Self::MorphTargets => 'B',
            Self::Tangents => 'T',
        }
    }
}

impl Clip {
    /// Returns the kinds of content that the clip has, in the order of [`Content`].
    pub fn contents(&self) -> Vec<Content> {
        let all = <Content as strum::VariantArray>::VARIANTS.iter().copied();
        all.filter(|&content| self.has_content(content)).collect()
    }

    fn has_content(&self, content: Content) -> bool {
        match content {
            Content::Motion => {
                self.nodes.iter().any(|node| node.motion.visibility != NodeVisibility::Never)
            }
            Content::Hierarchy => self.nodes.iter().any(|node| node.parent.is_some()),
            Content::RestPose => self.has_rest_pose(),
            Content::Visibility => self.is_sampled_at_some_time(|node| !node.is_visible),
            Content::Scales => self.nodes.has_scales() && self.is_sampled_at_some_time(is_scaled),
            Content::Signals => self
                .signals
                .iter()
                .any(|signal| !self.track(signal.track).property.starts_with(MORPH_WEIGHT_PREFIX)),
            Content::Events => !self.events.is_empty(),
            Content::Meshes => {
                self.model().is_some_and(|model| !model.is_empty()) || self.export_model().is_some()
            }
            Content::MorphTargets => self.model().is_some_and(|model| {
                model.pieces.iter().any(|piece| !piece.morph_targets.is_empty())
            }),
            Content::Tangents => {
                let components = self.tracks.iter().flat_map(|track| track.curve.components());
                components.map(|curve| curve.shapes()).any(has_tangents)
            }
        }
    }

    /// Returns `true` if any node that moves has `property` at one of some times.
    fn is_sampled_at_some_time(&self, property: impl Fn(&NodePose) -> bool) -> bool {
        const SAMPLE_INTERVALS: u32 = 64;
        let mut pose = Pose::default();
        (0..=SAMPLE_INTERVALS).any(|index| {
            let part = f64::from(index) / f64::from(SAMPLE_INTERVALS);
            self.sample_motion(self.span.start + self.span.duration * part, &mut pose);
            let nodes = self.nodes.iter().zip(&pose.nodes);
            let mut moved =
                nodes.filter(|(node, _)| node.motion.visibility != NodeVisibility::Never);
            moved.any(|(_, node_pose)| property(node_pose))
        })
    }
}

fn is_scaled(node: &NodePose) -> bool {
    const TOLERANCE: f64 = 1e-9;
    !node.local.scale.abs_diff_eq(DVec3::ONE, TOLERANCE)
}

fn has_tangents(shapes: &Shapes) -> bool {
    match shapes {
        Shapes::Step | Shapes::Linear | Shapes::Nearest => false,
        Shapes::Tangents(_) => true,
        Shapes::Segments(segments) => {
            let is_plain = |segment: &Segment| {
                matches!(segment, Segment::Step | Segment::StepNext | Segment::Linear)
            };
            !segments.iter().all(is_plain)
        }
    }
}
