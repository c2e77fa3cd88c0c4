//! Creates the surface of a palm: two sheets between the wrist and the knuckles, and a rim that
//! joins them.

use glam::Vec3;

const ROWS: usize = 4;

/// The position of each row along a finger: −1 is the wrist, 0 is the base of the finger and 1 is
/// its knuckle.
const ROW_POSITIONS: [f32; ROWS] = [-0.55, 0.05, 0.55, 1.0];

/// Half the palm thickness at each row, relative to the bone radius.
const ROW_THICKNESS: [f32; ROWS] = [0.9, 1.12, 1.1, 0.86];

const THUMB_SHARE_IN_PALM: f32 = 0.72;

const DEFAULT_BASE_SHARE: f32 = 0.3;

const RIM_RATIO: f32 = 0.55;

/// The part of a finger that is in the palm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PalmEdge {
    /// The position where the finger begins.
    pub base: Vec3,
    /// The position where the finger leaves the palm.
    pub knuckle: Vec3,
}

impl PalmEdge {
    /// Creates the edge of a finger. A finger without a base begins on the way from the wrist to
    /// the knuckle.
    pub fn new(wrist: Vec3, base: Option<Vec3>, knuckle: Vec3, is_thumb: bool) -> Self {
        let base = base.unwrap_or_else(|| wrist.lerp(knuckle, DEFAULT_BASE_SHARE));
        let knuckle = if is_thumb { base.lerp(knuckle, THUMB_SHARE_IN_PALM) } else { knuckle };
        Self { base, knuckle }
    }
}

/// The points of a palm and their normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PalmSurface {
    /// The positions of the points.
    pub positions: Vec<[f32; 3]>,
    /// The normals of the points.
    pub normals: Vec<[f32; 3]>,
}

impl PalmSurface {
    /// Returns the triangles of a palm that has `edges` finger edges. Each triangle has three point
    /// indices, anticlockwise as seen from outside.
    pub fn triangles(edges: usize) -> Vec<u32> {
        let sheet = (edges * ROWS) as u32;
        let mut triangles = Vec::new();
        let at = |row: usize, edge: usize| (row * edges + edge) as u32;
        for row in 0..ROWS - 1 {
            for edge in 0..edges.saturating_sub(1) {
                let corners = [(row, edge), (row + 1, edge), (row + 1, edge + 1), (row, edge + 1)];
                let [a, b, c, d] = corners.map(|(row, edge)| at(row, edge));
                triangles.extend([a, b, c, a, c, d]);
                triangles.extend([a, c, b, a, d, c].map(|point| point + sheet));
            }
        }
        let around = boundary_points(edges);
        for (index, point) in around.iter().enumerate() {
            let after = (index + 1) % around.len();
            let [top, next_top] = [*point as u32, around[after] as u32];
            let [bottom, next_bottom] = [top, next_top].map(|point| point + sheet);
            let [rim, next_rim] = [index, after].map(|index| 2 * sheet + index as u32);
            triangles.extend([top, rim, next_rim, top, next_rim, next_top]);
            triangles.extend([rim, bottom, next_bottom, rim, next_bottom, next_rim]);
        }
        triangles
    }

    /// Computes the surface between `wrist` and `edges`, which are ordered from the thumb to the
    /// little finger or the other way round. `radius` is the radius of the bones.
    pub fn update(&mut self, wrist: Vec3, edges: &[PalmEdge], radius: f32) {
        let middles: Vec<Vec3> = ROW_POSITIONS
            .iter()
            .flat_map(|&position| edges.iter().map(move |edge| edge_point(wrist, *edge, position)))
            .collect();
        let count = edges.len();
        let sheet_normals: Vec<Vec3> =
            (0..middles.len()).map(|point| sheet_normal(&middles, count, point)).collect();
        self.positions.clear();
        for side in [1.0, -1.0] {
            self.positions.extend(middles.iter().zip(&sheet_normals).enumerate().map(
                |(index, (middle, normal))| {
                    let half = ROW_THICKNESS[index / count] * radius;
                    (middle + side * half * normal).to_array()
                },
            ));
        }
        let middle = middles.iter().sum::<Vec3>() / middles.len().max(1) as f32;
        for point in boundary_points(count) {
            let half = ROW_THICKNESS[point / count] * radius;
            let out = middles[point] - middle;
            let out =
                (out - out.dot(sheet_normals[point]) * sheet_normals[point]).normalize_or_zero();
            self.positions.push((middles[point] + RIM_RATIO * half * out).to_array());
        }
        self.update_normals(&Self::triangles(count));
    }

