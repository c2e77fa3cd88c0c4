//! Where a scene puts what was recorded elsewhere.

use std::borrow::Cow;

use glam::{DMat3, DVec3, IVec3};

use super::{BlockLevel, Cells};

/// Where a scene puts what was recorded elsewhere: turned about the vertical, mirrored, scaled and
/// moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    linear: DMat3,
    translation: DVec3,
    /// Yaw, in degrees, becomes `sign` × yaw + `turn`.
    sign: f64,
    turn: f64,
    scale: f64,
    /// The same for blocks, which come to stand on the game's grid level by level; the innermost
    /// first, without those that change nothing.
    levels: Vec<BlockLevel>,
}

/// A scene's transformation of one of its elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transformation {
    /// A turn about the vertical, in degrees, clockwise seen from above, as yaw is.
    pub rotation: f64,
    /// Whether x is mirrored.
    pub mirrors_x: bool,
    /// Whether z is.
    pub mirrors_z: bool,
    /// How much larger all distances become.
    pub scale: f64,
    /// How much larger who plays it becomes, apart from that.
    pub player_scale: f64,
    /// Where it is moved at last, in blocks.
    pub offset: DVec3,
    /// Whether blocks that fall off the game's grid are moved onto it, rather than skipped.
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
    /// The rotation, brought to −180 < rotation ≤ 180 as the mod does, as its sine and cosine:
    /// exact for right angles, so that blocks stay on the grid.
    fn sin_cos(&self) -> (f64, f64) {
        match self.reduced_rotation() {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            -90.0 => (-1.0, 0.0),
            angle => angle.to_radians().sin_cos(),
        }
    }

    pub(super) fn reduced_rotation(&self) -> f64 {
        let rest = self.rotation.rem_euclid(360.0);
        if rest > 180.0 { rest - 360.0 } else { rest }
    }

    /// Its linear part, without the offset.
    pub(super) fn linear(&self) -> DMat3 {
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
    /// Where it was recorded.
    pub const IDENTITY: Self = Self {
        linear: DMat3::IDENTITY,
        translation: DVec3::ZERO,
        sign: 1.0,
        turn: 0.0,
        scale: 1.0,
        levels: Vec::new(),
    };

    /// Turned, mirrored and scaled about `centre`, then moved; `is_still` if the scene says nothing
    /// at all of the element, so that blocks are passed on as they are.
    pub(in super::super) fn new(
        transformation: &Transformation,
        centre: DVec3,
        is_still: bool,
    ) -> Self {
        let Transformation { mirrors_x, mirrors_z, scale, offset, .. } = *transformation;
        let linear = transformation.linear();
        let turn = transformation.reduced_rotation();
        let mut turned = Self { linear, scale, turn, ..Self::IDENTITY };
        if mirrors_x {
            turned = turned.with_yaw(-1.0, 0.0);
        }
        if mirrors_z {
            turned = turned.with_yaw(-1.0, -180.0);
        }
        let level = (!is_still).then(|| BlockLevel::new(*transformation, centre));
        let translation = centre + offset - linear * centre;
        Self { translation, levels: level.into_iter().collect(), ..turned }
    }

    fn with_yaw(self, sign: f64, turn: f64) -> Self {
        Self { sign: sign * self.sign, turn: sign * self.turn + turn, ..self }
    }

    /// This, and then `outer`: of a scene within a scene.
    pub(in super::super) fn then(self, outer: &Self) -> Self {
        Self {
            linear: outer.linear * self.linear,
            translation: outer.point(self.translation),
            scale: outer.scale * self.scale,
            levels: [&self.levels[..], &outer.levels].concat(),
            ..self.with_yaw(outer.sign, outer.turn)
        }
    }

    /// The same if levels of a scene only move, and the mod of old adds their offsets up before it
    /// rounds them to blocks: versions 1.0 to 1.3.
    pub(in super::super) fn moved(self, by: DVec3) -> Self {
        let level = self.levels.last().map(|level| level.moved(by));
        Self { translation: self.translation + by, levels: level.into_iter().collect(), ..self }
    }

    /// Where a point is put.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.translation
    }

    /// A transformed direction, with its length.
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        self.linear * direction
    }

    /// A transformed yaw, in degrees.
    pub fn yaw(&self, yaw: f64) -> f64 {
        self.sign * yaw + self.turn
    }

    /// How much larger distances become.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Where a block is put, on the game's grid; nothing if the game places none: where it falls
    /// off the grid and is not to be rounded, where it vanishes for being made small, and where
    /// one would become several.
    pub fn block(&self, block: IVec3) -> Option<Cells> {
        let block = self.levels.iter().try_fold(block, |block, level| level.single_cell(block))?;
        let min = block.as_dvec3();
        Some(Cells { min, max: min + 1.0 })
    }

    /// How a block stands there, by its id and properties: `minecraft:oak_stairs[facing=east]`.
    pub fn block_state<'a>(&self, block: &'a str) -> Cow<'a, str> {
        let turns = self.levels.iter().map(BlockLevel::turn);
        turns.fold(Cow::Borrowed(block), |block, turn| match block {
            Cow::Borrowed(block) => turn.apply(block),
            Cow::Owned(block) => Cow::Owned(turn.apply(&block).into_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where one looks at a yaw.
    fn look(yaw: f64) -> DVec3 {
        let yaw = yaw.to_radians();
        DVec3::new(-yaw.sin(), 0.0, yaw.cos())
    }

    #[test]
    fn quarter_turn_is_clockwise_from_above() {
        let turn = Transformation { rotation: 90.0, ..Transformation::default() };
        let placement = Placement::new(&turn, DVec3::new(10.0, 64.0, 10.0), false);
        let south = placement.point(DVec3::new(10.0, 65.0, 12.0));
        assert!(south.abs_diff_eq(DVec3::new(8.0, 65.0, 10.0), 1e-12), "west: {south}");
        assert_eq!(placement.yaw(0.0), 90.0);
    }

    #[test]
    fn offsets_are_unscaled_and_applied_last() {
        let offset = DVec3::new(1.0, 2.0, 3.0);
        let scaled = Transformation { scale: 2.0, offset, ..Transformation::default() };
        let placement = Placement::new(&scaled, DVec3::new(10.0, 64.0, 10.0), false);
        assert_eq!(placement.point(DVec3::new(11.0, 64.0, 10.0)), DVec3::new(13.0, 66.0, 13.0));
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
                placement.point(centre).abs_diff_eq(centre + transformation.offset, 1e-12),
                "the centre only moves"
            );
            outer = placement.clone().then(&outer);
            for one in [&placement, &outer] {
                for yaw in [0.0, 35.0, -120.0] {
                    let found = one.direction(look(yaw)) / one.scale();
                    assert!(found.abs_diff_eq(look(one.yaw(yaw)), 1e-12), "{rotation} {yaw}");
                    let by_points = one.point(centre + look(yaw)) - one.point(centre);
                    assert!(by_points.abs_diff_eq(one.direction(look(yaw)), 1e-12));
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
            let state = placement.block_state(stairs).into_owned();
            state.split(['=', ',']).nth(1).unwrap().to_owned()
        };
        assert_eq!(facing(&Placement::IDENTITY), "north");
        assert_eq!(facing(&turn(90.0, false)), "east");
        assert_eq!(facing(&turn(-90.0, true)), "east");
        assert_eq!(facing(&turn(30.0, false)), "north", "to the nearest quarter");
        assert_eq!(facing(&turn(90.0, true).then(&turn(90.0, false))), "north");
    }
}
