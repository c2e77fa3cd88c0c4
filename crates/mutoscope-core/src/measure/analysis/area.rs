//! Areas of interest, and whether a ray hits them.

use glam::{DQuat, DVec2, DVec3};

use super::Ray;
use crate::clip::{NodeId, Pose};

/// An area of interest: something that a person may look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// The joint that it moves and rotates with: its centre is relative to that. Without one it is
    /// fixed in the viewer's space.
    pub joint: Option<NodeId>,
}

/// The shape of an area, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A sphere.
    Sphere {
        /// Its centre.
        centre: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// A box.
    Box {
        /// Its centre.
        centre: DVec3,
        /// Its rotation.
        rotation: DQuat,
        /// Half of its edges, along its own axes.
        half: DVec3,
    },
    /// A rectangle, such as a screen, seen from either side.
    Plane {
        /// Its centre.
        centre: DVec3,
        /// Its rotation: it faces along its own Z.
        rotation: DQuat,
        /// Half of its width and height, along its own X and Y.
        half: DVec2,
    },
}

impl Area {
    /// The distance along `ray` at which it is hit at `pose`, in metres: 0 from within. `None` if
    /// it is not hit, or its joint is hidden.
    pub fn distance(&self, ray: Ray, pose: &Pose) -> Option<f64> {
        let Some(joint) = self.joint else { return self.shape.distance(ray) };
        let stands = pose.nodes.get(joint.index()).filter(|stands| stands.shown)?;
        let back = stands.world.rotation.inverse();
        let origin = back * (ray.origin - stands.world.translation);
        self.shape.distance(Ray { origin, direction: back * ray.direction })
    }
}

impl Shape {
    /// Its rotation; a sphere has none.
    pub fn rotation(&self) -> DQuat {
        match *self {
            Self::Sphere { .. } => DQuat::IDENTITY,
            Self::Box { rotation, .. } | Self::Plane { rotation, .. } => rotation,
        }
    }

    /// Its centre, to be moved.
    pub fn centre_mut(&mut self) -> &mut DVec3 {
        match self {
            Self::Sphere { centre, .. } | Self::Box { centre, .. } | Self::Plane { centre, .. } => {
                centre
            }
        }
    }

    /// Its centre, in metres.
    pub fn centre(&self) -> DVec3 {
        match *self {
            Self::Sphere { centre, .. } | Self::Box { centre, .. } | Self::Plane { centre, .. } => {
                centre
            }
        }
    }

    /// The distance along `ray` at which it is hit, in metres: 0 from within.
    pub fn distance(&self, ray: Ray) -> Option<f64> {
        match *self {
            Self::Sphere { centre, radius } => to_sphere(ray, centre, radius),
            Self::Box { centre, rotation, half } => to_box(relative(ray, centre, rotation), half),
            Self::Plane { centre, rotation, half } => {
                to_plane(relative(ray, centre, rotation), half)
            }
        }
    }
}

/// A ray in the space of a shape with this centre and rotation.
fn relative(ray: Ray, centre: DVec3, rotation: DQuat) -> Ray {
    let back = rotation.inverse();
    Ray { origin: back * (ray.origin - centre), direction: back * ray.direction }
}

fn to_sphere(Ray { origin, direction }: Ray, centre: DVec3, radius: f64) -> Option<f64> {
    let to_centre = centre - origin;
    if to_centre.length() <= radius {
        return Some(0.0);
    }
    let along = to_centre.dot(direction);
    // The centre's distance from the ray: exact for far spheres, other than the difference of
    // squares.
    let off = (to_centre - along * direction).length();
    (along > 0.0 && off <= radius).then(|| along - (radius * radius - off * off).sqrt())
}

/// By slabs: the part of the ray that is within all three.
fn to_box(Ray { origin, direction }: Ray, half: DVec3) -> Option<f64> {
    let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if origin[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let sides = [-half[axis], half[axis]].map(|side| (side - origin[axis]) / direction[axis]);
        enter = enter.max(sides[0].min(sides[1]));
        leave = leave.min(sides[0].max(sides[1]));
    }
    (enter <= leave).then_some(enter)
}

