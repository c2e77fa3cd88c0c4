//! The numbers of a channel, whatever the type of its curve.

use super::pane::ChannelId;
use mutoscope_core::clip::{
    AnyCurve, Clip, Extrapolation, Handles, Hint, Interpolation, Key, ScalarCurve, TrackId, Value,
};

/// The numbers of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    clip: &'a Clip,
    track: TrackId,
    component: usize,
    whole: &'a AnyCurve,
    /// The curve of its keys, unless the format computes its values.
    scalar: Option<&'a ScalarCurve>,
}

impl<'a> Source<'a> {
    /// The source of the channel `id`, if that is a track's and numeric.
    pub(super) fn of(clip: &'a Clip, id: ChannelId) -> Option<Self> {
        let ChannelId::Keyed { track, component } = id else { return None };
        let whole = &clip.track(track).curve;
        let scalar = whole.components().get(component);
        Some(Self { clip, track, component, whole, scalar })
    }

    /// The times of its keys, in seconds.
    pub(super) fn times(&self) -> &'a [f64] {
        self.whole.key_times()
    }

    /// The span of its keys, or of the whole clip for computed curves.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        match self.whole {
            AnyCurve::Computed(_) => Some((self.clip.span.start, self.clip.span.end())),
            _ => self.whole.times().ends(),
        }
    }

    /// Its number at `time`, in seconds, as the file has it: also a switch is one.
    pub(super) fn at(&self, time: f64, hint: &mut Hint) -> f64 {
        match (self.whole, self.scalar) {
            // Whole values are more than their components: rotations blend, integers are rounded.
            (AnyCurve::Typed(_) | AnyCurve::Computed(_), _) | (_, None) => {
                number(&self.clip.value(self.track, time), self.component)
            }
            (_, Some(curve)) => curve.evaluate(time, hint),
        }
    }

    /// Its numbers right before, at and right after the key `index`.
    pub(super) fn around(&self, index: usize) -> [f64; 3] {
        match (self.whole, self.scalar) {
            (AnyCurve::Typed(_) | AnyCurve::Computed(_), _) | (_, None) => {
                let time = self.times()[index];
                let near = [time.next_down(), time, time.next_up()];
                near.map(|time| self.at(time, &mut Hint::default()))
            }
            (_, Some(curve)) => {
                curve.sides(index).map_or([f64::NAN; 3], |it| [it.before, it.at, it.after])
            }
        }
    }

    /// The key with this index.
    pub(super) fn key(&self, index: usize) -> Option<Key> {
        let time = *self.times().get(index)?;
        Some(Key { time, value: self.key_value(index), tangents: None })
    }

    /// The number of the key with this index, which there must be.
    pub(super) fn key_value(&self, index: usize) -> f64 {
        match self.scalar {
            Some(curve) => curve.values().at(index),
            None => number(&self.whole.key_value(index), self.component),
        }
    }

    /// Whether its keys are always numbers: computed curves may have none.
    pub(super) fn is_numbers(&self) -> bool {
        self.scalar.is_some()
    }

    /// Its extrapolation.
    pub(super) fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        self.whole.extrapolation()
    }

    /// The handles of a key, if it has any.
    pub(super) fn handles(&self, index: usize) -> Handles {
        self.scalar.map_or_else(Handles::default, |curve| curve.handles(index))
    }

    /// How it comes to a key and how it goes on, as far as that is known.
    pub(super) fn interpolations(&self, index: usize) -> [Option<Interpolation>; 2] {
        let interpolation = |left: usize| self.scalar.and_then(|curve| curve.interpolation(left));
        [index.checked_sub(1).and_then(interpolation), interpolation(index)]
    }
}

/// How many numbers a value is made of.
pub(super) fn component_count(value: &Value) -> usize {
    match value {
        Value::Null | Value::Text(_) => 0,
        Value::Bool(_) | Value::Integer(_) | Value::Number(_) => 1,
        Value::Bools(bools) => bools.len(),
        Value::Integers(integers) => integers.len(),
        Value::Numbers(numbers) => numbers.len(),
    }
}

/// A component of a value as a number; none if it has no such component.
fn number(value: &Value, component: usize) -> f64 {
    let of_bool = |is_on: bool| if is_on { 1.0 } else { 0.0 };
    let found = match value {
        Value::Null | Value::Text(_) => None,
        Value::Bool(is_on) => Some(of_bool(*is_on)),
        Value::Integer(integer) => Some(*integer as f64),
        Value::Number(number) => Some(*number),
        Value::Bools(bools) => bools.get(component).map(|is_on| of_bool(*is_on)),
        Value::Integers(integers) => integers.get(component).map(|integer| *integer as f64),
        Value::Numbers(numbers) => numbers.get(component).copied(),
    };
    found.unwrap_or(f64::NAN)
}
