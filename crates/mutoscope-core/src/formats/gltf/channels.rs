//! Makes curves from the samplers of an animation.

use std::collections::HashMap;

use gltf_json::{
    Accessor, Index,
    accessor::{ComponentType, Type},
    animation::{Interpolation, Sampler},
    validation::Checked,
};
use serde_json::Value;

use crate::{
    clip::{KeyTimes, ScalarCurve, Segment, Shapes, TrackLocation, Values},
    diagnostics::{Code, Diagnostic, Severity, SourceLocation, Topic, format_count, format_number},
    skeleton_file::gltf::{Buffers, PartError, codes},
};

/// The numbers that we read from the accessors are limited to this many per byte of the buffers.
/// Otherwise a small file could expand to a huge recording, because samplers can share accessors,
/// and channels can share samplers.
const MAX_NUMBERS_PER_BYTE: usize = 2;
const ALWAYS_ALLOWED_NUMBERS: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OutputType {
    /// A vector.
    Vec3,
    /// A quaternion.
    Vec4,
    /// A vector of this many scalars per key, such as the weights of morph targets.
    Scalars(usize),
}

impl OutputType {
    fn component_count(self) -> usize {
        match self {
            Self::Vec3 => 3,
            Self::Vec4 => 4,
            Self::Scalars(count) => count,
        }
    }

    fn accessor_type(self) -> Type {
        match self {
            Self::Vec3 => Type::Vec3,
            Self::Vec4 => Type::Vec4,
            Self::Scalars(_) => Type::Scalar,
        }
    }

    fn elements_per_value(self) -> usize {
        match self {
            Self::Vec3 | Self::Vec4 => 1,
            Self::Scalars(count) => count,
        }
    }
}

#[derive(Clone)]
pub(super) struct SamplerCurves {
    pub(super) components: Vec<ScalarCurve>,
    pub(super) source: TrackLocation,
    pub(super) losses: Vec<PartError>,
    pub(super) was_unsorted: bool,
    pub(super) non_finite: Option<f64>,
}

pub(super) struct Samplers<'a> {
    buffers: &'a Buffers<'a>,
    times: HashMap<usize, Result<SortedTimes, PartError>>,
    curves: HashMap<(usize, usize, u8, OutputType), Result<SamplerCurves, PartError>>,
    numbers_left: usize,
    pub(super) exceeded_limit: bool,
    /// The problems that have not been reported yet. An accessor is read once, so that its
    /// problems are reported once, even if many channels use it.
    pub(super) problems: Vec<Diagnostic>,
}

#[derive(Clone)]
struct SortedTimes {
    times: KeyTimes,
    order: Option<Box<[u32]>>,
    count: usize,
}

impl<'a> Samplers<'a> {
    pub(super) fn new(buffers: &'a Buffers<'a>) -> Self {
        let numbers_left = buffers
            .len()
            .saturating_mul(MAX_NUMBERS_PER_BYTE)
            .saturating_add(ALWAYS_ALLOWED_NUMBERS);
        Self {
            buffers,
            times: HashMap::new(),
            curves: HashMap::new(),
            numbers_left,
            exceeded_limit: false,
            problems: Vec::new(),
        }
    }

    fn add_problem(
        &mut self,
        code: Code,
        severity: Severity,
        accessor: Index<Accessor>,
        problem: &str,
    ) -> &mut Diagnostic {
        let message = format!("accessors[{accessor}]: {problem}");
        self.problems.push_mut(Diagnostic::new(code, severity, SourceLocation::File, message))
    }

    pub(super) fn sampler_curves(
        &mut self,
        sampler: &Sampler,
        output: OutputType,
    ) -> Result<SamplerCurves, PartError> {
        let Checked::Valid(interpolation) = sampler.interpolation else {
            return Err(PartError::new(codes::INVALID_CHANNEL, "unknown interpolation"));
        };
        let key = (sampler.input.value(), sampler.output.value(), interpolation as u8, output);
        // Count the numbers of each channel against the limit, even if the curves are already
        // decoded, because each channel adds tracks that hold copies of the curves.
        self.reserve_numbers(output.component_count())?;
        if let Some(known) = self.curves.get(&key) {
            return known.clone();
        }
        let made = self.make_curves(sampler, interpolation, output);
        self.curves.insert(key, made.clone());
        made
    }

