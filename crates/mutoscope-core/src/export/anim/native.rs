//! A recording of Maya's own: its curves with their keys, tangents and infinities.

use std::{collections::HashSet, io::Write};

use super::{
    text::{self, Curve, Header, Key, Tangent, TimeUnit},
    tree::{Branch, branches},
};
use crate::{
    clip::{AnyCurve, Extrapolation, Hint, Owner, ScalarCurve, Segment, Shapes, TrackId, Unit},
    export::{ExportError, Job, Report, breaks, report::counted, watch::Watch},
};

/// The fraction of its segment that an unweighted tangent spans.
const THIRD: f64 = 1.0 / 3.0;

pub(super) fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let time = TimeUnit::of_rate(job.rate.or(clip.rate_hz));
    let metres = clip.convention.metres_per_unit.value;
    let Some((_, length)) = LENGTHS.iter().find(|(unit, _)| unit.factor() == metres) else {
        return Err(ExportError::TooMuch(format!("Maya has no unit of {metres} metres")));
    };
    Header { time, length, span: (job.from, job.to) }.write(out)?;
    let sampled = job.rate.map(|rate| breaks::regular(job, rate)).transpose()?;
    let signals = clip.signals.iter().map(|signal| signal.track).collect();
    let writer = Writer { job, time, length: metres, signals, sampled };
    let mut by_node: Vec<Vec<TrackId>> = vec![Vec::new(); clip.nodes.len()];
    for (index, track) in clip.tracks.iter().enumerate() {
        if let Owner::Node(node) = track.owner {
            by_node[node.index()].push(TrackId::new(index));
        }
    }
    watch.now_up_to(1.0);
    for (index, branch) in branches(clip).iter().enumerate() {
        watch.at(index, clip.nodes.len())?;
        writer.node(branch, &by_node[branch.id.index()], out)?;
    }
    match job.rate {
        Some(rate) => report.info(format!("sampled at {rate} Hz")),
        None => report.info("curves, keys, tangents and infinities are the recording's own"),
    }
    if job.rate.is_none() && (job.from, job.to) != (clip.span.start, clip.span.end()) {
        report.info("curves are whole: startTime and endTime have the range");
    }
    report.info(counted(clip.tracks.len(), "curve"));
    Ok(())
}

struct Writer<'a> {
    job: &'a Job<'a>,
    time: TimeUnit,
    /// The header's unit of length, in metres.
    length: f64,
    /// The tracks that move nothing.
    signals: HashSet<TrackId>,
    /// The times to sample at, if it is to be sampled.
    sampled: Option<Vec<f64>>,
}

impl Writer<'_> {
    fn node(
        &self,
        branch: &Branch,
        tracks: &[TrackId],
        out: &mut dyn Write,
    ) -> Result<(), ExportError> {
        let name = &self.job.clip.nodes[branch.id].name;
        for (attribute, &track) in tracks.iter().enumerate() {
            self.curve(track)?.write(name, branch, attribute, out)?;
        }
        if tracks.is_empty() {
            text::placeholder(name, branch, out)?;
        }
        Ok(())
    }

    fn curve(&self, id: TrackId) -> Result<Curve, ExportError> {
        let track = self.job.clip.track(id);
        let is_over_time = !matches!(track.curve, AnyCurve::Driven(_));
        let curve = track.curve.scalar();
        let (output, unit) = self.output(track.unit);
        // Stepped curves, such as visibility, keep their own key times.
        let is_sampled = self.sampled.is_some() && is_over_time && !is_stepped(curve);
        let keys = match &self.sampled {
            Some(times) if is_sampled && !curve.is_empty() => self.samples(curve, times),
            _ => self.keys(curve, is_over_time),
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
            full: self.full_name(id, &track.property),
            leaf: track.property.clone(),
            is_over_time,
            output,
            unit,
            is_weighted: !is_sampled && is_weighted(curve),
            infinities: [infinity(before), infinity(after)],
            keys,
        })
    }

    /// The full name of an attribute. A clip has its last part only: an attribute with the name of
    /// a transform channel that moves no node belongs to some other compound.
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

    /// Maya's output type for values in `unit`, and the word for the unit where it is not the
    /// header's.
    fn output(&self, unit: Unit) -> (&'static str, Option<&'static str>) {
        let word_of = |words: &[(Unit, &'static str)]| {
            words.iter().find(|(known, _)| *known == unit).map(|(_, word)| *word)
        };
        if let Some(word) = word_of(&LENGTHS) {
            return ("linear", (unit.factor() != self.length).then_some(word));
        }
        if let Some(word) = word_of(&ANGLES) {
            return ("angular", (unit != Unit::Degrees).then_some(word));
        }
        match (unit, word_of(&TIMES)) {
            (Unit::None, _) => ("unitless", None),
            // Frames are those of the header, and were.
            (_, word) => ("time", word),
        }
    }

    fn samples(&self, curve: &ScalarCurve, times: &[f64]) -> Vec<Key> {
        let mut hint = Hint::default();
        let key = |&time: &f64| Key {
            input: self.time.of_seconds(time),
            value: curve.evaluate(time, &mut hint),
            tangents: [Tangent::Word("linear"); 2],
        };
        times.iter().map(key).collect()
    }

    fn keys(&self, curve: &ScalarCurve, is_over_time: bool) -> Vec<Key> {
        let times = curve.times().as_slice();
        // Of a driven curve, what it is over has no unit.
        let per_second = if is_over_time { self.time.per_second } else { 1.0 };
        let input = |time: f64| if is_over_time { self.time.of_seconds(time) } else { time };
        let tangents = Tangents { curve, per_second, is_weighted: is_weighted(curve) };
        let key = |(index, &time): (usize, &f64)| Key {
            input: input(time),
            value: curve.values().at(index),
            tangents: [tangents.before(index), tangents.after(index)],
        };
        times.iter().enumerate().map(key).collect()
    }
}

