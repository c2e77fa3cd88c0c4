//! The volume of a convex hull, by Quickhull.

use std::collections::HashMap;

use glam::DVec3;

/// The volume of the convex hull of `points`, in cubic units: 0 if they are flat. `None` for fewer than four points,
/// and if rounding leaves no consistent hull.
pub fn hull_volume(points: &[DVec3]) -> Option<f64> {
    if points.len() < 4 || !points.iter().all(|point| point.is_finite()) {
        return None;
    }
    // Where many points are nearly in one plane, a coarser limit decides.
    [1.0, 1e3, 1e6, 1e8, 1e9, 1e10].into_iter().find_map(|coarse| Hull::volume(points, coarse))
}

struct Face {
    corners: [usize; 3],
    /// The faces beyond the edges from each corner to the next.
    beyond: [usize; 3],
    normal: DVec3,
    offset: f64,
    /// The points above it that are given to it.
    above: Vec<usize>,
    is_alive: bool,
}

struct Hull<'a> {
    points: &'a [DVec3],
    faces: Vec<Face>,
    limit: f64,
    origin: DVec3,
}

/// A face that sees a point, and an edge of it beyond which the next face does not.
struct HorizonEdge {
    from: usize,
    to: usize,
    beyond: usize,
}

impl<'a> Hull<'a> {
    fn volume(points: &'a [DVec3], coarse: f64) -> Option<f64> {
        let (low, high) = points
            .iter()
            .fold((points[0], points[0]), |(low, high), point| (low.min(*point), high.max(*point)));
        let origin = (low + high) / 2.0;
        let limit = coarse * 3.0 * f64::EPSILON * (high - low).max_element();
        let mut hull = Self { points, faces: Vec::new(), limit, origin };
        let Some(first) = hull.simplex() else { return Some(0.0) };
        hull.begin(first)?;
        let mut waiting: Vec<usize> = (0..4).collect();
        while let Some(face) = waiting.pop() {
            if hull.faces[face].is_alive && !hull.faces[face].above.is_empty() {
                waiting.extend(hull.add_point_of(face)?);
            }
        }
        let own = |face: &&Face| face.is_alive;
        let volume = |face: &Face| {
            let [a, b, c] = face.corners.map(|corner| hull.at(corner));
            a.dot(b.cross(c)) / 6.0
        };
        Some(hull.faces.iter().filter(own).map(volume).sum::<f64>().max(0.0))
    }

    fn at(&self, point: usize) -> DVec3 {
        self.points[point] - self.origin
    }

    /// Four points that span a volume; `None` if all are in one plane.
    fn simplex(&self) -> Option<[usize; 4]> {
        let farthest = |distance: &dyn Fn(DVec3) -> f64| {
            let all = (0..self.points.len()).map(|index| (index, distance(self.at(index))));
            all.max_by(|one, other| one.1.total_cmp(&other.1)).filter(|one| one.1 > self.limit)
        };
        let (a, _) = farthest(&DVec3::length)?;
        let (b, _) = farthest(&|point| point.distance(self.at(a)))?;
        let along = (self.at(b) - self.at(a)).normalize();
        let (c, _) =
            farthest(&|point| (point - self.at(a)).reject_from_normalized(along).length())?;
        let normal = along.cross(self.at(c) - self.at(a)).normalize();
        let (d, _) = farthest(&|point| (point - self.at(a)).dot(normal).abs())?;
        let is_above = (self.at(d) - self.at(a)).dot(normal) > 0.0;
        // Faces are seen counter-clockwise from outside.
        Some(if is_above { [a, c, b, d] } else { [a, b, c, d] })
    }

    fn begin(&mut self, [a, b, c, d]: [usize; 4]) -> Option<()> {
        for (corners, beyond) in [
            ([a, b, c], [1, 2, 3]),
            ([a, d, b], [3, 2, 0]),
            ([b, d, c], [1, 3, 0]),
            ([c, d, a], [2, 1, 0]),
        ] {
            self.add_face(corners, beyond)?;
        }
        let all = (0..self.points.len()).collect();
        self.give(all, &[0, 1, 2, 3]);
        Some(())
    }

    fn add_face(&mut self, corners: [usize; 3], beyond: [usize; 3]) -> Option<usize> {
        let [a, b, c] = corners.map(|corner| self.at(corner));
        let normal = (b - a).cross(c - a).try_normalize()?;
        self.faces.push(Face {
            corners,
            beyond,
            normal,
            offset: normal.dot(a),
            above: Vec::new(),
            is_alive: true,
        });
        Some(self.faces.len() - 1)
    }

    fn height(&self, face: usize, point: usize) -> f64 {
        self.faces[face].normal.dot(self.at(point)) - self.faces[face].offset
    }

    /// Gives each point to the first of `faces` that it is above; points within the hull are dropped.
    fn give(&mut self, points: Vec<usize>, faces: &[usize]) {
        for point in points {
            if let Some(face) = faces.iter().find(|face| self.height(**face, point) > self.limit) {
                self.faces[*face].above.push(point);
            }
        }
    }

