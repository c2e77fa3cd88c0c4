//! Fixations of a gaze, as a row of the timeline: found by dispersion (I-DT) at the keys of the ray,
//! with the usual thresholds.

use super::events::{EventRow, Moment};
use crate::ui::words;
use mutoscope_core::{
    clip::{Clip, NodeId, Owner},
    measure::analysis::{DispersionOptions, Fixation, fixations_by_dispersion, gaze},
};

impl EventRow {
    /// The fixations of each ray of `clip` that has any.
    pub(super) fn fixations(clip: &Clip) -> Vec<Self> {
        let rays: Vec<NodeId> = clip.rays().collect();
        let is_alone = rays.len() == 1;
        let row = |&ray: &NodeId| {
            let options = DispersionOptions::default();
            let samples = gaze(clip, ray, &clip.key_times_of(Owner::Node(ray)));
            let fixations = fixations_by_dispersion(&samples, &options);
            let name = match is_alone {
                true => "fixations".to_owned(),
                false => format!("fixations of {}", words::full_name(clip, ray)),
            };
            let moments = fixations.iter().map(|one| moment(one, &options)).collect();
            (!fixations.is_empty()).then(|| Self::of_moments(name, moments))
        };
        rays.iter().filter_map(row).collect()
    }
}

fn moment(fixation: &Fixation, options: &DispersionOptions) -> Moment {
    let duration = fixation.end - fixation.start;
    let text = words::duration(duration);
    let help = format!(
        "Fixation for {text}: within {}° for at least {} (I-DT)",
        words::trimmed(options.dispersion.to_degrees(), 2),
        words::duration(options.duration),
    );
    Moment { time: fixation.start, duration, fires: true, text, help }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::formats::{self, DecodeRequest};

    #[test]
    fn fixations_are_those_of_the_analysis() {
        let clip = crate::ui::testing::two_hands();
        let ray = clip.rays().next().unwrap();
        let samples = gaze(&clip, ray, &clip.sample_times());
        let expected = fixations_by_dispersion(&samples, &DispersionOptions::default());
        assert!(expected.len() > 1, "the sample has fixations: {expected:?}");
        let rows = EventRow::fixations(&clip);
        let [row] = &rows[..] else { panic!("{rows:?}") };
        let found: Vec<_> =
            row.moments().iter().map(|one| (one.time, one.time + one.duration)).collect();
        assert_eq!(found.len(), expected.len());
        for ((start, end), fixation) in found.into_iter().zip(&expected) {
            assert!((start - fixation.start).abs() < 0.02 && (end - fixation.end).abs() < 0.02);
        }
    }

    #[test]
    fn without_a_gaze_there_is_no_row() {
        let bytes = include_bytes!("../../../tests/data/maya/infinities.anim");
        let clip = formats::decode(bytes, &DecodeRequest::default().named("x.anim")).unwrap();
        assert!(EventRow::fixations(&clip).is_empty());
    }
}
