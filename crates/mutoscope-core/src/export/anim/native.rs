//! Writes a recording from Maya: its own curves with their keys, tangents and infinities.

use std::{collections::HashSet, io::Write};

use super::{
    text::{self, Curve, Header, Key, Tangent, TimeUnit},
    tree::{Branch, depth_first_branches},
};
use crate::{
    clip::{
        AnyCurve, Clip, Extrapolation, Hint, Owner, ScalarCurve, Segment, Shapes, TrackId, Unit,
    },
    diagnostics::format_count,
    export::{ExportError, Job, Report, key_times, progress::ProgressScope},
};

const UNWEIGHTED_TANGENT_FRACTION: f64 = 1.0 / 3.0;

pub(super) fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    report: &mut Report,
    progress: &mut ProgressScope<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let time = TimeUnit::for_rate(job.rate.or(clip.rate_hz));
    let metres = clip.convention.metres_per_unit.value;
    let Some((_, length)) = LENGTHS.iter().find(|(unit, _)| unit.si_factor() == metres) else {
        return Err(ExportError::LimitExceeded(format!(
            "Maya has no unit of length of {metres} m; not exported"
        )));
    };
    Header { time, length, span: (job.from, job.to) }.write(out)?;
    let sampled = job.rate.map(|rate| key_times::times_at_rate(job, rate)).transpose()?;
    let signals = clip.signals.iter().map(|signal| signal.track).collect();
    let mut by_node: Vec<Vec<TrackId>> = vec![Vec::new(); clip.nodes.len()];
    for (index, track) in clip.tracks.iter().enumerate() {
        if let Owner::Node(node) = track.owner {
            by_node[node.index()].push(TrackId::new(index));
        }
    }
    let branches = depth_first_branches(clip);
    let first_attribute = first_attribute(clip, &branches, &by_node);
    let writer = Writer { job, time, length: metres, signals, sampled, first_attribute };
    progress.begin_phase(1.0);
    for (index, branch) in branches.iter().enumerate() {
        progress.report_progress(index, clip.nodes.len())?;
        writer.write_node(branch, &by_node[branch.id.index()], out)?;
    }
    match job.rate {
        Some(rate) => report.info(format!("sampled at {rate} Hz")),
        None => report.info("curves, keys, tangents and infinities are the recording's own"),
    }
    if job.rate.is_none() && (job.from, job.to) != (clip.span.start, clip.span.end()) {
        report.info("curves are whole: startTime and endTime have the range");
    }
    report.info(format_count(clip.tracks.len(), "curve"));
    Ok(())
}

/// Returns the index of the first attribute of every node, usually 0. If every attribute had index 0,
/// a reader would join two consecutive nodes of the same name, depth and number of children.
fn first_attribute(clip: &Clip, branches: &[Branch], by_node: &[Vec<TrackId>]) -> usize {
    let line = |branch: &Branch| (&clip.nodes[branch.id].name, branch.depth, branch.child_count);
    let is_repeated = branches.windows(2).any(|pair| line(&pair[0]) == line(&pair[1]));
    usize::from(is_repeated && by_node.iter().all(|tracks| tracks.len() < 2))
}

struct Writer<'a> {
    job: &'a Job<'a>,
    time: TimeUnit,
    /// The unit of length in the header, in metres.
    length: f64,
    signals: HashSet<TrackId>,
    /// The times to sample at. `None` keeps the curves.
    sampled: Option<Vec<f64>>,
    first_attribute: usize,
}