    fn update_normals(&mut self, triangles: &[u32]) {
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for corners in triangles.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| corners[corner] as usize);
            let [pa, pb, pc] = [a, b, c].map(|point| Vec3::from_array(self.positions[point]));
            let normal = (pb - pa).cross(pc - pa);
            [a, b, c].into_iter().for_each(|point| normals[point] += normal);
        }
        self.normals.clear();
        self.normals.extend(normals.iter().map(|normal| normal.normalize_or(Vec3::Y).to_array()));
    }
}

fn edge_point(wrist: Vec3, edge: PalmEdge, position: f32) -> Vec3 {
    if position < 0.0 {
        edge.base.lerp(wrist, -position)
    } else {
        edge.base.lerp(edge.knuckle, position)
    }
}

fn sheet_normal(middles: &[Vec3], edges: usize, point: usize) -> Vec3 {
    let (row, edge) = (point / edges, point % edges);
    let [before, after] = [edge.saturating_sub(1), (edge + 1).min(edges - 1)];
    let across = middles[row * edges + after] - middles[row * edges + before];
    let [below, above] = [row.saturating_sub(1), (row + 1).min(ROWS - 1)];
    let along = middles[above * edges + edge] - middles[below * edges + edge];
    along.cross(across).normalize_or_zero()
}

fn boundary_points(edges: usize) -> Vec<usize> {
    let last = edges.saturating_sub(1);
    let knuckles = (0..edges).map(|edge| (ROWS - 1) * edges + edge);
    let down = (0..ROWS - 1).rev().map(|row| row * edges + last);
    let back = (0..last).rev();
    let up = (1..ROWS - 1).map(|row| row * edges);
    knuckles.chain(down).chain(back).chain(up).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::testing::is_closed;

    const WRIST: Vec3 = Vec3::ZERO;

    fn flat_hand(mirror: f32) -> Vec<PalmEdge> {
        let edge = |x: f32, is_thumb| {
            let base = Vec3::new(mirror * x * 0.4, 0.0, -0.03);
            PalmEdge::new(WRIST, Some(base), Vec3::new(mirror * x, 0.0, -0.09), is_thumb)
        };
        vec![
            edge(-0.05, true),
            edge(-0.03, false),
            edge(-0.01, false),
            edge(0.01, false),
            edge(0.03, false),
        ]
    }

    fn surface(edges: &[PalmEdge]) -> PalmSurface {
        let mut surface = PalmSurface::default();
        surface.update(WRIST, edges, 0.006);
        surface
    }

    #[test]
    fn surface_is_closed() {
        for edges in 3..=5 {
            let triangles = PalmSurface::triangles(edges);
            assert!(is_closed(&triangles), "{edges}: each edge is used in both directions");
        }
    }

    #[test]
    fn normals_point_outwards_on_both_hands() {
        for mirror in [1.0, -1.0] {
            let edges = flat_hand(mirror);
            let PalmSurface { positions, normals } = surface(&edges);
            let sheet = edges.len() * ROWS;
            for point in 0..2 * sheet {
                let (height, up) = (positions[point][1], normals[point][1]);
                assert!(height * up > 0.0, "{point}: at {height} it faces {up}");
            }
        }
    }

    #[test]
    fn palm_reaches_from_near_the_wrist_to_the_knuckles_and_encloses_its_middle() {
        let edges = flat_hand(1.0);
        let PalmSurface { positions, .. } = surface(&edges);
        let [nearest, farthest] = [f32::max, f32::min]
            .map(|pick| positions.iter().map(|point| point[2]).reduce(pick).unwrap());
        assert!(nearest > -0.02 && nearest <= 0.01, "{nearest}");
        assert!((farthest + 0.09).abs() < 0.006, "{farthest}");
        let thickness = positions.iter().map(|point| point[1].abs()).fold(0.0, f32::max);
        assert!((0.005..0.008).contains(&thickness), "{thickness}");
    }

    #[test]
    fn palm_with_equal_points_is_finite() {
        let edges = vec![PalmEdge { base: WRIST, knuckle: WRIST }; 5];
        let surface = surface(&edges);
        assert!(surface.positions.iter().flatten().all(|number| number.is_finite()));
        assert!(surface.normals.iter().flatten().all(|number| number.is_finite()));
    }
}
