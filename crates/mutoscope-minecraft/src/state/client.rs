//! State that the player's game derives from the recorded state, tick by tick. The file does not
//! contain it.

use super::{
    Actor, ActorTransform, MotionPath, PoseName, StepTrack,
    path::{lerp_degrees, wrap_degrees},
    riding::{Actors, RideList},
};
use crate::time::SampleTime;

/// The state that the player's game derives over time: the yaw of the body and the motion of the
/// limbs.
///
/// Most values depend only on the last change of a property. The yaw of the body and the progress
/// of the steps depend on every earlier tick. We store a snapshot of these two every few changes,
/// and simulate the ticks after the snapshot again when a frame is sampled.
#[derive(Clone, Debug)]
pub struct Client {
    /// The snapshots in ascending order. The first snapshot is the state before frame 0.
    snapshots: Box<[GaitSnapshot]>,
    swim_changes: Box<[(u32, f64)]>,
    rides: RideList,
}

/// The state that the player's game derives for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClientState {
    /// The yaw of the body, in degrees.
    pub body_yaw: f64,
    /// The phase of the steps, in the game's unit. The angles of the limbs are computed from this
    /// phase.
    pub walk_position: f64,
    /// The amplitude of the steps, from 0 to 1.
    pub walk_speed: f64,
    /// The progress of a swing of a hand, from 0 to less than 1.
    pub attack: f64,
    /// `true` if the off hand swings.
    pub off_hand: bool,
    /// The blend from standing (0) to swimming (1).
    pub swim_amount: f64,
    /// The number of ticks until the hurt effect ends. 0 while no hurt is visible.
    pub hurt_time: u32,
    /// The number of ticks since the death. 0 while the player lives.
    pub death_time: u32,
    /// The number of ticks since the start of the glide. 0 while the player does not glide.
    pub glide_time: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct GaitSnapshot {
    next: u32,
    gait: Gait,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Gait {
    body_yaw: f64,
    walk_position: f64,
    walk_speed: f64,
}

/// The maximum number of ticks that one sample has to simulate again.
const TICKS_PER_SNAPSHOT: u32 = 4;

const SWIM_CHANGE_PER_TICK: f64 = 0.09;

impl Client {
    pub(in super::super) fn new(
        actors: Actors<'_>,
        vehicle: &StepTrack<Option<i32>>,
        start_yaw: f32,
        frames: u32,
    ) -> Self {
        let rides = RideList::new(vehicle, actors.entities);
        let start_yaw = f64::from(start_yaw);
        let gait = Gait { body_yaw: start_yaw, walk_position: 0.0, walk_speed: 0.0 };
        let mut walker = GaitSimulator::new(actors, &rides, GaitSnapshot { next: 0, gait });
        let mut snapshots = vec![walker.current];
        let mut simulated = 0;
        while walker.current.next < frames {
            walker.tick(frames - 1);
            simulated += 1;
            if simulated == TICKS_PER_SNAPSHOT {
                snapshots.push(walker.current);
                simulated = 0;
            }
        }
        Self { snapshots: snapshots.into(), swim_changes: swim_changes(actors.player), rides }
    }

    pub(in super::super) fn at_frame(&self, actors: Actors<'_>, frame: u32) -> ClientState {
        let gait = self.walker_after(actors, frame).current.gait;
        self.client_state(actors, frame, gait)
    }

    fn at_frame_and_next(&self, actors: Actors<'_>, frame: u32) -> [ClientState; 2] {
        let mut walker = self.walker_after(actors, frame);
        let here = self.client_state(actors, frame, walker.current.gait);
        walker.tick(frame + 1);
        [here, self.client_state(actors, frame + 1, walker.current.gait)]
    }

    /// Returns the derived state at `moment`. Angles, steps, swings and the swim blend are
    /// interpolated between two frames. Tick counts and flags are those of the earlier frame.
    pub(in super::super) fn sample(&self, actors: Actors<'_>, moment: SampleTime) -> ClientState {
        if moment.t == 0.0 {
            return self.at_frame(actors, moment.frame);
        }
        let [here, next] = self.at_frame_and_next(actors, moment.frame);
        here.lerp(&next, moment.t)
    }

    pub(in super::super) fn sample_look(
        &self,
        actors: Actors<'_>,
        moment: SampleTime,
    ) -> ActorTransform {
        self.rides.sample_look(actors, moment)
    }

    fn walker_after<'a>(&'a self, actors: Actors<'a>, frame: u32) -> GaitSimulator<'a> {
        let after = self.snapshots.partition_point(|snapshot| snapshot.next <= frame + 1);
        let nearest = after.checked_sub(1).map_or(self.snapshots[0], |index| self.snapshots[index]);
        let mut walker = GaitSimulator::new(actors, &self.rides, nearest);
        while walker.current.next <= frame {
            walker.tick(frame);
        }
        walker
    }

    fn client_state(&self, actors: Actors<'_>, frame: u32, gait: Gait) -> ClientState {
        let player = actors.player;
        let (attack, off_hand) = player.swing(frame);
        let own = gait.body_yaw;
        let ride = self.rides.ride_at(frame);
        ClientState {
            body_yaw: ride.map_or(own, |ride| ride.drawn_body_yaw(actors, frame, own)),
            walk_position: gait.walk_position,
            // A hurt sets a speed of 1.5, but the game limits the amplitude of the steps to 1.
            walk_speed: gait.walk_speed.min(1.0),
            attack,
            off_hand,
            swim_amount: self.swim_amount(player, frame),
            hurt_time: player.hurt_time(frame),
            death_time: player.death_time(frame),
            glide_time: player.glide_time(frame),
        }
    }

    fn swim_amount(&self, player: &Actor, frame: u32) -> f64 {
        let (since, before) =
            match self.swim_changes.partition_point(|change| change.0 <= frame).checked_sub(1) {
                None => return 0.0,
                Some(last) => self.swim_changes[last],
            };
        let change = SWIM_CHANGE_PER_TICK * f64::from(frame - since + 1);
        let is_swimming = *player.pose.at_frame(frame) == PoseName::Swimming;
        (before + if is_swimming { change } else { -change }).clamp(0.0, 1.0)
    }
}

fn swim_changes(player: &Actor) -> Box<[(u32, f64)]> {
    let mut swims: Vec<(u32, f64)> = Vec::new();
    let mut was_swimming = false;
    for (&frame, &pose) in player.pose.frames().iter().zip(player.pose.values()) {
        let is_swimming = pose == PoseName::Swimming;
        if is_swimming != was_swimming {
            let amount = swims.last().map_or(0.0, |&(since, before)| {
                let change = SWIM_CHANGE_PER_TICK * f64::from(frame - since);
                (before + if was_swimming { change } else { -change }).clamp(0.0, 1.0)
            });
            swims.push((frame, amount));
            was_swimming = is_swimming;
        }
    }
    swims.into()
}

impl ClientState {
    fn lerp(&self, next: &Self, t: f64) -> Self {
        let lerp = |from: f64, to: f64| from + (to - from) * t;
        // The progress returns to 0 when a swing ends. Interpolate towards 1 instead, because the
        // hand would swing backwards otherwise.
        let rest = if next.attack < self.attack { 1.0 } else { 0.0 };
        Self {
            body_yaw: lerp_degrees(self.body_yaw, next.body_yaw, t),
            walk_position: lerp(self.walk_position, next.walk_position),
            walk_speed: lerp(self.walk_speed, next.walk_speed),
            attack: lerp(self.attack, next.attack + rest),
            swim_amount: lerp(self.swim_amount, next.swim_amount),
            ..*self
        }
    }
}

struct GaitSimulator<'a> {
    actors: Actors<'a>,
    path: &'a MotionPath,
    rides: &'a RideList,
    current: GaitSnapshot,
    movement_count: usize,
    hurt_count: usize,
}

