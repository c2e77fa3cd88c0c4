//! The codes of diagnostics about FBX files.

mutoscope_core::codes! { "fbx":
    /// The file has several takes, and only one of them is read.
    SEVERAL_TAKES = "several-takes" {
        cause: "The program that wrote the file exported several animations into it.",
        remedy: "Choose another take with --animation NAME, or in the inspector.",
    }
    /// The take declares no time range, so the range of its keys is played.
    RANGE_FROM_KEYS = "range-from-keys" {
        cause: "The program that wrote the file left out LocalStart and LocalStop, or wrote an empty range.",
        remedy: "Nothing has to be done, unless the recording begins or ends at the wrong time. Then set the range of the take and export the file again.",
    }
    /// Keys lie outside of the time range of the take. They are not played.
    KEYS_OUTSIDE_RANGE = "keys-outside-range" {
        cause: "The range of the take was shortened after the motion was recorded.",
        remedy: "If the motion is cut off, set the range of the take to all keys and export the file again.",
    }
    /// Values of keys are NaN or infinite. Mutoscope holds the value of the key before.
    INVALID_KEY = "invalid-key" {
        cause: "The program that wrote the file divided by zero, or the file is damaged.",
        remedy: "Export the file again. Do not rely on the motion at these keys.",
    }
    /// Some motion between keys and some weights of blend shapes are skipped, to limit the memory that the recording takes.
    MOTION_SKIPPED = "motion-skipped" {
        cause: "Curves that repeat, layers, scales and blend shapes apply the same keys to many nodes, or the motion bends very often between keys.",
        remedy: "Bake the animation in the program that wrote the file, and export it again.",
    }
    /// Nodes would stay visible while their parent is hidden. Mutoscope hides them with the parent.
    VISIBILITY_NOT_INHERITED = "visibility-not-inherited" {
        cause: "Visibility Inheritance is turned off for these nodes.",
        remedy: "Key the visibility of the other children instead, if these nodes have to stay visible.",
    }
    /// The file has bones but no bind pose, so their transforms in the file are the rest pose.
    NO_BIND_POSE = "no-bind-pose" {
        cause: "The file was exported without a mesh, or without its bind pose.",
        remedy: "If the rest pose is wrong, export the file with a mesh, or pose the character before you export it.",
    }
    /// The transforms of nodes are NaN or infinite. Mutoscope uses the default transform for them.
    INVALID_TRANSFORM = "invalid-transform" {
        cause: "The program that wrote the file divided by zero, or the file is damaged.",
        remedy: "Reset the transforms of the nodes, and export the file again.",
    }
    /// Constraints or geometry caches are not evaluated, so what they move stays still.
    NOT_EVALUATED = "not-evaluated" {
        cause: "The motion was not baked before the export.",
        remedy: "Bake constraints and caches to keys or blend shapes, and export the file again.",
    }
    /// The version of the file is older than 7.0. Such files are ambiguous, and ufbx interprets them.
    OLD_VERSION = "old-version" {
        cause: "An old program wrote the file.",
        remedy: "Compare the motion with the original. If it differs, convert the file to FBX 7.4 with Autodesk's FBX Converter.",
    }
    /// The file is FBX text. Blender before 4.5 refuses it.
    TEXT_FORM = "text-form" {
        cause: "The program that wrote the file was set to ASCII.",
        remedy: "Export the file as binary FBX, if it is for Blender: mutoscope convert IN -o OUT.fbx writes it.",
    }
    /// Texts are not UTF-8. Each invalid byte is replaced by U+FFFD.
    INVALID_UTF8 = "invalid-utf8" {
        cause: "The program that wrote the file used the encoding of its operating system.",
        remedy: "Export the file with UTF-8 text, or rename the nodes to ASCII names.",
    }
    /// ufbx, the library that reads the file, found a problem and worked around it.
    UFBX_WARNING = "ufbx-warning" {
        cause: "The file is damaged, or a program wrote it against the rules.",
        remedy: "Look at the motion and at the meshes. If something is missing, export the file again.",
    }
    /// Nodes that share a mesh with many other nodes are skipped, to limit the memory that the meshes take.
    INSTANCES_SKIPPED = "instances-skipped" {
        cause: "Thousands of nodes show the same large mesh.",
        remedy: "Nothing has to be done for the motion. Export fewer copies to see all of them.",
    }
    /// Blend shapes are skipped, because all shapes together are too large.
    SHAPES_SKIPPED = "shapes-skipped" {
        cause: "Many blend shapes move a mesh with very many vertices.",
        remedy: "Export fewer blend shapes, or a mesh with fewer vertices.",
    }
    /// Values of meshes are NaN or infinite. Mutoscope replaces them by 0.
    INVALID_MESH_VALUE = "invalid-mesh-value" {
        cause: "The program that wrote the file divided by zero, or the file is damaged.",
        remedy: "Export the mesh again.",
    }
    /// Weights of a skin belong to no bone of the file. Mutoscope ignores them.
    WEIGHT_WITHOUT_BONE = "weight-without-bone" {
        cause: "Bones were deleted or not exported.",
        remedy: "Export all bones of the skin.",
    }
    /// Skins use dual quaternions. Mutoscope shows them with linear weights, so that twisted joints lose volume.
    DUAL_QUATERNIONS = "dual-quaternions" {
        cause: "The skin was set up with another skinning method.",
        remedy: "Nothing has to be done for the motion. Set the skinning method to linear to see the same mesh everywhere.",
    }
    /// The image of a texture cannot be read, so the surface has its plain colour.
    TEXTURE_UNREADABLE = "texture-unreadable" {
        cause: "The image is missing, lies outside of the folder of the file, or is neither PNG nor JPEG.",
        remedy: "Embed the images in the file, or put them next to it under the name in the message.",
    }
}
