//! Finds the episodes in which a signal is on, such as pinches or tracking.

use crate::clip::{Clip, Hint, TrackId};

/// An episode in which a signal is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// The start, in seconds.
    pub start: f64,
    /// The end, in seconds: the first time at which the signal is off, or the end of the recording.
    pub end: f64,
}

const CHANGE_PRECISION_S: f64 = 1e-9;

/// Finds the episodes in which the signal of `track` is on: true, or above 0.5. The signal is
/// sampled at its keys and at both ends of the recording. If it changes between two samples, a
/// bisection finds the time of the change.
pub fn find_episodes(clip: &Clip, track: TrackId) -> Vec<Episode> {
    let curve = &clip.track(track).curve;
    if curve.key_times().is_empty() {
        return Vec::new();
    }
    let mut hint = Hint::default();
    let mut is_on = |time: f64| curve.is_on(time, &mut hint);
    let (start, end) = (clip.span.start, clip.span.end());
    let inner_times = curve.key_times().iter().copied().filter(|time| start < *time && *time < end);
    let mut episodes: Vec<Episode> = Vec::new();
    let mut before = (start, is_on(start));
    if before.1 {
        episodes.push(Episode { start, end });
    }
    for time in inner_times.chain([end]) {
        let now = (time, is_on(time));
        if now.1 != before.1 {
            let change = find_change(&mut is_on, before.0, before.1, time);
            match episodes.last_mut().filter(|_| before.1) {
                Some(last) => last.end = change,
                None => episodes.push(Episode { start: change, end }),
            }
        }
        before = now;
    }
    episodes
}

fn find_change(
    is_on: &mut impl FnMut(f64) -> bool,
    mut from: f64,
    was_on: bool,
    mut to: f64,
) -> f64 {
    while to - from > CHANGE_PRECISION_S {
        let middle = from + 0.5 * (to - from);
        if middle <= from || middle >= to {
            break;
        }
        if is_on(middle) == was_on { from = middle } else { to = middle }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{
            AnyCurve, Convention, FormatId, GroupId, Handedness, KeyTimes, Owner, ScalarCurve,
            Shapes, Span, Track, TrackLocation, Unit, UpAxis,
        },
        diagnostics::SourceLocation,
    };

    fn clip(curve: AnyCurve) -> Clip {
        let track = Track {
            owner: Owner::Group(GroupId::new(0)),
            property: "pinch".to_owned(),
            curve,
            unit: Unit::None,
            source: TrackLocation::for_track(SourceLocation::File),
        };
        let convention = Convention::assumed(Handedness::Right, UpAxis::Y);
        Clip {
            span: Span { start: 0.0, duration: 4.0 },
            groups: vec!["right".to_owned()],
            tracks: vec![track],
            ..Clip::new(FormatId::new("test"), convention)
        }
    }

    fn curve(keys: &[(f64, f32)], shapes: Shapes) -> ScalarCurve {
        let times = KeyTimes::new(keys.iter().map(|key| key.0).collect::<Vec<_>>()).unwrap();
        ScalarCurve::new(times, keys.iter().map(|key| key.1).collect::<Vec<_>>(), shapes)
    }

    fn rounded_episodes(curve: AnyCurve) -> Vec<(f64, f64)> {
        let episodes = find_episodes(&clip(curve), TrackId::new(0));
        // Round to microseconds, because the bisection is not exact.
        let rounded = |time: f64| (time * 1e6).round() / 1e6;
        episodes.iter().map(|episode| (rounded(episode.start), rounded(episode.end))).collect()
    }

    #[test]
    fn boolean_signal_is_on_between_keys() {
        let switch =
            |keys: &[(f64, f32)]| rounded_episodes(AnyCurve::Switch(curve(keys, Shapes::Step)));
        assert_eq!(switch(&[(0.0, 0.0), (1.0, 1.0), (1.5, 1.0), (2.5, 0.0)]), [(1.0, 2.5)]);
        assert_eq!(switch(&[(0.0, 1.0), (1.0, 0.0), (3.0, 1.0)]), [(0.0, 1.0), (3.0, 4.0)]);
        assert_eq!(switch(&[(-1.0, 1.0), (9.0, 0.0)]), [(0.0, 4.0)]);
        assert_eq!(switch(&[(2.0, 0.0)]), []);
        assert_eq!(switch(&[]), []);
    }

    #[test]
    fn numeric_signal_is_on_above_one_half() {
        let keys = [(0.0, 0.0), (2.0, 1.0), (4.0, 0.0)];
        assert_eq!(rounded_episodes(AnyCurve::Number(curve(&keys, Shapes::Linear))), [(1.0, 3.0)]);
    }
}
