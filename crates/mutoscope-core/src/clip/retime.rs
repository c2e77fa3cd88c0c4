//! The same curves at other times: counted in another unit, or played later or faster.

use super::{
    AnyCurve, Clip, Extrapolation, KeyTimes, KeyTimesPool, ScalarCurve, Segment, Shapes, Span,
    Tangents,
};

/// How times of one clock become those of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeMap {
    /// How many seconds each of its own takes: above 0 and finite.
    pub(crate) seconds: f64,
    /// When its second 0 is, in seconds.
    pub(crate) offset: f64,
}

impl TimeMap {
    /// When its own `time` is.
    pub(crate) fn at(self, time: f64) -> f64 {
        time * self.seconds + self.offset
    }
}

impl Clip {
    /// Takes the file's times as units of `seconds` seconds each: a recording whose times are
    /// frames plays at the intended speed.
    ///
    /// Values that the format computes itself are unchanged.
    ///
    /// # Panics
    /// If `seconds` is not above 0 and finite.
    pub fn count_time_in(&mut self, seconds: f64) {
        assert!(seconds > 0.0 && seconds.is_finite(), "a unit of {seconds} s");
        let Span { start, duration } = self.span;
        self.span = Span { start: start * seconds, duration: duration * seconds };
        let mut pool = KeyTimesPool::default();
        for track in &mut self.tracks {
            track.curve = track.curve.retimed(TimeMap { seconds, offset: 0.0 }, &mut pool);
        }
        self.events.iter_mut().for_each(|event| event.time *= seconds);
        self.notices.iter_mut().filter_map(|notice| notice.time.as_mut()).for_each(|time| {
            *time *= seconds;
        });
    }
}

impl AnyCurve {
    /// The same curve at other times; values that the format computes itself are unchanged. Curves that
    /// share their key times still do if they are given one `pool`.
    pub(crate) fn retimed(&self, map: TimeMap, pool: &mut KeyTimesPool) -> Self {
        let seconds = map.seconds;
        let mut times = |times: &KeyTimes| {
            let mapped: Vec<f64> = times.as_slice().iter().map(|time| map.at(*time)).collect();
            // Times that overflow are beyond all that plays; they are unchanged.
            if mapped.last().is_some_and(|last| !last.is_finite()) {
                return times.clone();
            }
            pool.share(mapped)
        };
        match self {
            Self::Number(curve) => Self::Number(scalar(curve, times(curve.times()), seconds)),
            Self::Switch(curve) => Self::Switch(scalar(curve, times(curve.times()), seconds)),
            Self::Typed(curve) => {
                let times = times(curve.times());
                let components = curve.components().iter();
                let components: Vec<_> =
                    components.map(|curve| scalar(curve, times.clone(), seconds)).collect();
                Self::Typed(Box::new(curve.with_components(components)))
            }
            Self::Text(curve) => Self::Text(Box::new(curve.at_times(times(curve.times())))),
            Self::Driven(_) | Self::Computed(_) => self.clone(),
        }
    }
}

/// The same curve at other times: slopes are by the second.
fn scalar(curve: &ScalarCurve, times: KeyTimes, seconds: f64) -> ScalarCurve {
    let shapes = match curve.shapes() {
        Shapes::Step => Shapes::Step,
        Shapes::Linear => Shapes::Linear,
        Shapes::Nearest => Shapes::Nearest,
        Shapes::Tangents(tangents) => {
            let by = |slope: f32| (f64::from(slope) / seconds) as f32;
            let made = tangents.iter().map(|tangents| Tangents {
                in_slope: by(tangents.in_slope),
                out_slope: by(tangents.out_slope),
                ..*tangents
            });
            Shapes::Tangents(made.collect())
        }
        Shapes::Segments(segments) => {
            Shapes::Segments(segments.iter().map(|one| segment(*one, seconds)).collect())
        }
    };
    let (before, after) = curve.extrapolation();
    let by_second = |extrapolation| match extrapolation {
        Extrapolation::Linear { slope } => Extrapolation::Linear { slope: slope / seconds },
        other => other,
    };
    ScalarCurve::new(times, curve.values().clone(), shapes)
        .extrapolated(by_second(before), by_second(after))
}

fn segment(segment: Segment, seconds: f64) -> Segment {
    match segment {
        Segment::Hermite { out_slope, in_slope } => {
            Segment::Hermite { out_slope: out_slope / seconds, in_slope: in_slope / seconds }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        clip::TrackId,
        formats::{self, DecodeRequest},
    };

    #[test]
    fn retimed_clip_has_equal_values_at_scaled_times() {
        let text = include_bytes!("../../../../tests/data/animj/generated/all_types.animj");
        let clip = formats::decode(text, &DecodeRequest::default()).unwrap();
        let mut in_frames = clip.clone();
        in_frames.count_time_in(0.25);
        assert_eq!(in_frames.span.duration, clip.span.duration / 4.0);
        for track in (0..clip.tracks.len()).map(TrackId::new) {
            for step in 0..50 {
                // Quarters are exact, also on keys.
                let time = f64::from(step) * 0.125 - 1.0;
                let (found, expected) =
                    (in_frames.value(track, time / 4.0), clip.value(track, time));
                assert_eq!(found, expected, "track {track:?} at {time}");
            }
        }
        let times = |clip: &crate::clip::Clip| -> Vec<f64> {
            clip.notices.iter().filter_map(|notice| notice.time).collect()
        };
        assert!(times(&clip).iter().zip(times(&in_frames)).all(|(one, other)| one / 4.0 == other));
    }
}
