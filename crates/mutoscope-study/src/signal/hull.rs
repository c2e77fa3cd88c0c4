//! Computes the volume of a convex hull with Quickhull.
//!
//! We do not use the crate `chull` 0.2.4, because it fails with a rounding error for 10 000 points
//! in a box of 0.2 m at a distance of 1 km, and takes 40 times as long for a sphere. `parry3d-f64`
//! 0.31 needs a second version of glam, and returns a negative volume for nearly flat points.

use std::collections::HashMap;

use glam::DVec3;

/// Returns the volume of the convex hull of `points`, in cubic units: 0 if they are flat. `None`
/// for fewer than four points, for points that are not finite, and if rounding errors leave no
/// consistent hull.
pub fn hull_volume(points: &[DVec3]) -> Option<f64> {
    if points.len() < 4 || !points.iter().all(|point| point.is_finite()) {
        return None;
    }
    // If many points lie nearly in one plane, rounding can make the hull inconsistent. Try again
    // with a coarser tolerance.
    [1.0, 1e3, 1e6, 1e8, 1e9, 1e10]
        .into_iter()
        .find_map(|coarseness| Hull::try_volume(points, coarseness))
}

struct Face {
    corners: [usize; 3],
    /// The faces that share an edge with this face. Edge `i` runs from corner `i` to the next
    /// corner.
    neighbours: [usize; 3],
    normal: DVec3,
    offset: f64,
    above: Vec<usize>,
    is_alive: bool,
}

struct Hull<'a> {
    points: &'a [DVec3],
    faces: Vec<Face>,
    limit: f64,
    origin: DVec3,
}

struct HorizonEdge {
    from: usize,
    to: usize,
    neighbour: usize,
}

impl<'a> Hull<'a> {
    fn try_volume(points: &'a [DVec3], coarseness: f64) -> Option<f64> {
        let (low, high) = points
            .iter()
            .fold((points[0], points[0]), |(low, high), point| (low.min(*point), high.max(*point)));
        let origin = (low + high) / 2.0;
        let limit = coarseness * 3.0 * f64::EPSILON * (high - low).max_element();
        let mut hull = Self { points, faces: Vec::new(), limit, origin };
        let Some(first) = hull.find_simplex() else { return Some(0.0) };
        hull.add_simplex(first)?;
        let mut pending: Vec<usize> = (0..4).collect();
        while let Some(face) = pending.pop() {
            if hull.faces[face].is_alive && !hull.faces[face].above.is_empty() {
                pending.extend(hull.extend_above(face)?);
            }
        }
        let alive = |face: &&Face| face.is_alive;
        let volume = |face: &Face| {
            let [a, b, c] = face.corners.map(|corner| hull.position(corner));
            a.dot(b.cross(c)) / 6.0
        };
        Some(hull.faces.iter().filter(alive).map(volume).sum::<f64>().max(0.0))
    }

    fn position(&self, point: usize) -> DVec3 {
        self.points[point] - self.origin
    }

