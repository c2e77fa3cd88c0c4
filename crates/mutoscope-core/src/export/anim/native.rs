//! Converts a recording from Maya: its own curves with their keys, tangents and infinities.

use std::collections::HashSet;

use super::{
    EncodedCurves, Lines, NodeCurves,
    text::{Branch, Curve, Key, Precision, Tangent, TimeUnit},
};
use crate::{
    clip::{
        AnyCurve, Clip, Extrapolation, Hint, Owner, ScalarCurve, Segment, Shapes, TrackId, Unit,
    },
    diagnostics::format_count,
    export::{ExportError, Job, Progress, Report, key_times},
    io::parallel::map_in_order,
};

const UNWEIGHTED_TANGENT_FRACTION: f64 = 1.0 / 3.0;

/// Returns the name of the clip's unit of length.
pub(super) fn length_unit(clip: &Clip) -> Result<&'static str, ExportError> {
    let metres = clip.convention.metres_per_unit.value;
    let unit = LENGTHS.iter().find(|(unit, _)| unit.si_factor() == metres);
    unit.map(|(_, word)| *word).ok_or_else(|| {
        let message = format!("Maya has no unit of length of {metres} m; not exported");
        ExportError::LimitExceeded(message)
    })
}

pub(super) struct OwnCurves<'a> {
    job: &'a Job<'a>,
    time: TimeUnit,
    signals: HashSet<TrackId>,
    by_node: Vec<Vec<TrackId>>,
    /// The times to sample at. `None` keeps the curves.
    sampled: Option<Vec<f64>>,
}

impl NodeCurves for OwnCurves<'_> {
    fn encode_nodes(
        &mut self,
        lines: &Lines<'_>,
        progress: &mut Progress<'_>,
        take: &mut dyn FnMut(&Branch, EncodedCurves) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let encode = |index: usize, _: &mut Progress<'_>| {
            let (branch, mut encoded) = (&lines.branches[index], EncodedCurves::default());
            let tracks = self.by_node[branch.id.index()].iter();
            let curves = tracks.map(|&track| self.convert_curve(track));
            lines.encode_curves(branch, curves, &mut encoded)?;
            Ok(encoded)
        };
        map_in_order(lines.branches.len(), progress, encode, |index, encoded| {
            take(&lines.branches[index], encoded)
        })
    }

    fn report(&self, report: &mut Report) {
        let Job { clip, rate, from, to, .. } = *self.job;
        match rate {
            Some(rate) => report.info(format!("sampled at {rate} Hz")),
            None => report.info("curves, keys, tangents and infinities are the recording's own"),
        }
        if rate.is_none() && (from, to) != (clip.span.start, clip.span.end()) {
            report.info("curves are whole: startTime and endTime have the range");
        }
        report.info(format_count(clip.tracks.len(), "curve"));
    }
}

impl<'a> OwnCurves<'a> {
    pub(super) fn new(job: &'a Job<'a>, time: TimeUnit) -> Result<Self, ExportError> {
        let clip = job.clip;
        let mut by_node = vec![Vec::new(); clip.nodes.len()];
        for (index, track) in clip.tracks.iter().enumerate() {
            if let Owner::Node(node) = track.owner {
                by_node[node.index()].push(TrackId::new(index));
            }
        }
        let signals = clip.signals.iter().map(|signal| signal.track).collect();
        let sampled = job.rate.map(|rate| key_times::times_at_rate(job, rate)).transpose()?;
        Ok(Self { job, time, signals, by_node, sampled })
    }

