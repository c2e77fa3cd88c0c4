//! The codes of exports: why a target refuses a recording, and what it loses.

crate::codes! { "export":
    /// The recording has nothing that the target can hold, so no file was written.
    NOTHING_TO_WRITE = "nothing-to-write" {
        cause: "No node of the recording has a name or a kind that the target knows.",
        remedy: "Choose another target, or map the columns of a table with --columns.",
    }
    /// Nodes or parts of the recording have no counterpart in the target. They are skipped.
    PARTS_SKIPPED = "parts-skipped" {
        cause: "The target holds a fixed set of joints, or an older version of the format was chosen.",
        remedy: "Choose another target or version if the skipped parts matter.",
    }
    /// Keys or values that are NaN or infinite are skipped.
    NON_FINITE_SKIPPED = "non-finite-skipped" {
        cause: "The recording has such values.",
        remedy: "Check the recording with `mutoscope check`.",
    }
    /// The target stores rotations whose W the recording had lost. They are written as rebuilt.
    W_WRITTEN_REBUILT = "w-written-rebuilt" {
        cause: "MRTK 2.6 and later lose W when they save a recording.",
        remedy: "Keep the original file, because the rebuilt values are approximate.",
    }
    /// Names of nodes have characters that the target cannot hold. They are replaced.
    NAMES_CHANGED = "names-changed" {
        cause: "The names have control characters, which separate the parts of names in the file.",
        remedy: "Rename the nodes if other files refer to them by name.",
    }
    /// The exported range has a duration of 0, so the file shows a single pose.
    NO_DURATION = "no-duration" {
        cause: "The recording has a single key time, or both ends of --range are equal.",
        remedy: "Export a longer range if the target has to play the file.",
    }
    /// The joints do not have the axes that the target expects, so that meshes twist on them.
    JOINT_AXES = "joint-axes" {
        cause: "Each device and program defines the axes of joints in its own way.",
        remedy: "Use the positions of the joints only, or record with a program that uses OpenXR's axes.",
    }
    /// The target needs a skeleton that was not given or cannot be read.
    SKELETON_REQUIRED = "skeleton-required" {
        cause: "The file names bones by ids, which only the skeleton of the character has.",
        remedy: "Pass the skeleton with --rig FILE.CINF.",
    }
    /// Nodes of the recording move, but the skeleton has no bone with their names.
    BONE_NOT_IN_SKELETON = "bone-not-in-skeleton" {
        cause: "The recording is for another character, or bones were renamed or added.",
        remedy: "Rename or remove these nodes, or pass the skeleton of this character.",
    }
    /// The target cannot hold a length or another value of a node.
    VALUE_OUT_OF_RANGE = "value-out-of-range" {
        cause: "The node is too far from its parent for the precision of the format, or its transform is not finite.",
        remedy: "Choose a shorter range, or a format with floats such as --prime-format 0.",
    }
    /// The skeleton has more bones than the target can animate.
    TOO_MANY_BONES = "too-many-bones" {
        cause: "The games animate at most 100 bones.",
        remedy: "Pass a skeleton with fewer bones.",
    }
    /// The range has more frames than the target can hold.
    TOO_MANY_FRAMES = "too-many-frames" {
        cause: "The range is long, or the frame rate is high.",
        remedy: "Choose a shorter --range or a lower --fps.",
    }
    /// An animation of the file is not written as a take.
    TAKE_SKIPPED = "take-skipped" {
        cause: "It moves other nodes than the first animation, and the nodes of a file are the same in all takes.",
        remedy: "Write it into a file of its own: --animation, with its name.",
    }
    /// The recording has no root motion that could be removed.
    NO_ROOT_MOTION = "no-root-motion" {
        cause: "Nothing moves, or the recording has no hierarchy without its skeleton.",
        remedy: "Attach the skeleton with --rig, or leave out --in-place.",
    }
    /// The recording has no humanoid body, which the export needs.
    NO_HUMANOID = "no-humanoid" {
        cause: "Bones are missing, have unknown names, or are not connected.",
        remedy: "Use names as Mixamo, Unity or VRM have them, or retarget to a character with --rig and --retarget auto.",
    }
    /// An option was given that the target does not have.
    OPTION_NOT_SUPPORTED = "option-not-supported" {
        cause: "The format cannot hold what the option sets.",
        remedy: "Leave out the option, or choose another target.",
    }
    /// An option has a value that it does not accept.
    OPTION_INVALID = "option-invalid" {
        cause: "The value is misspelled, out of range, or contradicts another option.",
        remedy: "Choose one of the values that the message names.",
    }
    /// The joints are not exactly where the recording has them.
    JOINT_POSITIONS = "joint-positions" {
        cause: "The target keeps only the rotations of joints, but bones of the recording change their lengths, or bend where the target has no joint.",
        remedy: "Choose a target such as GLB if the positions matter.",
    }
}
