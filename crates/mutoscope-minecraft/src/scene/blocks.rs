//! Places the blocks of a scene on the game's grid, level by level.

use std::ops::Range;

use glam::{DMat3, DVec3, IVec3};

use super::{Transformation, block_state::BlockRotation};

/// The bounds of a placed block: an axis-aligned box of whole blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockBounds {
    /// The corner with the lowest coordinates.
    pub min: DVec3,
    /// The corner with the highest coordinates.
    pub max: DVec3,
}

impl BlockBounds {
    /// Returns the centre.
    pub fn centre(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// Returns the extent along each axis.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlockLevel {
    transformation: Transformation,
    centre: DVec3,
    linear: DMat3,
    /// `false` if no transformed block would be on the grid and the element does not round blocks.
    /// The game then places no blocks.
    keeps_grid: bool,
}

impl BlockLevel {
    pub(super) fn new(transformation: Transformation, centre: DVec3) -> Self {
        let keeps_grid = transformation.rounds_blocks || transformation.keeps_grid(centre);
        Self { linear: transformation.to_linear(), transformation, centre, keeps_grid }
    }

    pub(super) fn translated(&self, by: DVec3) -> Self {
        let offset = self.transformation.offset + by;
        Self::new(Transformation { offset, ..self.transformation }, self.centre)
    }

    pub(super) fn block_rotation(&self) -> BlockRotation {
        let Transformation { mirrors_x, mirrors_z, .. } = self.transformation;
        let quarters = round_half_up(self.transformation.wrapped_rotation() / 90.0);
        BlockRotation { quarter_turns: quarters.rem_euclid(4.0) as usize, mirrors_x, mirrors_z }
    }

    /// Returns the cell of the transformed block, or `None` if the block does not fill exactly one
    /// cell. The mod places a block that fills several cells only if its setting
    /// `block_allow_scaled` is on.
    pub(super) fn single_cell(&self, block: IVec3) -> Option<IVec3> {
        let mut cells = self.cells(block);
        cells.next().filter(|_| cells.next().is_none())
    }

    fn cells(&self, block: IVec3) -> impl Iterator<Item = IVec3> + use<'_> {
        let corner = |corner: f64| {
            let from_centre = block.as_dvec3() + corner - self.centre;
            self.linear * from_centre + self.centre + self.transformation.offset
        };
        let [p, q] = [corner(0.0), corner(1.0)];
        let heights = cell_range(p.y, q.y);
        let is_upright = self.transformation.has_right_angle();
        let rows = Outline { p, q, is_upright }.rows().filter(|_| self.keeps_grid);
        rows.flat_map(move |(z, columns)| {
            let heights = heights.clone();
            columns.flat_map(move |x| heights.clone().map(move |y| IVec3::new(x, y, z)))
        })
    }
}

impl Transformation {
    fn has_right_angle(&self) -> bool {
        self.wrapped_rotation() % 90.0 == 0.0
    }

    /// Returns `true` if blocks stay on the game's grid when they are transformed about `centre`.
    fn keeps_grid(&self, centre: DVec3) -> bool {
        let is_whole = |vector: DVec3| vector == vector.round();
        let on_scaled_grid = || {
            let is_even = self.scale % 2.0 == 0.0;
            let middle = if is_even { DVec3::ZERO } else { DVec3::new(0.5, 0.0, 0.5) };
            self.scale == 1.0 || self.scale.fract() == 0.0 && is_whole(centre + middle)
        };
        is_whole(2.0 * centre)
            && self.has_right_angle()
            && on_scaled_grid()
            && is_whole(self.offset)
    }
}

/// The outline of a transformed block, seen from above. It is a square, and `p` and `q` are
/// opposite corners.
#[derive(Clone, Copy)]
struct Outline {
    p: DVec3,
    q: DVec3,
    is_upright: bool,
}

impl Outline {
    fn rows(self) -> Box<dyn Iterator<Item = (i32, Range<i32>)>> {
        let Self { p, q, .. } = self;
        if self.is_upright {
            let columns = cell_range(p.x, q.x);
            return Box::new(cell_range(p.z, q.z).map(move |z| (z, columns.clone())));
        }
        let corners = self.corners();
        let min = corners.iter().map(|corner| corner[1]).fold(f64::MAX, f64::min);
        let max = corners.iter().map(|corner| corner[1]).fold(f64::MIN, f64::max);
        let rows = nearest_cell(min)..=nearest_cell(max);
        Box::new(rows.map(move |z| (z, columns_in_row(&corners, z))))
    }

    fn corners(&self) -> [[f64; 2]; 4] {
        let Self { p, q, .. } = *self;
        let middle = [(p.x + q.x) / 2.0, (p.z + q.z) / 2.0];
        let half = [p.x - middle[0], p.z - middle[1]];
        let across = [-half[1], half[0]];
        let corner = |by: [f64; 2], sign: f64| [middle[0] + sign * by[0], middle[1] + sign * by[1]];
        [corner(half, 1.0), corner(across, 1.0), corner(half, -1.0), corner(across, -1.0)]
    }
}

