//! The errors of retargeting.

use crate::clip::HumanBone;

/// The reason why a motion cannot be retargeted, or why a bone map is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// The bone map is not JSON, or its members have the wrong names or types. The text says why.
    #[error("expected a bone map as JSON: {0}")]
    InvalidMap(String),
    /// The bone map is JSON, but not an object.
    #[error("expected a bone map as JSON, found something other than an object")]
    MapIsNoObject,
    /// The bone map names a bone that VRM 1.0 does not have.
    #[error("{member}: expected a bone of VRM 1.0, found {name:?}")]
    UnknownBone {
        /// The member of the map: `motion` or `character`.
        member: &'static str,
        /// The name in the map.
        name: String,
    },
    /// The hip scale of the bone map is not a positive number.
    #[error("hip_scale: expected a positive number, found {0}")]
    InvalidHipScale(f64),
    /// The bone map names a node that does not exist.
    #[error("the bone map has {bone}: {name:?}; the {member} has no such node")]
    UnknownNode {
        /// The member of the map: `motion` or `character`.
        member: &'static str,
        /// The bone.
        bone: HumanBone,
        /// The name of the node in the map.
        name: String,
    },
    /// Several nodes are hips of a body with legs.
    #[error(
        "expected one body, found several hips with legs: {0:?} and {1:?}. Name one in a bone map: \
         --retarget MAP.json"
    )]
    SeveralHips(String, String),
    /// Bones have scales that are not positive, so their rotation cannot be derived.
    #[error(
        "{member}: bones are mirrored or flattened by scales that are not positive: {nodes}; not \
         retargeted"
    )]
    NonPositiveScales {
        /// The side: `motion` or `character`.
        member: &'static str,
        /// The names of the nodes.
        nodes: String,
    },
    /// The motion consists of hands, but the character of this name has no bones of hands.
    #[error("expected hand bones, found none in {0}; not retargeted")]
    NoHandBones(String),
    /// The recording has no body that can be put into a T-pose.
    #[error("cannot make a T-pose of the recording, because {0}")]
    NoTPose(String),
    /// A side lacks required bones.
    #[error(
        "expected a body on both sides, with nodes for {required}. {missing}; not retargeted. Name \
         the nodes in a bone map: --retarget MAP.json"
    )]
    MissingBones {
        /// The names of the required bones.
        required: String,
        /// The missing bones of each side, as text.
        missing: String,
    },
}