fn to_plane(Ray { origin, direction }: Ray, half: DVec2) -> Option<f64> {
    let distance = -origin.z / direction.z;
    let met = origin + distance * direction;
    let is_met = distance.is_finite() && distance >= 0.0;
    (is_met && met.x.abs() <= half.x && met.y.abs() <= half.y).then_some(distance)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::clip::{NodePose, Transform};

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        let direction = DVec3::from_array(direction).normalize();
        Ray { origin: DVec3::from_array(origin), direction }
    }

    fn near(found: Option<f64>, expected: Option<f64>) {
        match (found, expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{found}"),
            _ => assert_eq!(found, expected),
        }
    }

    #[test]
    fn ray_hits_the_near_side_of_a_sphere() {
        let sphere = Shape::Sphere { centre: DVec3::new(0.0, 3.0, -10.0), radius: 5.0 };
        // Three metres above the ray: 4 = √(5² − 3²) before the centre.
        near(sphere.distance(ray([0.0; 3], [0.0, 0.0, -1.0])), Some(6.0));
        near(sphere.distance(ray([0.0; 3], [0.0, 0.0, 1.0])), None);
        near(sphere.distance(ray([0.0, -2.1, 0.0], [0.0, 0.0, -1.0])), None);
        near(sphere.distance(ray([0.0, 3.0, -8.0], [1.0, 0.0, 0.0])), Some(0.0));
    }

    #[test]
    fn ray_hits_a_rotated_box() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        let upright = Shape::Box { centre: DVec3::NEG_Z * 10.0, rotation: DQuat::IDENTITY, half };
        let ahead = ray([0.0; 3], [0.0, 0.0, -1.0]);
        near(upright.distance(ahead), Some(7.0));
        let rotation = DQuat::from_rotation_y(FRAC_PI_2);
        let turned = Shape::Box { centre: DVec3::NEG_Z * 10.0, rotation, half };
        near(turned.distance(ahead), Some(9.0));
        near(turned.distance(ray([2.9, 0.0, 0.0], [0.0, 0.0, -1.0])), Some(9.0));
        near(upright.distance(ray([2.9, 0.0, 0.0], [0.0, 0.0, -1.0])), None);
        near(upright.distance(ray([0.0, 0.0, -9.0], [0.0, 1.0, 0.0])), Some(0.0));
        near(upright.distance(ray([0.0, 0.0, -20.0], [0.0, 0.0, -1.0])), None);
    }

    #[test]
    fn ray_hits_a_rectangle_within_its_edges_from_both_sides() {
        let half = DVec2::new(1.0, 0.5);
        let screen = Shape::Plane { centre: DVec3::NEG_Z * 2.0, rotation: DQuat::IDENTITY, half };
        near(screen.distance(ray([0.0; 3], [0.0, 0.0, -1.0])), Some(2.0));
        near(screen.distance(ray([0.0, 0.0, -3.0], [0.0, 0.0, 1.0])), Some(1.0));
        near(screen.distance(ray([0.0, 0.51, 0.0], [0.0, 0.0, -1.0])), None);
        near(screen.distance(ray([0.0; 3], [0.9, 0.0, -2.0])), Some(0.9_f64.hypot(2.0)));
        near(screen.distance(ray([0.0; 3], [1.1, 0.0, -2.0])), None);
        near(screen.distance(ray([0.0; 3], [1.0, 0.0, 0.0])), None);
    }

    #[test]
    fn area_follows_its_joint() {
        let world = Transform {
            translation: DVec3::new(5.0, 0.0, 0.0),
            rotation: DQuat::from_rotation_y(FRAC_PI_2),
            ..Transform::IDENTITY
        };
        let mut pose = Pose::default();
        pose.nodes = vec![NodePose { shown: true, world, ..NodePose::default() }];
        let shape = Shape::Sphere { centre: DVec3::NEG_Z * 4.0, radius: 0.5 };
        let area = Area { name: "cup".to_owned(), shape, joint: Some(NodeId::new(0)) };
        // A quarter turn to the left takes −Z to −X: the sphere is around x = 1.
        let ahead = ray([1.0, 0.0, 2.0], [0.0, 0.0, -1.0]);
        near(area.distance(ahead, &pose), Some(1.5));
        pose.nodes[0].shown = false;
        near(area.distance(ahead, &pose), None);
        near(Area { joint: Some(NodeId::new(9)), ..area }.distance(ahead, &pose), None);
    }
}
