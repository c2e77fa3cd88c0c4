//! Groups tracks into series: the components of a vector or rotation, or a single number.

use std::ops::Range;

use arrayvec::ArrayVec;
use glam::DVec4;

use crate::clip::{
    AnyCurve, Blend, Clip, ComponentRotation, ComputedCurve, Element, Form, Hint, Interpolation,
    KeyTimes, NodeId, NodeVisibility, Owner, PackedRows, Rotation, RotationRule, ScalarCurve,
    Track, TrackId, Translation, TypedCurve, Unit, Value,
};

#[derive(Debug)]
pub(super) struct Series<'a> {
    clip: &'a Clip,
    tracks: ArrayVec<TrackId, 4>,
    pub(super) kind: SeriesKind,
    values: SeriesValues<'a>,
    /// The visibility curve, which is on while the node is visible. `None` if the node is always
    /// visible.
    visibility: Option<&'a AnyCurve>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SeriesKind {
    /// A number or a vector.
    Vector,
    /// An angle that rotates by the full difference of its keys. The number is the units in a full
    /// turn.
    Angle(f64),
    /// An angle that takes the shortest path between its keys. The number is the units in a full
    /// turn.
    Heading(f64),
    /// A quaternion: x, y, z, w.
    Rotation { authored_blend: Blend },
}

#[derive(Debug)]
enum SeriesValues<'a> {
    Curves(Curves<'a>),
    Computed(&'a dyn ComputedCurve),
}

const KEYS_PER_BLOCK: usize = 128;

#[derive(Debug)]
struct Curves<'a> {
    components: ArrayVec<&'a ScalarCurve, 4>,
    layout: Layout<'a>,
}

/// How the values of the components are stored. The two usual layouts need no branch on the value
/// type of each component.
#[derive(Debug)]
enum Layout<'a> {
    Packed(PackedRows<'a>),
    Singles(ArrayVec<&'a [f32], 4>),
    Other,
}

impl<'a> Curves<'a> {
    fn new(components: ArrayVec<&'a ScalarCurve, 4>) -> Self {
        let values = || components.iter().map(|curve| curve.values());
        let layout = match PackedRows::from_columns(values()) {
            Some(rows) => Layout::Packed(rows),
            None => match values().map(|values| values.as_f32_slice()).collect() {
                Some(singles) => Layout::Singles(singles),
                None => Layout::Other,
            },
        };
        Self { components, layout }
    }

    /// Fills `keys` with the keys from index `first` on.
    fn read_keys(&self, first: usize, keys: &mut [DVec4]) {
        let range = first..first + keys.len();
        match &self.layout {
            Layout::Packed(rows) => rows.read_keys(range, keys),
            Layout::Singles(columns) => {
                for (component, column) in columns.iter().enumerate() {
                    for (key, value) in keys.iter_mut().zip(&column[range.clone()]) {
                        key[component] = f64::from(*value);
                    }
                }
            }
            Layout::Other => {
                for (component, curve) in self.components.iter().enumerate() {
                    for (key, index) in keys.iter_mut().zip(range.clone()) {
                        key[component] = curve.values().value_at(index);
                    }
                }
            }
        }
    }

    fn times(&self) -> &'a KeyTimes {
        self.components[0].times()
    }
}

/// Returns all series of `clip`: numbers over time that may move. Booleans, strings, integers,
/// colours and matrices do not form series.
pub(super) fn all_series(clip: &Clip) -> Vec<Series<'_>> {
    let mut series = Vec::new();
    let mut is_used = vec![false; clip.tracks.len()];
    for (id, node) in clip.nodes.with_ids() {
        if let Rotation::Components(rotation) = &node.motion.rotation {
            series.extend(Series::from_rotation(clip, id, rotation));
            rotation.tracks().iter().for_each(|track| is_used[track.index()] = true);
        }
        let direction = match &node.motion.rotation {
            Rotation::Direction(vector) => Some(vector),
            _ => None,
        };
        let translation = match &node.motion.translation {
            Translation::Components(vector) => Some(vector),
            _ => None,
        };
        for vector in [translation, direction].into_iter().flatten() {
            let tracks = vector.tracks();
            if let Some(one_series) = Series::from_components(clip, id, &tracks, SeriesKind::Vector)
            {
                tracks.iter().for_each(|track| is_used[track.index()] = true);
                series.push(one_series);
            }
        }
    }
    let others = clip.tracks_with_ids().filter(|(id, _)| !is_used[id.index()]);
    series.extend(others.filter_map(|(id, track)| Series::from_track(clip, id, track)));
    series
}

