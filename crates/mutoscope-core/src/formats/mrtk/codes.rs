//! The codes of diagnostics about MRTK recordings.

crate::codes! { "mrtk":
    /// The W components of rotations are missing from the file. Mutoscope rebuilds them from the
    /// other components, approximately.
    ROTATION_W_LOST = "rotation-w-lost" {
        cause: "MRTK 2.6 and later lose W when they save a recording.",
        remedy: "Do not rely on small differences of these rotations. The positions are not affected.",
    }
    /// The keys of a version 1.1 file have 28 bytes. MRTK itself writes keys of 8 bytes.
    LONG_KEYS = "long-keys" {
        cause: "A program other than MRTK wrote the file, following the published specification.",
        remedy: "Nothing has to be done. MRTK itself cannot read the file.",
    }
    /// The bytes that state whether the file has a camera, hands and gaze are neither 0 nor 1.
    INVALID_PART_FLAG = "invalid-part-flag" {
        cause: "The file is damaged, or a program other than MRTK wrote it.",
        remedy: "Check that all parts are shown. Mutoscope reads each value except 0 as 1.",
    }
    /// The file ends before its list of markers.
    NO_MARKER_LIST = "no-marker-list" {
        cause: "A program other than MRTK wrote the file, or the file is cut off at this byte.",
        remedy: "Nothing has to be done, if the recording has no markers.",
    }
    /// The name of a marker is not valid UTF-8. Mutoscope replaces the invalid bytes.
    INVALID_MARKER_NAME = "invalid-marker-name" {
        cause: "The file is damaged, or a program wrote the name in another encoding.",
        remedy: "Write the names of markers in UTF-8.",
    }
    /// The time of a marker or of a key is NaN or infinite. The marker or key is skipped.
    NON_FINITE_TIME = "non-finite-time" {
        cause: "The file is damaged, or the clock of the recording program failed.",
        remedy: "Record again if the lost markers or keys matter.",
    }
    /// The joint `None`, which is not part of a hand, has keys, which are skipped.
    NONE_JOINT_KEYS = "none-joint-keys" {
        cause: "A program other than MRTK wrote the file.",
        remedy: "Nothing has to be done. Store motion in the joints of the hand.",
    }
    /// A curve has a wrap mode that Unity does not have. The curve keeps its first and last value.
    UNKNOWN_WRAP_MODE = "unknown-wrap-mode" {
        cause: "The file is damaged, or a program other than MRTK wrote it.",
        remedy: "Check the motion before the first and after the last key.",
    }
    /// A key has a weighted mode that Unity does not have. Mutoscope uses its two low bits.
    UNKNOWN_WEIGHTED_MODE = "unknown-weighted-mode" {
        cause: "The file is damaged, or a program other than MRTK wrote it.",
        remedy: "Check the motion next to the keys of the curve.",
    }
}
