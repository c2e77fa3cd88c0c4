//! Series: the components of a vector or a rotation, or one number.

use arrayvec::ArrayVec;
use glam::DVec4;

use crate::clip::{
    AnyCurve, Blend, Clip, ComponentRotation, ComputedCurve, Element, Form, Hint, Interpolation,
    KeyTimes, NodeId, Owner, Rotation, RotationRule, ScalarCurve, Shown, Track, TrackId,
    Translation, TypedCurve, Unit, Value,
};

/// Components that belong together and have keys at the same times.
#[derive(Debug)]
pub(super) struct Series<'a> {
    clip: &'a Clip,
    /// The tracks that have them.
    tracks: ArrayVec<TrackId, 4>,
    /// The meaning of the components together.
    pub(super) kind: Kind,
    columns: Columns<'a>,
    /// The curve that says when it is visible.
    shown: Option<&'a AnyCurve>,
}

/// The meaning of a series' components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// One number, or a vector.
    Vector,
    /// An angle that may take the long way, with the number of its units in a full turn.
    Angle(f64),
    /// An angle that takes the short way round.
    Heading(f64),
    /// A quaternion: x, y, z, w.
    Rotation {
        /// How its program interpolates between keys.
        faithful: Blend,
    },
}

#[derive(Debug)]
enum Columns<'a> {
    Curves(Curves<'a>),
    Folded(&'a dyn ComputedCurve),
}

/// Curves that are keyed together.
#[derive(Debug)]
struct Curves<'a> {
    each: ArrayVec<&'a ScalarCurve, 4>,
    /// Their values, where all are in single precision, as recorders have them: nothing is left to
    /// decide for each key then.
    singles: Option<ArrayVec<&'a [f32], 4>>,
}

impl<'a> Curves<'a> {
    fn new(each: ArrayVec<&'a ScalarCurve, 4>) -> Self {
        let singles = each.iter().map(|curve| curve.values().as_singles()).collect();
        Self { each, singles }
    }

    /// The key with this index. Most of what checks do is to ask for it.
    #[inline]
    fn key(&self, index: usize) -> [f64; 4] {
        let of = |values: &[f32]| f64::from(values[index]);
        match self.singles.as_deref() {
            Some(&[x, y, z, w]) => [of(x), of(y), of(z), of(w)],
            Some(&[x, y, z]) => [of(x), of(y), of(z), 0.0],
            Some(&[x]) => [of(x), 0.0, 0.0, 0.0],
            Some(_) | None => self.doubles(index),
        }
    }

    /// The same, whatever the values and the number of components are.
    fn doubles(&self, index: usize) -> [f64; 4] {
        let mut key = [0.0; 4];
        let components = key.iter_mut().zip(&self.each);
        components.for_each(|(to, curve)| *to = curve.values().at(index));
        key
    }

    fn times(&self) -> &'a KeyTimes {
        self.each[0].times()
    }
}

/// All series of `clip`: numbers over time that may move. Answers of yes or no, words, whole
/// numbers, colours and matrices are none.
pub(super) fn of(clip: &Clip) -> Vec<Series<'_>> {
    let mut series = Vec::new();
    let mut taken = vec![false; clip.tracks.len()];
    for (id, node) in clip.nodes.with_ids() {
        if let Rotation::Components(rotation) = &node.motion.rotation {
            series.extend(Series::of_rotation(clip, id, rotation));
            rotation.tracks().iter().for_each(|track| taken[track.index()] = true);
        }
        let direction = match &node.motion.rotation {
            Rotation::Direction(vector) => Some(vector),
            _ => None,
        };
        let place = match &node.motion.translation {
            Translation::Components(vector) => Some(vector),
            _ => None,
        };
        for vector in [place, direction].into_iter().flatten() {
            let tracks = vector.tracks();
            if let Some(together) = Series::together(clip, id, &tracks, Kind::Vector) {
                tracks.iter().for_each(|track| taken[track.index()] = true);
                series.push(together);
            }
        }
    }
    let others = clip.tracks_with_ids().filter(|(id, _)| !taken[id.index()]);
    series.extend(others.filter_map(|(id, track)| Series::of_track(clip, id, track)));
    series
}

impl<'a> Series<'a> {
    fn of_rotation(clip: &'a Clip, node: NodeId, rotation: &'a ComponentRotation) -> Option<Self> {
        let kind = Kind::Rotation { faithful: Blend::Lerp };
        let series = Self::together(clip, node, &rotation.tracks(), kind)?;
        let (Some(w), Columns::Curves(curves)) = (rotation.rebuilt_w(), &series.columns) else {
            return Some(series);
        };
        let [x, y, z] = [0, 1, 2].map(|component| curves.each[component]);
        let columns = Columns::Curves(Curves::new(ArrayVec::from([x, y, z, w])));
        w.times().is_shared_with(x.times()).then_some(Self { columns, ..series })
    }

    /// Curves that are components of one value; nothing unless they are keyed together.
    fn together(clip: &'a Clip, node: NodeId, tracks: &[TrackId], kind: Kind) -> Option<Self> {
        let curve = |id: &TrackId| match &clip.track(*id).curve {
            AnyCurve::Number(curve) => Some(curve),
            _ => None,
        };
        let curves: ArrayVec<_, 4> = tracks.iter().map(curve).collect::<Option<_>>()?;
        let times = curves[0].times();
        if !curves.iter().all(|curve| curve.times().is_shared_with(times)) {
            return None;
        }
        let shown = shown_by(clip, Owner::Node(node));
        let tracks = tracks.iter().copied().collect();
        let columns = Columns::Curves(Curves::new(curves));
        Some(Self { clip, tracks, kind, columns, shown })
    }

