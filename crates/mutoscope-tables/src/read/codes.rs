//! The codes of diagnostics about Parquet and Arrow files.

mutoscope_core::codes! { "columnar":
    /// The signals or the events of an export are in a second file that cannot be read. They are skipped.
    SIDECAR_UNREADABLE = "sidecar-unreadable" {
        cause: "The file next to the table of poses is damaged or was not copied as a whole.",
        remedy: "Copy the file again, or export the recording again.",
    }
    /// The file with the signals or the events of an export belongs to another recording. It is skipped.
    OTHER_RECORDING = "other-recording" {
        cause: "A file was renamed, or only some files of an export were replaced.",
        remedy: "Copy all files of the export together, or export the recording again.",
    }
    /// A column has a type that is neither numbers nor strings. It is skipped.
    UNSUPPORTED_TYPE = "unsupported-type" {
        cause: "The program that wrote the file uses a type of Arrow or Parquet for other values.",
        remedy: "If the column is needed, write it as numbers or strings.",
    }
    /// The lists of a column have more items than Mutoscope reads. The first items are used.
    LONG_LIST = "long-list" {
        cause: "The column holds images, point clouds or other large values.",
        remedy: "If the other items are needed, write them as columns of their own.",
    }
    /// The table has more columns than Mutoscope reads. The others are skipped.
    TOO_MANY_COLUMNS = "too-many-columns" {
        cause: "The table holds long lists or many nested values.",
        remedy: "Write a table with only the columns that are needed.",
    }
}
