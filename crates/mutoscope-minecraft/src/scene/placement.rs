//! The transformation from a recording's space to the space of its scene.

use std::borrow::Cow;

use glam::{DMat3, DVec3, IVec3};

use super::{BlockBounds, BlockLevel};

/// The transformation from a recording's space to the space of its scene: a rotation about the
/// vertical axis, mirroring, scaling and an offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    linear: DMat3,
    translation: DVec3,
    /// A yaw in degrees is transformed to `yaw_sign` × yaw + `yaw_offset`.
    yaw_sign: f64,
    yaw_offset: f64,
    scale: f64,
    /// The transformations of blocks, the innermost one first. Each transformation rounds blocks to
    /// the game's grid. Elements without a transformation are omitted.
    levels: Vec<BlockLevel>,
}

/// The transformation of an element of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transformation {
    /// The rotation about the vertical axis in degrees, clockwise seen from above, as for yaw.
    pub rotation: f64,
    /// `true` if x is mirrored.
    pub mirrors_x: bool,
    /// `true` if z is mirrored.
    pub mirrors_z: bool,
    /// The scale of all distances.
    pub scale: f64,
    /// The additional scale of the actor who plays the recording.
    pub player_scale: f64,
    /// The offset in blocks, applied last.
    pub offset: DVec3,
    /// `true` if blocks that would be off the game's grid are rounded to the grid. Otherwise these
    /// blocks are skipped.
    pub rounds_blocks: bool,
}

impl Default for Transformation {
    fn default() -> Self {
        Self {
            rotation: 0.0,
            mirrors_x: false,
            mirrors_z: false,
            scale: 1.0,
            player_scale: 1.0,
            offset: DVec3::ZERO,
            rounds_blocks: false,
        }
    }
}

impl Transformation {
    /// Returns the sine and cosine of the rotation. They are exact for right angles, so that blocks
    /// stay on the grid.
    fn sin_cos(&self) -> (f64, f64) {
        match self.wrapped_rotation() {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            -90.0 => (-1.0, 0.0),
            angle => angle.to_radians().sin_cos(),
        }
    }

    pub(super) fn wrapped_rotation(&self) -> f64 {
        let rest = self.rotation.rem_euclid(360.0);
        if rest > 180.0 { rest - 360.0 } else { rest }
    }

    pub(super) fn to_linear(self) -> DMat3 {
        let (sin, cos) = self.sin_cos();
        // x′ = x cos − z sin, z′ = z cos + x sin.
        let turned =
            DMat3::from_cols(DVec3::new(cos, 0.0, sin), DVec3::Y, DVec3::new(-sin, 0.0, cos));
        let sign = |mirrors: bool| if mirrors { -1.0 } else { 1.0 };
        let mirror = DVec3::new(sign(self.mirrors_x), 1.0, sign(self.mirrors_z));
        DMat3::from_diagonal(mirror * self.scale) * turned
    }
}

impl Placement {
    /// The placement that keeps the recorded positions.
    pub const IDENTITY: Self = Self {
        linear: DMat3::IDENTITY,
        translation: DVec3::ZERO,
        yaw_sign: 1.0,
        yaw_offset: 0.0,
        scale: 1.0,
        levels: Vec::new(),
    };

    /// Builds the placement for a transformation about `centre`. `keeps_positions` must be `true`
    /// if the element changes neither positions nor blocks. The placement then has no block level,
    /// so blocks are not rounded again.
    pub(in super::super) fn new(
        transformation: &Transformation,
        centre: DVec3,
        keeps_positions: bool,
    ) -> Self {
        let Transformation { mirrors_x, mirrors_z, scale, offset, .. } = *transformation;
        let linear = transformation.to_linear();
        let turn = transformation.wrapped_rotation();
        let mut turned = Self { linear, scale, yaw_offset: turn, ..Self::IDENTITY };
        if mirrors_x {
            turned = turned.with_outer_yaw(-1.0, 0.0);
        }
        if mirrors_z {
            turned = turned.with_outer_yaw(-1.0, -180.0);
        }
        let level = (!keeps_positions).then(|| BlockLevel::new(*transformation, centre));
        let translation = centre + offset - linear * centre;
        Self { translation, levels: level.into_iter().collect(), ..turned }
    }

    fn with_outer_yaw(self, sign: f64, turn: f64) -> Self {
        Self { yaw_sign: sign * self.yaw_sign, yaw_offset: sign * self.yaw_offset + turn, ..self }
    }

    pub(in super::super) fn followed_by(self, outer: &Self) -> Self {
        Self {
            linear: outer.linear * self.linear,
            translation: outer.transform_point(self.translation),
            scale: outer.scale * self.scale,
            levels: [&self.levels[..], &outer.levels].concat(),
            ..self.with_outer_yaw(outer.yaw_sign, outer.yaw_offset)
        }
    }

    /// Returns the placement, moved by an additional offset. Mod versions 1.0 to 1.3 add up the
    /// offsets of all levels before they round blocks, so the result has at most one block level.
    pub(in super::super) fn translated(self, by: DVec3) -> Self {
        let level = self.levels.last().map(|level| level.translated(by));
        Self { translation: self.translation + by, levels: level.into_iter().collect(), ..self }
    }

