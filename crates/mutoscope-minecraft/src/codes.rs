//! The codes of diagnostics about recordings of Minecraft Motion Capture.

mutoscope_core::codes! { "minecraft":
    /// The file states a version that was never released.
    UNKNOWN_VERSION = "unknown-version" {
        cause: "A development build of the mod or another program wrote the file.",
        remedy: "Look at the motion. If it is wrong, record it again with a released version of the mod.",
    }
    /// A flag of the header is set that no known version uses.
    UNKNOWN_FLAG = "unknown-flag" {
        cause: "A newer version of the mod wrote the file, or the file is damaged.",
        remedy: "Look at the motion. If something is missing, update Mutoscope.",
    }
    /// The header or the strings have the layout of other versions. Mutoscope uses the layout with which the file ends where it should.
    OTHER_LAYOUT = "other-layout" {
        cause: "Versions 1.2 to 1.3.3 of the mod stored wrong lengths of strings. Early builds had another header.",
        remedy: "Nothing has to be done. To get a file that other programs read, convert it with mutoscope convert.",
    }
    /// The actions break off. The recording is loaded up to there.
    STOPPED = "stopped" {
        cause: "The game was closed while it saved the recording, the file was not copied as a whole, or it is damaged.",
        remedy: "Copy the file again. mutoscope convert writes a file that ends there and can be played in the game.",
    }
    /// Actions follow the end of the last tick. Mutoscope adds a frame for them.
    TRAILING_ACTIONS = "trailing-actions" {
        cause: "The recording was stopped within a tick.",
        remedy: "Nothing has to be done.",
    }
    /// The recording has no complete tick, so nothing plays.
    NO_TICKS = "no-ticks" {
        cause: "The recording was stopped at once, or the file was cut off.",
        remedy: "Record the motion again, or copy the file again.",
    }
    /// Some values of players are derived as the game does it, because the file does not store them.
    DERIVED_VALUES = "derived-values" {
        cause: "The mod does not record body yaw, steps, swings, hurt and death times.",
        remedy: "Do not rely on these values as measurements. The page about the format says how they are derived.",
    }
    /// A number or a bool is stored in a way that the mod does not write.
    UNUSUAL_ENCODING = "unusual-encoding" {
        cause: "Another program wrote the file, or the file is damaged.",
        remedy: "Nothing has to be done if the motion is right. mutoscope convert writes the usual encoding.",
    }
    /// A string is not UTF-8. Each invalid byte is replaced by U+FFFD.
    INVALID_UTF8 = "invalid-utf8" {
        cause: "Another program wrote the file, or the file is damaged.",
        remedy: "Look at the names in the recording. Record the motion again if they are wrong.",
    }
    /// A type, a pose or a movement has a number that is not known. Mutoscope uses a default or skips it.
    UNKNOWN_VALUE = "unknown-value" {
        cause: "A newer version of the mod or an add-on wrote the file, or the file is damaged.",
        remedy: "Update Mutoscope. Otherwise do not rely on the recording at this time.",
    }
    /// An item or a block has an index beyond the list of the file. Its number is shown.
    UNKNOWN_ID = "unknown-id" {
        cause: "An add-on or another program wrote the file, or the file is damaged.",
        remedy: "Nothing has to be done for the motion. The item or the block cannot be named.",
    }
    /// An action has more items than a player has slots. The other items are skipped, as in the mod.
    TOO_MANY_ITEMS = "too-many-items" {
        cause: "An add-on or another program wrote the file, or the file is damaged.",
        remedy: "Nothing has to be done for the motion.",
    }
    /// Positions or angles are NaN or infinite. Mutoscope uses the previous ones.
    NON_FINITE = "non-finite" {
        cause: "Another mod set an invalid position, or the file is damaged.",
        remedy: "Do not rely on the motion at this time.",
    }
    /// Actions belong to an entity that does not exist. They are skipped, as in the mod.
    UNKNOWN_ENTITY = "unknown-entity" {
        cause: "The entity was removed before the action, or the mod did not track it.",
        remedy: "Nothing has to be done. To record more entities, add them to the mod's setting track_entities.",
    }
    /// An entity is added again while it exists. The second time is skipped, as in the mod.
    ENTITY_ADDED_TWICE = "entity-added-twice" {
        cause: "Another program wrote or joined the file, or the file is damaged.",
        remedy: "Look at the entity. Its actions may belong to two entities.",
    }
    /// The recording has more entities than Mutoscope loads. The others are skipped.
    TOO_MANY_ENTITIES = "too-many-entities" {
        cause: "The recording is very long, or tracks all items and projectiles.",
        remedy: "Record fewer kinds of entities with the mod's setting track_entities.",
    }
    /// A tick ends, or the player dies or respawns, within the action of an entity. The action is skipped.
    INVALID_NESTING = "invalid-nesting" {
        cause: "Another program wrote the file, or the file is damaged.",
        remedy: "Look at the motion after this time. Record it again if it is wrong.",
    }
    /// Actions of add-ons of the mod are skipped.
    EXTENSION_SKIPPED = "extension-skipped" {
        cause: "An add-on recorded data of its own, whose format Mutoscope does not know.",
        remedy: "Nothing has to be done for the motion. Play the recording in the game with the add-on to see the data.",
    }
    /// The recording has more events than Mutoscope lists. The others are skipped.
    TOO_MANY_EVENTS = "too-many-events" {
        cause: "The recording is very long, or many entities act in it.",
        remedy: "Split the recording, or record fewer kinds of entities.",
    }
    /// No mobs are recorded. The file is complete.
    NO_MOBS = "no-mobs" {
        cause: "By default the mod tracks only vehicles, projectiles and items.",
        remedy: "Add mobs to the mod's setting track_entities, and record again.",
    }
    /// The skins of players are not in the file, so they have the default skin.
    NO_SKIN = "no-skin" {
        cause: "The mod stores at most the address of a skin. Mutoscope does not fetch it.",
        remedy: "Pass the image of the skin with --skin FILE.",
    }
    /// Entities are shown as boxes, because Mutoscope has no figures for them.
    NO_FIGURE = "no-figure" {
        cause: "The entities are from another mod or from a newer version of the game.",
        remedy: "Nothing has to be done for the motion.",
    }
}
