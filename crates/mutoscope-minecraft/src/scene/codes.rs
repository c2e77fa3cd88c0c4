//! The codes of diagnostics about scenes.

mutoscope_core::codes! { "minecraft":
    /// The scene states no version, or one that the mod does not read in this form.
    SCENE_VERSION = "scene-version" {
        cause: "The scene was edited by hand, or a newer version of the mod wrote it.",
        remedy: "Correct the version: 4 in JSON, 0 to 3 in lines of text.",
    }
    /// A scene in lines of text has an empty line between its elements. The mod rejects the scene.
    SCENE_EMPTY_LINE = "scene-empty-line" {
        cause: "The scene was edited by hand.",
        remedy: "Remove the empty line.",
    }
    /// An option of a scene has a value that is not valid. Mutoscope uses the default.
    INVALID_OPTION = "invalid-option" {
        cause: "The scene was edited by hand.",
        remedy: "Correct the option. The message says what was expected or what is used.",
    }
    /// An option of a scene is not known, or belongs to another version. It is skipped, as by the mod.
    UNKNOWN_OPTION = "unknown-option" {
        cause: "The name of the option is misspelt, or another version of the mod wrote the scene.",
        remedy: "Correct the name, or remove the option.",
    }
    /// An element of a scene cannot be read, so it does not play.
    INVALID_ELEMENT = "invalid-element" {
        cause: "The element has no name, or an option has the wrong type.",
        remedy: "Correct the element in the scene.",
    }
    /// The name of a recording, a scene or a skin has characters that the mod does not allow.
    INVALID_NAME = "invalid-name" {
        cause: "The scene was edited by hand.",
        remedy: "Use letters, digits, _, - and . only, and rename the file.",
    }
    /// A recording or a scene that the scene names is missing, so its element does not play.
    FILE_MISSING = "file-missing" {
        cause: "The file was moved, renamed or not copied with the scene.",
        remedy: "Put the file into the folder that the message names.",
    }
    /// A recording or a scene that the scene names cannot be read, so its element does not play.
    FILE_UNREADABLE = "file-unreadable" {
        cause: "The file is damaged, or the program may not read it.",
        remedy: "Open the file on its own to see what is wrong with it.",
    }
    /// A scene contains itself, or scenes are nested too deep. The inner scene does not play.
    NESTED_SCENE = "nested-scene" {
        cause: "A scene names itself, or a scene that contains it.",
        remedy: "Remove the element that names the outer scene.",
    }
    /// The scene has more elements, nodes or keys than Mutoscope loads. The rest is skipped.
    SCENE_TOO_LARGE = "scene-too-large" {
        cause: "Nested scenes multiply their elements, or the recordings are very long.",
        remedy: "Split the scene into several scenes.",
    }
    /// An element loops, and the scene does not end before it. Mutoscope plays one round.
    ENDLESS_LOOP = "endless-loop" {
        cause: "The option loop is set, but wait_for_parent_end is not.",
        remedy: "Set wait_for_parent_end, so that the element ends with its scene.",
    }
    /// A scene is placed by the centre of an element that does not exist or cannot be chosen. The mod does not play such a scene.
    INVALID_CENTRE = "invalid-centre" {
        cause: "The option scene_center names an element that was removed or renamed, or an individual centre where one centre is needed.",
        remedy: "Choose another scene_center: common_first, common_last, or an element such as 2.",
    }
    /// Blocks of a recording fall off the grid of the game after the element is placed. They are skipped, as by the mod.
    BLOCKS_OFF_GRID = "blocks-off-grid" {
        cause: "The element is rotated, scaled or moved by a fraction of a block.",
        remedy: "Set round_block_pos, or place the element by whole blocks and quarter turns.",
    }
    /// A recording plays more often than Mutoscope can list. Keys and events of the first times are listed.
    REPETITIONS_SKIPPED = "repetitions-skipped" {
        cause: "A short recording loops in a very long scene.",
        remedy: "Nothing has to be done for the motion: all repetitions play.",
    }
    /// A recording starts far away from the other recordings of the scene.
    DISTANT_RECORDING = "distant-recording" {
        cause: "The recordings were made at different places, and the scene does not move them.",
        remedy: "Change the offset of the element in the scene.",
    }
    /// The image of a skin cannot be read, so the default skin is shown.
    SKIN_UNREADABLE = "skin-unreadable" {
        cause: "The image is missing, or is not a PNG of 64 by 64 or 64 by 32 pixels.",
        remedy: "Put a PNG with one of these sizes next to the scene, or into the folder ../skins.",
    }
    /// A list of skins cannot be read, so the skin of the recording is shown.
    SKIN_LIST_UNREADABLE = "skin-list-unreadable" {
        cause: "The list is missing, empty, breaks the format, or names itself.",
        remedy: "Write lines of a source and a path into the list, such as: from_file alex.",
    }
    /// The mod draws a skin of the list at random. Mutoscope shows the first one.
    SKIN_DRAWN = "skin-drawn" {
        cause: "The scene names a list of skins.",
        remedy: "To show another skin, name its file in the scene.",
    }
}
