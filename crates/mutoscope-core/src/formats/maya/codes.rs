//! The codes of diagnostics about Maya's `.anim` files.

crate::codes! { "maya":
    /// The file begins with a byte order mark, or its lines end with CR only. Maya refuses such a
    /// file or loses its keys.
    ENCODING = "encoding" {
        cause: "A text editor or another program wrote the file.",
        remedy: "To import the file into Maya, save it without a byte order mark and with line ends LF or CR LF.",
    }
    /// A name is not valid UTF-8. Mutoscope replaces the invalid bytes.
    INVALID_NAME = "invalid-name" {
        cause: "Maya wrote the name in the encoding of the operating system.",
        remedy: "Rename the node, or save the file in UTF-8.",
    }
    /// The file breaks the grammar: a semicolon, a brace or a space is missing, or a line has
    /// several keys. Mutoscope reads the statement, but Maya may not.
    SYNTAX = "syntax" {
        cause: "The file was edited by hand, or another program wrote it.",
        remedy: "To import the file into Maya, correct the line.",
    }
    /// The file has no `animVersion`, or an unknown one. It is read as version 1.1.
    VERSION = "version" {
        cause: "Another program wrote the file, or its first lines were lost.",
        remedy: "To import the file into Maya, begin it with `animVersion 1.1;`.",
    }
    /// A statement of the header is repeated, or follows the first `anim` line.
    HEADER_ORDER = "header-order" {
        cause: "Two files were joined, or another program wrote the file.",
        remedy: "Keep one header. The message says which statement applies.",
    }
    /// A statement has no value, or an invalid one. The statement is skipped.
    INVALID_VALUE = "invalid-value" {
        cause: "The file was edited by hand or damaged.",
        remedy: "Correct the value.",
    }
    /// A keyword is unknown. Its statement is skipped, with the block that follows.
    UNKNOWN_KEYWORD = "unknown-keyword" {
        cause: "A newer Maya or another program wrote the statement, or the keyword is misspelt.",
        remedy: "Correct the keyword if the motion is incomplete.",
    }
    /// An `anim` line does not end with three integers, so the parents of nodes may be wrong.
    INVALID_ANIM_LINE = "invalid-anim-line" {
        cause: "The file was edited by hand, or another program wrote it.",
        remedy: "Add row, child and attr to the line. Mutoscope uses 0 for those that are missing.",
    }
    /// An `anim` line has no `animData` block, or an `animData` block has no `anim` line of its own.
    UNPAIRED_CURVE = "unpaired-curve" {
        cause: "The file was edited by hand, or a part of it was lost.",
        remedy: "Export the file again, or remove the unpaired part.",
    }
    /// Keys have a breakdown flag although their version has none, or lack it.
    BREAKDOWN_FLAG = "breakdown-flag" {
        cause: "Another program wrote the file, or somebody changed its animVersion.",
        remedy: "To import the file into Maya, use version 1.1 with flags or version 1.0 without.",
    }
    /// A key has fewer or more numbers than its tangents need.
    TANGENT_NUMBERS = "tangent-numbers" {
        cause: "Another program wrote the file. Fixed tangents need an angle and a weight each.",
        remedy: "Check the motion next to the key. The message says which values apply.",
    }
    /// A tangent type is unknown. It is read as `auto`.
    UNKNOWN_TANGENT = "unknown-tangent" {
        cause: "A newer Maya or another program wrote the file.",
        remedy: "Check the motion next to the key, or bake the animation before the export.",
    }
    /// A tangent depends on the preferences of the user, which the file does not contain.
    TANGENT_BY_PREFERENCE = "tangent-by-preference" {
        cause: "The key has the tangent type global or autocustom.",
        remedy: "Choose another tangent type in Maya, or bake the animation. Mutoscope uses Maya's default.",
    }
    /// A number has thousands separators or a decimal comma.
    LOCALISED_NUMBER = "localised-number" {
        cause: "A program wrote numbers in the style of a language.",
        remedy: "To import the file into Maya, write numbers with a decimal point and without separators.",
    }
    /// A key is skipped, because its time or value is not a number or is out of bounds.
    LOST_KEY = "lost-key" {
        cause: "The file is damaged, or the expression behind the key had no result.",
        remedy: "Correct the key. Otherwise the motion near its time differs.",
    }
    /// The file is truncated. It is read up to there.
    TRUNCATED = "truncated" {
        cause: "The file was not copied as a whole, or the program that wrote it was stopped.",
        remedy: "Copy or export the file again.",
    }
    /// The file has no `anim` line, so nothing moves.
    NO_CURVES = "no-curves" {
        cause: "Nothing was selected during the export, or the file was cut off after its header.",
        remedy: "Select the animated nodes and export the file again.",
    }
    /// Maya 2 wrote the file. Its fixed tangents are in Maya's internal units.
    MAYA_2_TANGENTS = "maya-2-tangents" {
        cause: "Maya 2 did not convert the angles of tangents to the units of the file.",
        remedy: "Nothing has to be done. If the motion overshoots, check mayaVersion.",
    }
    /// The header does not state units. Maya's defaults apply.
    UNITS_ASSUMED = "units-assumed" {
        cause: "Maya omits the units from files with a single frame. Other programs may omit them always.",
        remedy: "Add timeUnit, linearUnit and angularUnit to the header if the size or speed is wrong.",
    }
    /// A unit is unknown. The message names the unit that applies.
    UNKNOWN_UNIT = "unknown-unit" {
        cause: "Another program wrote the file, or the unit is misspelt.",
        remedy: "Correct the unit if the size or speed is wrong.",
    }
    /// Maya has lost the frame rate. 24 frames per second apply.
    FRAME_RATE_LOST = "frame-rate-lost" {
        cause: "Maya writes \"Unknown Time Unit\" for rates without a name, such as 29.97 or 120 fps.",
        remedy: "Replace the value of timeUnit, for example by 120fps.",
    }
    /// The header states a range of time that ends before it starts. The range of the keys applies.
    INVALID_TIME_RANGE = "invalid-time-range" {
        cause: "The playback range was wrong during the export, or another program wrote the file.",
        remedy: "Correct startTime and endTime.",
    }
    /// Keys lie outside of the range of time that the header states. They are not played.
    KEYS_OUTSIDE_RANGE = "keys-outside-range" {
        cause: "The program that wrote the file states a range that does not fit its keys.",
        remedy: "Correct startTime and endTime, if these keys belong to the motion.",
    }
    /// The rows of the `anim` lines do not state all parents. Mutoscope derives them from the child
    /// counts, or from the order of the lines.
    PARENTS_GUESSED = "parents-guessed" {
        cause: "Another program wrote the file, or lines were removed from it.",
        remedy: "Check the tree of nodes. Export whole hierarchies.",
    }
    /// An attribute other than time drives a curve. The curve is listed, but not played.
    DRIVEN_CURVE = "driven-curve" {
        cause: "The curve is a driven key of Maya.",
        remedy: "Bake the animation before the export, if the curve moves something.",
    }
    /// A curve has no keys.
    EMPTY_CURVE = "empty-curve" {
        cause: "The keys were deleted in Maya, or all of them were invalid.",
        remedy: "Nothing has to be done.",
    }
    /// An attribute has several curves. The last of them applies.
    REPEATED_CURVE = "repeated-curve" {
        cause: "Two files were joined, or the attribute has animation layers.",
        remedy: "Remove the curves that do not apply, or bake the layers.",
    }
}
