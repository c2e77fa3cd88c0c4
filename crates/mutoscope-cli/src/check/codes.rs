//! The codes of problems that `check` finds in folders.

mutoscope_core::codes! { "folder":
    /// Files of one format in a folder are read with different units, because none states its unit.
    MIXED_UNITS = "mixed-units" {
        cause: "The sizes of the bodies suggest different units.",
        remedy: "Check the size of the first file of each unit in the viewer.",
    }
}
