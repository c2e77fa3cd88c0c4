//! Computes the figure of a player: boxes, posed as in the game.
//!
//! The game's model has y down and x to the player's left, in sixteenths of a block. All public
//! items of this module have y up and −Z ahead, in metres.

mod arms;
mod hold;
mod limbs;
mod parts;
mod skin_mesh;
mod stance;

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::{
    Actor, ClientState, EntityFlags, LivingFlags, Placement, PoseName, Recording, SampleTime,
    state::{lerp_degrees, wrap_degrees},
};
use hold::Holding;
use limbs::{Limb, Limbs};
use mutoscope_core::clip::Transform;
pub(super) use parts::PIXEL;
pub use parts::{Cuboid, Part};
pub use skin_mesh::{SkinLayer, SkinMesh, SkinShape};
use stance::Stance;

#[derive(Clone, Copy, Debug)]
struct PoseInputs {
    client: ClientState,
    /// The angle from the body to the head, in radians. Positive is to the right.
    head_turn: f64,
    /// The pitch in radians, downwards from the horizon.
    pitch: f64,
    /// The velocity in blocks per tick.
    velocity: DVec3,
    view: DVec3,
    pose: PoseName,
    is_dead: bool,
    is_riding: bool,
    is_in_water: bool,
    spins: bool,
    uses_item: bool,
    is_right_handed: bool,
    /// The direction from the foot to the head of the bed in which the player sleeps, if it is
    /// known.
    bed: Option<DVec3>,
    holding: Holding,
    age: f64,
}

impl PoseInputs {
    fn new(
        recording: &Recording,
        moment: SampleTime,
        client: ClientState,
        placement: &Placement,
    ) -> Self {
        let player = &recording.player;
        let SampleTime { frame, t } = moment;
        let placed_client =
            ClientState { body_yaw: placement.transform_yaw(client.body_yaw), ..client };
        let stand = recording.look(moment);
        let living_flags = *player.living_flags.at_frame(frame);
        let is_right_handed = *player.main_hand_right.at_frame(frame);
        let head_turn =
            wrap_degrees(placement.transform_yaw(stand.head_yaw) - placed_client.body_yaw)
                .to_radians();
        let yaw = placement.transform_yaw(stand.yaw).to_radians();
        Self {
            client: placed_client,
            head_turn,
            pitch: stand.pitch.to_radians(),
            velocity: placement.transform_direction(velocity(player, moment)),
            view: DVec3::new(-yaw.sin(), 0.0, yaw.cos()),
            pose: *player.pose.at_frame(frame),
            is_dead: *player.dead.at_frame(frame),
            is_riding: recording.vehicle.at_frame(frame).is_some(),
            is_in_water: player.has_flag(EntityFlags::SWIMS, frame),
            spins: living_flags & LivingFlags::SPINS != 0,
            uses_item: living_flags & LivingFlags::USES_ITEM != 0,
            is_right_handed,
            bed: bed_direction(recording, frame)
                .map(|facing| placement.transform_direction(facing)),
            holding: Holding::new(player, moment, client.attack > 0.0),
            age: f64::from(frame) + t + 1.0,
        }
    }

    #[cfg(test)]
    fn at_rest() -> Self {
        let recording = super::Recording::standing_still();
        let moment = SampleTime { frame: 0, t: 0.0 };
        Self::new(&recording, moment, recording.client(moment), &Placement::IDENTITY)
    }

    fn swings_right(&self) -> bool {
        self.is_right_handed != self.client.off_hand
    }
}

fn bed_direction(recording: &Recording, frame: u32) -> Option<DVec3> {
    let position = (*recording.player.bed.at_frame(frame))?;
    let block =
        recording.blocks.block_at(position, frame).filter(|block| block.contains("_bed["))?;
    let (_, facing) = block.split_once("facing=")?;
    Some(match facing.split([',', ']']).next()? {
        "north" => DVec3::NEG_Z,
        "east" => DVec3::X,
        "south" => DVec3::Z,
        "west" => DVec3::NEG_X,
        _ => return None,
    })
}

fn velocity(player: &Actor, moment: SampleTime) -> DVec3 {
    let path = &player.path;
    let to = if moment.t > 0.0 { moment.frame + 1 } else { moment.frame };
    let count = path.movement_count(to);
    let moves_now = count > 0 && path.frames()[count - 1] == to;
    if !moves_now || path.is_jump(count - 1) {
        return DVec3::ZERO;
    }
    path.after_movements(count).position - path.after_movements(count - 1).position
}

