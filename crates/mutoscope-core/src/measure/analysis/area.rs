//! Areas of interest, and the intersection of rays with them.

use glam::{DQuat, DVec2, DVec3};

use super::Ray;
use crate::clip::{NodeId, Pose};

/// An area of interest: something that a person may look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// The name of the area.
    pub name: String,
    /// The shape of the area.
    pub shape: Shape,
    /// The joint that the area moves and rotates with. The shape is relative to this joint, or
    /// fixed in the viewer's space if `None`.
    pub joint: Option<NodeId>,
}

/// The shape of an area, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A sphere.
    Sphere {
        /// The centre.
        centre: DVec3,
        /// The radius.
        radius: f64,
    },
    /// A box.
    Box {
        /// The centre.
        centre: DVec3,
        /// The rotation.
        rotation: DQuat,
        /// Half of each edge length, along the axes of the box.
        half: DVec3,
    },
    /// A rectangle that is visible from both sides, such as a screen.
    Plane {
        /// The centre.
        centre: DVec3,
        /// The rotation. The rectangle faces along its own Z axis.
        rotation: DQuat,
        /// Half of the width and height, along the rectangle's own X and Y axes.
        half: DVec2,
    },
}

impl Area {
    /// Returns the distance along `ray` at which it hits the area in `pose`, in metres: 0 if the
    /// ray starts inside. Returns `None` if the ray misses the area, or if the area's joint is
    /// hidden.
    pub fn hit_distance(&self, ray: Ray, pose: &Pose) -> Option<f64> {
        let Some(joint) = self.joint else { return self.shape.hit_distance(ray) };
        let node = pose.nodes.get(joint.index()).filter(|node| node.is_visible)?;
        let inverse = node.world.rotation.inverse();
        let origin = inverse * (ray.origin - node.world.translation);
        self.shape.hit_distance(Ray { origin, direction: inverse * ray.direction })
    }
}

impl Shape {
    /// Returns the rotation of the shape, which is the identity for a sphere.
    pub fn rotation(&self) -> DQuat {
        match *self {
            Self::Sphere { .. } => DQuat::IDENTITY,
            Self::Box { rotation, .. } | Self::Plane { rotation, .. } => rotation,
        }
    }

    /// Returns a mutable reference to the centre.
    pub fn centre_mut(&mut self) -> &mut DVec3 {
        match self {
            Self::Sphere { centre, .. } | Self::Box { centre, .. } | Self::Plane { centre, .. } => {
                centre
            }
        }
    }

    /// Returns the centre, in metres.
    pub fn centre(&self) -> DVec3 {
        match *self {
            Self::Sphere { centre, .. } | Self::Box { centre, .. } | Self::Plane { centre, .. } => {
                centre
            }
        }
    }

    /// Returns the distance along `ray` at which the ray hits the shape, in metres. The distance is
    /// 0 if the ray starts inside the shape. Returns `None` if the ray misses the shape.
    pub fn hit_distance(&self, ray: Ray) -> Option<f64> {
        match *self {
            Self::Sphere { centre, radius } => hit_sphere(ray, centre, radius),
            Self::Box { centre, rotation, half } => hit_box(to_local(ray, centre, rotation), half),
            Self::Plane { centre, rotation, half } => {
                hit_plane(to_local(ray, centre, rotation), half)
            }
        }
    }
}

fn to_local(ray: Ray, centre: DVec3, rotation: DQuat) -> Ray {
    let inverse = rotation.inverse();
    Ray { origin: inverse * (ray.origin - centre), direction: inverse * ray.direction }
}

fn hit_sphere(Ray { origin, direction }: Ray, centre: DVec3, radius: f64) -> Option<f64> {
    let to_centre = centre - origin;
    if to_centre.length() <= radius {
        return Some(0.0);
    }
    let along = to_centre.dot(direction);
    // The distance from the ray to the centre of the sphere. For distant spheres, the difference of
    // squares would be inaccurate.
    let distance = (to_centre - along * direction).length();
    (along > 0.0 && distance <= radius)
        .then(|| along - (radius * radius - distance * distance).sqrt())
}

