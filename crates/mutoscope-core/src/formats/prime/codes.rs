//! The codes of diagnostics about Metroid Prime's files.

crate::codes! { "prime":
    /// The file does not name its game. Mutoscope chose the game whose layout fits best.
    GAME_GUESSED = "game-guessed" {
        cause: "The layouts of the games differ, but ANIM and CINF files have no field for the game.",
        remedy: "Nothing to do if the motion looks right. Otherwise choose the game in the inspector of the viewer.",
    }
    /// The file does not name its game, and the layouts of several games fit equally well.
    GAME_AMBIGUOUS = "game-ambiguous" {
        cause: "The file is short or damaged, so that nothing tells the layouts apart.",
        remedy: "Choose the game in the inspector of the viewer.",
    }
    /// A field has a value that it does not have in the games.
    UNUSUAL_VALUE = "unusual-value" {
        cause: "A tool wrote the file, the file is damaged, or it is from another game.",
        remedy: "Compare the motion with the game. If it is wrong, extract the file again.",
    }
    /// The numbers of frames and keys in the file contradict each other.
    FRAME_COUNT = "frame-count" {
        cause: "A tool wrote the animation, or the file is damaged.",
        remedy: "Check the length of the animation. The keys are placed at the frames that the file marks.",
    }
    /// Two bones have the same id.
    BONE_REPEATED = "bone-repeated" {
        cause: "A tool wrote the file, or the file is damaged.",
        remedy: "Give each bone its own id. Mutoscope uses the first.",
    }
    /// The file goes on after its end.
    TRAILING_DATA = "trailing-data" {
        cause: "An extraction tool kept too many bytes, or the file has an unknown layout.",
        remedy: "Extract the file again. The bytes are skipped.",
    }
    /// The position of a bone of the skeleton is NaN or infinite.
    BONE_POSITION = "bone-position" {
        cause: "A tool wrote the skeleton, or the file is damaged.",
        remedy: "Extract the skeleton again, or use another skeleton.",
    }
    /// The parts of a skeleton contradict each other: rotations, links, the order or the names of
    /// its bones.
    SKELETON_INCONSISTENT = "skeleton-inconsistent" {
        cause: "A tool wrote the skeleton, the file is damaged, or it is from an unknown game.",
        remedy: "Extract the skeleton again. Parents and positions of the bones are used as stored.",
    }
    /// A bone is its own ancestor. Mutoscope makes it a root.
    BONE_CYCLE = "bone-cycle" {
        cause: "A tool wrote the skeleton, or the file is damaged.",
        remedy: "Correct the parents of the bones, or extract the skeleton again.",
    }
    /// Several bones have no parent.
    SEVERAL_ROOTS = "several-roots" {
        cause: "The skeleton lacks bones, or their parents have other ids.",
        remedy: "Check the parents of the bones. Each root moves on its own.",
    }
    /// The root of the skeleton has another id than the root of the animation.
    SKELETON_OF_OTHER_GAME = "skeleton-of-other-game" {
        cause: "The skeleton is from another game, which numbers bones differently.",
        remedy: "Use the skeleton of the character that plays the animation.",
    }
    /// The skeleton has all bones that the animation moves.
    BONES_FOUND = "bones-found" {
        cause: "Animations and skeletons are separate files, which are joined by the ids of bones.",
        remedy: "Nothing to do.",
    }
    /// The skeleton lacks bones that the animation moves. These bones are hidden.
    BONES_MISSING = "bones-missing" {
        cause: "The skeleton belongs to another character.",
        remedy: "Use the skeleton of the character that plays the animation.",
    }
    /// The animation has events in another file, which is not loaded.
    EVENTS_NOT_LOADED = "events-not-loaded" {
        cause: "An ANIM file names the asset with its events, but does not contain them.",
        remedy: "Open the archive or the ANCS of the character to see the events.",
    }
    /// Events are lost, because the file that contains them ends early or is damaged.
    EVENTS_LOST = "events-lost" {
        cause: "The file was cut off or is damaged.",
        remedy: "Extract the file again. The events before the damage are loaded.",
    }
    /// An event has no valid time, so it is skipped.
    EVENT_TIME = "event-time" {
        cause: "The file is damaged.",
        remedy: "Extract the file again.",
    }
    /// A resource that another one refers to is not there.
    RESOURCE_MISSING = "resource-missing" {
        cause: "The resource is in another archive, or was not extracted.",
        remedy: "Put the resource next to the file, or open the archive that contains both.",
    }
    /// A character has no model, no skin or no skeleton.
    CHARACTER_INCOMPLETE = "character-incomplete" {
        cause: "The ANCS stores no id for this part of the character.",
        remedy: "Nothing to do for characters that the games do not draw. Otherwise pass a skeleton with --rig.",
    }
    /// A resource cannot be unpacked or read, or only a part of it.
    RESOURCE_DAMAGED = "resource-damaged" {
        cause: "The archive is damaged, or the resource has an unknown layout.",
        remedy: "Copy or extract the file again. The other resources are loaded.",
    }
    /// A row of an archive has no valid type or id, so its resource is skipped.
    RESOURCE_INVALID = "resource-invalid" {
        cause: "The table of the archive is damaged.",
        remedy: "Copy the archive again.",
    }
    /// Copies of a resource in an archive differ. The first is used.
    COPIES_DIFFER = "copies-differ" {
        cause: "A tool changed one copy of the resource, but not the others, or the archive is damaged.",
        remedy: "Change all copies of the resource. A game may load any of them.",
    }
    /// The archive contains no resources.
    ARCHIVE_EMPTY = "archive-empty" {
        cause: "The archive was cut off, or a tool wrote it without resources.",
        remedy: "Copy or pack the archive again.",
    }
    /// The character sets of an archive unpack to far more bytes than those of the games.
    SETS_TOO_LARGE = "sets-too-large" {
        cause: "The archive is damaged, or was made to exhaust the memory of programs.",
        remedy: "Copy the archive again. The other character sets are loaded.",
    }
    /// The name and the index of an animation of a character do not belong together, or belong to
    /// no animation.
    ANIMATION_NAME = "animation-name" {
        cause: "A tool changed the animations of the set, but not those of the character.",
        remedy: "Correct the names and indices of the character's animations.",
    }
    /// An animation combines clips in a deeper tree than any animation of the games.
    DEEP_TREE = "deep-tree" {
        cause: "A tool wrote the ANCS, or the file is damaged.",
        remedy: "Nothing to do if the animation looks right.",
    }
    /// An animation cannot be opened, so it is skipped.
    ANIMATION_SKIPPED = "animation-skipped" {
        cause: "The ANIM is in another archive, or cannot be read.",
        remedy: "Open the archive that contains the ANIM, or choose another animation.",
    }
    /// The game adds this animation to another one, so it looks incomplete alone.
    ADDITIVE = "additive" {
        cause: "The ANCS lists the animation as additive.",
        remedy: "Nothing to do. Mutoscope shows the animation alone.",
    }
    /// The animation consists of several clips, and the game decides which of them play.
    CLIP_CHOSEN = "clip-chosen" {
        cause: "The animation is a blend, a sequence or a random choice.",
        remedy: "Choose another clip, or all clips, if you want to see them.",
    }
    /// A clip of an animation starts before its beginning or after its end.
    START_TIME = "start-time" {
        cause: "A tool wrote the ANCS, or the file is damaged.",
        remedy: "Correct the start time in the ANCS. Mutoscope plays the whole clip.",
    }
    /// The skeleton is that of the first character that has one.
    CHARACTER_CHOSEN = "character-chosen" {
        cause: "The file contains several characters.",
        remedy: "Extract the skeleton (CINF) of another character to use it instead.",
    }
    /// The given skeleton is not used, because the character has its own.
    SKELETON_UNUSED = "skeleton-unused" {
        cause: "A skeleton lies beside the file, or was given, but the file contains the right one.",
        remedy: "Nothing to do.",
    }
    /// A material or a surface of a model cannot be read, or only a part of it.
    MODEL_DAMAGED = "model-damaged" {
        cause: "The model was cut off or is damaged, or a tool wrote it.",
        remedy: "Extract the model again. The other surfaces are drawn.",
    }
    /// Materials are drawn in a simpler way than in the game.
    MATERIAL_SIMPLIFIED = "material-simplified" {
        cause: "The model uses effects of the console's graphics chip, or several sets of materials.",
        remedy: "Nothing to do. The motion is not affected.",
    }
    /// Groups of vertices of a skin cannot be read, or contradict each other.
    SKIN_DAMAGED = "skin-damaged" {
        cause: "The skin was cut off or is damaged, or a tool wrote it.",
        remedy: "Extract the skin again. Vertices without a group move with the root.",
    }
    /// The weights of a group of vertices are missing or invalid, or do not add up to 1.
    SKIN_WEIGHTS = "skin-weights" {
        cause: "A tool wrote the skin, or the file is damaged.",
        remedy: "Correct the weights. Mutoscope skips invalid weights and scales the sum to 1.",
    }
    /// The skin refers to bones that the skeleton does not have. The root is used instead.
    SKIN_BONES_MISSING = "skin-bones-missing" {
        cause: "The skin belongs to another skeleton.",
        remedy: "Use the skin and the skeleton of one character.",
    }
    /// The skin has groups for more or fewer positions than its model has.
    SKIN_OF_OTHER_MODEL = "skin-of-other-model" {
        cause: "The skin belongs to another model, or a tool changed only one of them.",
        remedy: "Use the skin and the model of one character.",
    }
    /// The palette or the smaller levels of a texture are not whole.
    TEXTURE_DAMAGED = "texture-damaged" {
        cause: "The texture was cut off, or a tool wrote it.",
        remedy: "Nothing to do if the texture looks right. Mutoscope uses the largest level only.",
    }
}
