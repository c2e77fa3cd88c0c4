//! The codes of diagnostics about BVH files.

crate::codes! { "bvh":
    /// The unit of lengths is assumed, because the format does not state one.
    UNIT_ASSUMED = "unit-assumed" {
        cause: "BVH has no field for the unit. The unit is derived from a comment, the height of the body or the lengths of the bones.",
        remedy: "If the motion has the wrong size, choose the unit in the inspector, or state it in a comment below HIERARCHY: # unit: m.",
    }
    /// The assumed unit leads to a body that is unusually small or tall.
    UNIT_UNCERTAIN = "unit-uncertain" {
        cause: "The file uses a rare unit, a comment states a wrong unit, or the body is not a person.",
        remedy: "Compare the height with that of the recorded person. Choose the unit in the inspector, or state it in a comment below HIERARCHY: # unit: m.",
    }
    /// The up axis is assumed from the direction of the body, because the format does not state one.
    UP_AXIS_ASSUMED = "up-axis-assumed" {
        cause: "BVH has no field for the up axis, and the body stands along another axis than Y.",
        remedy: "If the motion lies on its side, choose the up axis in the inspector.",
    }
    /// The body does not stand along the assumed up axis.
    UP_AXIS_UNCERTAIN = "up-axis-uncertain" {
        cause: "The person lies down for most of the recording, or the program that wrote the file uses other axes.",
        remedy: "Look at the motion. If it lies on its side, choose the up axis in the inspector.",
    }
    /// The root has an OFFSET and position channels. The channels apply.
    ROOT_OFFSET_REPLACED = "root-offset-replaced" {
        cause: "The program that wrote the file repeats the position of the root in its OFFSET.",
        remedy: "Nothing has to be done: Mutoscope uses the channels, as Blender and MotionBuilder do.",
    }
    /// The hierarchy breaks the grammar: a keyword is unknown, or a brace is missing or unmatched.
    HIERARCHY_SYNTAX = "hierarchy-syntax" {
        cause: "The file was edited by hand or damaged, or a program added keywords of its own.",
        remedy: "Correct the line, or export the file again. Mutoscope reads the rest of the hierarchy.",
    }
    /// An OFFSET does not have three numbers. Mutoscope uses 0 for a number that is missing.
    INVALID_OFFSET = "invalid-offset" {
        cause: "The file is damaged, or the program wrote numbers without spaces or values such as NaN.",
        remedy: "Correct the line. Otherwise the bone has the wrong length.",
    }
    /// CHANNELS states another number of channels than it lists. The listed channels apply.
    CHANNEL_COUNT = "channel-count" {
        cause: "The line was edited by hand.",
        remedy: "Correct the number. Other programs may refuse the file.",
    }
    /// A channel has an unknown name, or the joint has the channel twice. The values of the channel
    /// become a signal, and do not move the joint.
    UNKNOWN_CHANNEL = "unknown-channel" {
        cause: "A program stores other values in the file, or the name is misspelt.",
        remedy: "Correct the name if the channel is a position or a rotation.",
    }
    /// The header of the motion has an unknown word, or a number of frames that is not a number.
    MOTION_HEADER = "motion-header" {
        cause: "The file was edited by hand or damaged.",
        remedy: "Correct the lines Frames and Frame Time.",
    }
    /// The file states no valid frame time.
    NO_FRAME_TIME = "no-frame-time" {
        cause: "The line Frame Time is missing, or its value is not a number above 0.",
        remedy: "Add the line Frame Time with the seconds from frame to frame. Mutoscope plays 30 frames per second.",
    }
    /// The frame time is unusually short or long, but applies.
    UNLIKELY_FRAME_TIME = "unlikely-frame-time" {
        cause: "The program wrote a frame rate in Hz, or a time in milliseconds or microseconds.",
        remedy: "Replace the number by the seconds from frame to frame. The message suggests values.",
    }
    /// The file ends before the frames that it announces.
    TRUNCATED = "truncated" {
        cause: "The recording program was stopped, or the file was not copied as a whole.",
        remedy: "Copy or export the file again. Mutoscope shows the frames that are there.",
    }
    /// The file has more frames than it announces. All of them are read.
    FRAME_COUNT = "frame-count" {
        cause: "The recording program did not update the number of frames, or frames were appended.",
        remedy: "Correct the line Frames. Other programs may skip the last frames.",
    }
    /// The file has no motion, so the joints stay at rest.
    NO_MOTION = "no-motion" {
        cause: "Only the skeleton was exported, or no joint has channels.",
        remedy: "Export the file again with its animation, if it should have one.",
    }
    /// A frame has fewer or more values than there are channels.
    VALUE_COUNT = "value-count" {
        cause: "The line is damaged, or the hierarchy lists other channels than the program wrote.",
        remedy: "Do not rely on the frame. If all frames are affected, correct the CHANNELS.",
    }
    /// A value of a frame is not a number. Mutoscope repeats the value of the previous frame.
    INVALID_VALUE = "invalid-value" {
        cause: "The file is damaged, or the program wrote a word for a missing value.",
        remedy: "Do not rely on the frame, or correct the value.",
    }
    /// Only a sign separates numbers, as in `0.0-7.5`. They are read as several numbers.
    GLUED_NUMBERS = "glued-numbers" {
        cause: "The program wrote columns of a fixed width without spaces.",
        remedy: "Insert spaces. Other programs may refuse the file.",
    }
    /// Frames do not begin at the start of a line. The number of channels separates them.
    WRAPPED_FRAMES = "wrapped-frames" {
        cause: "A program broke long lines, or wrote all frames into one line.",
        remedy: "Check that the motion is right. Other programs may refuse the file.",
    }
    /// A keyword is not in a line of its own, or the file does not begin with HIERARCHY. Blender refuses
    /// or misreads the file.
    LINE_LAYOUT = "line-layout" {
        cause: "The program that wrote the file puts several parts into one line, or writes a comment or a byte order mark first.",
        remedy: "Put HIERARCHY into the first line, and each brace, OFFSET and CHANNELS into a line of its own.",
    }
    /// A joint has one or two rotation channels instead of three. Blender refuses the file.
    PARTIAL_ROTATION = "partial-rotation" {
        cause: "The program writes only the axes about which a joint turns.",
        remedy: "Write all three rotation channels, with 0 for the others: mutoscope convert IN -o OUT.bvh does so.",
    }
    /// More problems of the same part of the file are not listed, because there are too many.
    MORE_PROBLEMS = "more-problems" {
        cause: "The file is damaged, or is not a BVH file.",
        remedy: "Correct the listed problems first, and check the file again.",
    }
}
