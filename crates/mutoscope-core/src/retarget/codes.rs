//! The codes of diagnostics about retargeting.

crate::codes! { "retarget":
    /// The motion was transferred to the character. The message says how many bones are mapped.
    BONES_MAPPED = "bones-mapped" {
        cause: "The recording was opened with a character, bone by bone.",
        remedy: "Nothing has to be done.",
    }
    /// Required bones are not mapped, so these parts of the character rest.
    BONES_MISSING = "bones-missing" {
        cause: "The recording or the character lacks the bones, or names their nodes in an unusual way.",
        remedy: "Name the nodes in a bone map: mutoscope bones prints one to edit, and --retarget MAP.json reads it.",
    }
    /// A node is named like a bone, but is not below the bone that it belongs to. It is not used.
    MISPLACED_BONE = "misplaced-bone" {
        cause: "The skeleton has control nodes or props with the names of bones.",
        remedy: "If the node is the bone, name it in a bone map: --retarget MAP.json.",
    }
    /// Several nodes are called hips. The message names the one that is used.
    SEVERAL_HIPS = "several-hips" {
        cause: "A root above the skeleton has the name of the hips.",
        remedy: "If another node is the hips, name it in a bone map: --retarget MAP.json.",
    }
    /// The recording has several bodies. The first of them is used.
    SEVERAL_BODIES = "several-bodies" {
        cause: "Several people or figures were recorded.",
        remedy: "To use another body, name its hips in a bone map: --retarget MAP.json.",
    }
    /// The scale of bones differs between axes, so the bones shear what they move.
    UNEVEN_SCALE = "uneven-scale" {
        cause: "Bones of the character were stretched along one axis.",
        remedy: "Apply the scales of the bones before the export.",
    }
    /// The rest poses differ, so bones are aligned by the directions of the limbs.
    REST_POSES_ALIGNED = "rest-poses-aligned" {
        cause: "One body rests with its arms stretched out, the other with its arms lowered.",
        remedy: "Nothing has to be done. If limbs are twisted, use the same rest pose on both sides.",
    }
    /// The rest pose of the motion is not upright. The pose at the start is the reference instead.
    REFERENCE_AT_START = "reference-at-start" {
        cause: "The recording has no rest pose, or rests lying.",
        remedy: "Let the recording begin in an upright pose, with the arms stretched out or lowered.",
    }
    /// The hips of a body are not above its feet, so the lengths of the legs give the hip scale.
    HIPS_NOT_RAISED = "hips-not-raised" {
        cause: "The body rests lying or sitting.",
        remedy: "If the character floats or sinks, set hip_scale in a bone map: --retarget MAP.json.",
    }
    /// The character is much taller or much smaller than the recorded body.
    UNUSUAL_HIP_SCALE = "unusual-hip-scale" {
        cause: "The unit of one side is wrong, or the character is a giant or a dwarf.",
        remedy: "Check the units. Set hip_scale in a bone map if the ratio is wrong: --retarget MAP.json.",
    }
}
