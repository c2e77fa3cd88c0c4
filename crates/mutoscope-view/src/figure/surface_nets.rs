//! Extracts the surface of a solid as triangles, with naive surface nets (S. Gibson, 1998).

use glam::{UVec3, Vec3};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surface {
    pub(super) points: Vec<Vec3>,
    /// Indices of points, anticlockwise as seen from outside.
    pub(super) triangles: Vec<u32>,
}

/// Extracts the surface of the solid in which `distance` is negative. The solid must lie inside the
/// box from `min` to `max` without touching its faces. The triangles have about the size `step`.
///
/// `distance` must have a Lipschitz constant of 1: its values at two points differ by at most the
/// distance of the points.
pub(super) fn extract_surface(
    [min, max]: [Vec3; 2],
    step: f32,
    distance: impl Fn(Vec3) -> f32,
) -> Surface {
    let size = ((max - min) / step).ceil().as_uvec3() + 1;
    let mut grid = DistanceGrid { min, step, size, values: Vec::new() };
    grid.sample_distances(distance);
    let mut surface = Surface::default();
    let mut point_of_cell = vec![u32::MAX; grid.values.len()];
    for cell in grid.corners() {
        if let Some(point) = grid.cell_vertex(cell) {
            point_of_cell[grid.index(cell)] = surface.points.len() as u32;
            surface.points.push(point);
        }
    }
    for corner in grid.corners() {
        for axis in 0..3 {
            grid.add_quad(corner, axis, &point_of_cell, &mut surface.triangles);
        }
    }
    surface
}

struct DistanceGrid {
    min: Vec3,
    step: f32,
    size: UVec3,
    values: Vec<f32>,
}

impl DistanceGrid {
    fn corners(&self) -> impl Iterator<Item = UVec3> + use<> {
        let UVec3 { x, y, z } = self.size;
        (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| UVec3 { x, y, z })))
    }

    /// Computes the distances at the grid corners. Far from the surface, a whole block of corners
    /// shares one distance, because this saves most evaluations.
    fn sample_distances(&mut self, distance: impl Fn(Vec3) -> f32) {
        const BLOCK_SIZE: u32 = 4;
        let blocks = Self {
            size: self.size.map(|corners| corners.div_ceil(BLOCK_SIZE)),
            values: Vec::new(),
            ..*self
        };
        let half = (BLOCK_SIZE - 1) as f32 / 2.0 * self.step;
        // Corners are at most √3 × `half` from the centre of their block. If the distance at the
        // centre exceeds this by at least a cell, no edge of the block crosses the surface.
        let far_distances: Vec<Option<f32>> = blocks
            .corners()
            .map(|block| distance(self.position(block * BLOCK_SIZE) + half))
            .map(|distance| (distance.abs() > 1.75 * half + self.step).then_some(distance))
            .collect();
        let values = self.corners().map(|corner| {
            let far = far_distances[blocks.index(corner / BLOCK_SIZE)];
            far.unwrap_or_else(|| distance(self.position(corner)))
        });
        self.values = values.collect();
    }

    fn index(&self, corner: UVec3) -> usize {
        ((corner.z * self.size.y + corner.y) * self.size.x + corner.x) as usize
    }

    fn position(&self, corner: UVec3) -> Vec3 {
        self.min + corner.as_vec3() * self.step
    }

    fn is_inside(&self, corner: UVec3) -> bool {
        self.values[self.index(corner)] < 0.0
    }

    fn cell_vertex(&self, cell: UVec3) -> Option<Vec3> {
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
                sum += self.position(from).lerp(self.position(to), a / (a - b));
                count += 1.0;
            }
        }
        (count > 0.0).then(|| sum / count)
    }

    fn add_quad(
        &self,
        corner: UVec3,
        axis: usize,
        point_of_cell: &[u32],
        triangles: &mut Vec<u32>,
    ) {
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
        let [a, b, c, d] = cells.map(|cell| point_of_cell[self.index(cell)]);
        triangles.extend(if is_inside { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::testing::is_closed;

    fn ball() -> Surface {
        extract_surface([Vec3::splat(-1.4), Vec3::splat(1.3)], 0.1, |position| {
            position.length() - 1.0
        })
    }

    #[test]
    fn points_of_a_ball_are_at_its_radius() {
        let points = ball().points;
        assert!(points.len() > 1000);
        assert!(points.iter().all(|point| (point.length() - 1.0).abs() < 0.01));
    }

    #[test]
    fn surface_is_closed() {
        assert!(is_closed(&ball().triangles), "each edge is used in both directions");
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
