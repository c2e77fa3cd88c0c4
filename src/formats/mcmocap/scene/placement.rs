//! Where a scene puts what was recorded elsewhere.

use glam::{DMat3, DVec3, IVec3};

/// Where a scene puts what was recorded elsewhere: turned about the vertical, mirrored, scaled and
/// moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    linear: DMat3,
    translation: DVec3,
    /// Yaw, in degrees, becomes `sign` × yaw + `turn`.
    sign: f64,
    turn: f64,
    scale: f64,
    /// Whether blocks fall on the game's grid, or are moved to where they do.
    plays_blocks: bool,
}

/// Where a block is put: a box along the axes, of whole blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    /// The corner with the least coordinates.
    pub min: DVec3,
    /// The one with the greatest.
    pub max: DVec3,
}

impl Cells {
    /// Its middle.
    pub fn middle(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// How long it is along each axis.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }
}

/// What a scene does to one of its elements.
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
    /// Whether blocks that fall off the game's grid are moved onto it, rather than left out.
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
    /// Whether it leaves blocks on the game's grid if it is about `centre`.
    fn keeps_grid(&self, centre: DVec3) -> bool {
        let is_whole = |vector: DVec3| vector == vector.round();
        let is_scaled_onto_it = self.scale == 1.0
            || self.scale.fract() == 0.0
                && is_whole(if self.scale % 2.0 == 0.0 {
                    centre
                } else {
                    centre + DVec3::new(0.5, 0.0, 0.5)
                });
        is_whole(2.0 * centre)
            && self.rotation % 90.0 == 0.0
            && is_scaled_onto_it
            && is_whole(self.offset)
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
        plays_blocks: true,
    };

    /// Turned, mirrored and scaled about `centre`, then moved.
    pub(in super::super) fn new(transformation: &Transformation, centre: DVec3) -> Self {
        let Transformation { rotation, mirrors_x, mirrors_z, scale, offset, .. } = *transformation;
        let sign = |mirrors: bool| if mirrors { -1.0 } else { 1.0 };
        let mirror = DVec3::new(sign(mirrors_x), 1.0, sign(mirrors_z));
        let linear =
            DMat3::from_diagonal(mirror * scale) * DMat3::from_rotation_y(-rotation.to_radians());
        let mut turned = Self { linear, scale, turn: rotation, ..Self::IDENTITY };
        if mirrors_x {
            turned = turned.with_yaw(-1.0, 0.0);
        }
        if mirrors_z {
            turned = turned.with_yaw(-1.0, -180.0);
        }
        let moves = linear != DMat3::IDENTITY || offset != DVec3::ZERO;
        let plays_blocks =
            !moves || transformation.rounds_blocks || transformation.keeps_grid(centre);
        Self { translation: centre + offset - linear * centre, plays_blocks, ..turned }
    }

    fn with_yaw(self, sign: f64, turn: f64) -> Self {
        Self { sign: sign * self.sign, turn: sign * self.turn + turn, ..self }
    }

    /// This, and then `outer`: of a scene within a scene.
    pub(in super::super) fn then(&self, outer: &Self) -> Self {
        Self {
            linear: outer.linear * self.linear,
            translation: outer.point(self.translation),
            scale: outer.scale * self.scale,
            plays_blocks: outer.plays_blocks && self.plays_blocks,
            ..self.with_yaw(outer.sign, outer.turn)
        }
    }

