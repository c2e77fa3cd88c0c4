//! Episodes in which a signal is on: pinches, tracking.

use crate::clip::{Clip, Hint, TrackId};

/// An episode in which a signal is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// Its start, in seconds.
    pub start: f64,
    /// Its end, in seconds: the first time at which the signal is off, or the end of the recording.
    pub end: f64,
}

/// The precision of changes between keys, in seconds.
const EXACT: f64 = 1e-9;

/// The episodes in which the signal of `track` is on: true, or above one half. It is sampled at its
/// keys and at both ends of the recording; where it changes between two of these, the time is
/// searched for.
pub fn episodes(clip: &Clip, track: TrackId) -> Vec<Episode> {
    let curve = &clip.track(track).curve;
    if curve.key_times().is_empty() {
        return Vec::new();
    }
    let mut hint = Hint::default();
    let mut is_on = |time: f64| curve.is_on(time, &mut hint);
    let (start, end) = (clip.span.start, clip.span.end());
    let inside = curve.key_times().iter().copied().filter(|time| start < *time && *time < end);
    let mut found: Vec<Episode> = Vec::new();
    let mut before = (start, is_on(start));
    if before.1 {
        found.push(Episode { start, end });
    }
    for time in inside.chain([end]) {
        let now = (time, is_on(time));
        if now.1 != before.1 {
            let change = change(&mut is_on, before, time);
            match found.last_mut().filter(|_| before.1) {
                Some(last) => last.end = change,
                None => found.push(Episode { start: change, end }),
            }
        }
        before = now;
    }
    found
}

/// The first time after `from`, up to `to`, at which it differs from its state at `from`.
fn change(is_on: &mut impl FnMut(f64) -> bool, (mut from, was): (f64, bool), mut to: f64) -> f64 {
    while to - from > EXACT {
        let middle = from + 0.5 * (to - from);
        if middle <= from || middle >= to {
            break;
        }
        if is_on(middle) == was { from = middle } else { to = middle }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{
            AnyCurve, Convention, FormatId, GroupId, Handedness, KeyTimes, Owner, Provenance,
            ScalarCurve, Shapes, Span, Track, Unit, Up,
        },
        diagnostics::SourceLocation,
    };

    fn clip(curve: AnyCurve) -> Clip {
        let track = Track {
            owner: Owner::Group(GroupId::new(0)),
            property: "pinch".to_owned(),
            curve,
            unit: Unit::None,
            source: Provenance::of_track(SourceLocation::File),
        };
        let convention = Convention::assumed(Handedness::Right, Up::Y);
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

    fn found(curve: AnyCurve) -> Vec<(f64, f64)> {
        let found = episodes(&clip(curve), TrackId::new(0));
        // To the microsecond.
        let rounded = |time: f64| (time * 1e6).round() / 1e6;
        found.iter().map(|one| (rounded(one.start), rounded(one.end))).collect()
    }

    #[test]
    fn boolean_signal_is_on_between_keys() {
        let switch = |keys: &[(f64, f32)]| found(AnyCurve::Switch(curve(keys, Shapes::Step)));
        assert_eq!(switch(&[(0.0, 0.0), (1.0, 1.0), (1.5, 1.0), (2.5, 0.0)]), [(1.0, 2.5)]);
        assert_eq!(switch(&[(0.0, 1.0), (1.0, 0.0), (3.0, 1.0)]), [(0.0, 1.0), (3.0, 4.0)]);
        assert_eq!(switch(&[(-1.0, 1.0), (9.0, 0.0)]), [(0.0, 4.0)]);
        assert_eq!(switch(&[(2.0, 0.0)]), []);
        assert_eq!(switch(&[]), []);
    }

    #[test]
    fn numeric_signal_is_on_above_one_half() {
        let keys = [(0.0, 0.0), (2.0, 1.0), (4.0, 0.0)];
        assert_eq!(found(AnyCurve::Number(curve(&keys, Shapes::Linear))), [(1.0, 3.0)]);
    }
}
