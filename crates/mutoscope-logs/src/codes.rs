//! The codes of diagnostics about tables, TRC files and C3D files.

/// The codes about text tables, and about the recognition of columns, times and poses in tables of
/// any kind.
pub(crate) mod table {
    mutoscope_core::codes! { "table":
        /// The text is not valid UTF-8. Each invalid byte is replaced by U+FFFD.
        INVALID_UTF8 = "invalid-utf8" {
            cause: "The program that wrote the file used the encoding of its operating system.",
            remedy: "If names look wrong, save the table as UTF-8.",
        }
        /// Lines that are not rows, such as a title above the header or a repeated header, are skipped.
        LINES_SKIPPED = "lines-skipped" {
            cause: "The recording program wrote notes above the header, or was started again and appended to the file.",
            remedy: "Nothing has to be done, unless the lines have values that you need.",
        }
        /// Commas in the numbers of columns may be decimal marks or separate thousands. The numbers are read as strings.
        UNCLEAR_COMMAS = "unclear-commas" {
            cause: "Nothing in the table shows which decimal mark it uses.",
            remedy: "Set [table] decimal in a mapping file.",
        }
        /// The comma is the separator and also the decimal mark. Each pair of cells is read as one number.
        COMMA_IS_BOTH = "comma-is-both" {
            cause: "The program that wrote the table uses the decimal comma of the system language.",
            remedy: "Look at the motion. If it is wrong, save the table with another separator.",
        }
        /// Rows have fewer or more cells than the header explains. Missing cells have no value, and further cells are skipped.
        UNEVEN_ROWS = "uneven-rows" {
            cause: "The recording program was stopped while it wrote, or a text has the separator in it without quotation marks.",
            remedy: "Look at the line in the message. Quote such texts, or save the table with another separator.",
        }
        /// Lines or objects cannot be read as rows. They are skipped.
        BROKEN_ROWS = "broken-rows" {
            cause: "The recording program was stopped while it wrote, or the file is damaged.",
            remedy: "Correct or remove the line in the message. Otherwise copy the file again.",
        }
        /// The rows are the items of one member of a JSON object. Nothing else in the file is read.
        ROWS_IN_MEMBER = "rows-in-member" {
            cause: "The program wrote the rows into an object, next to facts about the recording.",
            remedy: "Nothing has to be done. If other rows are needed, write them to a file of their own.",
        }
        /// The lists of a column have more items than Mutoscope reads. The first items are used.
        LONG_LIST = "long-list" {
            cause: "The column holds images, point clouds or other large values.",
            remedy: "If the other items are needed, write them as columns of their own.",
        }
        /// The header and the rows disagree about the number of names. The labels of the columns are used.
        NAMES_DIFFER = "names-differ" {
            cause: "Markers or bodies were added or removed, but the list of names in the header was not changed.",
            remedy: "Check the names, or export the recording again.",
        }
        /// A block of the file cannot be read. It is skipped.
        BLOCK_SKIPPED = "block-skipped" {
            cause: "The block has no header row that begins with Frame, or states no rate.",
            remedy: "If the block is needed, export it again with its header and its rate.",
        }
        /// Rows whose frame number is not greater than the one before are skipped.
        FRAMES_NOT_ASCENDING = "frames-not-ascending" {
            cause: "Two exports were joined, or rows were moved in a spreadsheet.",
            remedy: "Sort the rows by frame, or export the recording again.",
        }
        /// Positions or rotations of the file cannot be poses of nodes. They are signals.
        POSES_AS_SIGNALS = "poses-as-signals" {
            cause: "Poses are relative to a bone that the file lacks, have another rate than the rows, or are no valid matrices.",
            remedy: "Export the poses as the message says, in global coordinates and at the rate of the other columns.",
        }
        /// Events have no time in seconds. They are skipped.
        EVENT_WITHOUT_TIME = "event-without-time" {
            cause: "The cell with the time is empty or is not a number.",
            remedy: "Correct the times of the events that the message names.",
        }
        /// The file states a unit that Mutoscope does not know. A unit of length is ignored, and a unit of time is guessed.
        UNKNOWN_UNIT = "unknown-unit" {
            cause: "The unit has an unusual name or a typing error.",
            remedy: "Set [space] unit or [time] unit in a mapping file.",
        }
        /// Mutoscope read the table as a program documents its tables.
        KNOWN_PROGRAM = "known-program" {
            cause: "The columns or the name of the file are those of a program in the catalogue.",
            remedy: "If another program wrote the table, write a mapping file, or choose the columns in the inspector.",
        }
        /// An entry that you added to the catalogue of programs cannot be read. It is not used.
        BROKEN_ENTRY = "broken-entry" {
            cause: "The file of the entry has a mistake or cannot be opened.",
            remedy: "Correct the file as the message says.",
        }
        /// The mapping file next to the table is used.
        MAPPING_USED = "mapping-used" {
            cause: "The folder has a mapping file with the name of the table.",
            remedy: "If the columns are wrong, correct or remove the mapping file.",
        }
        /// The mapping file next to the table cannot be opened. The names of the columns are used instead.
        MAPPING_UNREADABLE = "mapping-unreadable" {
            cause: "You may not read the file, or its disk has an error.",
            remedy: "Correct the permissions of the mapping file, or pass another one with --columns FILE.",
        }
        /// The axes, the unit or another fact is assumed, because the table does not state it.
        ASSUMED = "assumed" {
            cause: "The table has no field for the fact. It follows from names, numbers or the program.",
            remedy: "If the motion is wrong, choose the fact in the inspector, or state it in a mapping file with --columns FILE.",
        }
        /// A column could be read in several ways. The message says which way was chosen, and why.
        COLUMNS_INTERPRETED = "columns-interpreted" {
            cause: "The names of the columns do not state their meaning in full.",
            remedy: "If the reading is wrong, choose another in the inspector, or state it in a mapping file.",
        }
        /// Columns have names of poses, but are not used as such. They are signals.
        COLUMNS_NOT_USED = "columns-not-used" {
            cause: "Components repeat, units do not fit, or nothing states the order of the angles.",
            remedy: "Choose the meaning of the columns in the inspector, or state it in a mapping file.",
        }
        /// Several columns may have the same meaning, such as the time. One of them is used.
        SEVERAL_COLUMNS = "several-columns" {
            cause: "The recording program wrote the value in several forms, or of several sources.",
            remedy: "If the choice is wrong, set the column in a mapping file. The message names the key.",
        }
        /// Cells in a column of numbers have other text. They count as missing.
        NOT_A_NUMBER = "not-a-number" {
            cause: "The recording program wrote a word for missing values, or uses another decimal mark.",
            remedy: "Set [table] missing or decimal in a mapping file, or correct the cells.",
        }
        /// Rows lack a part of a pose, or have a rotation or a direction of zeros. The node is hidden there.
        INCOMPLETE_POSE = "incomplete-pose" {
            cause: "Tracking was lost, or the recording program wrote only some of the values.",
            remedy: "Nothing has to be done, unless the node should be visible at these times.",
        }
        /// Rows of the same time differ in a column that belongs to one node. The latest row is used.
        ROWS_DIFFER = "rows-differ" {
            cause: "The rows describe several nodes, and each of them repeats the columns of this node.",
            remedy: "Set [long] in a mapping file if the column belongs to the node of each row.",
        }
        /// Positions have a number that stands for a lost position. The node is hidden there.
        LOST_POSITION = "lost-position" {
            cause: "The recording program writes zeros or another fixed number while tracking is lost.",
            remedy: "Nothing has to be done.",
        }
        /// Positions are exactly 0, 0, 0, and the node may have been lost. It is shown there.
        DOUBTFUL_ZEROS = "doubtful-zeros" {
            cause: "The recording program writes zeros while tracking is lost, or the node was at the origin.",
            remedy: "Do not rely on the node at these times, unless you know that it was at the origin.",
        }
        /// A time occurs in several rows. The latest row is used.
        REPEATED_TIME = "repeated-time" {
            cause: "The clock of the recording program is too coarse, or rows were written twice.",
            remedy: "Record times with more decimals. If the rows belong to several nodes, set [long] in a mapping file.",
        }
        /// Rows do not name the node or the side that they belong to. They belong to no node.
        UNLABELLED_ROW = "unlabelled-row" {
            cause: "The cell with the name is empty.",
            remedy: "Write the name into each row, if the rows are needed.",
        }
        /// Rows have no time. They are skipped.
        ROW_WITHOUT_TIME = "row-without-time" {
            cause: "The cell is empty or is not a number, often in a last row with a summary.",
            remedy: "Correct the times, or choose another column with [time] column in a mapping file.",
        }
        /// The times of a column repeat from row to row. Another column is used as the time.
        TIMES_REPEAT = "times-repeat" {
            cause: "The column is rounded or has the time of a sensor that is slower than the rows.",
            remedy: "To use the column anyway, set [time] column in a mapping file.",
        }
        /// Times are counted from an epoch. The first one becomes time 0.
        EPOCH_TIMES = "epoch-times" {
            cause: "The recording program wrote dates, or seconds since a date such as 1970.",
            remedy: "Nothing has to be done. To keep the times, set [time] zero = \"file\" in a mapping file.",
        }
        /// The time of day jumps back by almost 24 hours. It is read as the next day.
        MIDNIGHT = "midnight" {
            cause: "The recording went on after midnight, and the column has no date.",
            remedy: "Nothing has to be done.",
        }
        /// For the unit in use, positions reach too far, or a head or a hand moves faster than a person can.
        IMPLAUSIBLE_UNIT = "implausible-unit" {
            cause: "The positions are in millimetres or centimetres, or the times are not in seconds.",
            remedy: "Set [space] unit or [time] unit in a mapping file.",
        }
        /// The joints of a hand have the shape of the other hand. Nothing is converted.
        MIRRORED_HAND = "mirrored-hand" {
            cause: "The axes of the recording have another handedness, or the sides are swapped.",
            remedy: "Set [space] axes in a mapping file.",
        }
    }
}

