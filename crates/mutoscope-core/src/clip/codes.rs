//! The codes of diagnostics about the nodes of a clip.

crate::codes! { "clip":
    /// The parent of a node does not exist, or a node is its own ancestor. The node becomes a root.
    INVALID_PARENT = "invalid-parent" {
        cause: "The file is damaged, or the program that wrote it numbers nodes differently.",
        remedy: "Correct the parents of the nodes in the program that wrote the file.",
    }
}