impl<'a> GaitSimulator<'a> {
    fn new(actors: Actors<'a>, rides: &'a RideList, current: GaitSnapshot) -> Self {
        let player = actors.player;
        let path = &player.path;
        let movement_count = path.frames().partition_point(|&frame| frame < current.next);
        let hurt_count = player.hurts.partition_point(|&frame| frame < current.next);
        Self { actors, path, rides, current, movement_count, hurt_count }
    }

    fn tick(&mut self, last: u32) {
        let frame = self.current.next;
        let before = self.path.after_movements(self.movement_count).position;
        if self.path.frames().get(self.movement_count) == Some(&frame) {
            self.movement_count += 1;
        }
        let transform = self.path.after_movements(self.movement_count);
        let movement = transform.position - before;
        if self.actors.player.hurts.get(self.hurt_count) == Some(&frame) {
            self.hurt_count += 1;
            self.current.gait.walk_speed = HURT_WALK_SPEED;
        }
        let is_swinging = self.actors.player.swing(frame).0 > 0.0;
        let gait = self.current.gait;
        let ride = self.rides.ride_at(frame);
        self.current.gait.step(movement.with_y(0.0).length());
        // A vehicle moves its passenger. Ignore this movement, because the body turns only when the
        // player walks.
        let movement = if ride.is_none() { [movement.x, movement.z] } else { [0.0; 2] };
        self.current.gait.turn(movement, transform.yaw, is_swinging);
        if let Some(yaw) = ride.and_then(|ride| ride.boat_yaw(self.actors.entities, frame)) {
            self.current.gait.body_yaw = yaw;
        }
        self.current.next = frame + 1;
        if self.current.gait == gait && !is_swinging {
            self.current.next = self.next_change(frame).min(last + 1).max(frame + 1);
        }
    }

