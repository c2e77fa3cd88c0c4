//! Data that Resonite would refuse, misread or play otherwise than intended.

use std::collections::HashMap;

use glam::{DVec4, Vec4};

use super::{
    document::{Animation, Columns, Interpolation, Interpolations, Times, Track, TrackType},
    oddities::Oddities,
    types::Scalar,
};
use crate::{
    clip::{AnyCurve, Form, Provenance, TypedCurve, Values},
    diagnostics::{SourceLocation, Topic},
};

/// Checks the animation as a whole. `duration` is the playback duration, in seconds.
pub(super) fn animation(animation: &Animation, duration: f64, oddities: &mut Oddities) {
    if animation.tracks.is_empty() {
        oddities
            .warning("animations without tracks", SourceLocation::File, || "no tracks".to_owned());
    }
    let place = || animation.duration_place.clone();
    match animation.global_duration {
        Some(stated) if stated < 0.0 || !stated.is_finite() => {
            let message = || format!("the global duration is {stated}; using that of the keys");
            oddities.warning("suspect durations", place(), message);
        }
        Some(stated) if stated > 0.0 && stated < duration => {
            let message = || {
                format!(
                    "the global duration is {stated} s, and the last key is at {duration} s: \
                     played to the last key, where Resonite may stop before"
                )
            };
            oddities.warning("suspect durations", place(), message);
        }
        _ => {}
    }
    names(animation, oddities);
}

/// Issues with the names of nodes and properties.
fn names(animation: &Animation, oddities: &mut Oddities) {
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    for track in &animation.tracks {
        let (node, property) = (track.node.as_str(), track.property.as_str());
        let place = || track.source.place.clone();
        if let Some(first) = seen.get(&(node, property)) {
            let message =
                || format!("{}: named as track {first}, which is found by the name", track.name());
            oddities.warning("tracks with names of others", place(), message);
        } else {
            seen.insert((node, property), track.index);
        }
        if property.matches('.').count() > 1 {
            let message = || {
                format!(
                    "{}: Resonite takes two parts of a property, a component and a field, and \
                     finds none with more",
                    track.name()
                )
            };
            oddities.warning("properties of more than two parts", place(), message);
        }
        let is_blenders = matches!(property, "location" | "rotation_euler" | "rotation_quaternion");
        if is_blenders || matches!(property, "position" | "rotation" | "scale") {
            let message = if is_blenders {
                "is Blender's name: such files have Blender's axes, and often frames for seconds"
            } else {
                "is not a field of a slot: Position, Rotation and Scale begin with capitals"
            };
            oddities.info(
                "properties that are not fields",
                place(),
                format!("{}: {message}", track.name()),
            );
        }
    }
}

/// Checks the keys of a track, in the order of the file.
pub(super) fn keys(track: &Track, oddities: &mut Oddities) {
    let place = || track.source.place.clone();
    if track.keys.values.is_empty() {
        let message = || format!("{}: no keys: Resonite sets what it drives to zero", track.name());
        oddities.warning("tracks without keys", place(), message);
        return;
    }
    match &track.keys.times {
        Times::Even { interval } => {
            if interval.is_none_or(|interval| interval <= 0.0) && track.keys.values.len() > 1 {
                let message =
                    || format!("{}: no interval between its keys; the first holds", track.name());
                oddities.warning("tracks without an interval", place(), message);
            }
        }
        Times::Each(times) => self::times(track, times, oddities),
    }
    if track.track_type == TrackType::Bezier {
        let message = || {
            format!(
                "{}: Resonite lists the type Bezier but does not implement it; using Curve",
                track.name()
            )
        };
        oddities.warning("tracks of the type Bezier", place(), message);
    }
    if matches!(track.track_type, TrackType::Curve | TrackType::Bezier) {
        tangents(track, oddities);
    }
    if track.value_type.scalar == Scalar::Single {
        singles(track, oddities);
    }
}

fn times(track: &Track, times: &[f64], oddities: &mut Oddities) {
    if let Some(key) = times.iter().position(|&time| time < 0.0) {
        let message = || format!("{}: before 0; Resonite refuses it", track.key_name(key));
        oddities.warning("tracks with keys before 0", track.source.key(key), message);
    }
    let merge = |pair: &[f64]| pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32;
    if let Some(before) = times.windows(2).position(merge) {
        let message = || {
            format!(
                "{}: so close to the key before it that Resonite has both at one time",
                track.key_name(before + 1)
            )
        };
        oddities.warning("tracks with keys too close", track.source.key(before + 1), message);
    }
}

