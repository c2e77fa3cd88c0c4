//! The codes of diagnostics about skeletons that recordings are attached to.

crate::codes! { "skeleton":
    /// A skeleton was attached by node names. The message says how many nodes match.
    MATCHED = "matched" {
        cause: "The recording was opened with a skeleton.",
        remedy: "Nothing has to be done, unless few nodes match.",
    }
    /// Nodes that the recording animates are missing from the skeleton, so their motion is not
    /// visible on it.
    NODES_MISSING = "nodes-missing" {
        cause: "The skeleton belongs to another character, or names its nodes differently.",
        remedy: "Choose the skeleton that was recorded, or transfer the motion bone by bone: --retarget auto.",
    }
    /// Several nodes have the same name, so their parents or their order distinguish them.
    REPEATED_NAMES = "repeated-names" {
        cause: "The program that wrote the file does not require unique names.",
        remedy: "Check the motion of these nodes. Give each node a name of its own.",
    }
    /// The angles of a recording are relative to joint orientations, so they are read that way.
    JOINT_ORIENTATIONS = "joint-orientations" {
        cause: "The program stores rotations relative to joint orientations, as Maya does, but not the orientations.",
        remedy: "Look at the motion. Nothing has to be done if it is right.",
    }
    /// The recording has no offsets for joints. Placeholder offsets are used for drawing only.
    PLACEHOLDER_OFFSETS = "placeholder-offsets" {
        cause: "The format stores rotations without the lengths of the bones.",
        remedy: "Attach the skeleton that was recorded: --rig FILE.",
    }
}
