//! Checks for data that Resonite would reject, misread or play differently than intended.

use std::collections::HashMap;

use glam::{DVec4, Vec4};

use super::{
    codes,
    document::{Animation, Columns, Interpolation, Interpolations, Times, Track, TrackType},
    limiter::DiagnosticLimiter,
    types::Scalar,
};
use crate::{
    clip::{AnyCurve, Form, TrackLocation, TypedCurve, Values},
    diagnostics::{
        Severity::{Info, Warning},
        SourceLocation, Topic,
    },
};

pub(super) fn check_animation(
    animation: &Animation,
    duration: f64,
    limiter: &mut DiagnosticLimiter,
) {
    if animation.tracks.is_empty() {
        let what = || (SourceLocation::File, "no tracks".to_owned());
        limiter.add(Warning, codes::NO_TRACKS, "animations without tracks", what);
    }
    let stated = animation.global_duration.unwrap_or_default();
    let problem = if stated < 0.0 || !stated.is_finite() {
        Some(format!("the global duration is {stated}; using the duration of the keys"))
    } else if stated > 0.0 && stated < duration {
        Some(format!(
            "the global duration is {stated} s, but the last key is at {duration} s; played to the \
             last key. Resonite may stop earlier"
        ))
    } else {
        None
    };
    if let Some(problem) = problem {
        let what = || (animation.duration_location.clone(), problem);
        if let Some(diagnostic) = limiter.add(Warning, codes::DURATION, "suspect durations", what) {
            diagnostic.with("expected_s", duration).with("found_s", stated);
        }
    }
    check_names(animation, limiter);
}

fn check_names(animation: &Animation, limiter: &mut DiagnosticLimiter) {
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    for track in &animation.tracks {
        let (node, property) = (track.node.as_str(), track.property.as_str());
        if let Some(first) = seen.get(&(node, property)) {
            limiter.add_about_track(
                Warning,
                codes::DUPLICATE_TRACK,
                "tracks with duplicate names",
                track,
                format_args!("same name as track {first}; lookups by name only find track {first}"),
            );
        } else {
            seen.insert((node, property), track.index);
        }
        if property.matches('.').count() > 1 {
            limiter.add_about_track(
                Warning,
                codes::PROPERTY_PARTS,
                "properties of more than two parts",
                track,
                "Resonite only finds properties of at most two parts, a component and a field",
            );
        }
        let is_blenders = matches!(property, "location" | "rotation_euler" | "rotation_quaternion");
        if is_blenders || matches!(property, "position" | "rotation" | "scale") {
            let problem = if is_blenders {
                "is a name used by Blender; such files have Blender's axes, and often times in frames"
            } else {
                "is not a field of a slot; Position, Rotation and Scale begin with capital letters"
            };
            let kind = "properties that are not fields";
            limiter.add_about_track(Info, codes::NOT_A_FIELD, kind, track, problem);
        }
    }
}

pub(super) fn check_keys(track: &Track, limiter: &mut DiagnosticLimiter) {
    if track.keys.values.is_empty() {
        let problem = "no keys; Resonite sets the driven field to zero";
        limiter.add_about_track(Warning, codes::NO_KEYS, "tracks without keys", track, problem);
        return;
    }
    match &track.keys.times {
        Times::Even { interval } => {
            if interval.is_none_or(|interval| interval <= 0.0) && track.keys.values.len() > 1 {
                let kind = "tracks without an interval";
                let problem = "no interval between keys; holding the first key";
                limiter.add_about_track(Warning, codes::NO_INTERVAL, kind, track, problem);
            }
        }
        Times::Each(times) => self::check_times(track, times, limiter),
    }
    if track.track_type == TrackType::Bezier {
        let kind = "tracks of the type Bezier";
        let problem = "Resonite lists the type Bezier but does not implement it; using Curve";
        limiter.add_about_track(Warning, codes::BEZIER_TRACK, kind, track, problem);
    }
    if matches!(track.track_type, TrackType::Curve | TrackType::Bezier) {
        check_tangents(track, limiter);
    }
    if track.value_type.scalar == Scalar::Single {
        check_float_range(track, limiter);
    }
}

fn check_times(track: &Track, times: &[f64], limiter: &mut DiagnosticLimiter) {
    if let Some(key) = times.iter().position(|&time| time < 0.0) {
        let kind = "tracks with keys before 0";
        let problem = "negative time; Resonite refuses it";
        limiter.add_about_key(Warning, codes::NEGATIVE_TIME, kind, track, key, problem);
    }
    let merge = |pair: &[f64]| pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32;
    if let Some(before) = times.windows(2).position(merge) {
        let kind = "tracks with keys too close";
        let problem = "so close to the previous key that both have the same time in Resonite";
        limiter.add_about_key(Warning, codes::KEYS_TOO_CLOSE, kind, track, before + 1, problem);
    }
}