fn columns_in_row(corners: &[[f64; 2]; 4], z: i32) -> Range<i32> {
    let (mut min, mut max) = (f64::MAX, f64::MIN);
    let at = f64::from(z);
    for (index, &[x, from]) in corners.iter().enumerate() {
        let [to_x, to] = corners[(index + 1) % corners.len()];
        // Ignore an edge that only touches this z with an end.
        if from.min(to) < at && at < from.max(to) {
            let crossing = x + (to_x - x) * (at - from) / (to - from);
            (min, max) = (min.min(crossing), max.max(crossing));
        }
    }
    if min > max { 0..0 } else { cell_range(min, max) }
}

fn cell_range(a: f64, b: f64) -> Range<i32> {
    nearest_cell(a.min(b))..nearest_cell(a.max(b))
}

fn nearest_cell(coordinate: f64) -> i32 {
    round_half_up(coordinate) as i32
}

/// Rounds to the nearest integer, as the mod does. A half is rounded up, even if it is negative.
pub(super) fn round_half_up(value: f64) -> f64 {
    (value + 0.5).floor()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::scene::{Element, Placement, file};

    fn element(transformations: &Value) -> Element {
        let element = serde_json::json!({ "name": "r", "transformations": transformations });
        let scene = serde_json::json!({ "version": 4, "subscenes": [element] }).to_string();
        let mut diagnostics = mutoscope_core::diagnostics::Diagnostics::new();
        let mut scene = file::decode(scene.as_bytes(), &mut diagnostics).unwrap();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        scene.elements.remove(0)
    }

    fn vector(value: &Value) -> DVec3 {
        let numbers: Vec<f64> = serde_json::from_value(value.clone()).unwrap();
        DVec3::from_slice(&numbers)
    }

    fn set(cells: impl Iterator<Item = IVec3>) -> BTreeSet<[i32; 3]> {
        cells.map(|cell| cell.to_array()).collect()
    }

    /// The expected cells come from an independent implementation. Some cases turn one block into
    /// several.
    #[test]
    fn blocks_fill_the_same_cells_as_the_mod() {
        let expected = include_str!("../../../../tests/data/mcmocap-more/expected.json");
        let expected: Value = serde_json::from_str(expected).unwrap();
        let cases = expected["blocks"].as_array().unwrap();
        assert_eq!(cases.len(), 36);
        for case in cases {
            let element = element(&case["transformations"]);
            let centre = element.centre_for_start(vector(&case["start"]));
            let keeps_positions = element.keeps_positions();
            let placement = Placement::new(&element.transformation, centre, keeps_positions);
            let block = vector(&case["block"]).as_ivec3();
            let single = placement.block_bounds(block).map(|cells| cells.min.as_ivec3());
            let wanted: Vec<[i32; 3]> = serde_json::from_value(case["cells"].clone()).unwrap();
            assert_eq!(set(single.into_iter()), wanted.into_iter().collect(), "{case}");
            let several: BTreeSet<[i32; 3]> =
                serde_json::from_value(case["cells_if_block_allow_scaled"].clone()).unwrap();
            let level = BlockLevel::new(element.transformation, centre);
            assert_eq!(set(level.cells(block)), several, "{case}");
        }
    }

    #[test]
    fn scene_levels_compose_and_legacy_offsets_add_up() {
        let block = IVec3::new(3, 64, -2);
        let alone = Placement::IDENTITY.block_bounds(block).unwrap();
        assert_eq!((alone.min, alone.size()), (DVec3::new(3.0, 64.0, -2.0), DVec3::ONE));
        let outermost = Placement::IDENTITY.block_bounds(IVec3::MAX).unwrap();
        assert_eq!(outermost.size(), DVec3::ONE);
        let offset = DVec3::new(0.5, 0.0, 0.0);
        let half = Transformation { offset, rounds_blocks: true, ..Transformation::default() };
        let moved = Placement::new(&half, DVec3::ZERO, false);
        let x = |placement: Placement| placement.block_bounds(block).unwrap().min.x;
        assert_eq!(x(moved.clone()), 4.0);
        assert_eq!(x(moved.clone().followed_by(&moved)), 5.0, "each level rounds");
        assert_eq!(x(moved.clone().translated(offset)), 4.0, "the sum is rounded");
        let thrice = Transformation { scale: 3.0, ..Transformation::default() };
        let several = Placement::new(&thrice, DVec3::new(0.5, 64.0, 0.5), false);
        assert_eq!(several.block_bounds(block), None);
        let tall = Transformation { scale: 1000.0, rounds_blocks: true, ..thrice };
        assert_eq!(Placement::new(&tall, DVec3::ZERO, false).block_bounds(block), None);
    }
}