/// Checks tangents that interpolations need and that are missing, or that have known problems.
fn tangents(track: &Track, oddities: &mut Oddities) {
    let interpolations = &track.keys.interpolations;
    let last = track.keys.values.len() - 1;
    if matches!(interpolations, Interpolations::All(one) if !one.has_tangents())
        || track.value_type.always_holds()
    {
        return;
    }
    let of = |wanted| (0..last).find(|&key| interpolations.at(key) == wanted);
    if let Some(key) = of(Interpolation::Tangent) {
        let note = if track.value_type.is_quaternion() {
            "and Resonite itself cannot play it on rotations"
        } else {
            "shown as a cubic with the tangents as slopes per second"
        };
        let message = || {
            let key = track.key_name(key);
            format!("{key}: Tangent: approximate, as its formula is not public; {note}")
        };
        oddities.warning(
            "tracks with Tangent, which is approximate",
            track.source.key(key),
            message,
        );
    }
    let given = |key: usize, side: usize| match track.keys.tangents.as_deref() {
        None => false,
        Some(tangents) => tangents.given.get(key).is_none_or(|given| given[side]),
    };
    for key in (0..last).filter(|&key| interpolations.at(key).has_tangents()) {
        let interpolation = interpolations.at(key).name();
        for (owner, side, member) in [(key, 1, "rightTangent"), (key + 1, 0, "leftTangent")] {
            if !given(owner, side) {
                let message = || {
                    format!(
                        "{}: no {member}, which {interpolation} takes for 0: the value dips there",
                        track.key_name(owner)
                    )
                };
                oddities.warning("keys without a tangent", track.source.key(owner), message);
            }
        }
    }
}

/// Numbers that single precision cannot hold.
fn singles(track: &Track, oddities: &mut Oddities) {
    let Columns::Components(columns) = &track.keys.values else { return };
    let is_too_large = |value: f64| value.is_finite() && (value as f32).is_infinite();
    let doubles = columns.iter().filter_map(|column| match column {
        Values::Double(values) => Some(values),
        _ => None,
    });
    for key in doubles.filter_map(|values| values.iter().position(|&value| is_too_large(value))) {
        let message = || format!("{}: infinite in Resonite's precision", track.key_name(key));
        oddities.warning("tracks with numbers that are too large", track.source.key(key), message);
    }
}

/// Checks the rotations of a track, in the order of time: pairs that take the long way, and
/// zero quaternions.
pub(super) fn rotations(
    track: &Track,
    curve: &AnyCurve,
    source: &Provenance,
    oddities: &mut Oddities,
) {
    let AnyCurve::Typed(curve) = curve else { return };
    if !matches!(curve.value_type().form, Form::Quaternion { .. }) {
        return;
    }
    let mut before: Option<DVec4> = None;
    for (index, (key, &time)) in quaternions(curve).zip(curve.times().as_slice()).enumerate() {
        let holds = track.track_type == TrackType::Discrete;
        if before.is_some_and(|before| before.dot(key) < 0.0) && !holds {
            let message = || {
                format!(
                    "{}: its sign is opposite to that of the key before it; Resonite takes the long way \
                     round, the viewer the short way",
                    track.key_name(index)
                )
            };
            let (topic, kind) = (Topic::LongTurn, "keys of opposite sign");
            oddities.warning_about(topic, kind, source.key(index), Some(time), message);
        }
        if key == DVec4::ZERO {
            let message = || format!("{}: a zero quaternion", track.key_name(index));
            let (topic, kind) = (Topic::ZeroQuaternion, "zero quaternions");
            oddities.warning_about(topic, kind, source.key(index), Some(time), message);
        }
        before = Some(key);
    }
}

/// The keys of a curve of four components.
fn quaternions(curve: &TypedCurve) -> impl Iterator<Item = DVec4> {
    let [x, y, z, w] = [0, 1, 2, 3].map(|index| curve.components()[index].values());
    // Almost always they are in single precision, where there is nothing to decide for each.
    let singles = [x, y, z, w].map(Values::as_singles);
    let single = move |index: usize| match singles {
        [Some(x), Some(y), Some(z), Some(w)] => {
            Vec4::new(x[index], y[index], z[index], w[index]).as_dvec4()
        }
        _ => DVec4::new(x.at(index), y.at(index), z.at(index), w.at(index)),
    };
    (0..x.len()).map(single)
}
