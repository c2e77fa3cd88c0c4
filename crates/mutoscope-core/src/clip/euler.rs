//! Rotations by angles about three axes.

use glam::{DQuat, DVec3, EulerRot};

use super::{Blend, Channels, Hint, RotationRule, Track, TrackId};

/// A rotation by angles about X, Y and Z, one after the other.
///
/// Angles are interpolated as they stand and may exceed a full turn, unless they are
/// [keyed whole](Self::is_keyed_whole).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EulerRotation {
    /// The angles about X, Y and Z, in radians.
    pub angles: Channels,
    /// In which order they are applied.
    pub order: EulerOrder,
    /// The curve that changes the order, if one does, by the numbers of [`EulerOrder::numbered`].
    pub keyed_order: Option<TrackId>,
    /// The orientation of the axes that the angles are about.
    pub orientation: DQuat,
    /// Whether the curves of the angles share their key times and each key is a sampled rotation,
    /// whose angles may jump by a turn to the next. By [`RotationRule::Continuous`] rotations are
    /// then interpolated at constant speed, the short way.
    pub is_keyed_whole: bool,
}

impl EulerRotation {
    /// The rotation at `time`, in seconds.
    #[inline(never)]
    pub(crate) fn evaluate(
        &self,
        tracks: &[Track],
        rule: RotationRule,
        time: f64,
        hint: &mut Hint,
    ) -> DQuat {
        if self.is_keyed_whole
            && rule == RotationRule::Continuous
            && let Some(rotation) = self.between_whole_keys(tracks, time, hint)
        {
            return rotation;
        }
        let order = match self.keyed_order {
            None => self.order,
            Some(track) => {
                let curve = tracks[track.index()].curve.scalar();
                EulerOrder::numbered(curve.evaluate(time, &mut Hint::default()))
            }
        };
        self.orientation * order.rotation(self.angles.evaluate(tracks, time, hint))
    }

    /// The rotation between two keys, if `time` lies between two and the angles run straight there.
    fn between_whole_keys(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> Option<DQuat> {
        let first = self.angles.tracks().next()?;
        let curve = tracks[first.index()].curve.components().first()?;
        let (left, right, t) = curve.straight_between(time, hint)?;
        let at_key = |key| self.order.rotation(self.angles.at_key(tracks, key)).into();
        let blended = Blend::ShortSlerp.between(at_key(left), at_key(right), t);
        Some(self.orientation * DQuat::from_vec4(blended))
    }
}

/// The order in which rotations about the axes are applied: the first letter's first, about axes
/// that stay where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EulerOrder {
    /// X, Y, Z: as a matrix on column vectors, Z · Y · X.
    #[default]
    Xyz,
    /// Y, Z, X.
    Yzx,
    /// Z, X, Y.
    Zxy,
    /// X, Z, Y.
    Xzy,
    /// Y, X, Z.
    Yxz,
    /// Z, Y, X.
    Zyx,
}

impl EulerOrder {
    /// The order with this number in Maya's `rotateOrder`, 0 to 5; X, Y, Z for any other.
    pub fn numbered(number: f64) -> Self {
        const ORDERS: [EulerOrder; 6] = [
            EulerOrder::Xyz,
            EulerOrder::Yzx,
            EulerOrder::Zxy,
            EulerOrder::Xzy,
            EulerOrder::Yxz,
            EulerOrder::Zyx,
        ];
        // A cast takes negative values and NaN to 0.
        ORDERS.get(number.round() as usize).copied().unwrap_or_default()
    }

    /// The rotation by these `angles` about X, Y and Z, in radians.
    pub fn rotation(self, angles: DVec3) -> DQuat {
        let x = DQuat::from_rotation_x(angles.x);
        let y = DQuat::from_rotation_y(angles.y);
        let z = DQuat::from_rotation_z(angles.z);
        match self {
            Self::Xyz => z * y * x,
            Self::Yzx => x * z * y,
            Self::Zxy => y * x * z,
            Self::Xzy => y * z * x,
            Self::Yxz => z * x * y,
            Self::Zyx => x * y * z,
        }
    }
}

