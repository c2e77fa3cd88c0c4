//! Reads the numbers of a channel, whatever the type of its curve.

use super::pane::ChannelId;
use mutoscope_core::clip::{
    AnyCurve, Clip, Extrapolation, Handles, Hint, Interpolation, Key, ScalarCurve, TrackId, Value,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    clip: &'a Clip,
    track: TrackId,
    component: usize,
    curve: &'a AnyCurve,
    /// `None` if the format computes the values.
    scalar: Option<&'a ScalarCurve>,
}

impl<'a> Source<'a> {
    pub(super) fn for_channel(clip: &'a Clip, id: ChannelId) -> Option<Self> {
        let ChannelId::Keyed { track, component } = id else { return None };
        let curve = &clip.track(track).curve;
        let scalar = curve.components().get(component);
        Some(Self { clip, track, component, curve, scalar })
    }

    /// In seconds.
    pub(super) fn times(&self) -> &'a [f64] {
        self.curve.key_times()
    }

    /// Returns the first and last key time, in seconds. A computed curve covers the whole clip.
    pub(super) fn domain(&self) -> Option<(f64, f64)> {
        match self.curve {
            AnyCurve::Computed(_) => Some((self.clip.span.start, self.clip.span.end())),
            _ => self.curve.times().first_and_last(),
        }
    }

    /// Returns the value at `time`, in seconds, in the unit of the file. A switch is 0 or 1.
    pub(super) fn value_at(&self, time: f64, hint: &mut Hint) -> f64 {
        match (self.curve, self.scalar) {
            // Evaluate the whole value and then take a component, because rotations are blended as
            // a whole and integers are rounded.
            (AnyCurve::Typed(_) | AnyCurve::Computed(_), _) | (_, None) => {
                component_value(&self.clip.value(self.track, time), self.component)
            }
            (_, Some(curve)) => curve.evaluate(time, hint),
        }
    }

    /// Returns the values right before, at and right after a key. They differ if the curve steps.
    pub(super) fn values_around_key(&self, index: usize) -> [f64; 3] {
        match (self.curve, self.scalar) {
            (AnyCurve::Typed(_) | AnyCurve::Computed(_), _) | (_, None) => {
                let time = self.times()[index];
                let near = [time.next_down(), time, time.next_up()];
                near.map(|time| self.value_at(time, &mut Hint::default()))
            }
            (_, Some(curve)) => curve
                .values_around_key(index)
                .map_or([f64::NAN; 3], |it| [it.before, it.at, it.after]),
        }
    }

    pub(super) fn key(&self, index: usize) -> Option<Key> {
        let time = *self.times().get(index)?;
        Some(Key { time, value: self.key_value(index), tangents: None })
    }

    pub(super) fn key_value(&self, index: usize) -> f64 {
        match self.scalar {
            Some(curve) => curve.values().value_at(index),
            None => component_value(&self.curve.key_value(index), self.component),
        }
    }

    /// Returns `false` for computed curves, whose keys may have no value.
    pub(super) fn has_scalar_keys(&self) -> bool {
        self.scalar.is_some()
    }

    pub(super) fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        self.curve.extrapolation()
    }

    pub(super) fn handles(&self, index: usize) -> Handles {
        self.scalar.map_or_else(Handles::default, |curve| curve.handles(index))
    }

    pub(super) fn interpolations(&self, index: usize) -> [Option<Interpolation>; 2] {
        let interpolation = |left: usize| self.scalar.and_then(|curve| curve.interpolation(left));
        [index.checked_sub(1).and_then(interpolation), interpolation(index)]
    }
}

pub(super) fn component_count(value: &Value) -> usize {
    match value {
        Value::Null | Value::Text(_) => 0,
        Value::Bool(_) | Value::Integer(_) | Value::Number(_) => 1,
        Value::Bools(bools) => bools.len(),
        Value::Integers(integers) => integers.len(),
        Value::Numbers(numbers) => numbers.len(),
    }
}

/// Returns NaN if the value has no such component.
fn component_value(value: &Value, component: usize) -> f64 {
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