    fn convert_curve(&self, id: TrackId) -> Curve<'_> {
        let track = self.job.clip.track(id);
        let is_over_time = !matches!(track.curve, AnyCurve::Driven(_));
        let curve = track.curve.scalar();
        let (output, unit) = self.output_type(track.unit);
        // Stepped curves such as visibility keep their own key times, because samples would delay
        // their changes.
        let is_sampled = self.sampled.is_some() && is_over_time && !is_stepped(curve);
        let keys = match &self.sampled {
            Some(times) if is_sampled && !curve.is_empty() => self.sampled_keys(curve, times),
            _ => self.own_keys(curve, is_over_time),
        };
        let (before, after) = curve.extrapolation();
        let infinity = |extrapolation| match extrapolation {
            _ if is_sampled => "constant",
            Extrapolation::Constant => "constant",
            Extrapolation::Linear { .. } => "linear",
            Extrapolation::Cycle => "cycle",
            Extrapolation::CycleWithOffset => "cycleRelative",
            Extrapolation::Oscillate => "oscillate",
        };
        Curve {
            full_name: self.full_name(id, &track.property),
            short_name: track.property.clone(),
            is_over_time,
            output,
            unit,
            is_weighted: !is_sampled && is_weighted(curve),
            infinities: [infinity(before), infinity(after)],
            precision: Precision::Exact,
            keys: Box::new(keys.into_iter()),
        }
    }

    /// Returns the full name of an attribute. The clip holds only the last part of the name. A
    /// signal that is named like a transform channel or like the visibility gets the compound
    /// `attribute`, because it does not move its node.
    fn full_name(&self, track: TrackId, leaf: &str) -> String {
        let compound = ["translate", "rotate", "scale"].iter().find(|&&compound| {
            leaf.strip_prefix(compound).is_some_and(|axis| ["X", "Y", "Z"].contains(&axis))
        });
        let is_special = compound.is_some() || ["visibility", "rotateOrder"].contains(&leaf);
        match compound {
            _ if is_special && self.signals.contains(&track) && leaf != "rotateOrder" => {
                format!("attribute.{leaf}")
            }
            Some(compound) => format!("{compound}.{leaf}"),
            None => leaf.to_owned(),
        }
    }

    /// Returns Maya's output type for values in `unit`. Also returns the name of the unit, if the
    /// unit differs from the header's.
    fn output_type(&self, unit: Unit) -> (&'static str, Option<&'static str>) {
        let word_of = |words: &[(Unit, &'static str)]| {
            words.iter().find(|(known, _)| *known == unit).map(|(_, word)| *word)
        };
        if let Some(word) = word_of(&LENGTHS) {
            let length = self.job.clip.convention.metres_per_unit.value;
            return ("linear", (unit.si_factor() != length).then_some(word));
        }
        if let Some(word) = word_of(&ANGLES) {
            return ("angular", (unit != Unit::Degrees).then_some(word));
        }
        match (unit, word_of(&TIMES)) {
            (Unit::None, _) => ("unitless", None),
            // Times in frames need no unit name, because they are in the time unit of the header.
            (_, word) => ("time", word),
        }
    }

    fn sampled_keys(&self, curve: &ScalarCurve, times: &[f64]) -> Vec<Key> {
        let mut hint = Hint::default();
        let key = |&time: &f64| Key {
            input: self.time.convert_seconds(time),
            value: curve.evaluate(time, &mut hint),
            tangents: [Tangent::Named("linear"); 2],
        };
        times.iter().map(key).collect()
    }

    fn own_keys(&self, curve: &ScalarCurve, is_over_time: bool) -> Vec<Key> {
        let times = curve.times().as_slice();
        // Do not convert the input of a driven curve, because it is not a time.
        let per_second = if is_over_time { self.time.per_second } else { 1.0 };
        let input = |time: f64| if is_over_time { self.time.convert_seconds(time) } else { time };
        let tangents = Tangents { curve, per_second, is_weighted: is_weighted(curve) };
        let (before, after) = curve.extrapolation();
        let mut in_tangent = tangents.extrapolation_tangent(before);
        let mut keys = Vec::with_capacity(times.len());
        for (index, &time) in times.iter().enumerate() {
            let [out_tangent, next_in_tangent] = match index + 1 < times.len() {
                true => tangents.segment_tangents(index),
                false => [tangents.extrapolation_tangent(after); 2],
            };
            let value = curve.values().value_at(index);
            keys.push(Key { input: input(time), value, tangents: [in_tangent, out_tangent] });
            in_tangent = next_in_tangent;
        }
        keys
    }
}