impl EulerOrder {
    /// The angles about X, Y and Z, in radians, that make this `rotation`.
    pub fn angles(self, rotation: DQuat) -> DVec3 {
        // glam names the axes in the order of the product.
        let (product, place) = match self {
            Self::Xyz => (EulerRot::ZYX, [2, 1, 0]),
            Self::Yzx => (EulerRot::XZY, [0, 2, 1]),
            Self::Zxy => (EulerRot::YXZ, [1, 0, 2]),
            Self::Xzy => (EulerRot::YZX, [2, 0, 1]),
            Self::Yxz => (EulerRot::ZXY, [1, 2, 0]),
            Self::Zyx => (EulerRot::XYZ, [0, 1, 2]),
        };
        let (first, second, third) = rotation.to_euler(product);
        let angles = [first, second, third];
        DVec3::from_array(place.map(|at| angles[at]))
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::{
        clip::{AnyCurve, Channel, KeyTimes, NodeId, Owner, Provenance, ScalarCurve, Shapes, Unit},
        diagnostics::SourceLocation,
    };

    #[test]
    fn euler_angles_round_trip() {
        for number in 0..6 {
            let order = EulerOrder::numbered(f64::from(number));
            let rotation = order.rotation(DVec3::new(0.3, -1.1, 0.8));
            assert!(
                order.angles(rotation).abs_diff_eq(DVec3::new(0.3, -1.1, 0.8), 1e-9),
                "{order:?}"
            );
        }
    }

    /// A quarter turn about one axis: Y to Z, Z to X, X to Y.
    fn quarter(axis: char, v: DVec3) -> DVec3 {
        match axis {
            'x' => DVec3::new(v.x, -v.z, v.y),
            'y' => DVec3::new(v.z, v.y, -v.x),
            _ => DVec3::new(-v.y, v.x, v.z),
        }
    }

    #[test]
    fn first_letter_of_the_order_is_applied_first() {
        let point = DVec3::new(1.0, 2.0, 3.0);
        for (number, letters) in ["xyz", "yzx", "zxy", "xzy", "yxz", "zyx"].iter().enumerate() {
            let order = EulerOrder::numbered(number as f64);
            let by_hand = letters.chars().fold(point, |turned, axis| quarter(axis, turned));
            let turned = order.rotation(DVec3::splat(FRAC_PI_2)) * point;
            assert!(turned.abs_diff_eq(by_hand, 1e-12), "{letters}");
        }
    }

    /// From 170° to −170° it is 20° on, not 340° back.
    #[test]
    fn sampled_rotations_take_the_short_way_by_the_continuous_rule() {
        let times = KeyTimes::new(vec![0.0, 1.0]).unwrap();
        let curve = ScalarCurve::new(times, vec![170.0, -170.0], Shapes::Linear);
        let track = Track {
            owner: Owner::Node(NodeId::new(0)),
            property: "Yrotation".to_owned(),
            curve: AnyCurve::Number(curve),
            unit: Unit::Degrees,
            source: Provenance::of_track(SourceLocation::File),
        };
        let y = Channel::Track { track: TrackId::new(0), unit: Unit::Degrees.factor() };
        let rotation = EulerRotation {
            angles: Channels([Channel::Rest(0.0), y, Channel::Rest(0.0)]),
            order: EulerOrder::Xyz,
            keyed_order: None,
            orientation: DQuat::IDENTITY,
            is_keyed_whole: true,
        };
        let at = |rule, time| {
            rotation.evaluate(std::slice::from_ref(&track), rule, time, &mut Hint::default())
        };
        let degrees = |y: f64| DQuat::from_rotation_y(y.to_radians());
        let cases = [
            (RotationRule::Continuous, 0.25, 175.0),
            (RotationRule::Continuous, 1.0, -170.0),
            (RotationRule::Continuous, 9.0, -170.0),
            (RotationRule::AsAuthored, 0.25, 85.0),
            (RotationRule::AsAuthored, 0.5, 0.0),
        ];
        for (rule, time, y) in cases {
            let found = at(rule, time);
            assert!(found.angle_between(degrees(y)) < 1e-7, "{rule:?} at {time}: {found}");
        }
    }

    #[test]
    fn unknown_order_number_is_xyz() {
        for number in [-3.0, 6.0, 1e300, f64::NAN] {
            assert_eq!(EulerOrder::numbered(number), EulerOrder::Xyz, "{number}");
        }
    }
}