    /// Transforms a point.
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.translation
    }

    /// Transforms a direction. The length is multiplied by the scale.
    pub fn transform_direction(&self, direction: DVec3) -> DVec3 {
        self.linear * direction
    }

    /// Transforms a yaw, in degrees.
    pub fn transform_yaw(&self, yaw: f64) -> f64 {
        self.yaw_sign * yaw + self.yaw_offset
    }

    /// Returns the scale of distances.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the bounds of a placed block on the game's grid. Returns `None` if the game does not
    /// place the block. This happens if the block is off the grid and is not rounded, if it is
    /// scaled to less than a cell, or if it would fill several cells.
    pub fn block_bounds(&self, block: IVec3) -> Option<BlockBounds> {
        let block = self.levels.iter().try_fold(block, |block, level| level.single_cell(block))?;
        let min = block.as_dvec3();
        Some(BlockBounds { min, max: min + 1.0 })
    }

    /// Transforms the properties of a block: `minecraft:oak_stairs[facing=east]`.
    pub fn transform_block_state<'a>(&self, block: &'a str) -> Cow<'a, str> {
        let turns = self.levels.iter().map(BlockLevel::block_rotation);
        turns.fold(Cow::Borrowed(block), |block, turn| match block {
            Cow::Borrowed(block) => turn.apply(block),
            Cow::Owned(block) => Cow::Owned(turn.apply(&block).into_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(yaw: f64) -> DVec3 {
        let yaw = yaw.to_radians();
        DVec3::new(-yaw.sin(), 0.0, yaw.cos())
    }

    #[test]
    fn quarter_turn_is_clockwise_from_above() {
        let turn = Transformation { rotation: 90.0, ..Transformation::default() };
        let placement = Placement::new(&turn, DVec3::new(10.0, 64.0, 10.0), false);
        let south = placement.transform_point(DVec3::new(10.0, 65.0, 12.0));
        assert!(south.abs_diff_eq(DVec3::new(8.0, 65.0, 10.0), 1e-12), "west: {south}");
        assert_eq!(placement.transform_yaw(0.0), 90.0);
    }

    #[test]
    fn offsets_are_unscaled_and_applied_last() {
        let offset = DVec3::new(1.0, 2.0, 3.0);
        let scaled = Transformation { scale: 2.0, offset, ..Transformation::default() };
        let placement = Placement::new(&scaled, DVec3::new(10.0, 64.0, 10.0), false);
        assert_eq!(
            placement.transform_point(DVec3::new(11.0, 64.0, 10.0)),
            DVec3::new(13.0, 66.0, 13.0)
        );
    }

    #[test]
    fn placement_keeps_the_view_direction_relative_to_the_body() {
        let centre = DVec3::new(3.0, 4.0, 5.0);
        let mut outer = Placement::IDENTITY;
        for (rotation, mirrors_x, mirrors_z, scale) in [
            (30.0, false, false, 1.0),
            (-75.0, true, false, 2.0),
            (140.0, false, true, 0.5),
            (200.0, true, true, 3.0),
        ] {
            let transformation = Transformation {
                rotation,
                mirrors_x,
                mirrors_z,
                scale,
                offset: DVec3::new(7.0, -1.0, 2.0),
                ..Transformation::default()
            };
            let placement = Placement::new(&transformation, centre, false);
            assert!(
                placement
                    .transform_point(centre)
                    .abs_diff_eq(centre + transformation.offset, 1e-12),
                "the centre only moves"
            );
            outer = placement.clone().followed_by(&outer);
            for candidate in [&placement, &outer] {
                for yaw in [0.0, 35.0, -120.0] {
                    let transformed = candidate.transform_direction(look(yaw)) / candidate.scale();
                    assert!(
                        transformed.abs_diff_eq(look(candidate.transform_yaw(yaw)), 1e-12),
                        "{rotation} {yaw}"
                    );
                    let by_points = candidate.transform_point(centre + look(yaw))
                        - candidate.transform_point(centre);
                    assert!(by_points.abs_diff_eq(candidate.transform_direction(look(yaw)), 1e-12));
                }
            }
        }
    }

    #[test]
    fn blocks_rotate_level_by_level() {
        let turn = |rotation: f64, mirrors_x: bool| {
            let turn = Transformation { rotation, mirrors_x, ..Transformation::default() };
            Placement::new(&turn, DVec3::ZERO, false)
        };
        let stairs = "minecraft:oak_stairs[facing=north,half=top]";
        let facing = |placement: &Placement| {
            let state = placement.transform_block_state(stairs).into_owned();
            state.split(['=', ',']).nth(1).unwrap().to_owned()
        };
        assert_eq!(facing(&Placement::IDENTITY), "north");
        assert_eq!(facing(&turn(90.0, false)), "east");
        assert_eq!(facing(&turn(-90.0, true)), "east");
        assert_eq!(facing(&turn(30.0, false)), "north", "to the nearest quarter");
        assert_eq!(facing(&turn(90.0, true).followed_by(&turn(90.0, false))), "north");
    }
}