impl Writer<'_> {
    fn write_node(
        &self,
        branch: &Branch,
        tracks: &[TrackId],
        out: &mut dyn Write,
    ) -> Result<(), ExportError> {
        let name = &self.job.clip.nodes[branch.id].name;
        for (attribute, &track) in (self.first_attribute..).zip(tracks) {
            self.convert_curve(track)?.write(name, branch, attribute, out)?;
        }
        if tracks.is_empty() {
            text::write_placeholder(name, branch, out)?;
        }
        Ok(())
    }

    fn convert_curve(&self, id: TrackId) -> Result<Curve, ExportError> {
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
        Ok(Curve {
            full_name: self.full_name(id, &track.property),
            short_name: track.property.clone(),
            is_over_time,
            output,
            unit,
            is_weighted: !is_sampled && is_weighted(curve),
            infinities: [infinity(before), infinity(after)],
            keys,
        })
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
            return ("linear", (unit.si_factor() != self.length).then_some(word));
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
        let key = |(index, &time): (usize, &f64)| Key {
            input: input(time),
            value: curve.values().value_at(index),
            tangents: [tangents.in_tangent(index), tangents.out_tangent(index)],
        };
        times.iter().enumerate().map(key).collect()
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
    fn in_tangent(&self, key: usize) -> Tangent {
        let Some(left) = key.checked_sub(1) else {
            return self.extrapolation_tangent(self.curve.extrapolation().0);
        };
        let duration = self.duration(left);
        match self.segment(left) {
            Segment::Step | Segment::StepNext | Segment::Linear => Tangent::Named("linear"),
            Segment::Hermite { in_slope, .. } => self.tangent_from_slope(in_slope, duration),
            Segment::ValueBezier { in_value, .. } => {
                let rise = self.curve.values().value_at(key) - in_value;
                self.tangent_from_slope(rise / (duration * UNWEIGHTED_TANGENT_FRACTION), duration)
            }
            Segment::Bezier { in_handle, .. } => Tangent::Fixed {
                seconds_in_units: in_handle.fraction * duration * self.per_second,
                value: in_handle.rise,
            },
        }
    }

    fn out_tangent(&self, key: usize) -> Tangent {
        if key + 1 >= self.curve.len() {
            return self.extrapolation_tangent(self.curve.extrapolation().1);
        }
        let duration = self.duration(key);
        match self.segment(key) {
            Segment::Step => Tangent::Named("step"),
            Segment::StepNext => Tangent::Named("stepnext"),
            Segment::Linear => Tangent::Named("linear"),
            Segment::Hermite { out_slope, .. } => self.tangent_from_slope(out_slope, duration),
            Segment::ValueBezier { out_value, .. } => {
                let rise = out_value - self.curve.values().value_at(key);
                self.tangent_from_slope(rise / (duration * UNWEIGHTED_TANGENT_FRACTION), duration)
            }
            Segment::Bezier { out_handle, .. } => Tangent::Fixed {
                seconds_in_units: out_handle.fraction * duration * self.per_second,
                value: out_handle.rise,
            },
        }
    }

    fn extrapolation_tangent(&self, extrapolation: Extrapolation) -> Tangent {
        match extrapolation {
            Extrapolation::Linear { slope } => self.tangent_from_slope(slope, 1.0),
            _ => Tangent::Named("flat"),
        }
    }

    fn tangent_from_slope(&self, slope: f64, duration: f64) -> Tangent {
        let seconds = if self.is_weighted {
            duration * UNWEIGHTED_TANGENT_FRACTION
        } else {
            1.0 / self.per_second
        };
        let (seconds_in_units, value) = (seconds * self.per_second, seconds * slope);
        if self.is_weighted {
            return Tangent::Fixed { seconds_in_units, value };
        }
        // Normalise the tangent, because Maya writes unweighted tangents with length 1.
        let length = seconds_in_units.hypot(value);
        Tangent::Fixed { seconds_in_units: seconds_in_units / length, value: value / length }
    }

    fn duration(&self, left: usize) -> f64 {
        let times = self.curve.times().as_slice();
        times[left + 1] - times[left]
    }

    fn segment(&self, left: usize) -> Segment {
        match self.curve.shapes() {
            Shapes::Segments(segments) => segments[left],
            Shapes::Linear => Segment::Linear,
            // No decoder creates nearest-key curves, because they are only views of other curves.
            // Write them as steps.
            Shapes::Step | Shapes::Nearest | Shapes::Tangents(_) => Segment::Step,
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