    fn make_curves(
        &mut self,
        sampler: &Sampler,
        interpolation: Interpolation,
        output: OutputType,
    ) -> Result<SamplerCurves, PartError> {
        let times = self.key_times(sampler.input)?;
        let found = self.buffers.element_count(sampler.output, output.accessor_type())?;
        self.reserve_numbers(
            found.saturating_mul(output.component_count() / output.elements_per_value()),
        )?;
        let numbers = self.read_numbers(sampler.output, output)?;
        let is_cubic = interpolation == Interpolation::CubicSpline;
        let layout = KeyLayout { components: output.component_count(), is_cubic };
        let keys = KeyNumbers { numbers: &numbers, layout };
        let picked = times.first_in_file(keys.key_count());
        let mut losses = Vec::new();
        let lost_keys = times.count - times.times.as_slice().len();
        if lost_keys > 0 {
            let message = format!("{lost_keys} keys have a non-finite time; skipped");
            losses.push(PartError::new(codes::NON_FINITE_TIME, message));
        }
        if keys.key_count() != times.count {
            let message = format!(
                "expected values for {} keys, found {} for {}; using the keys that have both",
                times.count,
                numbers.len(),
                keys.key_count()
            );
            losses.push(PartError::new(codes::KEY_COUNT, message));
        } else if !numbers.len().is_multiple_of(keys.numbers_per_key()) {
            let expected = keys.key_count() * keys.numbers_per_key();
            let message = format!(
                "expected {expected} numbers, found {}; ignoring those after the last key",
                numbers.len()
            );
            losses.push(PartError::new(codes::KEY_COUNT, message));
        }
        if picked.times.as_slice().is_empty() {
            let message = format!("no keys: {} times, {found} values", times.count);
            return Err(PartError::new(codes::KEY_COUNT, message));
        }
        if is_cubic && times.count < 2 {
            let problem = "expected at least two keys of a cubic spline, found one";
            self.add_problem(codes::KEY_COUNT, Severity::Warning, sampler.input, problem);
        }
        self.check_output(sampler.output, output);
        let components: Vec<_> = (0..output.component_count())
            .map(|component| keys.make_curve(&picked, component, interpolation))
            .collect();
        let non_finite = components.iter().filter_map(first_non_finite).reduce(f64::min);
        let source = self.key_location(sampler.output, output, layout, &picked);
        let was_unsorted = picked.order.as_deref().is_some_and(|order| !order.is_sorted());
        Ok(SamplerCurves { components, source, losses, was_unsorted, non_finite })
    }

    fn key_times(&mut self, input: Index<Accessor>) -> Result<SortedTimes, PartError> {
        if let Some(known) = self.times.get(&input.value()) {
            return known.clone();
        }
        let made = self.read_times(input);
        self.times.insert(input.value(), made.clone());
        made
    }

    fn read_times(&mut self, input: Index<Accessor>) -> Result<SortedTimes, PartError> {
        self.reserve_numbers(self.buffers.element_count(input, Type::Scalar)?)?;
        let times = self.buffers.read_floats::<1>(input, Type::Scalar)?;
        let times = SortedTimes::new(times.into_iter().map(|[time]| time.into()).collect());
        self.check_times(input, times.times.as_slice());
        Ok(times)
    }

