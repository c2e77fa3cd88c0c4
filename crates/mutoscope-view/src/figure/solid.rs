//! Solids that are smooth unions of round cones, and their surfaces.

use glam::Vec3;

use super::surface_nets::{Surface, extract_surface};

/// A round cone: the hull of two spheres.
pub(super) type RoundCone = [ConeEnd; 2];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ConeEnd {
    pub(super) centre: Vec3,
    pub(super) radius: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    /// The round cones, in groups. Groups are blended with each other, but the cones within a group
    /// are not.
    pub(super) groups: Vec<Vec<RoundCone>>,
    /// The distance within which groups are blended.
    pub(super) blend: f32,
    /// The flat end of the solid, if any. The solid has no points beyond this plane.
    pub(super) cut: Option<Cut>,
}

/// A plane that ends a solid: the points at `offset` along `normal`, which points out of the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) normal: Vec3,
    pub(super) offset: f32,
}

/// The surface of a solid, with a normal for each point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SolidSurface {
    pub(super) points: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// Indices of points, anticlockwise as seen from outside.
    pub(super) triangles: Vec<u32>,
}

impl Solid {
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let cone_ends = || self.groups.iter().flatten().flatten();
        let room = |cone_end: &ConeEnd| Vec3::splat(cone_end.radius + 2.0 * self.blend);
        let min = cone_ends().map(|cone_end| cone_end.centre - room(cone_end)).reduce(Vec3::min);
        let max = cone_ends().map(|cone_end| cone_end.centre + room(cone_end)).reduce(Vec3::max);
        [min, max].map(Option::unwrap_or_default)
    }

    /// Returns the approximate distance of `point` from the surface, which is negative inside.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let to_cone = |[from, to]: &RoundCone| {
            let share = share_along([from.centre, to.centre], point);
            let radius = from.radius + (to.radius - from.radius) * share;
            point.distance(from.centre.lerp(to.centre, share)) - radius
        };
        let distances =
            self.groups.iter().map(|cones| cones.iter().map(to_cone).fold(f32::INFINITY, f32::min));
        let united = distances.fold(f32::INFINITY, |a, b| smooth_min(a, b, self.blend));
        match self.cut {
            Some(cut) => -smooth_min(-united, cut.offset - point.dot(cut.normal), self.blend / 2.0),
            None => united,
        }
    }

    pub(super) fn outward_normal(&self, point: Vec3) -> Vec3 {
        let step = 0.2 * self.blend;
        let slope = Vec3::AXES
            .map(|axis| self.distance(point + axis * step) - self.distance(point - axis * step));
        Vec3::from_array(slope).normalize_or(Vec3::Y)
    }

    /// Returns the surface as triangles of about the size `step`.
    pub(super) fn surface(&self, step: f32) -> SolidSurface {
        let Surface { mut points, triangles } =
            extract_surface(self.bounds(), step, |point| self.distance(point));
        for point in &mut points {
            *point -= self.outward_normal(*point) * self.distance(*point);
        }
        let normals = points.iter().map(|point| self.outward_normal(*point)).collect();
        SolidSurface { points, normals, triangles }
    }
}

pub(super) fn share_along([from, to]: [Vec3; 2], point: Vec3) -> f32 {
    let line = to - from;
    let share = (point - from).dot(line) / line.length_squared();
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the polynomial smooth minimum of two distances (Inigo Quilez). If the distances differ
/// by less than `blend`, the result is less than both, so that the shapes merge smoothly.
fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    let share = 1.0 - (a - b).abs() / blend;
    let min = a.min(b);
    if share > 0.0 { min - share * share * blend / 4.0 } else { min }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::testing::is_closed;

    fn capsule(cut: Option<Cut>) -> Solid {
        let end = |z: f32| ConeEnd { centre: Vec3::Z * z, radius: 0.5 };
        Solid { groups: vec![vec![[end(0.0), end(1.0)]]], blend: 0.05, cut }
    }

    #[test]
    fn surface_of_a_capsule_has_its_radius() {
        let SolidSurface { points, normals, triangles } = capsule(None).surface(0.1);
        assert!(is_closed(&triangles));
        for (point, normal) in points.iter().zip(&normals) {
            let from_axis = *point - Vec3::Z * point.z.clamp(0.0, 1.0);
            assert!((from_axis.length() - 0.5).abs() < 1e-3, "{point}");
            assert!(normal.dot(from_axis) > 0.49, "the normal points outwards: {normal}");
        }
    }

    #[test]
    fn cut_solids_are_flat_at_the_plane() {
        let cut = Cut { normal: Vec3::NEG_Y, offset: 0.2 };
        let points = capsule(Some(cut)).surface(0.05).points;
        let lowest = points.iter().map(|point| point.y).fold(0.0, f32::min);
        assert!((lowest + 0.2).abs() < 0.01, "{lowest}");
        assert!(points.iter().any(|point| point.y > 0.49), "only the lower side is cut");
    }
}