/// Finds the part of the ray that lies between the planes of all three axes (slab method).
fn hit_box(Ray { origin, direction }: Ray, half: DVec3) -> Option<f64> {
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

fn hit_plane(Ray { origin, direction }: Ray, half: DVec2) -> Option<f64> {
    let distance = -origin.z / direction.z;
    let point = origin + distance * direction;
    let is_ahead = distance.is_finite() && distance >= 0.0;
    (is_ahead && point.x.abs() <= half.x && point.y.abs() <= half.y).then_some(distance)
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

    fn assert_near(found: Option<f64>, expected: Option<f64>) {
        match (found, expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{found}"),
            _ => assert_eq!(found, expected),
        }
    }

    #[test]
    fn ray_hits_the_near_side_of_a_sphere() {
        let sphere = Shape::Sphere { centre: DVec3::new(0.0, 3.0, -10.0), radius: 5.0 };
        // The centre is 3 m above the ray, so the ray enters the sphere √(5² − 3²) = 4 m before it.
        assert_near(sphere.hit_distance(ray([0.0; 3], [0.0, 0.0, -1.0])), Some(6.0));
        assert_near(sphere.hit_distance(ray([0.0; 3], [0.0, 0.0, 1.0])), None);
        assert_near(sphere.hit_distance(ray([0.0, -2.1, 0.0], [0.0, 0.0, -1.0])), None);
        assert_near(sphere.hit_distance(ray([0.0, 3.0, -8.0], [1.0, 0.0, 0.0])), Some(0.0));
    }

    #[test]
    fn ray_hits_a_rotated_box() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        let upright = Shape::Box { centre: DVec3::NEG_Z * 10.0, rotation: DQuat::IDENTITY, half };
        let ahead = ray([0.0; 3], [0.0, 0.0, -1.0]);
        assert_near(upright.hit_distance(ahead), Some(7.0));
        let rotation = DQuat::from_rotation_y(FRAC_PI_2);
        let turned = Shape::Box { centre: DVec3::NEG_Z * 10.0, rotation, half };
        assert_near(turned.hit_distance(ahead), Some(9.0));
        assert_near(turned.hit_distance(ray([2.9, 0.0, 0.0], [0.0, 0.0, -1.0])), Some(9.0));
        assert_near(upright.hit_distance(ray([2.9, 0.0, 0.0], [0.0, 0.0, -1.0])), None);
        assert_near(upright.hit_distance(ray([0.0, 0.0, -9.0], [0.0, 1.0, 0.0])), Some(0.0));
        assert_near(upright.hit_distance(ray([0.0, 0.0, -20.0], [0.0, 0.0, -1.0])), None);
    }

    #[test]
    fn ray_hits_a_rectangle_within_its_edges_from_both_sides() {
        let half = DVec2::new(1.0, 0.5);
        let screen = Shape::Plane { centre: DVec3::NEG_Z * 2.0, rotation: DQuat::IDENTITY, half };
        assert_near(screen.hit_distance(ray([0.0; 3], [0.0, 0.0, -1.0])), Some(2.0));
        assert_near(screen.hit_distance(ray([0.0, 0.0, -3.0], [0.0, 0.0, 1.0])), Some(1.0));
        assert_near(screen.hit_distance(ray([0.0, 0.51, 0.0], [0.0, 0.0, -1.0])), None);
        assert_near(screen.hit_distance(ray([0.0; 3], [0.9, 0.0, -2.0])), Some(0.9_f64.hypot(2.0)));
        assert_near(screen.hit_distance(ray([0.0; 3], [1.1, 0.0, -2.0])), None);
        assert_near(screen.hit_distance(ray([0.0; 3], [1.0, 0.0, 0.0])), None);
    }

    #[test]
    fn area_follows_its_joint() {
        let world = Transform {
            translation: DVec3::new(5.0, 0.0, 0.0),
            rotation: DQuat::from_rotation_y(FRAC_PI_2),
            ..Transform::IDENTITY
        };
        let mut pose = Pose::default();
        pose.nodes = vec![NodePose { is_visible: true, world, ..NodePose::default() }];
        let shape = Shape::Sphere { centre: DVec3::NEG_Z * 4.0, radius: 0.5 };
        let area = Area { name: "cup".to_owned(), shape, joint: Some(NodeId::new(0)) };
        // A quarter turn to the left takes −Z to −X, so the sphere is centred at x = 1.
        let ahead = ray([1.0, 0.0, 2.0], [0.0, 0.0, -1.0]);
        assert_near(area.hit_distance(ahead, &pose), Some(1.5));
        pose.nodes[0].is_visible = false;
        assert_near(area.hit_distance(ahead, &pose), None);
        assert_near(Area { joint: Some(NodeId::new(9)), ..area }.hit_distance(ahead, &pose), None);
    }
}