    fn of_track(clip: &'a Clip, id: TrackId, track: &'a Track) -> Option<Self> {
        let angle = full_turn(track.unit).map_or(Kind::Vector, Kind::Angle);
        let (columns, kind) = match &track.curve {
            AnyCurve::Number(curve) => (Columns::of_curves(std::slice::from_ref(curve)), angle),
            AnyCurve::Typed(curve) => (Columns::of_typed(curve)?, kind_of(curve)?),
            // Computed rotations take the short way.
            AnyCurve::Computed(curve) => {
                let kind = full_turn(track.unit).map_or(Kind::Vector, Kind::Heading);
                (Columns::of_folded(&**curve)?, kind)
            }
            AnyCurve::Switch(_) | AnyCurve::Driven(_) | AnyCurve::Text(_) => return None,
        };
        let shown = shown_by(clip, track.owner);
        Some(Self { clip, tracks: [id].into_iter().collect(), kind, columns, shown })
    }

    /// The first of its tracks.
    pub(super) fn track(&self) -> TrackId {
        self.tracks[0]
    }

    /// The unit of the numbers.
    pub(super) fn unit(&self) -> Unit {
        self.clip.track(self.track()).unit
    }

    /// How the recording's program interpolates rotations between keys.
    pub(super) fn rotation_rule(&self) -> RotationRule {
        self.clip.convention.rotation.value
    }

    /// The times of its keys in seconds, ascending.
    pub(super) fn times(&self) -> &'a [f64] {
        match &self.columns {
            Columns::Curves(curves) => curves.times().as_slice(),
            Columns::Folded(curve) => curve.times().as_slice(),
        }
    }

    /// The key with this index; components that it lacks are 0.
    #[inline]
    pub(super) fn key(&self, index: usize) -> DVec4 {
        DVec4::from_array(match &self.columns {
            Columns::Curves(curves) => curves.key(index),
            Columns::Folded(curve) => numbers(&curve.key_value(index)),
        })
    }

    /// Whether it interpolates from the key at `left` to the next, rather than jumping there.
    pub(super) fn runs_after(&self, left: usize) -> bool {
        match &self.columns {
            Columns::Curves(curves) => !matches!(
                curves.each[0].interpolation(left),
                None | Some(Interpolation::Step | Interpolation::StepNext)
            ),
            Columns::Folded(_) => true,
        }
    }

    /// Whether it runs in a straight line from the key at `left` to the next.
    pub(super) fn is_straight_after(&self, left: usize) -> bool {
        match &self.columns {
            Columns::Curves(curves) => {
                curves.each[0].interpolation(left) == Some(Interpolation::Linear)
            }
            Columns::Folded(_) => false,
        }
    }

    /// Whether its keys are quantised to coarse integers, so that different values may be equal.
    pub(super) fn is_coded(&self) -> bool {
        self.clip.track(self.track()).source.is_coded()
    }

    /// Whether its keys are those of the file, rather than computed from them.
    pub(super) fn is_keyed(&self) -> bool {
        matches!(self.columns, Columns::Curves(_))
    }

    /// Whether it is visible at `time`, in seconds.
    pub(super) fn is_shown_at(&self, time: f64, hint: &mut Hint) -> bool {
        self.shown.is_none_or(|switch| switch.is_on(time, hint))
    }

    /// Its name: `left/Wrist.position`.
    pub(super) fn name(&self) -> String {
        let name = self.clip.track_name(self.track());
        match (self.tracks.len(), name.rsplit_once('.')) {
            (2.., Some((stem, "x"))) => stem.to_owned(),
            _ => name,
        }
    }
}

impl<'a> Columns<'a> {
    fn of_typed(curve: &'a TypedCurve) -> Option<Self> {
        let components = curve.components();
        let fits = components.len() <= 4 && !curve.is_frozen();
        fits.then(|| Self::of_curves(components))
    }

    fn of_curves(curves: &'a [ScalarCurve]) -> Self {
        Self::Curves(Curves::new(curves.iter().collect()))
    }

    /// Only numbers have distances.
    fn of_folded(curve: &'a dyn ComputedCurve) -> Option<Self> {
        let is_number = !curve.times().as_slice().is_empty()
            && matches!(curve.key_value(0), Value::Number(_) | Value::Numbers(_));
        is_number.then_some(Self::Folded(curve))
    }
}

/// The numbers of a value; what it lacks is 0.
fn numbers(value: &Value) -> [f64; 4] {
    let mut all = [0.0; 4];
    match value {
        Value::Number(number) => all[0] = *number,
        Value::Numbers(numbers) => all.iter_mut().zip(numbers).for_each(|(to, from)| *to = *from),
        _ => {}
    }
    all
}

fn kind_of(curve: &TypedCurve) -> Option<Kind> {
    let value_type = curve.value_type();
    match (value_type.element, value_type.form) {
        (Element::Number, Form::Plain) => Some(Kind::Vector),
        (Element::Number, Form::Quaternion { faithful }) => Some(Kind::Rotation { faithful }),
        _ => None,
    }
}

/// How many of `unit` make a full turn.
fn full_turn(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Degrees => Some(360.0),
        Unit::Radians => Some(std::f64::consts::TAU),
        Unit::ArcMinutes => Some(360.0 * 60.0),
        Unit::ArcSeconds => Some(360.0 * 3600.0),
        _ => None,
    }
}

/// The curve that says when `owner` is visible.
fn shown_by(clip: &Clip, owner: Owner) -> Option<&AnyCurve> {
    let Owner::Node(node) = owner else { return None };
    match clip.nodes[node].motion.shown {
        Shown::While(track) => Some(&clip.track(track).curve),
        Shown::Always | Shown::Never => None,
    }
}
