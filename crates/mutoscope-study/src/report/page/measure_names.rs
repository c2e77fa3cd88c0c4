//! Names and units of measures for readers, and reasons why a measure may be unknown.

/// The subjects of measures, by the prefix of their names. The first match wins, so longer prefixes
/// come first.
const SUBJECTS: [(&str, &str); 9] = [
    ("right_foot_", "Right foot"),
    ("left_foot_", "Left foot"),
    ("right_", "Right hand"),
    ("left_", "Left hand"),
    ("hands_", "Both hands"),
    ("head_", "Head"),
    ("gaze_", "Gaze"),
    ("root_", "Root"),
    ("loop_", "Loop"),
];

const UNITS: [(&str, &str); 11] = [
    ("_per_min", "per min"),
    ("_mps", "m/s"),
    ("_degps", "°/s"),
    ("_deg2", "°²"),
    ("_deg", "°"),
    ("_hz", "Hz"),
    ("_m3", "m³"),
    ("_m", "m"),
    ("_s", "s"),
    ("_share", ""),
    ("_steps", "steps"),
];

/// The name of a measure for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureDescription {
    /// The subject, such as `Right hand`; empty if there is none.
    pub subject: &'static str,
    /// The name without the subject.
    pub name: String,
    /// The unit, such as `m/s`; empty if there is none.
    pub unit: &'static str,
}

/// Returns the name of a measure for readers.
pub fn describe_measure(measure: &str) -> MeasureDescription {
    let subject =
        SUBJECTS.iter().find_map(|(start, subject)| Some((measure.strip_prefix(start)?, *subject)));
    let (rest, subject) = subject.unwrap_or_else(|| match measure.starts_with("ground_") {
        true => (measure, "Ground"),
        false => (measure, ""),
    });
    let rest = rest.strip_prefix("ground_").unwrap_or(rest);
    if rest == "deg" {
        return MeasureDescription { subject, name: "turn".to_owned(), unit: "°" };
    }
    let unit = UNITS.iter().find(|(end, _)| rest.ends_with(end));
    let keeps_end = |end: &str| matches!(end, "_share" | "_steps" | "_per_min");
    let name = match unit {
        Some((end, _)) if !keeps_end(end) => &rest[..rest.len() - end.len()],
        _ => rest,
    };
    let name = name
        .replace('_', " ")
        .replace("ldlj", "LDLJ")
        .replace("sparc", "SPARC")
        .replace("rms s2s", "RMS-S2S")
        .replace("std", "STD")
        .replace("bcea", "BCEA")
        .replace("1deg", "velocity at 1°");
    let name = name.replace("per min", "");
    MeasureDescription {
        subject,
        name: name.trim().to_owned(),
        unit: unit.map_or("", |(_, unit)| unit),
    }
}

/// Reasons why a measure may be unknown, by a part of its name. The first match wins.
const REASONS: [(&str, &str); 22] = [
    ("tracked_share", "the recording does not say, or the range is empty"),
    ("loss", "the recording does not say, or the range is empty"),
    ("tremor", "no tracked stretch of 4 s in the range, or a rate below 30 Hz"),
    ("workspace", "fewer than 4 samples"),
    ("movement_", "no whole movement starts in the range"),
    ("movements", "no tracked stretch of 10 samples in the range"),
    ("gaze_lead", "no pinch before which the gaze came to the target"),
    ("reach", "no pinch with a reach before it"),
    ("aperture", "no pinch with tracked finger tips before it"),
    ("closing", "no pinch with tracked finger tips before it"),
    ("pinch_duration", "no pinch starts in the range"),
    ("pinch", "the recording has no pinch signal, or the range is empty"),
    ("correlation", "less than 2 s with both hands, or one that does not move"),
    ("lag", "no correlation of 0.3 or more"),
    ("symmetry", "one hand has no path"),
    (
        "main_sequence",
        "fewer than 5 saccades, or amplitudes that differ by less than a factor of 2",
    ),
    ("saccade_", "no saccade starts in the range"),
    ("fixation_duration", "too few fixations start in the range"),
    ("head_share", "no saccade, or no head"),
    ("gaze_", "the gaze is not tracked in the range"),
    ("foot_", "no joint is known as this foot, or it has no contact"),
    ("loop_", "fewer than 3 frames, or no joint moves"),
];

/// Returns the most likely reason why a measure is unknown.
pub fn unknown_reason(measure: &str) -> &'static str {
    let found = REASONS.iter().find(|(part, _)| measure.contains(part));
    found.map_or("no sample of it in the range", |(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_a_subject_a_name_and_a_unit() {
        for (measure, subject, name, unit) in [
            ("right_path_length_m", "Right hand", "path length", "m"),
            ("left_foot_slide_speed_median_mps", "Left foot", "slide speed median", "m/s"),
            ("right_pinch_rate_per_min", "Right hand", "pinch rate", "per min"),
            ("left_movement_ldlj_median", "Left hand", "movement LDLJ median", ""),
            ("gaze_main_sequence_1deg_degps", "Gaze", "main sequence velocity at 1°", "°/s"),
            ("gaze_bcea_deg2", "Gaze", "BCEA", "°²"),
            ("hands_symmetry_index", "Both hands", "symmetry index", ""),
            ("loop_gap_steps", "Loop", "gap steps", "steps"),
            ("ground_depth_m", "Ground", "depth", "m"),
            ("right_tracked_share", "Right hand", "tracked share", ""),
            ("start_s", "", "start", "s"),
            ("head_deg", "Head", "turn", "°"),
        ] {
            let expected = MeasureDescription { subject, name: name.to_owned(), unit };
            assert_eq!(describe_measure(measure), expected);
        }
    }
}