impl<'a> Series<'a> {
    fn from_rotation(
        clip: &'a Clip,
        node: NodeId,
        rotation: &'a ComponentRotation,
    ) -> Option<Self> {
        let kind = SeriesKind::Rotation { authored_blend: rotation.authored_blend() };
        let series = Self::from_components(clip, node, &rotation.tracks(), kind)?;
        let (Some(w), SeriesValues::Curves(curves)) = (rotation.rebuilt_w(), &series.values) else {
            return Some(series);
        };
        let [x, y, z] = [0, 1, 2].map(|component| curves.components[component]);
        let values = SeriesValues::Curves(Curves::new(ArrayVec::from([x, y, z, w])));
        w.times().is_shared_with(x.times()).then_some(Self { values, ..series })
    }

    fn from_components(
        clip: &'a Clip,
        node: NodeId,
        tracks: &[TrackId],
        kind: SeriesKind,
    ) -> Option<Self> {
        let curve = |id: &TrackId| match &clip.track(*id).curve {
            AnyCurve::Number(curve) => Some(curve),
            _ => None,
        };
        let curves: ArrayVec<_, 4> = tracks.iter().map(curve).collect::<Option<_>>()?;
        let times = curves[0].times();
        if !curves.iter().all(|curve| curve.times().is_shared_with(times)) {
            return None;
        }
        let visibility = visibility_curve(clip, Owner::Node(node));
        let tracks = tracks.iter().copied().collect();
        let values = SeriesValues::Curves(Curves::new(curves));
        Some(Self { clip, tracks, kind, values, visibility })
    }

    fn from_track(clip: &'a Clip, id: TrackId, track: &'a Track) -> Option<Self> {
        let angle = full_turn(track.unit).map_or(SeriesKind::Vector, SeriesKind::Angle);
        let (values, kind) = match &track.curve {
            AnyCurve::Number(curve) => {
                (SeriesValues::from_curves(std::slice::from_ref(curve)), angle)
            }
            AnyCurve::Typed(curve) => (SeriesValues::from_typed(curve)?, typed_kind(curve)?),
            // Computed rotations take the shortest path.
            AnyCurve::Computed(curve) => {
                let kind = full_turn(track.unit).map_or(SeriesKind::Vector, SeriesKind::Heading);
                (SeriesValues::from_computed(&**curve)?, kind)
            }
            AnyCurve::Switch(_) | AnyCurve::Driven(_) | AnyCurve::Text(_) => return None,
        };
        let visibility = visibility_curve(clip, track.owner);
        Some(Self { clip, tracks: [id].into_iter().collect(), kind, values, visibility })
    }

    pub(super) fn track(&self) -> TrackId {
        self.tracks[0]
    }

    pub(super) fn unit(&self) -> Unit {
        self.clip.track(self.track()).unit
    }

    pub(super) fn rotation_rule(&self) -> RotationRule {
        self.clip.convention.rotation.value
    }

