//! Curves of the samplers of an animation.

use std::collections::HashMap;

use gltf_json::{
    Accessor, Index,
    accessor::Type,
    animation::{Interpolation, Sampler},
    validation::Checked,
};

use crate::{
    clip::{KeyTimes, Provenance, ScalarCurve, Segment, Shapes, Values},
    diagnostics::SourceLocation,
    rig::gltf::Buffers,
};

/// How many numbers are made for each byte of the buffers, and how many for any file. Samplers may
/// share their numbers, and channels their samplers, so that a small file could be a long recording.
const NUMBERS_PER_BYTE: usize = 2;
const NUMBERS_OF_ANY: usize = 1 << 16;

/// The type of a sampler's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Output {
    /// Vectors.
    Vec3,
    /// Quaternions.
    Vec4,
    /// As many numbers in a row for each key.
    Scalars(usize),
}

impl Output {
    fn components(self) -> usize {
        match self {
            Self::Vec3 => 3,
            Self::Vec4 => 4,
            Self::Scalars(count) => count,
        }
    }

    fn kind(self) -> Type {
        match self {
            Self::Vec3 => Type::Vec3,
            Self::Vec4 => Type::Vec4,
            Self::Scalars(_) => Type::Scalar,
        }
    }

    /// How many elements of the accessor a value takes.
    fn elements(self) -> usize {
        match self {
            Self::Vec3 | Self::Vec4 => 1,
            Self::Scalars(count) => count,
        }
    }
}

/// The curves of a sampler, and the issues in its keys.
#[derive(Clone)]
pub(super) struct Curves {
    /// One for each component of a value.
    pub(super) components: Vec<ScalarCurve>,
    /// Where the file has the keys.
    pub(super) source: Provenance,
    /// How many of them are lost.
    pub(super) lost: Vec<String>,
    /// Whether they had to be sorted.
    pub(super) is_sorted: bool,
    /// The time of the first value that is not finite.
    pub(super) non_finite: Option<f64>,
}

/// Makes curves of samplers. Those with the same numbers share what is made of them.
pub(super) struct Samplers<'a> {
    buffers: &'a Buffers<'a>,
    times: HashMap<usize, Result<Times, String>>,
    curves: HashMap<(usize, usize, u8, Output), Result<Curves, String>>,
    /// How many numbers may still be made.
    left: usize,
    /// Whether more were asked for.
    pub(super) has_refused: bool,
}

/// The times of keys, in their order.
#[derive(Clone)]
struct Times {
    times: KeyTimes,
    /// For each key its index in the file, where that is another.
    order: Option<Box<[u32]>>,
    /// How many keys the file has.
    count: usize,
}

impl<'a> Samplers<'a> {
    pub(super) fn new(buffers: &'a Buffers<'a>) -> Self {
        let left = buffers.len().saturating_mul(NUMBERS_PER_BYTE).saturating_add(NUMBERS_OF_ANY);
        Self { buffers, times: HashMap::new(), curves: HashMap::new(), left, has_refused: false }
    }

    /// The curves of a sampler.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn curves(&mut self, sampler: &Sampler, output: Output) -> Result<Curves, String> {
        let Checked::Valid(interpolation) = sampler.interpolation else {
            return Err("of an interpolation that glTF 2.0 does not know".to_owned());
        };
        let key = (sampler.input.value(), sampler.output.value(), interpolation as u8, output);
        // Each channel has tracks of its own, if it shares their keys.
        self.spend(output.components())?;
        if let Some(known) = self.curves.get(&key) {
            return known.clone();
        }
        let made = self.make(sampler, interpolation, output);
        self.curves.insert(key, made.clone());
        made
    }

    fn make(
        &mut self,
        sampler: &Sampler,
        interpolation: Interpolation,
        output: Output,
    ) -> Result<Curves, String> {
        let times = self.times(sampler.input)?;
        let found = self.buffers.count(sampler.output, output.kind())?;
        self.spend(found.saturating_mul(output.components() / output.elements()))?;
        let numbers = self.numbers(sampler.output, output)?;
        let is_cubic = interpolation == Interpolation::CubicSpline;
        let layout = KeyLayout { components: output.components(), is_cubic };
        let keys = Keys { numbers: &numbers, layout };
        let picked = times.within(keys.count());
        let mut lost = times.lost();
        if keys.count() != times.count {
            lost.push(format!(
                "expected values for {} keys, found {} for {}; using the keys that have both",
                times.count,
                numbers.len(),
                keys.count()
            ));
        }
        if picked.times.as_slice().is_empty() {
            return Err(format!("it has no keys: {} times, {found} values", times.count));
        }
        let components: Vec<_> = (0..output.components())
            .map(|component| keys.curve(&picked, component, interpolation))
            .collect();
        let non_finite = components.iter().filter_map(first_non_finite).reduce(f64::min);
        let source = self.source(sampler.output, output, layout, &picked);
        let is_sorted = picked.order.as_deref().is_some_and(|order| !order.is_sorted());
        Ok(Curves { components, source, lost, is_sorted, non_finite })
    }

    fn times(&mut self, input: Index<Accessor>) -> Result<Times, String> {
        if let Some(known) = self.times.get(&input.value()) {
            return known.clone();
        }
        let made = self.make_times(input);
        self.times.insert(input.value(), made.clone());
        made
    }

    fn make_times(&mut self, input: Index<Accessor>) -> Result<Times, String> {
        self.spend(self.buffers.count(input, Type::Scalar)?)?;
        let times = self.buffers.floats::<1>(input, Type::Scalar)?;
        Ok(Times::new(times.into_iter().map(|[time]| time.into()).collect()))
    }

    fn numbers(&self, accessor: Index<Accessor>, output: Output) -> Result<Vec<f32>, String> {
        Ok(match output {
            Output::Vec3 => self.buffers.floats::<3>(accessor, Type::Vec3)?.into_flattened(),
            Output::Vec4 => self.buffers.floats::<4>(accessor, Type::Vec4)?.into_flattened(),
            Output::Scalars(_) => {
                self.buffers.floats::<1>(accessor, Type::Scalar)?.into_flattened()
            }
        })
    }

    fn spend(&mut self, numbers: usize) -> Result<(), String> {
        match self.left.checked_sub(numbers) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.has_refused = true;
                Err("its numbers are used too often".to_owned())
            }
        }
    }

    /// Where the file has the keys: their values, with the tangents around them.
    fn source(
        &self,
        accessor: Index<Accessor>,
        output: Output,
        layout: KeyLayout,
        times: &Times,
    ) -> Provenance {
        let Some(places) = self.buffers.places(accessor, output.kind()) else {
            return Provenance::of_track(SourceLocation::File);
        };
        let elements = output.elements() * if layout.is_cubic { 3 } else { 1 };
        let bytes_per_key = places.stride * elements;
        let place = SourceLocation::span(places.first, bytes_per_key * times.count);
        Provenance::packed(place, places.first, bytes_per_key, times.order.clone())
    }
}

