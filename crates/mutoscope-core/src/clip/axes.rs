//! The directions that the axes of a file point in.

use super::{Handedness, Up};

/// A direction of the viewer's space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisDirection {
    /// The viewer's +X.
    Right,
    /// The viewer's −X.
    Left,
    /// The viewer's +Y.
    Up,
    /// The viewer's −Y.
    Down,
    /// The viewer's −Z.
    Forward,
    /// The viewer's +Z.
    Back,
}

impl AxisDirection {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Right, Self::Left, Self::Up, Self::Down, Self::Forward, Self::Back];

    /// Its word: `right`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Left => "left",
            Self::Up => "up",
            Self::Down => "down",
            Self::Forward => "forward",
            Self::Back => "back",
        }
    }

    /// The direction with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.word() == word)
    }

    /// The index of its axis in the viewer's space, and its sign there.
    pub fn in_viewer(self) -> (usize, f64) {
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

/// Where x, y and z of a file point: three directions, each along another axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceAxes([AxisDirection; 3]);

impl SourceAxes {
    /// The viewer's own axes: right, up, back.
    pub const VIEWER: Self = Self([AxisDirection::Right, AxisDirection::Up, AxisDirection::Back]);
    /// Unity's axes: right, up, forward.
    pub const UNITY: Self = Self([AxisDirection::Right, AxisDirection::Up, AxisDirection::Forward]);
    /// Z up: right, forward, up.
    pub const Z_UP: Self = Self([AxisDirection::Right, AxisDirection::Forward, AxisDirection::Up]);
    /// The axes of ROS: forward, left, up.
    pub const ROS: Self = Self([AxisDirection::Forward, AxisDirection::Left, AxisDirection::Up]);
    /// The axes of a picture: right, down, forward.
    pub const PICTURE: Self =
        Self([AxisDirection::Right, AxisDirection::Down, AxisDirection::Forward]);

    /// These directions of x, y and z; `None` if two are along one axis.
    pub fn new(directions: [AxisDirection; 3]) -> Option<Self> {
        let [x, y, z] = directions.map(|direction| direction.in_viewer().0);
        (x != y && y != z && z != x).then_some(Self(directions))
    }

    /// The directions of x, y and z.
    pub fn directions(self) -> [AxisDirection; 3] {
        self.0
    }

    /// The hand whose thumb, index and middle finger point along x, y and z.
    pub fn handedness(self) -> Handedness {
        let [x, y, z] = self.0.map(|direction| {
            let (axis, sign) = direction.in_viewer();
            let mut vector = glam::DVec3::ZERO;
            vector[axis] = sign;
            vector
        });
        if x.cross(y).dot(z) > 0.0 { Handedness::Right } else { Handedness::Left }
    }

    /// The vertical axis: Z, or Y where another one is.
    pub fn up(self) -> Up {
        if self.0[2].in_viewer().0 == 1 { Up::Z } else { Up::Y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Convention;
    use glam::{DQuat, DVec3};

    #[test]
    fn axes_that_both_ways_can_express_convert_alike() {
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
                assert_eq!(plain.point(point), by_axes.point(point), "{axes:?}");
                assert_eq!(plain.rotation(turn), by_axes.rotation(turn), "{axes:?}");
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
                    let along = viewer.direction(DVec3::X);
                    let (axis, sign) = x.in_viewer();
                    assert_eq!(along[axis], sign, "{axes:?}");
                    assert_eq!(viewer.inverse().point(viewer.point(point)), point, "{axes:?}");
                    assert_eq!(viewer.inverse().rotation(viewer.rotation(turn)), turn);
                    let after = viewer.point(turn * point);
                    let before = viewer.rotation(turn) * viewer.point(point);
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