fn check_tangents(track: &Track, limiter: &mut DiagnosticLimiter) {
    let interpolations = &track.keys.interpolations;
    let last = track.keys.values.len() - 1;
    if matches!(interpolations, Interpolations::All(one) if !one.has_tangents())
        || track.value_type.always_holds()
    {
        return;
    }
    let of = |wanted| (0..last).find(|&key| interpolations.interpolation_at(key) == wanted);
    if let Some(key) = of(Interpolation::Tangent) {
        let note = if track.value_type.is_quaternion() {
            "and Resonite itself cannot play it on rotations"
        } else {
            "shown as a cubic with the tangents as slopes per second"
        };
        limiter.add_about_key(
            Warning,
            codes::TANGENT_APPROXIMATE,
            "tracks with Tangent, which is approximate",
            track,
            key,
            format_args!("Tangent is approximate, because its formula is not public; {note}"),
        );
    }
    let given = |key: usize, side: usize| match track.keys.tangents.as_deref() {
        None => false,
        Some(tangents) => tangents.given.get(key).is_none_or(|given| given[side]),
    };
    for key in (0..last).filter(|&key| interpolations.interpolation_at(key).has_tangents()) {
        let interpolation = interpolations.interpolation_at(key).name();
        for (owner, side, member) in [(key, 1, "rightTangent"), (key + 1, 0, "leftTangent")] {
            if !given(owner, side) {
                let kind = "keys without a tangent";
                let problem = format_args!(
                    "no {member}; {interpolation} uses 0 instead, so the value dips here"
                );
                limiter.add_about_key(Warning, codes::TANGENT_MISSING, kind, track, owner, problem);
            }
        }
    }
}

/// Reports f64 values that are too large for f32, because Resonite stores them as f32, where they
/// become infinite.
fn check_float_range(track: &Track, limiter: &mut DiagnosticLimiter) {
    let Columns::Components(columns) = &track.keys.values else { return };
    let is_too_large = |value: f64| value.is_finite() && (value as f32).is_infinite();
    let doubles = columns.iter().filter_map(|column| match column {
        Values::F64(values) => Some(values),
        _ => None,
    });
    for key in doubles.filter_map(|values| values.iter().position(|&value| is_too_large(value))) {
        let kind = "tracks with numbers that are too large";
        let problem = "too large for Resonite, where it becomes infinite";
        limiter.add_about_key(Warning, codes::NUMBER_TOO_LARGE, kind, track, key, problem);
    }
}

pub(super) fn check_rotations(
    track: &Track,
    curve: &AnyCurve,
    source: &TrackLocation,
    limiter: &mut DiagnosticLimiter,
) {
    let AnyCurve::Typed(curve) = curve else { return };
    if !matches!(curve.value_type().form, Form::Quaternion { .. }) {
        return;
    }
    let mut report = |topic: Topic, kind, key, time, problem| {
        let what = || (source.key_location(key), format!("{}: {problem}", track.key_name(key)));
        if let Some(diagnostic) = limiter.add(Warning, topic.code(), kind, what) {
            diagnostic.at_time(time).with("track", track.index).with("key", key);
        }
    };
    let mut before: Option<DVec4> = None;
    for (index, (key, &time)) in iter_quaternions(curve).zip(curve.times().as_slice()).enumerate() {
        let holds = track.track_type == TrackType::Discrete;
        if before.is_some_and(|before| before.dot(key) < 0.0) && !holds {
            let problem = "opposite sign to the previous key; Resonite rotates the long way round, \
                           the viewer the short way";
            report(Topic::LongTurn, "keys of opposite sign", index, time, problem);
        }
        if key == DVec4::ZERO {
            report(Topic::ZeroQuaternion, "zero quaternions", index, time, "a zero quaternion");
        }
        before = Some(key);
    }
}

fn iter_quaternions(curve: &TypedCurve) -> impl Iterator<Item = DVec4> {
    let [x, y, z, w] = [0, 1, 2, 3].map(|index| curve.components()[index].values());
    // Almost all curves have four f32 components. Check this once, so that the check is not
    // repeated for each key.
    let singles = [x, y, z, w].map(Values::as_f32_slice);
    let single = move |index: usize| match singles {
        [Some(x), Some(y), Some(z), Some(w)] => {
            Vec4::new(x[index], y[index], z[index], w[index]).as_dvec4()
        }
        _ => DVec4::new(x.value_at(index), y.value_at(index), z.value_at(index), w.value_at(index)),
    };
    (0..x.len()).map(single)
}
