//! Notes on single measures.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::Topic,
    measure::{
        analysis::{Area, NamedArea, Shape},
        checks::unreported_issues,
    },
};

use super::{Note, RangeMeasures, Request, measured::Measured};
use crate::{
    range::MeasuredRange,
    signal::{rate::key_rate, stretch::runs},
    subjects::{HANDS, Subjects},
};

/// Below this rate, peak velocities of saccades are lower bounds, in Hz.
const RATE_OF_SACCADES: f64 = 200.0;
/// Below this part of the rate, keys are thinned.
const THINNED: f64 = 0.8;
/// Areas below this size are within the error of a gaze, in degrees.
const SMALL_AREA: f64 = 3.0;
/// Apertures below this are within the error of tracking, in metres.
const SMALL_APERTURE: f64 = 0.02;
/// A body whose root is slower than this, and whose feet slide faster, may walk in place; in metres per second.
const IN_PLACE_ROOT: f64 = 0.1;
const IN_PLACE_SLIDE: f64 = 0.3;

pub(super) fn of(
    clip: &Clip,
    subjects: &Subjects,
    measured: &Measured<'_>,
    request: &Request<'_>,
    ranges: &[RangeMeasures],
    rate: f64,
) -> Vec<Note> {
    let mut notes = Notes(Vec::new());
    for (index, (_, name)) in HANDS.iter().enumerate() {
        notes.of_hand(clip, subjects, measured, (index, name), request, rate);
    }
    notes.of_gaze(clip, measured, request.areas, rate);
    notes.of_body(ranges);
    if measured.body.is_some() {
        notes.of_pops(clip);
    }
    notes.of_ranges(clip, measured, ranges);
    notes.0
}

struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, measure: impl Into<String>, text: impl Into<String>) {
        self.0.push(Note { measure: measure.into(), text: text.into() });
    }

    fn of_hand(
        &mut self,
        clip: &Clip,
        subjects: &Subjects,
        measured: &Measured<'_>,
        (index, name): (usize, &str),
        request: &Request<'_>,
        rate: f64,
    ) {
        let (Some(hand), Some(nodes)) = (&measured.hands[index], &subjects.hands[index]) else {
            return;
        };
        let cutoff = request.options.cutoff_hz;
        if !measured.is_filtered {
            let text = match cutoff > 0.0 {
                true => format!(
                    "not filtered: the cut-off of {cutoff} Hz is not below 0.4 of the rate of {rate} Hz"
                ),
                false => "not filtered, as requested".to_owned(),
            };
            self.add(format!("{name}_path_length_m"), text);
        }
        if let Some(keys) = key_rate(clip, nodes.wrist).filter(|keys| *keys < THINNED * rate) {
            for measure in ["movement_ldlj_median", "movement_sparc_median"] {
                let text = format!(
                    "{keys:.1} keys per second at {rate} Hz: the curve was thinned. Jerk suffers most; prefer SPARC"
                );
                self.add(format!("{name}_{measure}"), text);
            }
        }
        let places = &hand.hand.raw;
        let short = runs(places.len(), |sample| places[sample].is_finite());
        let short = short.iter().filter(|run| !hand.hand.wrist.stretches.contains(run)).count();
        if short > 0 {
            let text =
                format!("{short} tracked stretches of fewer than 10 samples have no kinematics");
            self.add(format!("{name}_path_length_m"), text);
        }
        if hand.tracked.is_none() {
            self.add(
                format!("{name}_tracked_share"),
                "the recording does not say when the hand is tracked",
            );
        }
        if hand.pinches.is_none() {
            self.add(
                format!("{name}_pinches"),
                "the recording has no pinch signal; none is guessed from geometry",
            );
        }
        let apertures = hand.pinches.iter().flatten().filter_map(|pinch| pinch.aperture_peak_m);
        let small = apertures.filter(|aperture| *aperture < SMALL_APERTURE).count();
        if small > 0 {
            let text =
                format!("{small} apertures are below 2 cm, which is within the error of tracking");
            self.add(format!("{name}_pinch_aperture_peak_median_m"), text);
        }
    }

    fn of_gaze(&mut self, clip: &Clip, measured: &Measured<'_>, areas: &[NamedArea], rate: f64) {
        for area in areas.iter().filter(|area| area.of(clip).is_none()) {
            let joint = area.joint.as_deref().unwrap_or_default();
            self.add(
                "areas",
                format!("area {}: the recording has no joint {joint}; skipped", area.name),
            );
        }
        let Some(gaze) = &measured.gaze else {
            if !areas.is_empty() {
                self.add("areas", "the recording has no gaze: areas have no measures");
            }
            return;
        };
        if rate < RATE_OF_SACCADES {
            self.add("gaze_saccade_peak_velocity_median_degps", "below 200 Hz: a lower bound");
        }
        let tracked = gaze.rays.iter().flatten().count();
        if 2 * tracked < gaze.rays.len() {
            self.add("gaze_tracked_share", "no eye tracker: this is the head");
        }
        match gaze.angle_to_head {
            Some(angle) => {
                let text = format!(
                    "where the gaze is the head's forward, it counts as lost; the median angle between both is \
                     {angle:.2}°"
                );
                self.add("gaze_tracked_share", text);
            }
            None => self.add("gaze_tracked_share", "without a head, a lost gaze cannot be told"),
        }
        let origins = gaze.fixations.iter().map(|fixation| DVec3::from_array(fixation.origin));
        let count = gaze.fixations.len();
        if count > 0 {
            let eye = origins.sum::<DVec3>() / count as f64;
            for area in areas.iter().filter_map(|area| area.of(clip)) {
                self.of_area(clip, &area, eye);
            }
        }
    }

    fn of_area(&mut self, clip: &Clip, area: &Area, eye: DVec3) {
        let Some(degrees) = angular_size(clip, area, eye) else { return };
        let size = format!("area {}: {degrees:.1}° wide from the mean place of the eye", area.name);
        match degrees < SMALL_AREA {
            true => self.add(
                "areas",
                format!("{size}: below 3°, within the error of head-worn eye trackers"),
            ),
            false => self.add("areas", size),
        }
    }

    fn of_body(&mut self, ranges: &[RangeMeasures]) {
        let Some(whole) = ranges.first() else { return };
        let value = |name: &str| whole.measures.get(name).and_then(|number| number.value());
        for foot in ["left", "right"] {
            let slide = format!("{foot}_foot_slide_speed_median_mps");
            let slides = value(&slide).is_some_and(|speed| speed > IN_PLACE_SLIDE);
            if slides && value("root_speed_mps").is_some_and(|speed| speed < IN_PLACE_ROOT) {
                self.add(
                    slide,
                    "in place? The root stays where it is, so feet slide by the speed of the walk",
                );
            }
        }
        if whole.measures.get("root_travel_m").is_some()
            && value("left_foot_contact_share").is_none()
            && value("right_foot_contact_share").is_none()
        {
            self.add(
                "left_foot_contact_share",
                "no joint is called foot, ankle or toe; name it with --foot",
            );
        }
    }

    /// The jumps that `check` finds: what is far faster than before and after.
    fn of_pops(&mut self, clip: &Clip) {
        let issues = unreported_issues(clip);
        let jumps: Vec<_> = issues.iter().filter(|one| one.topic == Some(Topic::Jump)).collect();
        if let Some(first) = jumps.first() {
            let at = first.time.map_or_else(String::new, |time| format!(" at {time:.3} s"));
            let text = format!("{} jumps, the first{at}: {}", jumps.len(), first.message);
            self.add("pops", text);
        }
    }

    fn of_ranges(&mut self, clip: &Clip, measured: &Measured<'_>, ranges: &[RangeMeasures]) {
        let (start, end) = (clip.span.start, clip.span.end());
        for range in ranges.iter().skip(1) {
            let RangeMeasures { label, start_s, end_s, .. } = range;
            if start_s == end_s {
                self.add("label", format!("{label:?} at {start_s} s is a point: no measures"));
            } else if MeasuredRange::new(*start_s, *end_s, clip.span, &measured.grid).is_empty() {
                self.add(
                    "label",
                    format!("{label:?} from {start_s} s to {end_s} s has no sample: no measures"),
                );
            } else if *start_s < start || *end_s > end {
                let text = format!(
                    "{label:?} from {start_s} s to {end_s} s: measured from {start} s to {end} s at most"
                );
                self.add("label", text);
            }
        }
    }
}

/// The angle that an area takes, seen from `eye`, in degrees: of a box or a rectangle, that of its smallest edge.
pub(crate) fn angular_size(clip: &Clip, area: &Area, eye: DVec3) -> Option<f64> {
    let centre = match area.joint {
        None => area.shape.centre(),
        Some(joint) => {
            let mut pose = Pose::default();
            clip.sample(f64::midpoint(clip.span.start, clip.span.end()), &mut pose);
            pose.nodes[joint.index()].world.transform_point(area.shape.centre())
        }
    };
    let half = match area.shape {
        Shape::Sphere { radius, .. } => radius,
        Shape::Box { half, .. } => half.min_element(),
        Shape::Plane { half, .. } => half.min_element(),
    };
    let distance = eye.distance(centre);
    let is_outside = distance > half;
    let angle = match area.shape {
        Shape::Sphere { .. } => (half / distance).asin(),
        Shape::Box { .. } | Shape::Plane { .. } => half.atan2(distance),
    };
    Some(2.0 * angle.to_degrees()).filter(|angle| is_outside && angle.is_finite())
}
