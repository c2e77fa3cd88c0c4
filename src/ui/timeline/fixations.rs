//! Finds the fixations of a gaze by dispersion (I-DT), at the keys of the ray and with the default
//! thresholds, and shows them as rows of the timeline.

use super::events::{EventRow, TimelineEvent};
use crate::ui::display_text;
use mutoscope_core::{
    clip::{Clip, NodeId, Owner},
    measure::analysis::{DispersionOptions, Fixation, fixations_by_dispersion, sample_gaze},
};

impl EventRow {
    pub(super) fn fixation_rows(clip: &Clip) -> Vec<Self> {
        let rays: Vec<NodeId> = clip.ray_nodes().collect();
        let is_alone = rays.len() == 1;
        let row = |&ray: &NodeId| {
            let options = DispersionOptions::default();
            let samples = sample_gaze(clip, ray, &clip.key_times_of(Owner::Node(ray)));
            let fixations = fixations_by_dispersion(&samples, &options);
            let name = match is_alone {
                true => "fixations".to_owned(),
                false => format!("fixations of {}", display_text::full_name(clip, ray)),
            };
            let events = fixations.iter().map(|one| fixation_event(one, &options)).collect();
            (!fixations.is_empty()).then(|| Self::new(name, events))
        };
        rays.iter().filter_map(row).collect()
    }
}

fn fixation_event(fixation: &Fixation, options: &DispersionOptions) -> TimelineEvent {
    let duration = fixation.end - fixation.start;
    let text = display_text::format_duration(duration);
    let help = format!(
        "Fixation for {text}: within {}° for at least {} (I-DT)",
        display_text::format_decimal(options.max_dispersion.to_degrees(), 2),
        display_text::format_duration(options.min_duration),
    );
    TimelineEvent { time: fixation.start, duration, is_fired: true, text, help }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    #[test]
    fn fixations_match_the_analysis() {
        let clip = crate::ui::testing::two_hands();
        let ray = clip.ray_nodes().next().unwrap();
        let samples = sample_gaze(&clip, ray, &clip.sample_times());
        let expected = fixations_by_dispersion(&samples, &DispersionOptions::default());
        assert!(expected.len() > 1, "the sample has fixations: {expected:?}");
        let rows = EventRow::fixation_rows(&clip);
        let [row] = &rows[..] else { panic!("{rows:?}") };
        let found: Vec<_> =
            row.events.iter().map(|event| (event.time, event.time + event.duration)).collect();
        assert_eq!(found.len(), expected.len());
        for ((start, end), fixation) in found.into_iter().zip(&expected) {
            assert!((start - fixation.start).abs() < 0.02 && (end - fixation.end).abs() < 0.02);
        }
    }

    #[test]
    fn clip_without_a_gaze_has_no_fixation_row() {
        let bytes = include_bytes!("../../../tests/data/maya/infinities.anim");
        let clip = decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap();
        assert!(EventRow::fixation_rows(&clip).is_empty());
    }
}
