//! The codes of diagnostics about glTF files: recordings and skeletons.

crate::codes! { "gltf":
    /// The file has several animations. The first of them is shown.
    SEVERAL_ANIMATIONS = "several-animations" {
        cause: "The file was opened without a choice of an animation.",
        remedy: "Choose another with --animation NAME. The message lists the names.",
    }
    /// A part of the file refers to another part that does not exist. The message says what is
    /// skipped.
    MISSING_REFERENCE = "missing-reference" {
        cause: "The file is damaged, or a program removed a part of it.",
        remedy: "Export the file again.",
    }
    /// The bytes of a buffer or of an image are missing.
    MISSING_DATA = "missing-data" {
        cause: "A file that the glTF refers to is missing, or a data URI is damaged.",
        remedy: "Put the files that the glTF refers to next to it, or export a single GLB.",
    }
    /// The file needs an extension that Mutoscope does not read. What needs it is skipped.
    UNSUPPORTED_EXTENSION = "unsupported-extension" {
        cause: "The program that wrote the file compresses meshes with Draco, or uses another extension.",
        remedy: "Export the file without the extension. Mutoscope reads compression by meshoptimizer.",
    }
    /// Data that are compressed by meshoptimizer cannot be decoded.
    INVALID_COMPRESSION = "invalid-compression" {
        cause: "The file is damaged, or the program that compressed it has a defect.",
        remedy: "Export the file without compression.",
    }
    /// An accessor breaks a rule of glTF, so its numbers cannot be read or other programs read other
    /// numbers.
    INVALID_ACCESSOR = "invalid-accessor" {
        cause: "The program that wrote the file has a defect, or the file is damaged.",
        remedy: "Export the file again, and check it with Khronos' glTF Validator.",
    }
    /// Numbers are stored in a layout that glTF forbids. Mutoscope reads them, but other programs
    /// may not.
    ACCESSOR_LAYOUT = "accessor-layout" {
        cause: "The program that wrote the file does not follow the standard.",
        remedy: "Nothing has to be done for Mutoscope. Check the file with Khronos' glTF Validator.",
    }
    /// The numbers of an animation have a type that glTF does not allow there.
    COMPONENT_TYPE = "component-type" {
        cause: "A program compressed the animation, for example with KHR_mesh_quantization.",
        remedy: "Check the motion. Export the animation with floats of 32 bits.",
    }
    /// Small data are used so often that the result would be huge. The rest is skipped.
    TOO_LARGE = "too-large" {
        cause: "Many meshes, channels or images of the file share the same bytes.",
        remedy: "Remove the repetitions. Mutoscope limits the memory in proportion to the file.",
    }
    /// An animation channel cannot be read, so it is skipped.
    INVALID_CHANNEL = "invalid-channel" {
        cause: "The channel animates something that its node does not have, or the file is damaged.",
        remedy: "Export the animation again.",
    }
    /// An animation channel animates something other than a node. It is skipped.
    UNSUPPORTED_TARGET = "unsupported-target" {
        cause: "The file animates materials, lights or cameras with KHR_animation_pointer.",
        remedy: "Nothing has to be done, if only the motion of nodes matters.",
    }
    /// An animation channel has a pointer and another target as well. The pointer applies.
    CONTRADICTORY_TARGET = "contradictory-target" {
        cause: "The program that wrote the file also stores a target for older programs.",
        remedy: "Check that the right node moves.",
    }
    /// Two channels animate the same property of a node. The first of them applies.
    REPEATED_CHANNEL = "repeated-channel" {
        cause: "The program that wrote the file joined several animations.",
        remedy: "Remove one of the channels.",
    }
    /// A node with a matrix is animated, which glTF forbids.
    ANIMATED_MATRIX = "animated-matrix" {
        cause: "The program that wrote the file stores the rest pose as a matrix.",
        remedy: "Export the node with a translation, a rotation and a scale.",
    }
    /// The number of values of an animation does not fit the number of its keys, or keys are missing.
    KEY_COUNT = "key-count" {
        cause: "The file is damaged, or the program that wrote it has a defect.",
        remedy: "Export the animation again. Mutoscope uses the keys that have a time and values.",
    }
    /// The time of a key is NaN or infinite. The key is skipped.
    NON_FINITE_TIME = "non-finite-time" {
        cause: "The program that wrote the file has a defect, or the file is damaged.",
        remedy: "Export the animation again.",
    }
    /// An animation begins before 0 s.
    NEGATIVE_TIME = "negative-time" {
        cause: "The program that wrote the file did not move the animation to 0 s.",
        remedy: "Export the animation from frame 0 on. Other programs may cut off its start.",
    }
    /// The stated bounds of key times are missing or wrong.
    TIME_BOUNDS = "time-bounds" {
        cause: "A program changed the keys, but not min and max of their accessor.",
        remedy: "Correct min and max. Other programs may show another duration.",
    }
    /// A node has an invalid or contradictory transform.
    INVALID_TRANSFORM = "invalid-transform" {
        cause: "The program that wrote the file has a defect, or the file was edited by hand.",
        remedy: "Correct the node. The message says what Mutoscope uses.",
    }
    /// The matrix of a node has shear, which a translation, a rotation and a scale cannot express.
    SHEAR = "shear" {
        cause: "A rotated node is below a node whose scale differs between axes.",
        remedy: "Apply the scale of the parents before the export.",
    }
    /// The tree of nodes is contradictory: a node has two parents, or a scene lists a child.
    INVALID_TREE = "invalid-tree" {
        cause: "The program that wrote the file has a defect, or the file was edited by hand.",
        remedy: "Check the tree of nodes, and export the file again.",
    }
    /// A mesh cannot be read, so it is not shown.
    INVALID_MESH = "invalid-mesh" {
        cause: "The file is damaged, or the mesh is made of points or lines.",
        remedy: "Export the mesh again, as triangles. The motion is not affected.",
    }
    /// Vertices of a mesh are NaN or infinite. They are shown at the origin of the mesh.
    NON_FINITE_VERTICES = "non-finite-vertices" {
        cause: "The program that wrote the file has a defect.",
        remedy: "Correct the mesh. The motion is not affected.",
    }
    /// A skin breaks a rule of glTF, so vertices may be misplaced.
    INVALID_SKIN = "invalid-skin" {
        cause: "The program that wrote the file has a defect, or bones were removed from it.",
        remedy: "Check how the mesh follows the bones. Export the file again.",
    }
    /// The skin weights of vertices do not add up to 1. Mutoscope scales them.
    SKIN_WEIGHTS = "skin-weights" {
        cause: "The weights were rounded, or more than four joints move a vertex.",
        remedy: "Normalise the weights before the export, with four joints for each vertex.",
    }
    /// A morph target cannot be read, or the number of morph weights does not fit the targets.
    INVALID_MORPH_TARGET = "invalid-morph-target" {
        cause: "The file is damaged, or the mesh was changed after its morph targets.",
        remedy: "Export the mesh again. The motion of nodes is not affected.",
    }
    /// A texture or the colours of vertices cannot be shown. The plain colour is shown.
    INVALID_TEXTURE = "invalid-texture" {
        cause: "The image is neither PNG nor JPEG, or the coordinates do not fit the mesh.",
        remedy: "Export textures as PNG or JPEG. The motion is not affected.",
    }
    /// The bones or expressions that a VRM file declares are incomplete or contradictory.
    INVALID_VRM = "invalid-vrm" {
        cause: "The avatar was not exported as VRM requires, or the file was edited.",
        remedy: "Correct the bones and expressions in the program that exports the avatar.",
    }
    /// The avatar has features that Mutoscope does not evaluate, such as springs.
    UNSUPPORTED_VRM_FEATURE = "unsupported-vrm-feature" {
        cause: "Mutoscope shows recorded motion only.",
        remedy: "Nothing has to be done. Use a VRM viewer to see these features.",
    }
}