/// The codes about TRC files.
pub(crate) mod trc {
    mutoscope_core::codes! { "trc":
        /// The header states a unit that Mutoscope does not know. It is ignored.
        UNKNOWN_UNIT = "unknown-unit" {
            cause: "The unit has an unusual name or a typing error.",
            remedy: "Set [space] unit in a mapping file.",
        }
        /// The header states another number of frames or markers than the file has. Those in the file are used.
        COUNT_DIFFERS = "count-differs" {
            cause: "The file was cut off, or was edited without its header.",
            remedy: "If frames or markers are missing, export the file again.",
        }
        /// The header has too few or too many names of markers. The names in use may be wrong, or are numbers.
        NAMES_DIFFER = "names-differ" {
            cause: "The header was cut off, or blanks in names look like separators.",
            remedy: "Separate the names by tabs, one for each marker.",
        }
        /// Columns that are not x, y or z of a marker become signals.
        OTHER_COLUMNS = "other-columns" {
            cause: "The program that wrote the file added values that TRC does not have.",
            remedy: "Nothing has to be done, unless the columns are positions. Then label them X1, Y1, Z1 and so on.",
        }
        /// The rate in the header differs from the times of the rows. The times are used.
        RATE_DIFFERS = "rate-differs" {
            cause: "The file was resampled, or the header states the rate of the camera.",
            remedy: "Check the speed of the motion, and correct DataRate or the times.",
        }
        /// Rows do not begin with a frame number and a time. They are skipped.
        ROW_SKIPPED = "row-skipped" {
            cause: "The file has notes between rows, or was cut off.",
            remedy: "Look at the line in the message. If it has positions, add the frame number and the time.",
        }
        /// Rows have more cells than the header has columns. These cells are skipped.
        SURPLUS_CELLS = "surplus-cells" {
            cause: "The header lacks markers.",
            remedy: "Export the file again with all markers in the header.",
        }
        /// Rows have fewer numbers than columns, and blanks do not show which markers are missing. All markers are hidden there.
        UNCLEAR_ROW = "unclear-row" {
            cause: "The file separates cells by blanks and leaves out the numbers of lost markers.",
            remedy: "Separate the cells by tabs.",
        }
        /// Rows end before the z of a marker. The rest is missing.
        INCOMPLETE_ROW = "incomplete-row" {
            cause: "The file was cut off, or the program left out markers at the end of a row.",
            remedy: "If markers are missing, export the file again.",
        }
    }
}