fn is_stepped(curve: &ScalarCurve) -> bool {
    let is_step = |segment: &Segment| matches!(segment, Segment::Step | Segment::StepNext);
    match curve.shapes() {
        Shapes::Step => true,
        Shapes::Segments(segments) => !segments.is_empty() && segments.iter().all(is_step),
        Shapes::Linear | Shapes::Nearest | Shapes::Tangents(_) => false,
    }
}

fn is_weighted(curve: &ScalarCurve) -> bool {
    let is_bezier = |segment: &Segment| matches!(segment, Segment::Bezier { .. });
    matches!(curve.shapes(), Shapes::Segments(segments) if segments.iter().any(is_bezier))
}

struct Tangents<'a> {
    curve: &'a ScalarCurve,
    per_second: f64,
    is_weighted: bool,
}

impl Tangents<'_> {
    /// Returns the tangents at both ends of the segment after the key `left`.
    fn segment_tangents(&self, left: usize) -> [Tangent; 2] {
        let times = self.curve.times().as_slice();
        let duration = times[left + 1] - times[left];
        match self.curve.shapes().segment(left) {
            Segment::Step => [Tangent::Named("step"), Tangent::Named("linear")],
            Segment::StepNext => [Tangent::Named("stepnext"), Tangent::Named("linear")],
            Segment::Linear => [Tangent::Named("linear"); 2],
            Segment::Hermite { out_slope, in_slope } => {
                [out_slope, in_slope].map(|slope| self.tangent_from_slope(slope, duration))
            }
            Segment::ValueBezier { out_value, in_value } => {
                let values = self.curve.values();
                let rises =
                    [out_value - values.value_at(left), values.value_at(left + 1) - in_value];
                let seconds = duration * UNWEIGHTED_TANGENT_FRACTION;
                rises.map(|rise| self.tangent_from_slope(rise / seconds, duration))
            }
            Segment::Bezier { out_handle, in_handle } => [out_handle, in_handle].map(|handle| {
                let seconds = handle.fraction * duration;
                Tangent::from_vector(seconds * self.per_second, handle.rise)
            }),
        }
    }

    fn extrapolation_tangent(&self, extrapolation: Extrapolation) -> Tangent {
        match extrapolation {
            Extrapolation::Linear { slope } => self.tangent_from_slope(slope, 1.0),
            _ => Tangent::Named("flat"),
        }
    }

    fn tangent_from_slope(&self, slope: f64, duration: f64) -> Tangent {
        match self.is_weighted {
            true => {
                let seconds = duration * UNWEIGHTED_TANGENT_FRACTION;
                Tangent::from_vector(seconds * self.per_second, seconds * slope)
            }
            false => Tangent::from_slope(slope / self.per_second),
        }
    }
}

const LENGTHS: [(Unit, &str); 8] = [
    (Unit::Millimetres, "mm"),
    (Unit::Centimetres, "cm"),
    (Unit::Metres, "m"),
    (Unit::Kilometres, "km"),
    (Unit::Inches, "in"),
    (Unit::Feet, "ft"),
    (Unit::Yards, "yd"),
    (Unit::Miles, "mi"),
];

const ANGLES: [(Unit, &str); 4] = [
    (Unit::Degrees, "deg"),
    (Unit::Radians, "rad"),
    (Unit::ArcMinutes, "min"),
    (Unit::ArcSeconds, "sec"),
];

const TIMES: [(Unit, &str); 4] = [
    (Unit::Milliseconds, "millisec"),
    (Unit::Seconds, "sec"),
    (Unit::Minutes, "min"),
    (Unit::Hours, "hour"),
];
