//! Collects notes about single measures.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::Topic,
    measure::{
        analysis::{Area, NamedArea, Shape},
        checks::unreported_diagnostics,
    },
};

use super::{Note, RangeMeasures, Request, measured::MeasuredSubjects};
use crate::{
    range::MeasuredRange,
    signal::{rate::mean_key_rate, stretch::find_runs},
    subjects::{HANDS, Subjects},
};

/// Below this rate in Hz, the measured peak velocities of saccades are only lower bounds.
const MIN_SACCADE_RATE_HZ: f64 = 200.0;
/// If the wrist has fewer keys per second than this share of the sampling rate, the recorder has
/// thinned the keys.
const THINNED_KEY_SHARE: f64 = 0.8;
/// In degrees. Smaller areas get a note, because head-worn eye trackers have a gaze error of this
/// size.
const SMALL_AREA_DEG: f64 = 3.0;
/// In metres. Smaller apertures get a note, because hand tracking has an error of this size.
const SMALL_APERTURE_M: f64 = 0.02;
/// The body may walk in place if the root is slower than the first speed, and a foot slides faster
/// than the second. In metres per second.
const MAX_IN_PLACE_ROOT_MPS: f64 = 0.1;
const MIN_IN_PLACE_SLIDE_MPS: f64 = 0.3;

pub(super) fn collect_notes(
    clip: &Clip,
    subjects: &Subjects,
    measured: &MeasuredSubjects<'_>,
    request: &Request<'_>,
    ranges: &[RangeMeasures],
    rate: f64,
) -> Vec<Note> {
    let mut notes = NoteCollector(Vec::new());
    for index in 0..HANDS.len() {
        notes.add_hand_notes(clip, subjects, measured, index, request, rate);
    }
    notes.add_gaze_notes(clip, measured, request.areas, rate);
    notes.add_body_notes(ranges, &request.options.feet);
    if let Some(body) = &measured.body {
        for why in body.describe_unused_feet(&request.options.feet) {
            notes.add("left_foot_contact_share", why);
        }
        notes.add_jump_note(clip);
    }
    notes.add_range_notes(clip, measured, ranges);
    notes.0
}

struct NoteCollector(Vec<Note>);

impl NoteCollector {
    fn add(&mut self, measure: impl Into<String>, text: impl Into<String>) {
        self.0.push(Note { measure: measure.into(), text: text.into() });
    }

    fn add_hand_notes(
        &mut self,
        clip: &Clip,
        subjects: &Subjects,
        measured: &MeasuredSubjects<'_>,
        index: usize,
        request: &Request<'_>,
        rate: f64,
    ) {
        let (Some(hand), Some(nodes)) = (&measured.hands[index], &subjects.hands[index]) else {
            return;
        };
        let (_, name) = HANDS[index];
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
        if let Some(keys) =
            mean_key_rate(clip, nodes.wrist).filter(|keys| *keys < THINNED_KEY_SHARE * rate)
        {
            for measure in ["movement_ldlj_median", "movement_sparc_median"] {
                let text = format!(
                    "{keys:.1} keys per second at {rate} Hz: the curve was thinned. Jerk suffers most; prefer SPARC"
                );
                self.add(format!("{name}_{measure}"), text);
            }
        }
        let positions = &hand.hand.raw_wrist;
        let short = find_runs(positions.len(), |sample| positions[sample].is_finite());
        let short = short.iter().filter(|run| !hand.hand.wrist.stretches.contains(run)).count();
        if short > 0 {
            let text =
                format!("tracked stretches with fewer than 10 samples have no kinematics: {short}");
            self.add(format!("{name}_path_length_m"), text);
        }
        if hand.tracked.is_none() {
            self.add(
                format!("{name}_tracked_share"),
                "the recording has no signal for when the hand is tracked",
            );
        }
        if hand.pinches.is_none() {
            self.add(
                format!("{name}_pinches"),
                "the recording has no pinch signal; pinches are not inferred from geometry",
            );
        }
        let apertures = hand.pinches.iter().flatten().filter_map(|pinch| pinch.aperture_peak_m);
        let small = apertures.filter(|aperture| *aperture < SMALL_APERTURE_M).count();
        if small > 0 {
            let text =
                format!("apertures below 2 cm, which is within the error of tracking: {small}");
            self.add(format!("{name}_pinch_aperture_peak_median_m"), text);
        }
    }

