//! The codes of diagnostics about label files.

mutoscope_core::codes! { "labels":
    /// The annotations of an ELAN file begin at another time of the media. Their times are used as they are.
    TIME_ORIGIN = "time-origin" {
        cause: "TIME_ORIGIN states that the media was cut, or that an offset was set in ELAN.",
        remedy: "Check one label against the recording. If the labels are shifted, set the offset to 0 in ELAN and save the file.",
    }
    /// Annotations of an ELAN file begin or end at a slot without a time. The nearest time is used.
    SLOT_WITHOUT_TIME = "slot-without-time" {
        cause: "The slots were never aligned to the media, or a program wrote the file without their times.",
        remedy: "Align these annotations to the media in ELAN, and save the file.",
    }
}