    pub(super) fn times(&self) -> &'a [f64] {
        match &self.values {
            SeriesValues::Curves(curves) => curves.times().as_slice(),
            SeriesValues::Computed(curve) => curve.times().as_slice(),
        }
    }

    /// Returns the key with index `index`. Missing components are 0.
    ///
    /// Use [`Self::keys`] to read all keys, because that is much faster.
    pub(super) fn key(&self, index: usize) -> DVec4 {
        let mut key = [DVec4::ZERO];
        self.read_keys(index, &mut key);
        key[0]
    }

    /// Returns an iterator over all keys, in the order of time. Missing components are 0.
    pub(super) fn keys(&self) -> impl Iterator<Item = DVec4> + '_ {
        self.keys_in(0..self.times().len())
    }

    /// Returns an iterator over the keys in `range`. It reads them in blocks, so that it looks at the
    /// types of the values once for each block and not for each key.
    pub(super) fn keys_in(&self, mut range: Range<usize>) -> impl Iterator<Item = DVec4> + '_ {
        let mut block = [DVec4::ZERO; KEYS_PER_BLOCK];
        let (mut next, mut end) = (0, 0);
        std::iter::from_fn(move || {
            if next == end {
                (next, end) = (0, range.len().min(KEYS_PER_BLOCK));
                if end == 0 {
                    return None;
                }
                self.read_keys(range.start, &mut block[..end]);
                range.start += end;
            }
            next += 1;
            Some(block[next - 1])
        })
    }

    /// Fills `keys` with the keys from index `first` on. Does not write missing components, which the
    /// caller has to set to 0.
    fn read_keys(&self, first: usize, keys: &mut [DVec4]) {
        match &self.values {
            SeriesValues::Curves(curves) => curves.read_keys(first, keys),
            SeriesValues::Computed(curve) => {
                for (key, index) in keys.iter_mut().zip(first..) {
                    *key = to_components(&curve.key_value(index)).into();
                }
            }
        }
    }

    pub(super) fn interpolates_after(&self, left: usize) -> bool {
        match &self.values {
            SeriesValues::Curves(curves) => !matches!(
                curves.components[0].interpolation(left),
                None | Some(Interpolation::Step | Interpolation::StepNext)
            ),
            SeriesValues::Computed(_) => true,
        }
    }

    pub(super) fn is_linear_after(&self, left: usize) -> bool {
        match &self.values {
            SeriesValues::Curves(curves) => {
                curves.components[0].interpolation(left) == Some(Interpolation::Linear)
            }
            SeriesValues::Computed(_) => false,
        }
    }

    /// Returns `true` if the keys are rounded to coarse integers. Equal keys may then come from
    /// different original values.
    pub(super) fn is_quantised(&self) -> bool {
        self.clip.track(self.track()).source.is_quantized()
    }

    pub(super) fn has_file_keys(&self) -> bool {
        matches!(self.values, SeriesValues::Curves(_))
    }

    pub(super) fn is_visible_at(&self, time: f64, hint: &mut Hint) -> bool {
        self.visibility.is_none_or(|switch| switch.is_on(time, hint))
    }

    pub(super) fn name(&self) -> String {
        let name = self.clip.track_name(self.track());
        match (self.tracks.len(), name.rsplit_once('.')) {
            (2.., Some((stem, "x"))) => stem.to_owned(),
            _ => name,
        }
    }
}

impl<'a> SeriesValues<'a> {
    fn from_typed(curve: &'a TypedCurve) -> Option<Self> {
        let components = curve.components();
        let fits = components.len() <= 4 && !curve.is_frozen();
        fits.then(|| Self::from_curves(components))
    }

    fn from_curves(curves: &'a [ScalarCurve]) -> Self {
        Self::Curves(Curves::new(curves.iter().collect()))
    }

    fn from_computed(curve: &'a dyn ComputedCurve) -> Option<Self> {
        let is_number = !curve.times().as_slice().is_empty()
            && matches!(curve.key_value(0), Value::Number(_) | Value::Numbers(_));
        is_number.then_some(Self::Computed(curve))
    }
}

fn to_components(value: &Value) -> [f64; 4] {
    let mut all = [0.0; 4];
    match value {
        Value::Number(number) => all[0] = *number,
        Value::Numbers(numbers) => all.iter_mut().zip(numbers).for_each(|(to, from)| *to = *from),
        _ => {}
    }
    all
}

fn typed_kind(curve: &TypedCurve) -> Option<SeriesKind> {
    let value_type = curve.value_type();
    match (value_type.element, value_type.form) {
        (Element::Number, Form::Plain) => Some(SeriesKind::Vector),
        (Element::Number, Form::Quaternion { authored_blend }) => {
            Some(SeriesKind::Rotation { authored_blend })
        }
        _ => None,
    }
}

fn full_turn(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Degrees => Some(360.0),
        Unit::Radians => Some(std::f64::consts::TAU),
        Unit::ArcMinutes => Some(360.0 * 60.0),
        Unit::ArcSeconds => Some(360.0 * 3600.0),
        _ => None,
    }
}

fn visibility_curve(clip: &Clip, owner: Owner) -> Option<&AnyCurve> {
    let Owner::Node(node) = owner else { return None };
    match clip.nodes[node].motion.visibility {
        NodeVisibility::While(track) => Some(&clip.track(track).curve),
        NodeVisibility::Always | NodeVisibility::Never => None,
    }
}
