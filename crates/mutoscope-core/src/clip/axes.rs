//! The directions that the axes of a file point in.

use super::{Handedness, UpAxis};

/// A direction in the viewer's space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum AxisDirection {
    /// +X of the viewer's space.
    Right,
    /// −X of the viewer's space.
    Left,
    /// +Y of the viewer's space.
    Up,
    /// −Y of the viewer's space.
    Down,
    /// −Z of the viewer's space.
    Forward,
    /// +Z of the viewer's space.
    Back,
}

impl AxisDirection {
    /// All directions.
    pub const ALL: [Self; 6] =
        [Self::Right, Self::Left, Self::Up, Self::Down, Self::Forward, Self::Back];

    /// Returns the direction that points the other way.
    pub fn opposite(self) -> Self {
        match self {
            Self::Right => Self::Left,
            Self::Left => Self::Right,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Forward => Self::Back,
            Self::Back => Self::Forward,
        }
    }

    /// Returns the name in mapping files: `right`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the direction with this name, or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the index of the viewer's axis that is parallel to the direction. The second result
    /// is 1 if the direction points along that axis, or −1 if it points the opposite way.
    pub fn viewer_axis_and_sign(self) -> (usize, f64) {
        match self {
            Self::Right => (0, 1.0),
            Self::Left => (0, -1.0),
            Self::Up => (1, 1.0),
            Self::Down => (1, -1.0),
            Self::Forward => (2, -1.0),
            Self::Back => (2, 1.0),
        }
    }
}

/// The directions of a file's x, y and z axes. No two of them are parallel to the same axis of the
/// viewer's space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceAxes([AxisDirection; 3]);

impl SourceAxes {
    /// The viewer's axes: right, up, back.
    pub const VIEWER: Self = Self([AxisDirection::Right, AxisDirection::Up, AxisDirection::Back]);
    /// Unity's axes: right, up, forward.
    pub const UNITY: Self = Self([AxisDirection::Right, AxisDirection::Up, AxisDirection::Forward]);
    /// Axes with Z up: right, forward, up.
    pub const Z_UP: Self = Self([AxisDirection::Right, AxisDirection::Forward, AxisDirection::Up]);
    /// The axes of ROS: forward, left, up.
    pub const ROS: Self = Self([AxisDirection::Forward, AxisDirection::Left, AxisDirection::Up]);
    /// The axes of an image (OpenCV): right, down, forward.
    pub const IMAGE: Self =
        Self([AxisDirection::Right, AxisDirection::Down, AxisDirection::Forward]);

    /// Creates axes with these directions of x, y and z. Returns `None` if two of them point along
    /// the same axis.
    pub fn new(directions: [AxisDirection; 3]) -> Option<Self> {
        let [x, y, z] = directions.map(|direction| direction.viewer_axis_and_sign().0);
        (x != y && y != z && z != x).then_some(Self(directions))
    }

    /// Returns the directions of x, y and z.
    pub fn directions(self) -> [AxisDirection; 3] {
        self.0
    }

    /// Returns the handedness of the axes.
    pub fn handedness(self) -> Handedness {
        let [x, y, z] = self.0.map(|direction| {
            let (axis, sign) = direction.viewer_axis_and_sign();
            let mut vector = glam::DVec3::ZERO;
            vector[axis] = sign;
            vector
        });
        if x.cross(y).dot(z) > 0.0 { Handedness::Right } else { Handedness::Left }
    }

    /// Returns the up axis: Z if the file's z axis is vertical, otherwise Y. There is no up axis X,
    /// so a vertical x axis also gives Y.
    pub fn up(self) -> UpAxis {
        if self.0[2].viewer_axis_and_sign().0 == 1 { UpAxis::Z } else { UpAxis::Y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Convention;
    use glam::{DQuat, DVec3};

    #[test]
    fn axes_and_handedness_convert_alike() {
        for handedness in [Handedness::Left, Handedness::Right] {
            for axes in [SourceAxes::VIEWER, SourceAxes::UNITY, SourceAxes::Z_UP] {
                if axes.handedness() != handedness {
                    continue;
                }
                let plain = Convention::assumed(handedness, axes.up());
                let by_axes = Convention { axes: Some(axes), ..plain.clone() };
                let (plain, by_axes) = (plain.viewer_from_source(), by_axes.viewer_from_source());
                let (point, turn) =
                    (DVec3::new(1.0, 2.0, 3.0), DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9));
                assert_eq!(plain.convert_point(point), by_axes.convert_point(point), "{axes:?}");
                assert_eq!(
                    plain.convert_rotation(turn),
                    by_axes.convert_rotation(turn),
                    "{axes:?}"
                );
            }
        }
    }

    #[test]
    fn any_axes_round_trip_and_commute_with_rotations() {
        for x in AxisDirection::ALL {
            for y in AxisDirection::ALL {
                for z in AxisDirection::ALL {
                    let Some(axes) = SourceAxes::new([x, y, z]) else { continue };
                    let convention = Convention {
                        axes: Some(axes),
                        ..Convention::assumed(axes.handedness(), axes.up())
                    };
                    let viewer = convention.viewer_from_source();
                    let (point, turn) = (
                        DVec3::new(1.0, 2.0, 3.0),
                        DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(),
                    );
                    let along = viewer.convert_direction(DVec3::X);
                    let (axis, sign) = x.viewer_axis_and_sign();
                    assert_eq!(along[axis], sign, "{axes:?}");
                    assert_eq!(
                        viewer.inverse().convert_point(viewer.convert_point(point)),
                        point,
                        "{axes:?}"
                    );
                    assert_eq!(
                        viewer.inverse().convert_rotation(viewer.convert_rotation(turn)),
                        turn
                    );
                    let after = viewer.convert_point(turn * point);
                    let before = viewer.convert_rotation(turn) * viewer.convert_point(point);
                    assert!(after.abs_diff_eq(before, 1e-12), "{axes:?}");
                }
            }
        }
    }

    #[test]
    fn two_axes_cannot_point_along_one_line() {
        use AxisDirection::{Back, Down, Left, Right, Up};
        assert!(SourceAxes::new([Up, Up, Back]).is_none());
        assert!(SourceAxes::new([Up, Down, Back]).is_none());
        assert!(SourceAxes::new([Right, Up, Left]).is_none());
    }
}