/// The codes about C3D files.
pub(crate) mod c3d {
    mutoscope_core::codes! { "c3d":
        /// The file states no frame rate. Mutoscope uses 60 Hz.
        FRAME_RATE_ASSUMED = "frame-rate-assumed" {
            cause: "The header and POINT:RATE have no rate.",
            remedy: "If the speed is wrong, correct POINT:RATE and export the file again.",
        }
        /// The scale of the coordinates is missing, or is stated twice with different values.
        UNCLEAR_SCALE = "unclear-scale" {
            cause: "A program changed the header or POINT:SCALE, but not both.",
            remedy: "Check the size of the motion. If it is wrong, export the file again.",
        }
        /// The file states different numbers of frames or of analog values. The number that fits the data is used.
        COUNT_DIFFERS = "count-differs" {
            cause: "A program cut the recording or changed the channels without changing all fields.",
            remedy: "Check the length of the recording and the signals. Otherwise nothing has to be done.",
        }
        /// The file has data after its last frame. It is skipped.
        MORE_DATA = "more-data" {
            cause: "The file may have more frames than its header can state.",
            remedy: "If the recording ends too early, export the file again or in several parts.",
        }
        /// The file ends too early. The recording is loaded up to there.
        TRUNCATED = "truncated" {
            cause: "The recording program was stopped, or the file was not copied as a whole.",
            remedy: "Copy the file again, or export the recording again.",
        }
        /// The file states a unit that Mutoscope does not know. It is ignored.
        UNKNOWN_UNIT = "unknown-unit" {
            cause: "POINT:UNITS has an unusual name or a typing error.",
            remedy: "Set [space] unit in a mapping file.",
        }
        /// A parameter is broken. It is skipped, with all after it.
        BROKEN_PARAMETER = "broken-parameter" {
            cause: "The file is damaged, or a program wrote a parameter with a wrong length.",
            remedy: "Check names and units of the recording. If some are missing, export the file again.",
        }
        /// Rotations of segments are skipped, because they cannot be found or a frame has several of one segment.
        ROTATIONS_SKIPPED = "rotations-skipped" {
            cause: "ROTATION:DATA_START is missing, or the rotations have a higher rate than the points.",
            remedy: "Export the segments again, at the rate of the points.",
        }
        /// The matrices of segments are not a rotation and a position. The segment is hidden there.
        INVALID_ROTATION = "invalid-rotation" {
            cause: "The segment was lost, or the file is damaged.",
            remedy: "Do not rely on the segment at these times.",
        }
    }
}