impl Times {
    /// Times that are not finite are skipped, others sorted.
    fn new(times: Vec<f64>) -> Self {
        let count = times.len();
        if let Ok(times) = KeyTimes::new(&*times) {
            return Self { times, order: None, count };
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.retain(|&index| times[index as usize].is_finite());
        order.sort_by(|&a, &b| times[a as usize].total_cmp(&times[b as usize]));
        Self::picked(order, |index| times[index], count)
    }

    fn picked(order: Vec<u32>, time: impl Fn(usize) -> f64, count: usize) -> Self {
        let times: Vec<_> = order.iter().map(|&index| time(index as usize)).collect();
        let times = KeyTimes::new(times).expect("they are finite and sorted");
        Self { times, order: Some(order.into()), count }
    }

    /// The times of the first `count` keys of the file: those that have values.
    fn within(&self, count: usize) -> Self {
        if count >= self.count {
            return self.clone();
        }
        let all = self.times.as_slice();
        match &self.order {
            None => {
                let times = KeyTimes::new(&all[..count]).expect("they are finite and sorted");
                Self { times, order: None, count }
            }
            Some(order) => {
                let kept = order.iter().zip(all).filter(|(index, _)| (**index as usize) < count);
                let (order, times): (Vec<u32>, Vec<f64>) = kept.unzip();
                let times = KeyTimes::new(times).expect("they are finite and sorted");
                Self { times, order: Some(order.into()), count }
            }
        }
    }

    fn lost(&self) -> Vec<String> {
        match self.count - self.times.as_slice().len() {
            0 => Vec::new(),
            lost => vec![format!("{lost} keys have a non-finite time; skipped")],
        }
    }

    /// The index in the file of the key that is at `key` in the order of time.
    fn in_file(&self, key: usize) -> usize {
        self.order.as_ref().map_or(key, |order| order[key] as usize)
    }
}

/// How the numbers of a key stand.
#[derive(Clone, Copy)]
struct KeyLayout {
    components: usize,
    /// Whether each value has an in-tangent before it and an out-tangent after it.
    is_cubic: bool,
}

/// The numbers of keys, in file order.
struct Keys<'a> {
    numbers: &'a [f32],
    layout: KeyLayout,
}

impl Keys<'_> {
    fn per_key(&self) -> usize {
        self.layout.components * if self.layout.is_cubic { 3 } else { 1 }
    }

    /// How many are whole.
    fn count(&self) -> usize {
        self.numbers.len().checked_div(self.per_key()).unwrap_or(0)
    }

    /// A number of a key: of its in-tangent (0), its value (1) or its out-tangent (2).
    fn number(&self, key: usize, part: usize, component: usize) -> f32 {
        let part = if self.layout.is_cubic { part } else { 0 };
        self.numbers[key * self.per_key() + part * self.layout.components + component]
    }

    fn curve(&self, times: &Times, component: usize, interpolation: Interpolation) -> ScalarCurve {
        let count = times.times.as_slice().len();
        let number = |key, part| self.number(times.in_file(key), part, component);
        let values: Values = (0..count).map(|key| number(key, 1)).collect::<Vec<f32>>().into();
        let shapes = match interpolation {
            Interpolation::Step => Shapes::Step,
            Interpolation::Linear => Shapes::Linear,
            Interpolation::CubicSpline => {
                // Tangents are in value per second: the standard's formula takes them times the
                // duration of the segment, as a Hermite by slopes does.
                let segment = |left: usize| Segment::Hermite {
                    out_slope: number(left, 2).into(),
                    in_slope: number(left + 1, 0).into(),
                };
                Shapes::Segments((0..count.saturating_sub(1)).map(segment).collect())
            }
        };
        ScalarCurve::new(times.times.clone(), values, shapes)
    }
}

fn first_non_finite(curve: &ScalarCurve) -> Option<f64> {
    let key = curve.values().iter().position(|value| !value.is_finite())?;
    curve.times().as_slice().get(key).copied()
}