/// Whether it holds from each key to the next.
fn is_stepped(curve: &ScalarCurve) -> bool {
    let is_step = |segment: &Segment| matches!(segment, Segment::Step | Segment::StepNext);
    match curve.shapes() {
        Shapes::Step => true,
        Shapes::Segments(segments) => !segments.is_empty() && segments.iter().all(is_step),
        Shapes::Linear | Shapes::Nearest | Shapes::Tangents(_) => false,
    }
}

/// Whether the lengths of its tangents count.
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
    fn before(&self, key: usize) -> Tangent {
        let Some(left) = key.checked_sub(1) else {
            return self.outwards(self.curve.extrapolation().0);
        };
        let duration = self.duration(left);
        match self.segment(left) {
            Segment::Step | Segment::StepNext | Segment::Linear => Tangent::Word("linear"),
            Segment::Hermite { in_slope, .. } => self.slope(in_slope, duration),
            Segment::EvenBezier { in_value, .. } => {
                let rise = self.curve.values().at(key) - in_value;
                self.slope(rise / (duration * THIRD), duration)
            }
            Segment::Bezier { in_handle, .. } => Tangent::Fixed {
                seconds_in_units: in_handle.part * duration * self.per_second,
                value: in_handle.rise,
            },
        }
    }

    fn after(&self, key: usize) -> Tangent {
        if key + 1 >= self.curve.len() {
            return self.outwards(self.curve.extrapolation().1);
        }
        let duration = self.duration(key);
        match self.segment(key) {
            Segment::Step => Tangent::Word("step"),
            Segment::StepNext => Tangent::Word("stepnext"),
            Segment::Linear => Tangent::Word("linear"),
            Segment::Hermite { out_slope, .. } => self.slope(out_slope, duration),
            Segment::EvenBezier { out_value, .. } => {
                let rise = out_value - self.curve.values().at(key);
                self.slope(rise / (duration * THIRD), duration)
            }
            Segment::Bezier { out_handle, .. } => Tangent::Fixed {
                seconds_in_units: out_handle.part * duration * self.per_second,
                value: out_handle.rise,
            },
        }
    }

    /// The tangent along which a curve runs on outside of its keys.
    fn outwards(&self, extrapolation: Extrapolation) -> Tangent {
        match extrapolation {
            Extrapolation::Linear { slope } => self.slope(slope, 1.0),
            _ => Tangent::Word("flat"),
        }
    }

    /// The tangent of this slope, in value a second, a third of a segment of `duration` seconds long.
    fn slope(&self, slope: f64, duration: f64) -> Tangent {
        let seconds = if self.is_weighted { duration * THIRD } else { 1.0 / self.per_second };
        let (seconds_in_units, value) = (seconds * self.per_second, seconds * slope);
        if self.is_weighted {
            return Tangent::Fixed { seconds_in_units, value };
        }
        // Where lengths do not count, Maya writes 1.
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
            // No file has curves by the nearest key: they are a view only.
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