    fn next_change(&self, frame: u32) -> u32 {
        let movement = self.path.frames().get(self.movement_count).copied();
        let hurt = self.actors.player.hurts.get(self.hurt_count).copied();
        let swings = &self.actors.player.swings;
        // The progress of a swing is 0 in the first frame, so the body starts to turn one frame
        // later.
        let swing = swings[swings.partition_point(|swing| swing.0 < frame)..].first();
        let swing = swing.map(|swing| swing.0.max(frame) + 1);
        let ride = self.rides.next_change(frame, self.actors.entities);
        [movement, hurt, swing, ride].into_iter().flatten().min().unwrap_or(u32::MAX)
    }
}

const HURT_WALK_SPEED: f64 = 1.5;

impl Gait {
    fn step(&mut self, distance: f64) {
        /// Below this amplitude, the sum of all remaining steps (a geometric series) is added at
        /// once. Otherwise the amplitude would never reach 0, and no frame without a movement could
        /// be skipped.
        const MIN_WALK_SPEED: f64 = 1e-12;
        const EASE: f64 = 0.4;
        let speed = (4.0 * distance).min(1.0);
        self.walk_speed += (speed - self.walk_speed) * EASE;
        self.walk_position += self.walk_speed;
        if speed == 0.0 && self.walk_speed != 0.0 && self.walk_speed.abs() < MIN_WALK_SPEED {
            self.walk_position += self.walk_speed * (1.0 - EASE) / EASE;
            self.walk_speed = 0.0;
        }
    }

