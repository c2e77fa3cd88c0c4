//! The surface of a solid as triangles: naive surface nets (S. Gibson, 1998).

use glam::{UVec3, Vec3};

/// A closed surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surface {
    /// Where its points are.
    pub(super) points: Vec<Vec3>,
    /// Indices of its points, anticlockwise as seen from outside.
    pub(super) triangles: Vec<u32>,
}

/// The surface of what is in the box from `least` to `most` and where `distance` is negative, with
/// triangles of about the size `step`. It must not touch the faces of the box.
///
/// `distance` must have a Lipschitz constant of 1: it differs by at most how far two places are apart.
pub(super) fn surface(
    [least, most]: [Vec3; 2],
    step: f32,
    distance: impl Fn(Vec3) -> f32,
) -> Surface {
    let size = ((most - least) / step).ceil().as_uvec3() + 1;
    let mut field = Field { least, step, size, values: Vec::new() };
    field.fill(distance);
    let mut surface = Surface::default();
    let mut point_of = vec![u32::MAX; field.values.len()];
    for cell in field.corners() {
        if let Some(point) = field.crossing(cell) {
            point_of[field.index(cell)] = surface.points.len() as u32;
            surface.points.push(point);
        }
    }
    for corner in field.corners() {
        for axis in 0..3 {
            field.close(corner, axis, &point_of, &mut surface.triangles);
        }
    }
    surface
}

/// A number at each corner of a grid of cells.
struct Field {
    least: Vec3,
    step: f32,
    /// How many corners there are along each axis.
    size: UVec3,
    values: Vec<f32>,
}

impl Field {
    fn corners(&self) -> impl Iterator<Item = UVec3> + use<> {
        let UVec3 { x, y, z } = self.size;
        (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| UVec3 { x, y, z })))
    }

    /// Computes its numbers, where the surface is far as one for many corners.
    fn fill(&mut self, distance: impl Fn(Vec3) -> f32) {
        /// How many corners along an edge have one number.
        const BLOCK: u32 = 4;
        let blocks = Self {
            size: self.size.map(|corners| corners.div_ceil(BLOCK)),
            values: Vec::new(),
            ..*self
        };
        let half = (BLOCK - 1) as f32 / 2.0 * self.step;
        let is_far: Vec<Option<f32>> = blocks
            .corners()
            .map(|block| distance(self.place(block * BLOCK) + half))
            .map(|distance| (distance.abs() > 1.75 * half + self.step).then_some(distance))
            .collect();
        let values = self.corners().map(|corner| {
            let far = is_far[blocks.index(corner / BLOCK)];
            far.unwrap_or_else(|| distance(self.place(corner)))
        });
        self.values = values.collect();
    }

    fn index(&self, corner: UVec3) -> usize {
        ((corner.z * self.size.y + corner.y) * self.size.x + corner.x) as usize
    }

    fn place(&self, corner: UVec3) -> Vec3 {
        self.least + corner.as_vec3() * self.step
    }

    fn is_inside(&self, corner: UVec3) -> bool {
        self.values[self.index(corner)] < 0.0
    }

    /// The mean of where the surface crosses the edges of the cell whose least corner this is.
    fn crossing(&self, cell: UVec3) -> Option<Vec3> {
        if (cell + 1).cmpge(self.size).any() {
            return None;
        }
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for edge in 0..12 {
            let axis = edge / 4;
            let mut from = cell;
            from[(axis + 1) % 3] += edge as u32 % 2;
            from[(axis + 2) % 3] += edge as u32 / 2 % 2;
            let to = from + UVec3::AXES[axis];
            let [a, b] = [from, to].map(|corner| self.values[self.index(corner)]);
            if (a < 0.0) != (b < 0.0) {
                sum += self.place(from).lerp(self.place(to), a / (a - b));
                count += 1.0;
            }
        }
        (count > 0.0).then(|| sum / count)
    }

    /// Adds the square of the four cells around the edge from `corner` along `axis`, if the surface
    /// crosses it.
    fn close(&self, corner: UVec3, axis: usize, point_of: &[u32], triangles: &mut Vec<u32>) {
        let to = corner + UVec3::AXES[axis];
        let [second, third] = [(axis + 1) % 3, (axis + 2) % 3];
        if to[axis] >= self.size[axis] || corner[second] == 0 || corner[third] == 0 {
            return;
        }
        let is_inside = self.is_inside(corner);
        if is_inside == self.is_inside(to) {
            return;
        }
        let [second, third] = [UVec3::AXES[second], UVec3::AXES[third]];
        let cells = [corner - second - third, corner - third, corner, corner - second];
        let [a, b, c, d] = cells.map(|cell| point_of[self.index(cell)]);
        triangles.extend(if is_inside { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::figure::testing::is_closed;

    fn ball() -> Surface {
        surface([Vec3::splat(-1.4), Vec3::splat(1.3)], 0.1, |place| place.length() - 1.0)
    }

    #[test]
    fn points_of_a_ball_are_at_its_radius() {
        let points = ball().points;
        assert!(points.len() > 1000);
        assert!(points.iter().all(|point| (point.length() - 1.0).abs() < 0.01));
    }

    #[test]
    fn surface_is_closed() {
        assert!(is_closed(&ball().triangles), "each side is gone both ways");
    }

    #[test]
    fn surface_faces_outwards_and_encloses_the_volume() {
        let Surface { points, triangles } = ball();
        let corners =
            triangles.chunks_exact(3).map(|one| [0, 1, 2].map(|at| points[one[at] as usize]));
        let volume: f32 = corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        assert!((volume / (4.0 / 3.0 * std::f32::consts::PI) - 1.0).abs() < 0.02, "{volume}");
    }
}
