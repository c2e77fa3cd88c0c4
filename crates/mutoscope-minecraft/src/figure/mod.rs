//! The player's figure: boxes, as the game draws it.
//!
//! The game's model has y downwards and x to its own left, in sixteenths of a block; everything
//! here that is public has y upwards, looks along −Z and is in metres.

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
    state::{turned, wrapped},
};
use hold::Holding;
use limbs::{Limb, Limbs};
use mutoscope_core::clip::Transform;
pub(super) use parts::PIXEL;
pub use parts::{Cuboid, Part};
pub use skin_mesh::{SkinLayer, SkinMesh, SkinShape};
use stance::Stance;

/// The state that the figure's limbs depend on, at one time.
#[derive(Clone, Copy, Debug)]
struct PoseInputs {
    client: ClientState,
    /// How far the head is turned from the body to the right, in radians.
    head_turn: f64,
    /// Down from the horizon, in radians.
    pitch: f64,
    /// Where it moves, in blocks a tick.
    velocity: DVec3,
    /// Where it looks, along the ground.
    view: DVec3,
    pose: PoseName,
    is_dead: bool,
    is_riding: bool,
    is_in_water: bool,
    spins: bool,
    uses_item: bool,
    is_right_handed: bool,
    /// Where the head of the bed is that it sleeps in, from its foot on, if that is known.
    bed: Option<DVec3>,
    holding: Holding,
    /// Since the start, in ticks.
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
        let here = ClientState { body_yaw: placement.yaw(client.body_yaw), ..client };
        let stand = recording.look(moment);
        let living = *player.living_flags.at(frame);
        let is_right_handed = *player.main_hand_right.at(frame);
        let head_turn = wrapped(placement.yaw(stand.head_yaw) - here.body_yaw).to_radians();
        let yaw = placement.yaw(stand.yaw).to_radians();
        Self {
            client: here,
            head_turn,
            pitch: stand.pitch.to_radians(),
            velocity: placement.direction(velocity(player, moment)),
            view: DVec3::new(-yaw.sin(), 0.0, yaw.cos()),
            pose: *player.pose.at(frame),
            is_dead: *player.dead.at(frame),
            is_riding: recording.vehicle.at(frame).is_some(),
            is_in_water: player.has_flag(EntityFlags::SWIMS, frame),
            spins: living & LivingFlags::SPINS != 0,
            uses_item: living & LivingFlags::USES_ITEM != 0,
            is_right_handed,
            bed: bed(recording, frame).map(|facing| placement.direction(facing)),
            holding: Holding::new(player, moment, client.attack > 0.0),
            age: f64::from(frame) + t + 1.0,
        }
    }

    /// The state of a standing, idle player.
    #[cfg(test)]
    fn at_rest() -> Self {
        let recording = super::Recording::at_rest();
        let moment = SampleTime { frame: 0, t: 0.0 };
        Self::new(&recording, moment, recording.client(moment), &Placement::IDENTITY)
    }

    /// Whether the right arm is the one that swings.
    fn swings_right(&self) -> bool {
        self.is_right_handed != self.client.off_hand
    }
}

/// Where the bed faces that the player sleeps in, if the recording knows it: a bed that was placed in
/// it.
fn bed(recording: &Recording, frame: u32) -> Option<DVec3> {
    let place = (*recording.player.bed.at(frame))?;
    let block = recording.blocks.at(place, frame).filter(|block| block.contains("_bed["))?;
    let (_, facing) = block.split_once("facing=")?;
    Some(match facing.split([',', ']']).next()? {
        "north" => DVec3::NEG_Z,
        "east" => DVec3::X,
        "south" => DVec3::Z,
        "west" => DVec3::NEG_X,
        _ => return None,
    })
}

/// How far it moves in the tick that a moment lies in.
fn velocity(player: &Actor, moment: SampleTime) -> DVec3 {
    let path = &player.path;
    let to = if moment.t > 0.0 { moment.frame + 1 } else { moment.frame };
    let count = path.count_up_to(to);
    let moves_now = count > 0 && path.frames()[count - 1] == to;
    if !moves_now || path.is_jump(count - 1) {
        return DVec3::ZERO;
    }
    path.after(count).position - path.after(count - 1).position
}

/// Where the parts of the body stand relative to the player, whose origin is at the feet and whose
/// body faces along −Z.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    parts: [Transform; Part::ALL.len()],
    /// How the figure as a whole is turned and moved: it lies, swims, glides, sleeps.
    pub(super) whole: Transform,
}