    fn find_simplex(&self) -> Option<[usize; 4]> {
        let farthest = |distance: &dyn Fn(DVec3) -> f64| {
            let all = (0..self.points.len()).map(|index| (index, distance(self.position(index))));
            all.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, distance)| *distance > self.limit)
        };
        let (a, _) = farthest(&DVec3::length)?;
        let (b, _) = farthest(&|point| point.distance(self.position(a)))?;
        let along = (self.position(b) - self.position(a)).normalize();
        let (c, _) =
            farthest(&|point| (point - self.position(a)).reject_from_normalized(along).length())?;
        let normal = along.cross(self.position(c) - self.position(a)).normalize();
        let (d, _) = farthest(&|point| (point - self.position(a)).dot(normal).abs())?;
        let is_above = (self.position(d) - self.position(a)).dot(normal) > 0.0;
        // Order the corners so that faces are counter-clockwise seen from outside.
        Some(if is_above { [a, c, b, d] } else { [a, b, c, d] })
    }

    fn add_simplex(&mut self, [a, b, c, d]: [usize; 4]) -> Option<()> {
        for (corners, neighbours) in [
            ([a, b, c], [1, 2, 3]),
            ([a, d, b], [3, 2, 0]),
            ([b, d, c], [1, 3, 0]),
            ([c, d, a], [2, 1, 0]),
        ] {
            self.add_face(corners, neighbours)?;
        }
        let all = (0..self.points.len()).collect();
        self.assign_points(all, &[0, 1, 2, 3]);
        Some(())
    }

    fn add_face(&mut self, corners: [usize; 3], neighbours: [usize; 3]) -> Option<usize> {
        let [a, b, c] = corners.map(|corner| self.position(corner));
        let normal = (b - a).cross(c - a).try_normalize()?;
        self.faces.push(Face {
            corners,
            neighbours,
            normal,
            offset: normal.dot(a),
            above: Vec::new(),
            is_alive: true,
        });
        Some(self.faces.len() - 1)
    }

    fn height(&self, face: usize, point: usize) -> f64 {
        self.faces[face].normal.dot(self.position(point)) - self.faces[face].offset
    }

    fn assign_points(&mut self, points: Vec<usize>, faces: &[usize]) {
        for point in points {
            if let Some(face) = faces.iter().find(|face| self.height(**face, point) > self.limit) {
                self.faces[*face].above.push(point);
            }
        }
    }

    /// Extends the hull to the highest point above `face`. Returns the new faces, or `None` if
    /// rounding errors broke the hull.
    fn extend_above(&mut self, face: usize) -> Option<Vec<usize>> {
        let above = self.faces[face].above.iter().copied();
        let apex = above.max_by(|a, b| self.height(face, *a).total_cmp(&self.height(face, *b)))?;
        let (visible, horizon) = self.find_visible_faces(face, apex);
        let first = self.faces.len();
        let mut by_start = HashMap::with_capacity(horizon.len());
        for edge in &horizon {
            let index = self
                .add_face([edge.from, edge.to, apex], [edge.neighbour, usize::MAX, usize::MAX])?;
            // The horizon must be a single loop, so only one edge starts at each corner. If two
            // edges start at a corner, rounding errors broke the hull.
            by_start.insert(edge.from, index).is_none().then_some(())?;
            let neighbour = &mut self.faces[edge.neighbour];
            let side = (0..3).find(|side| {
                neighbour.corners[*side] == edge.to
                    && neighbour.corners[(side + 1) % 3] == edge.from
            })?;
            neighbour.neighbours[side] = index;
        }
        for (index, edge) in (first..).zip(&horizon) {
            let next = *by_start.get(&edge.to)?;
            self.faces[index].neighbours[1] = next;
            self.faces[next].neighbours[2] = index;
        }
        let new: Vec<usize> = (first..self.faces.len()).collect();
        for face in visible {
            self.faces[face].is_alive = false;
            let points = std::mem::take(&mut self.faces[face].above);
            self.assign_points(points, &new);
        }
        Some(new)
    }

    fn find_visible_faces(&self, face: usize, point: usize) -> (Vec<usize>, Vec<HorizonEdge>) {
        let (mut visible, mut horizon) = (vec![face], Vec::new());
        let mut is_seen = HashMap::from([(face, true)]);
        let mut next = 0;
        while let Some(&face) = visible.get(next) {
            next += 1;
            let Face { corners, neighbours, .. } = &self.faces[face];
            for side in 0..3 {
                let neighbour = neighbours[side];
                let is_new = !is_seen.contains_key(&neighbour);
                let sees = *is_seen
                    .entry(neighbour)
                    .or_insert_with(|| self.height(neighbour, point) > self.limit);
                match sees {
                    true if is_new => visible.push(neighbour),
                    true => {}
                    false => horizon.push(HorizonEdge {
                        from: corners[side],
                        to: corners[(side + 1) % 3],
                        neighbour,
                    }),
                }
            }
        }
        (visible, horizon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn assert_volume(points: &[DVec3], expected: f64, tolerance: f64) {
        let found = hull_volume(points).expect("there are enough points");
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }

    #[test]
    fn hull_volume_matches_known_solids() {
        let corner = |bits: u32| {
            DVec3::new(f64::from(bits & 1), f64::from(bits >> 1 & 1), f64::from(bits >> 2 & 1))
        };
        let mut random = fastrand::Rng::with_seed(3);
        let mut cube: Vec<DVec3> =
            (0..8).map(|bits| corner(bits) * DVec3::new(0.2, 0.3, 0.4) + 1e3).collect();
        assert_volume(&cube, 0.024, 1e-12);
        cube.extend(
            (0..5000).map(|_| {
                DVec3::new(0.2 * random.f64(), 0.3 * random.f64(), 0.4 * random.f64()) + 1e3
            }),
        );
        cube.extend_from_within(..);
        assert_volume(&cube, 0.024, 1e-12);
        // Many points on the faces and edges of a cube.
        let grid: Vec<DVec3> = (0..1000)
            .map(|it| {
                DVec3::new(f64::from(it % 10), f64::from(it / 10 % 10), f64::from(it / 100)) / 9.0
            })
            .collect();
        assert_volume(&grid, 1.0, 1e-9);
        let on_sphere = |index: i32| {
            let (y, turn) = (
                1.0 - 2.0 * (f64::from(index) + 0.5) / 20_000.0,
                f64::from(index) * PI * (3.0 - 5.0_f64.sqrt()),
            );
            let radius = (1.0 - y * y).sqrt();
            DVec3::new(radius * turn.cos(), y, radius * turn.sin())
        };
        let sphere: Vec<DVec3> = (0..20_000).map(on_sphere).collect();
        assert_volume(&sphere, 4.0 / 3.0 * PI, 2e-3);
    }

    #[test]
    fn flat_and_few_points_have_no_volume() {
        assert_eq!(hull_volume(&[DVec3::X; 3]), None);
        assert_eq!(hull_volume(&[DVec3::ONE; 9]), Some(0.0));
        let line: Vec<DVec3> =
            (0..50).map(|it| DVec3::new(1.0, 2.0, 3.0) * f64::from(it)).collect();
        assert_volume(&line, 0.0, 1e-9);
        let plane: Vec<DVec3> =
            (0..50).map(|it| DVec3::new(f64::from(it * it % 7), f64::from(it % 11), 5.0)).collect();
        assert_eq!(hull_volume(&plane), Some(0.0));
        assert_eq!(hull_volume(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::NAN]), None);
    }
}
