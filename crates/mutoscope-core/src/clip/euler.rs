//! Rotations by angles about three axes.

use glam::{DQuat, DVec3, EulerRot};

use super::{Blend, Channels, Hint, RotationRule, Track, TrackId};

/// A rotation by angles about X, Y and Z.
///
/// Angles are interpolated independently and may exceed a full turn, unless they are
/// [sampled](Self::is_sampled).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EulerRotation {
    /// The angles about X, Y and Z, in radians.
    pub angles: Channels,
    /// The order in which the three rotations are applied.
    pub order: EulerOrder,
    /// The track that animates the order, if any. Its values are indices for
    /// [`EulerOrder::from_maya_index`].
    pub order_track: Option<TrackId>,
    /// The orientation of the axes that the angles refer to.
    pub orientation: DQuat,
    /// `true` if the curves of the angles share their key times, and each key is a sampled
    /// rotation.
    ///
    /// In such a curve, an angle may jump by a full turn from one key to the next.
    /// [`RotationRule::Continuous`] therefore interpolates whole rotations at constant speed along
    /// the short way, instead of the angles.
    pub is_sampled: bool,
}

impl EulerRotation {
    #[inline(never)]
    pub(crate) fn evaluate(
        &self,
        tracks: &[Track],
        rule: RotationRule,
        time: f64,
        hint: &mut Hint,
    ) -> DQuat {
        if self.is_sampled
            && rule == RotationRule::Continuous
            && let Some(rotation) = self.slerp_between_keys(tracks, time, hint)
        {
            return rotation;
        }
        let order = match self.order_track {
            None => self.order,
            Some(track) => {
                let curve = tracks[track.index()].curve.scalar();
                EulerOrder::from_maya_index(curve.evaluate(time, &mut Hint::default()))
            }
        };
        self.orientation * order.rotation_from_angles(self.angles.evaluate(tracks, time, hint))
    }

    /// Returns `None` if `time` is not between two keys, or if the curves are not linear there.
    fn slerp_between_keys(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> Option<DQuat> {
        let first = self.angles.tracks().next()?;
        let curve = tracks[first.index()].curve.components().first()?;
        let (left, right, t) = curve.linear_span_at(time, hint)?;
        let at_key =
            |key| self.order.rotation_from_angles(self.angles.evaluate_at_key(tracks, key)).into();
        let blended = Blend::ShortSlerp.interpolate(at_key(left), at_key(right), t);
        Some(self.orientation * DQuat::from_vec4(blended))
    }
}

/// The order in which rotations about the axes are applied. The axes do not move with the
/// rotations, and the first letter of a variant is applied first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EulerOrder {
    /// X, Y, Z. As a product of matrices for column vectors: Z · Y · X.
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
    /// Returns the order with this index in Maya's `rotateOrder` (0 to 5), or [`Self::Xyz`] for any
    /// other index.
    pub fn from_maya_index(number: f64) -> Self {
        const ORDERS: [EulerOrder; 6] = [
            EulerOrder::Xyz,
            EulerOrder::Yzx,
            EulerOrder::Zxy,
            EulerOrder::Xzy,
            EulerOrder::Yxz,
            EulerOrder::Zyx,
        ];
        // The cast saturates: negative values and NaN become 0.
        ORDERS.get(number.round() as usize).copied().unwrap_or_default()
    }

    /// Converts angles about X, Y and Z, in radians, to a rotation.
    pub fn rotation_from_angles(self, angles: DVec3) -> DQuat {
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
    /// Converts a rotation to angles about X, Y and Z, in radians.
    pub fn angles_from_rotation(self, rotation: DQuat) -> DVec3 {
        // glam names the axes in the order of the matrix product, which is the reverse of ours.
        let (glam_order, angle_indices) = match self {
            Self::Xyz => (EulerRot::ZYX, [2, 1, 0]),
            Self::Yzx => (EulerRot::XZY, [0, 2, 1]),
            Self::Zxy => (EulerRot::YXZ, [1, 0, 2]),
            Self::Xzy => (EulerRot::YZX, [2, 0, 1]),
            Self::Yxz => (EulerRot::ZXY, [1, 2, 0]),
            Self::Zyx => (EulerRot::XYZ, [0, 1, 2]),
        };
        let (first, second, third) = rotation.to_euler(glam_order);
        let angles = [first, second, third];
        DVec3::from_array(angle_indices.map(|index| angles[index]))
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::{
        clip::{
            AnyCurve, Channel, KeyTimes, NodeId, Owner, ScalarCurve, Shapes, TrackLocation, Unit,
        },
        diagnostics::SourceLocation,
    };

    #[test]
    fn euler_angles_round_trip() {
        for number in 0..6 {
            let order = EulerOrder::from_maya_index(f64::from(number));
            let rotation = order.rotation_from_angles(DVec3::new(0.3, -1.1, 0.8));
            assert!(
                order.angles_from_rotation(rotation).abs_diff_eq(DVec3::new(0.3, -1.1, 0.8), 1e-9),
                "{order:?}"
            );
        }
    }

    fn rotate_quarter_turn(axis: char, v: DVec3) -> DVec3 {
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
            let order = EulerOrder::from_maya_index(number as f64);
            let by_hand =
                letters.chars().fold(point, |turned, axis| rotate_quarter_turn(axis, turned));
            let turned = order.rotation_from_angles(DVec3::splat(FRAC_PI_2)) * point;
            assert!(turned.abs_diff_eq(by_hand, 1e-12), "{letters}");
        }
    }

    /// The rotation from 170° to −170° is 20° forwards, not 340° backwards.
    #[test]
    fn sampled_rotations_take_the_short_way_by_the_continuous_rule() {
        let times = KeyTimes::new(vec![0.0, 1.0]).unwrap();
        let curve = ScalarCurve::new(times, vec![170.0, -170.0], Shapes::Linear);
        let track = Track {
            owner: Owner::Node(NodeId::new(0)),
            property: "Yrotation".to_owned(),
            curve: AnyCurve::Number(curve),
            unit: Unit::Degrees,
            source: TrackLocation::for_track(SourceLocation::File),
        };
        let y = Channel::Track { track: TrackId::new(0), unit: Unit::Degrees.si_factor() };
        let orientation = DQuat::from_rotation_x(0.5);
        let rotation = EulerRotation {
            angles: Channels([Channel::Rest(0.0), y, Channel::Rest(0.0)]),
            order: EulerOrder::Xyz,
            order_track: None,
            orientation,
            is_sampled: true,
        };
        let rotation_at = |rule, time| {
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
            let found = rotation_at(rule, time);
            let expected = orientation * degrees(y);
            assert!(found.angle_between(expected) < 1e-7, "{rule:?} at {time}: {found}");
        }
    }

    #[test]
    fn unknown_maya_index_is_xyz() {
        for number in [-3.0, 6.0, 1e300, f64::NAN] {
            assert_eq!(EulerOrder::from_maya_index(number), EulerOrder::Xyz, "{number}");
        }
    }
}