/// Where the joint of a part is while the player stands idle: relative to the feet, in metres.
pub(super) fn resting_joint(part: Part) -> DVec3 {
    Limbs::at_rest().0[part as usize].joint()
}

impl Figure {
    /// The figure of a recording's player at a moment, for which the game derives `client`, put
    /// somewhere by a scene.
    pub(super) fn new(
        recording: &Recording,
        moment: SampleTime,
        client: ClientState,
        placement: &Placement,
    ) -> Self {
        let inputs = PoseInputs::new(recording, moment, client, placement);
        let stance = Stance::new(&inputs);
        let limbs = Limbs::new(&inputs);
        let place = |limb: &Limb| Transform {
            translation: stance.translation - DVec3::Y * stance.lowered
                + stance.rotation * limb.joint(),
            rotation: stance.rotation * limb.rotation(),
            scale: DVec3::ONE,
        };
        let mut parts = limbs.0.map(|limb| place(&limb));
        let head = &mut parts[Part::Head as usize].rotation;
        *head = looking(*head, inputs.head_turn, inputs.pitch);
        let Stance { rotation, translation, .. } = stance;
        Self { parts, whole: Transform { rotation, translation, scale: DVec3::ONE } }
    }

    pub(super) fn part(&self, part: Part) -> Transform {
        self.parts[part as usize]
    }
}

/// The rotation that looks where the head does, so far turned to the right and down, in radians,
/// rolled so that what is up is as near as can be to where the game has it: it bends a head that
/// swims or lies, but the direction of the look is what was recorded.
fn looking(in_game: DQuat, head_turn: f64, pitch: f64) -> DQuat {
    /// Where up is along the look, it says nothing of the roll.
    const TELLING: f64 = 1e-3;
    let upright = DQuat::from_rotation_y(-head_turn) * DQuat::from_rotation_x(-pitch);
    let forward = upright * DVec3::NEG_Z;
    let up = (in_game * DVec3::Y).reject_from_normalized(forward);
    if up.length_squared() < TELLING {
        return upright;
    }
    let (sideways, plain) = (upright * DVec3::X, upright * DVec3::Y);
    let roll = up.dot(sideways).atan2(up.dot(plain));
    DQuat::from_axis_angle(forward, roll) * upright
}

/// The body's rotation at a yaw in degrees: at rest it looks along −Z.
pub(super) fn facing(yaw: f64) -> DQuat {
    DQuat::from_rotation_y((180.0 - yaw).to_radians())
}

/// Degrees between two angles in radians, the short way.
fn lerp_angle(t: f64, from: f64, to: f64) -> f64 {
    turned(from.to_degrees(), to.to_degrees(), t).to_radians()
}

/// Straight down or up.
const QUARTER: f64 = FRAC_PI_2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_direction_is_independent_of_the_body() {
        for roll in [0.0, 0.4, 1.5, 3.0] {
            for (turn, pitch) in [(0.0, 0.0), (0.8, -0.3), (-0.5, 1.2)] {
                let upright = DQuat::from_rotation_y(-turn) * DQuat::from_rotation_x(-pitch);
                let body = DQuat::from_rotation_z(roll);
                let look = looking(body * upright, turn, pitch);
                let ahead = DVec3::new(f64::sin(turn), -f64::sin(pitch), -f64::cos(turn));
                let ahead = DVec3::new(ahead.x * pitch.cos(), ahead.y, ahead.z * pitch.cos());
                assert!((look * DVec3::NEG_Z).abs_diff_eq(ahead, 1e-12), "{roll} {turn} {pitch}");
            }
        }
        // Rolled to the side with the body.
        let rolled = looking(DQuat::from_rotation_z(1.0), 0.0, 0.0);
        assert!(rolled.angle_between(DQuat::from_rotation_z(1.0)) < 1e-7);
    }

    #[test]
    fn yaw_turns_from_south_over_west() {
        let ahead = |yaw: f64| facing(yaw) * DVec3::NEG_Z;
        for (yaw, expected) in
            [(0.0, DVec3::Z), (90.0, DVec3::NEG_X), (180.0, DVec3::NEG_Z), (-90.0, DVec3::X)]
        {
            assert!(ahead(yaw).abs_diff_eq(expected, 1e-12), "{yaw}");
        }
    }
}