    fn add_gaze_notes(
        &mut self,
        clip: &Clip,
        measured: &MeasuredSubjects<'_>,
        areas: &[NamedArea],
        rate: f64,
    ) {
        for area in areas.iter().filter(|area| area.resolve(clip).is_none()) {
            let joint = area.joint.as_deref().unwrap_or_default();
            self.add(
                "areas",
                format!("area {}: the recording has no joint {joint}; skipped", area.name),
            );
        }
        let Some(gaze) = &measured.gaze else {
            if !areas.is_empty() {
                self.add("areas", "the recording has no gaze; areas have no measures");
            }
            return;
        };
        if rate < MIN_SACCADE_RATE_HZ {
            self.add("gaze_saccade_peak_velocity_median_degps", "below 200 Hz: a lower bound");
        }
        let tracked = gaze.rays.iter().flatten().count();
        if 2 * tracked < gaze.rays.len() {
            self.add(
                "gaze_tracked_share",
                "no eye tracker; the gaze is the head's forward direction",
            );
        }
        match gaze.angle_to_head {
            Some(angle) => {
                let text = format!(
                    "the gaze is lost while it equals the head's forward direction; the median angle between both is \
                     {angle:.2}°"
                );
                self.add("gaze_tracked_share", text);
            }
            None => {
                self.add("gaze_tracked_share", "cannot detect gaze loss: the recording has no head")
            }
        }
        let origins = gaze.fixations.iter().map(|fixation| DVec3::from_array(fixation.origin));
        let count = gaze.fixations.len();
        if count > 0 {
            let eye = origins.sum::<DVec3>() / count as f64;
            for area in areas.iter().filter_map(|area| area.resolve(clip)) {
                self.add_area_note(clip, &area, eye);
            }
        }
    }

    fn add_area_note(&mut self, clip: &Clip, area: &Area, eye: DVec3) {
        let Some(degrees) = angular_size(clip, area, eye) else { return };
        let size =
            format!("area {}: {degrees:.1}° wide from the mean position of the eye", area.name);
        match degrees < SMALL_AREA_DEG {
            true => self.add(
                "areas",
                format!("{size}: below 3°, within the error of head-worn eye trackers"),
            ),
            false => self.add("areas", size),
        }
    }

    fn add_body_notes(&mut self, ranges: &[RangeMeasures], feet: &[String]) {
        let Some(whole) = ranges.first() else { return };
        let value = |name: &str| whole.measures.get(name).and_then(|number| number.value());
        for foot in ["left", "right"] {
            let slide = format!("{foot}_foot_slide_speed_median_mps");
            let slides = value(&slide).is_some_and(|speed| speed > MIN_IN_PLACE_SLIDE_MPS);
            if slides && value("root_speed_mps").is_some_and(|speed| speed < MAX_IN_PLACE_ROOT_MPS)
            {
                self.add(
                    slide,
                    "possibly walks in place: the root does not move, so the feet slide at walking speed",
                );
            }
        }
        if feet.is_empty()
            && whole.measures.get("root_travel_m").is_some()
            && value("left_foot_contact_share").is_none()
            && value("right_foot_contact_share").is_none()
        {
            self.add(
                "left_foot_contact_share",
                "no joint is called foot, ankle or toe. Name one with --foot",
            );
        }
    }

    fn add_jump_note(&mut self, clip: &Clip) {
        let diagnostics = unreported_diagnostics(clip);
        let jumps: Vec<_> = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.topic() == Some(Topic::Jump))
            .collect();
        if let Some(first) = jumps.first() {
            let at = first.time.map_or_else(String::new, |time| format!(" at {time:.3} s"));
            let text = format!("{} jumps, the first{at}: {}", jumps.len(), first.message);
            self.add("pops", text);
        }
    }

    fn add_range_notes(
        &mut self,
        clip: &Clip,
        measured: &MeasuredSubjects<'_>,
        ranges: &[RangeMeasures],
    ) {
        let (start, end) = (clip.span.start, clip.span.end());
        let tolerance = |border: f64| measured.grid.tolerance_s(border);
        for range in ranges.iter().skip(1) {
            let RangeMeasures { label, start_s, end_s, .. } = range;
            if start_s == end_s {
                self.add("label", format!("{label:?} at {start_s} s is a point: no measures"));
            } else if MeasuredRange::new(*start_s, *end_s, clip.span, &measured.grid).is_empty() {
                self.add(
                    "label",
                    format!("{label:?} from {start_s} s to {end_s} s has no sample: no measures"),
                );
            } else if *start_s < start - tolerance(start) || *end_s > end + tolerance(end) {
                let text = format!(
                    "{label:?} from {start_s} s to {end_s} s: measured from {start} s to {end} s at most"
                );
                self.add("label", text);
            }
        }
    }
}

/// Returns the angle that an area covers in the view from `eye`, in degrees. For a box or a
/// rectangle, the shortest edge is used. `None` if the eye is inside the area.
pub(crate) fn angular_size(clip: &Clip, area: &Area, eye: DVec3) -> Option<f64> {
    let centre = match area.joint {
        None => area.shape.centre(),
        Some(joint) => {
            let mut pose = Pose::default();
            clip.sample(f64::midpoint(clip.span.start, clip.span.end()), &mut pose);
            pose[joint].world.transform_point(area.shape.centre())
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