    /// Where a point is put.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.translation
    }

    /// What becomes of a direction and its length.
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        self.linear * direction
    }

    /// What becomes of a yaw, in degrees.
    pub fn yaw(&self, yaw: f64) -> f64 {
        self.sign * yaw + self.turn
    }

    /// How much larger distances become.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether blocks are played: where they fall off the game's grid, and are not to be moved onto
    /// it, the game leaves them out.
    pub fn plays_blocks(&self) -> bool {
        self.plays_blocks
    }

    /// Where a block is put, on the game's grid; nothing if it is not played, or vanishes for being
    /// made small. One that is turned by no right angle becomes the nearest that is not turned.
    pub fn block(&self, place: IVec3) -> Option<Cells> {
        if !self.plays_blocks {
            return None;
        }
        let corners = [0.0, 1.0].map(|corner| self.point(place.as_dvec3() + corner));
        let cells = if self.turn.rem_euclid(90.0) == 0.0 {
            let [a, b] = corners;
            Cells { min: a.min(b).round(), max: a.max(b).round() }
        } else {
            let half = DVec3::splat(self.scale.round() / 2.0);
            let min = ((corners[0] + corners[1]) / 2.0 - half).round();
            Cells { min, max: min + 2.0 * half }
        };
        (cells.size().min_element() > 0.0).then_some(cells)
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
    fn a_quarter_turn_is_clockwise_from_above() {
        let turn = Transformation { rotation: 90.0, ..Transformation::default() };
        let placement = Placement::new(&turn, DVec3::new(10.0, 64.0, 10.0));
        let south = placement.point(DVec3::new(10.0, 65.0, 12.0));
        assert!(south.abs_diff_eq(DVec3::new(8.0, 65.0, 10.0), 1e-12), "west: {south}");
        assert_eq!(placement.yaw(0.0), 90.0);
    }

    #[test]
    fn offsets_are_not_scaled_and_come_last() {
        let offset = DVec3::new(1.0, 2.0, 3.0);
        let scaled = Transformation { scale: 2.0, offset, ..Transformation::default() };
        let placement = Placement::new(&scaled, DVec3::new(10.0, 64.0, 10.0));
        assert_eq!(placement.point(DVec3::new(11.0, 64.0, 10.0)), DVec3::new(13.0, 66.0, 13.0));
    }

    #[test]
    fn who_looks_ahead_looks_ahead_wherever_he_is_put() {
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
            let placement = Placement::new(&transformation, centre);
            assert!(
                placement.point(centre).abs_diff_eq(centre + transformation.offset, 1e-12),
                "the centre only moves"
            );
            outer = placement.then(&outer);
            for one in [placement, outer] {
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
    fn blocks_come_to_stand_on_the_grid_or_not_at_all() {
        let place = IVec3::new(3, 64, -2);
        let about = |transformation: Transformation, centre: [f64; 3]| {
            let cells = Placement::new(&transformation, centre.into()).block(place);
            cells.map(|cells| (cells.min.to_array(), cells.max.to_array()))
        };
        let alone = Placement::IDENTITY.block(place).unwrap();
        assert_eq!((alone.min, alone.size()), (DVec3::new(3.0, 64.0, -2.0), DVec3::ONE));
        let outermost = Placement::IDENTITY.block(IVec3::MAX).unwrap();
        assert_eq!(outermost.size(), DVec3::ONE);
        let default = Transformation::default;
        let middle = [0.5, 64.0, 0.5];
        let turned = Transformation { rotation: 90.0, ..default() };
        assert_eq!(about(turned, middle), Some(([2.0, 64.0, 3.0], [3.0, 65.0, 4.0])));
        assert_eq!(about(turned, [0.3, 64.0, 0.5]), None, "it falls between four");
        let twice = Transformation { scale: 2.0, ..default() };
        assert_eq!(about(twice, [0.0, 64.0, 0.0]), Some(([6.0, 64.0, -4.0], [8.0, 66.0, -2.0])));
        assert_eq!(about(twice, middle), None);
        let thrice = Transformation { scale: 3.0, ..default() };
        assert_eq!(about(thrice, middle), Some(([8.0, 64.0, -7.0], [11.0, 67.0, -4.0])));
        let offset = DVec3::new(0.4, 0.0, 0.0);
        let moved = Transformation { offset, ..default() };
        assert_eq!(about(moved, middle), None);
        let rounded = Transformation { rounds_blocks: true, ..moved };
        assert_eq!(about(rounded, middle), Some(([3.0, 64.0, -2.0], [4.0, 65.0, -1.0])));
        let askew = Transformation { rotation: 30.0, rounds_blocks: true, ..default() };
        let (min, max) = about(askew, middle).unwrap();
        assert!((0..3).all(|axis| min[axis].fract() == 0.0 && max[axis] - min[axis] == 1.0));
        let tiny = Transformation { scale: 0.25, rounds_blocks: true, ..default() };
        assert_eq!(about(tiny, middle), None);
    }
}
