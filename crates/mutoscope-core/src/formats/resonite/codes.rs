//! The codes of diagnostics about AnimJ and AnimX files.

crate::codes! { "resonite":
    /// The animation has no tracks.
    NO_TRACKS = "no-tracks" {
        cause: "The program that wrote the file found nothing to record.",
        remedy: "Check what the program records.",
    }
    /// The file declares a duration that is invalid, or shorter than its keys.
    DURATION = "duration" {
        cause: "The keys or the duration were changed alone.",
        remedy: "Set globalDuration to the time of the last key. Mutoscope plays to the last key.",
    }
    /// Two tracks have the same node and property, so Resonite finds only the first.
    DUPLICATE_TRACK = "duplicate-track" {
        cause: "Two slots have the same name, or a track was written twice.",
        remedy: "Give each slot a name of its own, or remove the second track.",
    }
    /// A property has more than two parts, so Resonite does not find its field.
    PROPERTY_PARTS = "property-parts" {
        cause: "The property names a path of more than a component and a field.",
        remedy: "Name the property as Component.Field.",
    }
    /// A property looks like a field of a slot, but has another name.
    NOT_A_FIELD = "not-a-field" {
        cause: "The file was written for Blender, or in lower case.",
        remedy: "Rename the property to Position, Rotation or Scale.",
    }
    /// The type of a track differs from the type of the field that it would drive.
    FIELD_TYPE = "field-type" {
        cause: "The track stores Euler angles, or another type than the field has.",
        remedy: "Write positions and scales as float3, and rotations as floatQ.",
    }
    /// A track matches no field of the skeleton by name.
    TRACK_NOT_BOUND = "track-not-bound" {
        cause: "The slots of the skeleton have other names than those in the file.",
        remedy: "Rename the slots or the tracks. Resonite skips such tracks without leaving a gap.",
    }
    /// A track has no keys.
    NO_KEYS = "no-keys" {
        cause: "The program recorded no change of the field.",
        remedy: "Remove the track, or give it a key. Resonite sets the driven field to zero.",
    }
    /// A Raw track has no interval between its keys, so only its first key applies.
    NO_INTERVAL = "no-interval" {
        cause: "The member interval is missing, or not above 0.",
        remedy: "Set interval to the time between two keys in seconds.",
    }
    /// A track has the type Bezier, which Resonite lists but does not implement.
    BEZIER_TRACK = "bezier-track" {
        cause: "The program that wrote the file knows the name of the type only.",
        remedy: "Write the type Curve and the interpolation CubicBezier.",
    }
    /// A key has a negative time, which Resonite refuses.
    NEGATIVE_TIME = "negative-time" {
        cause: "The times do not begin at the start of the recording.",
        remedy: "Add a constant to all times, so that the first key is at 0.",
    }
    /// Two keys are so close that they have the same time in Resonite, which stores times as f32.
    KEYS_TOO_CLOSE = "keys-too-close" {
        cause: "The keys are closer than the precision of f32 at this time.",
        remedy: "Remove one of the keys.",
    }
    /// A key has a time that is NaN or infinite, so it is skipped.
    KEY_TIME_NON_FINITE = "key-time-non-finite" {
        cause: "The file is damaged, or its program divided by zero.",
        remedy: "Correct the times in the program that wrote the file.",
    }
    /// A curve with the interpolation Tangent is approximate, because its formula is not public.
    TANGENT_APPROXIMATE = "tangent-approximate" {
        cause: "Only Resonite knows how it interpolates these keys.",
        remedy: "Write CubicBezier or Linear if the motion must be exact.",
    }
    /// A key lacks a tangent that its interpolation needs, so that the tangent is 0.
    TANGENT_MISSING = "tangent-missing" {
        cause: "The file was written without leftTangent or rightTangent.",
        remedy: "Add the tangent, or use another interpolation.",
    }
    /// A number is too large for the f32 in which Resonite stores it.
    NUMBER_TOO_LARGE = "number-too-large" {
        cause: "The file stores a number above 3.4e38.",
        remedy: "Write a smaller number.",
    }
    /// The text of the file is not JSON from some point on.
    SYNTAX_ERROR = "syntax-error" {
        cause: "The file was cut off, or was edited by hand.",
        remedy: "Correct the file at this location. The tracks before it are loaded.",
    }
    /// The file has text after the end of the animation.
    TEXT_AFTER_END = "text-after-end" {
        cause: "Two files were joined, or the file was edited by hand.",
        remedy: "Remove the text. Resonite refuses the file.",
    }
    /// A member has no meaning, or none for this type of track.
    UNUSED_MEMBER = "unused-member" {
        cause: "The name is misspelled, or belongs to another type of track.",
        remedy: "Correct or remove the member.",
    }
    /// An object has the same member twice. The last one is used.
    REPEATED_MEMBER = "repeated-member" {
        cause: "The file was edited by hand.",
        remedy: "Remove one of the members.",
    }
    /// A member or a value is missing.
    MISSING_MEMBER = "missing-member" {
        cause: "The program that wrote the file left it out.",
        remedy: "Add the member. A track without a valueType is skipped, otherwise Mutoscope uses a default.",
    }
    /// The members of a track are in an order that Resonite refuses.
    MEMBER_ORDER = "member-order" {
        cause: "The program that wrote the file sorts the members.",
        remedy: "Write trackType, valueType and data in this order.",
    }
    /// A value does not have the type that its place needs.
    WRONG_TYPE = "wrong-type" {
        cause: "The valueType of the track does not match its keys, or the file was edited by hand.",
        remedy: "Correct the value or the valueType.",
    }
    /// A number is written in a form that Resonite refuses.
    NUMBER_FORM = "number-form" {
        cause: "An integer has a decimal point, or a number is in quotation marks.",
        remedy: "Write the number without the decimal point or the quotation marks.",
    }
    /// A number does not fit its type.
    OUT_OF_RANGE = "out-of-range" {
        cause: "The valueType is too small for the numbers of the track.",
        remedy: "Use a larger valueType. Mutoscope uses the nearest value.",
    }
    /// The trackType, the valueType or the interpolation has an unknown name.
    UNKNOWN_NAME = "unknown-name" {
        cause: "The name is misspelled, or from a later version of Resonite.",
        remedy: "Use one of the names in the message.",
    }
    /// A track of matrices is skipped, because only AnimX can store them.
    MATRIX_TRACK = "matrix-track" {
        cause: "The file was converted from AnimX.",
        remedy: "Use the AnimX file.",
    }
    /// The keys store their value before their time.
    VALUE_FIRST = "value-first" {
        cause: "A known program writes AnimX files in this order.",
        remedy: "Nothing to do. Mutoscope recognises both orders.",
    }
    /// Keys and tracks are lost, because the data ends early or cannot be read.
    TRACKS_LOST = "tracks-lost" {
        cause: "The file was cut off or is damaged.",
        remedy: "Copy the file again. The tracks before the damage are loaded.",
    }
    /// The file goes on after its last track.
    TRAILING_DATA = "trailing-data" {
        cause: "The number of tracks is too small, or the file is damaged.",
        remedy: "Check whether a track is missing.",
    }
    /// The name of a node or a property is not UTF-8.
    NAME_NOT_UTF8 = "name-not-utf8" {
        cause: "The program that wrote the file uses another encoding, or the file is damaged.",
        remedy: "Rename the slot. Mutoscope shows the invalid bytes as replacement characters.",
    }
    /// The file declares another size of its compressed data than it has.
    PACKED_SIZE = "packed-size" {
        cause: "The file was cut off, or bytes were added.",
        remedy: "Copy the file again.",
    }
    /// The compressed data cannot be unpacked to its end.
    BROKEN_COMPRESSION = "broken-compression" {
        cause: "The file was cut off or is damaged.",
        remedy: "Copy the file again. The tracks before the damage are loaded.",
    }
}
