//! The codes of diagnostics about the options for reading.

crate::codes! { "read":
    /// The skeleton in the folder of the recording was used, because it is the only one there.
    SKELETON_BESIDE = "skeleton-beside" {
        cause: "The format stores skeletons in files of their own.",
        remedy: "Pass another skeleton with --rig FILE if this is the wrong one.",
    }
    /// The only skeleton in the folder of the recording does not fit, so the recording was read
    /// without it.
    SKELETON_BESIDE_UNUSED = "skeleton-beside-unused" {
        cause: "The skeleton belongs to another recording, or its file is damaged.",
        remedy: "Pass the right skeleton with --rig FILE.",
    }
    /// Few nodes of the recording match the skeleton by name, so bones were mapped.
    BONES_MAPPED = "bones-mapped" {
        cause: "The recording and the skeleton name their nodes differently.",
        remedy: "Check the map with `mutoscope bones`, and pass a corrected one with --retarget MAP.json.",
    }
    /// Few nodes of the recording match the skeleton by name, but both are human bodies.
    FEW_NAMES_MATCH = "few-names-match" {
        cause: "The recording and the skeleton name their nodes differently.",
        remedy: "Pass --retarget auto to map the bones.",
    }
    /// The frames are played at another rate than the file declares, because the user chose one.
    FRAME_RATE_CHOSEN = "frame-rate-chosen" {
        cause: "A frame rate was passed with --rate, or chosen in the inspector.",
        remedy: "Leave out --rate to play the recording at its own rate.",
    }
    /// A frame rate was chosen, but the recording has none that it could replace.
    FRAME_RATE_IGNORED = "frame-rate-ignored" {
        cause: "The file stores times instead of frames, or a program computes its motion.",
        remedy: "Leave out --rate.",
    }
    /// A file with several animations was read without a choice, so the first one was used.
    ANIMATION_DEFAULTED = "animation-defaulted" {
        cause: "The file contains several animations.",
        remedy: "Choose one with --animation; `mutoscope info` lists them.",
    }
}