    fn check_times(&mut self, input: Index<Accessor>, times: &[f64]) {
        let buffers = self.buffers;
        let Some(accessor) = buffers.accessor(input) else { return };
        if let Checked::Valid(component) = accessor.component_type
            && component.0 != ComponentType::F32
        {
            let problem =
                format!("expected times of F32, found {:?}; read as they are", component.0);
            self.add_problem(codes::COMPONENT_TYPE, Severity::Warning, input, &problem);
        }
        if buffers.has_stride(accessor) {
            let problem = "expected times without byteStride, found one";
            self.add_problem(codes::ACCESSOR_LAYOUT, Severity::Info, input, problem);
        }
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return };
        if first < 0.0 {
            let problem = format!(
                "expected times from 0 on, found {} s; the animation plays from there",
                format_number(first)
            );
            self.add_problem(codes::NEGATIVE_TIME, Severity::Warning, input, &problem)
                .at_time(first);
        }
        let bound = |stated: &Option<Value>| Some(stated.as_ref()?.get(0)?.as_f64()? as f32);
        for (name, bound, found) in
            [("min", bound(&accessor.min), first), ("max", bound(&accessor.max), last)]
        {
            match bound {
                None => {
                    let problem = format!("expected a {name} of the times, found none");
                    self.add_problem(codes::TIME_BOUNDS, Severity::Info, input, &problem);
                }
                Some(bound) if is_different_time(bound.into(), found) => {
                    let problem = format!(
                        "expected the {name} of the times, {} s, found {} s; other programs may \
                         show another duration",
                        format_number(found),
                        format_number(bound.into())
                    );
                    self.add_problem(codes::TIME_BOUNDS, Severity::Warning, input, &problem)
                        .with("name", name)
                        .with("expected", found)
                        .with("found", bound);
                }
                Some(_) => {}
            }
        }
        self.check_repeated_times(input, times);
    }

    fn check_repeated_times(&mut self, input: Index<Accessor>, times: &[f64]) {
        let repeated = || times.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[1]);
        let Some(first) = repeated().next() else { return };
        let count = repeated().count();
        let last = times.last().copied().unwrap_or_default() as f32;
        let step = f64::from(last.next_up() - last);
        /// Below this step, single precision is not the cause, because recordings have fewer than
        /// 10 000 keys per second.
        const MIN_REPORTED_STEP_S: f64 = 1e-4;
        let cause = if step < MIN_REPORTED_STEP_S {
            String::new()
        } else {
            let (step, last) = (format_number(step * 1000.0), format_number(last.into()));
            format!(" glTF stores times in steps of {step} ms at {last} s.")
        };
        let problem = format!(
            "expected increasing times, found {} at the time of the key before; the last of them \
             applies.{cause}",
            format_count(count, "key")
        );
        self.add_problem(Topic::SameTime.code(), Severity::Warning, input, &problem)
            .at_time(first)
            .with("count", count);
    }

    fn check_output(&mut self, accessor_index: Index<Accessor>, output: OutputType) {
        let buffers = self.buffers;
        let Some(accessor) = buffers.accessor(accessor_index) else { return };
        if buffers.has_stride(accessor) {
            let problem = "expected values without byteStride, found one";
            self.add_problem(codes::ACCESSOR_LAYOUT, Severity::Info, accessor_index, problem);
        }
        let Checked::Valid(component) = accessor.component_type else { return };
        let is_vector = output == OutputType::Vec3;
        if component.0 == ComponentType::F32 || !is_vector && accessor.normalized {
            return;
        }
        let expected = if is_vector { "F32" } else { "F32 or normalized integers" };
        let problem =
            format!("expected values of {expected}, found {:?}; read as they are", component.0);
        self.add_problem(codes::COMPONENT_TYPE, Severity::Warning, accessor_index, &problem);
    }

    fn read_numbers(
        &self,
        accessor: Index<Accessor>,
        output: OutputType,
    ) -> Result<Vec<f32>, PartError> {
        Ok(match output {
            OutputType::Vec3 => {
                self.buffers.read_floats::<3>(accessor, Type::Vec3)?.into_flattened()
            }
            OutputType::Vec4 => {
                self.buffers.read_floats::<4>(accessor, Type::Vec4)?.into_flattened()
            }
            OutputType::Scalars(_) => {
                self.buffers.read_floats::<1>(accessor, Type::Scalar)?.into_flattened()
            }
        })
    }

    fn reserve_numbers(&mut self, numbers: usize) -> Result<(), PartError> {
        match self.numbers_left.checked_sub(numbers) {
            Some(left) => {
                self.numbers_left = left;
                Ok(())
            }
            None => {
                self.exceeded_limit = true;
                Err(PartError::new(codes::TOO_LARGE, "its numbers are used too often"))
            }
        }
    }

    fn key_location(
        &self,
        accessor: Index<Accessor>,
        output: OutputType,
        layout: KeyLayout,
        times: &SortedTimes,
    ) -> TrackLocation {
        let Some(locations) = self.buffers.element_layout(accessor, output.accessor_type()) else {
            return TrackLocation::for_track(SourceLocation::File);
        };
        let elements = output.elements_per_value() * if layout.is_cubic { 3 } else { 1 };
        let bytes_per_key = locations.stride * elements;
        let location = SourceLocation::span(locations.first_offset, bytes_per_key * times.count);
        TrackLocation::packed(location, locations.first_offset, bytes_per_key, times.order.clone())
    }
}

