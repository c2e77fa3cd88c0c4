//! Computes the measures of a body over a range.

use glam::DVec3;

use super::{
    samples::{BodySamples, to_ground_plane},
    seam::measure_seam,
};
use crate::{StudyOptions, measures::Measures, range::MeasuredRange, signal::statistics::median};

pub(crate) const FOOT_NAMES: [&str; 2] = ["left", "right"];

impl BodySamples<'_> {
    pub(crate) fn measure(
        &self,
        range: &MeasuredRange,
        options: &StudyOptions,
        measures: &mut Measures,
    ) {
        let rate = self.grid.rate;
        let steps = range.steps().map(|step| {
            to_ground_plane(self.root_positions[step])
                .distance(to_ground_plane(self.root_positions[step + 1]))
        });
        let steps: Vec<f64> = steps.filter(|step| step.is_finite()).collect();
        measures.add("root_travel_m", (!steps.is_empty()).then(|| steps.iter().sum::<f64>()));
        measures.add("root_speed_mps", self.root_speed(range));
        let seam = measure_seam(self, range);
        measures.add("loop_gap_m", seam.map(|seam| seam.gap));
        measures.add("loop_gap_steps", seam.and_then(|seam| seam.gap_steps));
        measures.add("loop_gap_deg", seam.map(|seam| seam.angle));
        measures.add("loop_velocity_gap_mps", seam.map(|seam| seam.velocity_gap));
        let depths =
            self.lowest[range.samples.clone()].iter().map(|lowest| options.ground_m - lowest);
        let depths: Vec<f64> = depths.filter(|depth| depth.is_finite()).collect();
        let has_any = |number: f64| Some(number).filter(|_| !depths.is_empty());
        measures.add("ground_depth_m", has_any(depths.iter().copied().fold(0.0, f64::max)));
        let below = depths.iter().filter(|depth| **depth > options.ground_tolerance_m).count();
        measures.add("ground_below_share", has_any(below as f64 / depths.len() as f64));
        for (foot, name) in self.feet.iter().zip(FOOT_NAMES) {
            let contact = foot
                .as_ref()
                .and_then(|positions| FootContact::measure(positions, range, rate, options));
            measures.add(format!("{name}_foot_contact_share"), contact.as_ref().map(|it| it.share));
            measures.add(format!("{name}_foot_slide_m"), contact.as_ref().map(|it| it.slide));
            let speed = contact.and_then(|contact| contact.median_speed);
            measures.add(format!("{name}_foot_slide_speed_median_mps"), speed);
        }
    }

    /// Returns the horizontal distance from the first position to the last, divided by the time
    /// between them, in metres per second.
    pub(crate) fn root_speed(&self, range: &MeasuredRange) -> Option<f64> {
        let (first, last) = (range.samples.start, range.samples.end.checked_sub(1)?);
        let positions = &self.root_positions;
        let distance = to_ground_plane(positions[first]).distance(to_ground_plane(positions[last]));
        (last > first).then(|| distance * self.grid.rate / (last - first) as f64)
    }
}

struct FootContact {
    share: f64,
    /// The length of the foot's horizontal path during contact, in metres.
    slide: f64,
    median_speed: Option<f64>,
}

impl FootContact {
    fn measure(
        positions: &[DVec3],
        range: &MeasuredRange,
        rate: f64,
        options: &StudyOptions,
    ) -> Option<Self> {
        let is_contact = contact_test(positions, range, rate, options)?;
        let slid = |step: usize| {
            to_ground_plane(positions[step]).distance(to_ground_plane(positions[step + 1]))
        };
        let slides: Vec<f64> = range.steps().filter(|step| is_contact(*step)).map(slid).collect();
        let steps = range.steps().len();
        (steps > 0).then(|| Self {
            share: slides.len() as f64 / steps as f64,
            slide: slides.iter().sum::<f64>() + 0.0,
            median_speed: median(slides.iter().map(|slide| slide * rate).collect()),
        })
    }
}

/// Returns a function that takes the first frame of a step and returns `true` if the foot is in
/// contact during the step. `None` if the foot is hidden in the whole range.
pub(crate) fn contact_test<'a>(
    positions: &'a [DVec3],
    range: &MeasuredRange,
    rate: f64,
    options: &'a StudyOptions,
) -> Option<impl Fn(usize) -> bool + 'a> {
    let heights = positions[range.samples.clone()].iter().map(|position| position.y);
    let lowest = heights.fold(f64::NAN, f64::min);
    let is_low = move |index: usize| positions[index].y <= lowest + options.contact_height_m;
    let rises = move |step: usize| (positions[step + 1].y - positions[step].y).abs() * rate;
    lowest.is_finite().then_some(move |step: usize| {
        is_low(step) && is_low(step + 1) && rises(step) <= options.contact_speed_mps
    })
}