#[derive(Clone, Debug)]
pub(super) struct Figure {
    parts: [Transform; Part::ALL.len()],
    pub(super) whole: Transform,
}

pub(super) fn resting_joint(part: Part) -> DVec3 {
    Limbs::at_rest().0[part as usize].joint()
}

impl Figure {
    pub(super) fn new(
        recording: &Recording,
        moment: SampleTime,
        client: ClientState,
        placement: &Placement,
    ) -> Self {
        let inputs = PoseInputs::new(recording, moment, client, placement);
        let stance = Stance::new(&inputs);
        let limbs = Limbs::new(&inputs);
        let to_transform = |limb: &Limb| Transform {
            translation: stance.translation - DVec3::Y * stance.lowered
                + stance.rotation * limb.joint(),
            rotation: stance.rotation * limb.rotation(),
            scale: DVec3::ONE,
        };
        let mut parts = limbs.0.map(|limb| to_transform(&limb));
        let head = &mut parts[Part::Head as usize].rotation;
        *head = head_rotation(*head, inputs.head_turn, inputs.pitch);
        let Stance { rotation, translation, .. } = stance;
        Self { parts, whole: Transform { rotation, translation, scale: DVec3::ONE } }
    }

    pub(super) fn part(&self, part: Part) -> Transform {
        self.parts[part as usize]
    }
}

/// Returns the rotation of a head that looks in the recorded direction. `head_turn` is to the right
/// and `pitch` is down, both in radians.
///
/// The game bends the head of a player who swims or lies, so the head of its model looks in another
/// direction. We use the recorded direction, and take only the roll from `in_game`: the up vector
/// of the result is as close as possible to the up vector of `in_game`.
fn head_rotation(in_game: DQuat, head_turn: f64, pitch: f64) -> DQuat {
    /// The minimum squared length of the up vector after its part along the head's direction is
    /// removed. A shorter vector does not determine the roll.
    const MIN_UP_LENGTH_SQUARED: f64 = 1e-3;
    let upright = DQuat::from_rotation_y(-head_turn) * DQuat::from_rotation_x(-pitch);
    let forward = upright * DVec3::NEG_Z;
    let up = (in_game * DVec3::Y).reject_from_normalized(forward);
    if up.length_squared() < MIN_UP_LENGTH_SQUARED {
        return upright;
    }
    let (upright_right, upright_up) = (upright * DVec3::X, upright * DVec3::Y);
    let roll = up.dot(upright_right).atan2(up.dot(upright_up));
    DQuat::from_axis_angle(forward, roll) * upright
}

/// Returns the rotation of a body with this yaw in degrees. The unrotated body faces −Z, which is a
/// yaw of 180°.
pub(super) fn body_rotation(yaw: f64) -> DQuat {
    DQuat::from_rotation_y((180.0 - yaw).to_radians())
}

fn lerp_angle(t: f64, from: f64, to: f64) -> f64 {
    lerp_degrees(from.to_degrees(), to.to_degrees(), t).to_radians()
}

const QUARTER_TURN: f64 = FRAC_PI_2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_direction_is_independent_of_the_body() {
        for roll in [0.0, 0.4, 1.5, 3.0] {
            for (head_turn, pitch) in [(0.0, 0.0), (0.8, -0.3), (-0.5, 1.2)] {
                let upright = DQuat::from_rotation_y(-head_turn) * DQuat::from_rotation_x(-pitch);
                let body = DQuat::from_rotation_z(roll);
                let head = head_rotation(body * upright, head_turn, pitch);
                let ahead = DVec3::new(f64::sin(head_turn), -f64::sin(pitch), -f64::cos(head_turn));
                let ahead = DVec3::new(ahead.x * pitch.cos(), ahead.y, ahead.z * pitch.cos());
                assert!(
                    (head * DVec3::NEG_Z).abs_diff_eq(ahead, 1e-12),
                    "{roll} {head_turn} {pitch}"
                );
            }
        }
        // The head rolls sideways with the body.
        let rolled = head_rotation(DQuat::from_rotation_z(1.0), 0.0, 0.0);
        assert!(rolled.angle_between(DQuat::from_rotation_z(1.0)) < 1e-7);
    }

    #[test]
    fn yaw_turns_from_south_over_west() {
        let ahead = |yaw: f64| body_rotation(yaw) * DVec3::NEG_Z;
        for (yaw, expected) in
            [(0.0, DVec3::Z), (90.0, DVec3::NEG_X), (180.0, DVec3::NEG_Z), (-90.0, DVec3::X)]
        {
            assert!(ahead(yaw).abs_diff_eq(expected, 1e-12), "{yaw}");
        }
    }
}