    /// Extends the hull by the highest point above `face`, and returns the new faces.
    fn add_point_of(&mut self, face: usize) -> Option<Vec<usize>> {
        let above = self.faces[face].above.iter().copied();
        let apex = above
            .max_by(|one, other| self.height(face, *one).total_cmp(&self.height(face, *other)))?;
        let (visible, horizon) = self.seen_from(face, apex);
        let first = self.faces.len();
        let mut by_start = HashMap::with_capacity(horizon.len());
        for edge in &horizon {
            let index =
                self.add_face([edge.from, edge.to, apex], [edge.beyond, usize::MAX, usize::MAX])?;
            // The horizon is one circle, or rounding has broken it.
            by_start.insert(edge.from, index).is_none().then_some(())?;
            let beyond = &mut self.faces[edge.beyond];
            let side = (0..3).find(|side| {
                beyond.corners[*side] == edge.to && beyond.corners[(side + 1) % 3] == edge.from
            })?;
            beyond.beyond[side] = index;
        }
        for (index, edge) in (first..).zip(&horizon) {
            let next = *by_start.get(&edge.to)?;
            self.faces[index].beyond[1] = next;
            self.faces[next].beyond[2] = index;
        }
        let new: Vec<usize> = (first..self.faces.len()).collect();
        for face in visible {
            self.faces[face].is_alive = false;
            let points = std::mem::take(&mut self.faces[face].above);
            self.give(points, &new);
        }
        Some(new)
    }

    /// The faces that a point is above, from `face` on, and the edges around them.
    fn seen_from(&self, face: usize, point: usize) -> (Vec<usize>, Vec<HorizonEdge>) {
        let (mut visible, mut horizon) = (vec![face], Vec::new());
        let mut is_seen = HashMap::from([(face, true)]);
        let mut next = 0;
        while let Some(&face) = visible.get(next) {
            next += 1;
            let Face { corners, beyond, .. } = &self.faces[face];
            for side in 0..3 {
                let other = beyond[side];
                let is_new = !is_seen.contains_key(&other);
                let sees =
                    *is_seen.entry(other).or_insert_with(|| self.height(other, point) > self.limit);
                match sees {
                    true if is_new => visible.push(other),
                    true => {}
                    false => horizon.push(HorizonEdge {
                        from: corners[side],
                        to: corners[(side + 1) % 3],
                        beyond: other,
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

    fn near(points: &[DVec3], expected: f64, tolerance: f64) {
        let found = hull_volume(points).expect("there are enough points");
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }

    #[test]
    fn volumes_of_known_bodies() {
        let corner = |bits: u32| {
            DVec3::new(f64::from(bits & 1), f64::from(bits >> 1 & 1), f64::from(bits >> 2 & 1))
        };
        let mut random = fastrand::Rng::with_seed(3);
        let mut cube: Vec<DVec3> =
            (0..8).map(|bits| corner(bits) * DVec3::new(0.2, 0.3, 0.4) + 1e3).collect();
        near(&cube, 0.024, 1e-12);
        cube.extend(
            (0..5000).map(|_| {
                DVec3::new(0.2 * random.f64(), 0.3 * random.f64(), 0.4 * random.f64()) + 1e3
            }),
        );
        cube.extend_from_within(..);
        near(&cube, 0.024, 1e-12);
        // Many points in the planes and on the edges of a cube.
        let grid: Vec<DVec3> = (0..1000)
            .map(|it| {
                DVec3::new(f64::from(it % 10), f64::from(it / 10 % 10), f64::from(it / 100)) / 9.0
            })
            .collect();
        near(&grid, 1.0, 1e-9);
        let on_sphere = |index: i32| {
            let (y, turn) = (
                1.0 - 2.0 * (f64::from(index) + 0.5) / 20_000.0,
                f64::from(index) * PI * (3.0 - 5.0_f64.sqrt()),
            );
            let radius = (1.0 - y * y).sqrt();
            DVec3::new(radius * turn.cos(), y, radius * turn.sin())
        };
        let sphere: Vec<DVec3> = (0..20_000).map(on_sphere).collect();
        near(&sphere, 4.0 / 3.0 * PI, 2e-3);
    }

    #[test]
    fn flat_and_few_points_have_no_volume() {
        assert_eq!(hull_volume(&[DVec3::X; 3]), None);
        assert_eq!(hull_volume(&[DVec3::ONE; 9]), Some(0.0));
        let line: Vec<DVec3> =
            (0..50).map(|it| DVec3::new(1.0, 2.0, 3.0) * f64::from(it)).collect();
        near(&line, 0.0, 1e-9);
        let plane: Vec<DVec3> =
            (0..50).map(|it| DVec3::new(f64::from(it * it % 7), f64::from(it % 11), 5.0)).collect();
        assert_eq!(hull_volume(&plane), Some(0.0));
        assert_eq!(hull_volume(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::NAN]), None);
    }
}