    /// Turns the body for one tick. The player moves by `movement`, in blocks along x and z, and
    /// looks towards `yaw`.
    fn turn(&mut self, movement: [f64; 2], yaw: f64, is_swinging: bool) {
        /// The square of the minimum distance, in blocks, at which a movement turns the body.
        const MIN_STRIDE_SQUARED: f64 = 0.002_500_000_2;
        const EASE: f64 = 0.3;
        const MAX_HEAD_TURN_DEGREES: f64 = 50.0;
        /// Without this tolerance, rounding errors would turn the body a little in every tick, and
        /// no frame could be skipped.
        const ANGLE_TOLERANCE_DEGREES: f64 = 1e-9;
        let [dx, dz] = movement;
        let mut target = self.body_yaw;
        if dx * dx + dz * dz > MIN_STRIDE_SQUARED {
            let heading = dz.atan2(dx).to_degrees() - 90.0;
            let angle = (wrap_degrees(yaw) - heading).abs();
            let is_backwards = 95.0 < angle && angle < 265.0;
            target = if is_backwards { heading - 180.0 } else { heading };
        }
        if is_swinging {
            target = yaw;
        }
        self.body_yaw += wrap_degrees(target - self.body_yaw) * EASE;
        let angle = wrap_degrees(yaw - self.body_yaw);
        if angle.abs() > MAX_HEAD_TURN_DEGREES + ANGLE_TOLERANCE_DEGREES {
            self.body_yaw += angle - angle.signum() * MAX_HEAD_TURN_DEGREES;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::Entity;

    fn without_vehicles(player: &Actor) -> Actors<'_> {
        Actors { player, entities: &[] }
    }

    fn client(player: &Actor, start_yaw: f32, frames: u32) -> Client {
        Client::new(without_vehicles(player), &StepTrack::new(None), start_yaw, frames)
    }

    fn simulate_every_frame(
        actors: Actors<'_>,
        vehicle: &StepTrack<Option<i32>>,
        start_yaw: f32,
        frames: u32,
    ) -> Vec<Gait> {
        let (player, rides) = (actors.player, RideList::new(vehicle, actors.entities));
        let mut gait = Gait { body_yaw: f64::from(start_yaw), walk_position: 0.0, walk_speed: 0.0 };
        let mut before = player.path.after_movements(0).position;
        (0..frames)
            .map(|frame| {
                let transform = player.path.at_frame(frame);
                let movement = transform.position - before;
                before = transform.position;
                if player.hurts.contains(&frame) {
                    gait.walk_speed = HURT_WALK_SPEED;
                }
                let is_swinging = player.swing(frame).0 > 0.0;
                gait.step(movement.with_y(0.0).length());
                let ride = rides.ride_at(frame);
                let movement = if ride.is_some() { [0.0; 2] } else { [movement.x, movement.z] };
                gait.turn(movement, transform.yaw, is_swinging);
                if let Some(yaw) = ride.and_then(|ride| ride.boat_yaw(actors.entities, frame)) {
                    gait.body_yaw = yaw;
                }
                gait
            })
            .collect()
    }

    #[test]
    fn random_access_equals_sequential_playback() {
        const FRAMES: u32 = 3000;
        let mut rng = fastrand::Rng::with_seed(11);
        let mut player = Actor::new(ActorTransform::default());
        let mut transform = ActorTransform::default();
        let mut frame = 0;
        while frame < FRAMES {
            match rng.u32(..8) {
                0 => player.start_swing(frame, rng.bool()),
                1 => player.hurts.push(frame),
                _ => {
                    let movement = DVec3::new(rng.f64() - 0.5, 0.0, rng.f64() - 0.5);
                    transform.position += movement * rng.f64();
                    transform.yaw = f64::from(rng.f32() * 720.0 - 360.0);
                    player.path.set(frame, 0, transform, false);
                }
            }
            // Leave long gaps from time to time, so that frames are skipped.
            frame += if rng.u32(..20) == 0 { rng.u32(..300) } else { 1 + rng.u32(..2) };
        }
        let (boat, vehicle) = rides(&mut rng, FRAMES);
        let (no_entities, boats): ([Entity; 0], _) = ([], [boat]);
        for (entities, vehicle) in [(&no_entities[..], StepTrack::new(None)), (&boats[..], vehicle)]
        {
            let actors = Actors { player: &player, entities };
            let expected = simulate_every_frame(actors, &vehicle, 40.0, FRAMES);
            let client = Client::new(actors, &vehicle, 40.0, FRAMES);
            for _ in 0..5000 {
                let frame = rng.u32(..FRAMES);
                let state = client.at_frame(actors, frame);
                let found = [state.body_yaw, state.walk_position, state.walk_speed];
                let Gait { body_yaw, walk_position, walk_speed } = expected[frame as usize];
                let expected = [body_yaw, walk_position, walk_speed.min(1.0)];
                assert_eq!(found, expected, "frame {frame}");
            }
        }
    }

    fn rides(rng: &mut fastrand::Rng, frames: u32) -> (Entity, StepTrack<Option<i32>>) {
        let (mut vehicle, mut actor) =
            (StepTrack::new(None), Actor::new(ActorTransform::default()));
        for frame in 0..frames {
            match rng.u32(..40) {
                0 => vehicle.set(frame, 0, Some(7)),
                1 => vehicle.set(frame, 0, None),
                2..5 => {
                    let yaw = f64::from(rng.f32() * 360.0);
                    actor.path.set(
                        frame,
                        0,
                        ActorTransform { yaw, ..ActorTransform::default() },
                        false,
                    );
                }
                _ => {}
            }
        }
        let kind = "minecraft:oak_boat".to_owned();
        (Entity::new(7, kind, "".into(), actor, Vec::new()), vehicle)
    }

    #[test]
    fn repeated_swings_never_run_backwards() {
        let mut player = Actor::new(ActorTransform::default());
        player.start_swing(2, false);
        let client = client(&player, 0.0, 20);
        let attack =
            |frame, t| client.sample(without_vehicles(&player), SampleTime { frame, t }).attack;
        assert!((attack(7, 0.5) - 5.5 / 6.0).abs() < 1e-12);
        assert_eq!(attack(8, 0.0), 0.0);
        assert_eq!(attack(8, 0.5), 0.0);
    }

    #[test]
    fn swing_restarts_only_in_its_second_half() {
        let mut player = Actor::new(ActorTransform::default());
        for frame in [0, 1, 2, 3, 4, 5, 20] {
            player.start_swing(frame, false);
        }
        let starts: Vec<_> = player.swings.iter().map(|swing| swing.0).collect();
        assert_eq!(starts, [0, 4, 20]);
    }
}