impl SortedTimes {
    fn new(times: Vec<f64>) -> Self {
        let count = times.len();
        if let Ok(times) = KeyTimes::new(&*times) {
            return Self { times, order: None, count };
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.retain(|&index| times[index as usize].is_finite());
        order.sort_by(|&a, &b| times[a as usize].total_cmp(&times[b as usize]));
        Self::from_order(order, |index| times[index], count)
    }

    fn from_order(order: Vec<u32>, time: impl Fn(usize) -> f64, count: usize) -> Self {
        let times: Vec<_> = order.iter().map(|&index| time(index as usize)).collect();
        let times = KeyTimes::new(times).expect("they are finite and sorted");
        Self { times, order: Some(order.into()), count }
    }

    fn first_in_file(&self, count: usize) -> Self {
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

    fn file_index(&self, key: usize) -> usize {
        self.order.as_ref().map_or(key, |order| order[key] as usize)
    }
}

/// Returns `true` if the times differ by more than the rounding of bounds in the JSON.
fn is_different_time(stated: f64, found: f64) -> bool {
    (stated - found).abs() > 1e-3 + 1e-5 * found.abs()
}

#[derive(Clone, Copy)]
struct KeyLayout {
    components: usize,
    is_cubic: bool,
}

struct KeyNumbers<'a> {
    numbers: &'a [f32],
    layout: KeyLayout,
}

impl KeyNumbers<'_> {
    fn numbers_per_key(&self) -> usize {
        self.layout.components * if self.layout.is_cubic { 3 } else { 1 }
    }

    fn key_count(&self) -> usize {
        self.numbers.len().checked_div(self.numbers_per_key()).unwrap_or(0)
    }

    /// Returns a component of a key. `part` is 0 for the in-tangent, 1 for the value and 2 for the
    /// out-tangent. Curves that are not cubic have only values.
    fn number_at(&self, key: usize, part: usize, component: usize) -> f32 {
        let part = if self.layout.is_cubic { part } else { 0 };
        self.numbers[key * self.numbers_per_key() + part * self.layout.components + component]
    }

    fn make_curve(
        &self,
        times: &SortedTimes,
        component: usize,
        interpolation: Interpolation,
    ) -> ScalarCurve {
        let count = times.times.as_slice().len();
        let number = |key, part| self.number_at(times.file_index(key), part, component);
        let values: Values = (0..count).map(|key| number(key, 1)).collect::<Vec<f32>>().into();
        let shapes = match interpolation {
            Interpolation::Step => Shapes::Step,
            Interpolation::Linear => Shapes::Linear,
            Interpolation::CubicSpline => {
                // glTF tangents are slopes in units per second, like the slopes of
                // `Segment::Hermite`, so they need no conversion. The formula in the standard
                // multiplies them by the duration of the segment.
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
