//! State that each player's game derives from a recording, tick by tick: nothing of it is in the
//! file.

use super::{
    Actor, Held, Path, PoseName, Stand,
    path::{turned, wrapped},
    riding::{Cast, Rides},
};
use crate::time::SampleTime;

/// The derived state of a player over time: the yaw of the body and the motion of the limbs.
///
/// Most of it follows from when something happened last. The body's yaw and the progress of its
/// steps depend on every tick before; they are kept every few ticks in which anything
/// changes, and computed again in between.
#[derive(Clone, Debug)]
pub struct Client {
    /// Ascending; the first is of the tick before frame 0.
    snapshots: Box<[Snapshot]>,
    /// When it begins or ends to swim, and how far it was swimming before.
    swims: Box<[(u32, f64)]>,
    rides: Rides,
}

/// The derived state of a player in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClientState {
    /// The body's yaw, in degrees.
    pub body_yaw: f64,
    /// How far its steps have come.
    pub walk_position: f64,
    /// How wide they are, up to 1.
    pub walk_speed: f64,
    /// How far it has swung a hand, from 0 up to but not including 1.
    pub attack: f64,
    /// Whether that is its off hand.
    pub off_hand: bool,
    /// How far it is swimming, from 0 to 1.
    pub swim_amount: f64,
    /// How many ticks are left of ten since it was hurt.
    pub hurt_time: u32,
    /// For how many ticks it has been dead.
    pub death_time: u32,
    /// For how many ticks it has been gliding.
    pub glide_time: u32,
}

/// The state that depends on every tick before, after one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Snapshot {
    /// The next frame.
    next: u32,
    gait: Gait,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Gait {
    body_yaw: f64,
    walk_position: f64,
    walk_speed: f64,
}

/// At most this many ticks are computed again.
const BETWEEN_SNAPSHOTS: u32 = 4;

/// How fast someone starts or ceases to swim, each tick.
const SWIM: f64 = 0.09;

impl Client {
    /// Computes `frames` frames of a player, who rides `vehicle`.
    pub(in super::super) fn new(
        cast: Cast<'_>,
        vehicle: &Held<Option<i32>>,
        start_yaw: f32,
        frames: u32,
    ) -> Self {
        let rides = Rides::new(vehicle, cast.entities);
        let start_yaw = f64::from(start_yaw);
        let gait = Gait { body_yaw: start_yaw, walk_position: 0.0, walk_speed: 0.0 };
        let mut walker = Walker::new(cast, &rides, Snapshot { next: 0, gait });
        let mut snapshots = vec![walker.at];
        let mut worked = 0;
        while walker.at.next < frames {
            walker.tick(frames - 1);
            worked += 1;
            if worked == BETWEEN_SNAPSHOTS {
                snapshots.push(walker.at);
                worked = 0;
            }
        }
        Self { snapshots: snapshots.into(), swims: swims(cast.player), rides }
    }

    /// The derived state in a frame.
    pub(in super::super) fn at(&self, cast: Cast<'_>, frame: u32) -> ClientState {
        let gait = self.walker(cast, frame).at.gait;
        self.state(cast, frame, gait)
    }

    /// The same in a frame and in the one after it.
    fn around(&self, cast: Cast<'_>, frame: u32) -> [ClientState; 2] {
        let mut walker = self.walker(cast, frame);
        let here = self.state(cast, frame, walker.at.gait);
        walker.tick(frame + 1);
        [here, self.state(cast, frame + 1, walker.at.gait)]
    }

    /// The derived state at a moment: angles and steps are interpolated between two frames, the
    /// rest is that of the earlier frame.
    pub(in super::super) fn value(&self, cast: Cast<'_>, moment: SampleTime) -> ClientState {
        if moment.t == 0.0 {
            return self.at(cast, moment.frame);
        }
        let [here, next] = self.around(cast, moment.frame);
        here.towards(&next, moment.t)
    }

    /// Where the player stands, and where it looks as it is drawn.
    pub(in super::super) fn look(&self, cast: Cast<'_>, moment: SampleTime) -> Stand {
        self.rides.look(cast, moment)
    }

    /// One that has worked its way through `frame`.
    fn walker<'a>(&'a self, cast: Cast<'a>, frame: u32) -> Walker<'a> {
        let after = self.snapshots.partition_point(|snapshot| snapshot.next <= frame + 1);
        let nearest = after.checked_sub(1).map_or(self.snapshots[0], |index| self.snapshots[index]);
        let mut walker = Walker::new(cast, &self.rides, nearest);
        while walker.at.next <= frame {
            walker.tick(frame);
        }
        walker
    }

    fn state(&self, cast: Cast<'_>, frame: u32, gait: Gait) -> ClientState {
        let player = cast.player;
        let (attack, off_hand) = player.swing(frame);
        let own = gait.body_yaw;
        let ride = self.rides.at(frame);
        ClientState {
            body_yaw: ride.map_or(own, |ride| ride.drawn_body_yaw(cast, frame, own)),
            walk_position: gait.walk_position,
            // A hurt player takes wider steps, but is drawn with none wider than this.
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
            match self.swims.partition_point(|change| change.0 <= frame).checked_sub(1) {
                None => return 0.0,
                Some(last) => self.swims[last],
            };
        let by = SWIM * f64::from(frame - since + 1);
        let by = if *player.pose.at(frame) == PoseName::Swimming { by } else { -by };
        (before + by).clamp(0.0, 1.0)
    }
}

/// When `player` begins or ends to swim, and how far it was swimming before.
fn swims(player: &Actor) -> Box<[(u32, f64)]> {
    let mut swims: Vec<(u32, f64)> = Vec::new();
    let mut was_swimming = false;
    for (&frame, &pose) in player.pose.frames().iter().zip(player.pose.values()) {
        let is_swimming = pose == PoseName::Swimming;
        if is_swimming != was_swimming {
            let amount = swims.last().map_or(0.0, |&(since, before)| {
                let by = SWIM * f64::from(frame - since);
                (before + if was_swimming { by } else { -by }).clamp(0.0, 1.0)
            });
            swims.push((frame, amount));
            was_swimming = is_swimming;
        }
    }
    swims.into()
}

impl ClientState {
    /// So much of the way to the frame after it.
    fn towards(&self, next: &Self, t: f64) -> Self {
        let line = |from: f64, to: f64| from + (to - from) * t;
        // A hand that has swung all the way is at 0 again.
        let rest = if next.attack < self.attack { 1.0 } else { 0.0 };
        Self {
            body_yaw: turned(self.body_yaw, next.body_yaw, t),
            walk_position: line(self.walk_position, next.walk_position),
            walk_speed: line(self.walk_speed, next.walk_speed),
            attack: line(self.attack, next.attack + rest),
            swim_amount: line(self.swim_amount, next.swim_amount),
            ..*self
        }
    }
}

/// Works from tick to tick.
struct Walker<'a> {
    cast: Cast<'a>,
    path: &'a Path,
    rides: &'a Rides,
    at: Snapshot,
    /// The number of past movements.
    moved: usize,
    /// The number of past hurts.
    hurt: usize,
}

impl<'a> Walker<'a> {
    fn new(cast: Cast<'a>, rides: &'a Rides, at: Snapshot) -> Self {
        let player = cast.player;
        let path = &player.path;
        let moved = path.frames().partition_point(|&frame| frame < at.next);
        let hurt = player.hurts.partition_point(|&frame| frame < at.next);
        Self { cast, path, rides, at, moved, hurt }
    }

    /// Works through the next frame, and through those after it up to `last` as long as nothing
    /// changes in them.
    fn tick(&mut self, last: u32) {
        let frame = self.at.next;
        let before = self.path.after(self.moved).position;
        if self.path.frames().get(self.moved) == Some(&frame) {
            self.moved += 1;
        }
        let stand = self.path.after(self.moved);
        let by = stand.position - before;
        if self.cast.player.hurts.get(self.hurt) == Some(&frame) {
            self.hurt += 1;
            self.at.gait.walk_speed = HURT_SPEED;
        }
        let is_swinging = self.cast.player.swing(frame).0 > 0.0;
        let gait = self.at.gait;
        let ride = self.rides.at(frame);
        self.at.gait.step(by.with_y(0.0).length());
        // The vehicle's motion is not the passenger's own.
        let by = if ride.is_none() { [by.x, by.z] } else { [0.0; 2] };
        self.at.gait.turn(by, stand.yaw, is_swinging);
        if let Some(yaw) = ride.and_then(|ride| ride.turns_to(self.cast.entities, frame)) {
            self.at.gait.body_yaw = yaw;
        }
        self.at.next = frame + 1;
        if self.at.gait == gait && !is_swinging {
            self.at.next = self.next_change(frame).min(last + 1).max(frame + 1);
        }
    }

    /// The next frame in which anything happens that the gait depends on.
    fn next_change(&self, frame: u32) -> u32 {
        let movement = self.path.frames().get(self.moved).copied();
        let hurt = self.cast.player.hurts.get(self.hurt).copied();
        let swings = &self.cast.player.swings;
        // A swing shows only in the frame after its start.
        let swing = swings[swings.partition_point(|swing| swing.0 < frame)..].first();
        let swing = swing.map(|swing| swing.0.max(frame) + 1);
        let ride = self.rides.next_change(frame, self.cast.entities);
        [movement, hurt, swing, ride].into_iter().flatten().min().unwrap_or(u32::MAX)
    }
}

/// How wide the steps of someone who is hurt become.
const HURT_SPEED: f64 = 1.5;

impl Gait {
    /// One tick in which the feet move so far.
    fn step(&mut self, distance: f64) {
        /// Steps narrower than this are none: what would be left of them is made at once.
        const NARROWEST: f64 = 1e-12;
        const EASE: f64 = 0.4;
        let speed = (4.0 * distance).min(1.0);
        self.walk_speed += (speed - self.walk_speed) * EASE;
        self.walk_position += self.walk_speed;
        if speed == 0.0 && self.walk_speed != 0.0 && self.walk_speed.abs() < NARROWEST {
            self.walk_position += self.walk_speed * (1.0 - EASE) / EASE;
            self.walk_speed = 0.0;
        }
    }

    /// One tick in which the player moves by itself `by` this many blocks along x and z, and looks
    /// towards `yaw`.
    fn turn(&mut self, by: [f64; 2], yaw: f64, is_swinging: bool) {
        /// Moving farther than this in a tick, squared, turns the body where it goes.
        const STRIDE: f64 = 0.002_500_000_2;
        const EASE: f64 = 0.3;
        /// So far the head turns without the body.
        const FARTHEST: f64 = 50.0;
        /// The tolerance for rounding: the body has to come to rest.
        const SLACK: f64 = 1e-9;
        let [dx, dz] = by;
        let mut target = self.body_yaw;
        if dx * dx + dz * dz > STRIDE {
            let along = dz.atan2(dx).to_degrees() - 90.0;
            let off = (wrapped(yaw) - along).abs();
            let is_backwards = 95.0 < off && off < 265.0;
            target = if is_backwards { along - 180.0 } else { along };
        }
        if is_swinging {
            target = yaw;
        }
        self.body_yaw += wrapped(target - self.body_yaw) * EASE;
        let off = wrapped(yaw - self.body_yaw);
        if off.abs() > FARTHEST + SLACK {
            self.body_yaw += off - off.signum() * FARTHEST;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::Entity;

    /// No vehicle.
    fn afoot(player: &Actor) -> Cast<'_> {
        Cast { player, entities: &[] }
    }

    fn client(player: &Actor, start_yaw: f32, frames: u32) -> Client {
        Client::new(afoot(player), &Held::new(None), start_yaw, frames)
    }

    /// Frame after frame, without snapshots or skipping.
    fn plainly(
        cast: Cast<'_>,
        vehicle: &Held<Option<i32>>,
        start_yaw: f32,
        frames: u32,
    ) -> Vec<Gait> {
        let (player, rides) = (cast.player, Rides::new(vehicle, cast.entities));
        let mut gait = Gait { body_yaw: f64::from(start_yaw), walk_position: 0.0, walk_speed: 0.0 };
        let mut before = player.path.after(0).position;
        (0..frames)
            .map(|frame| {
                let stand = player.path.at(frame);
                let by = stand.position - before;
                before = stand.position;
                if player.hurts.contains(&frame) {
                    gait.walk_speed = HURT_SPEED;
                }
                let is_swinging = player.swing(frame).0 > 0.0;
                gait.step(by.with_y(0.0).length());
                let ride = rides.at(frame);
                let by = if ride.is_some() { [0.0; 2] } else { [by.x, by.z] };
                gait.turn(by, stand.yaw, is_swinging);
                if let Some(yaw) = ride.and_then(|ride| ride.turns_to(cast.entities, frame)) {
                    gait.body_yaw = yaw;
                }
                gait
            })
            .collect()
    }

    #[test]
    fn random_access_equals_sequential_playback() {
        const FRAMES: u32 = 3000;
        let mut chance = fastrand::Rng::with_seed(11);
        let mut player = Actor::new(Stand::default());
        let mut stand = Stand::default();
        let mut frame = 0;
        while frame < FRAMES {
            match chance.u32(..8) {
                0 => player.swing_from(frame, chance.bool()),
                1 => player.hurts.push(frame),
                _ => {
                    let by = DVec3::new(chance.f64() - 0.5, 0.0, chance.f64() - 0.5);
                    stand.position += by * chance.f64();
                    stand.yaw = f64::from(chance.f32() * 720.0 - 360.0);
                    player.path.set(frame, 0, stand, false);
                }
            }
            // Now and then nothing happens for long.
            frame += if chance.u32(..20) == 0 { chance.u32(..300) } else { 1 + chance.u32(..2) };
        }
        let (boat, vehicle) = rides(&mut chance, FRAMES);
        let (nothing, boats): ([Entity; 0], _) = ([], [boat]);
        for (entities, vehicle) in [(&nothing[..], Held::new(None)), (&boats[..], vehicle)] {
            let cast = Cast { player: &player, entities };
            let expected = plainly(cast, &vehicle, 40.0, FRAMES);
            let client = Client::new(cast, &vehicle, 40.0, FRAMES);
            for _ in 0..5000 {
                let frame = chance.u32(..FRAMES);
                let state = client.at(cast, frame);
                let found = [state.body_yaw, state.walk_position, state.walk_speed];
                let Gait { body_yaw, walk_position, walk_speed } = expected[frame as usize];
                let expected = [body_yaw, walk_position, walk_speed.min(1.0)];
                assert_eq!(found, expected, "frame {frame}");
            }
        }
    }

    /// A boat that turns now and then, and when it is ridden.
    fn rides(chance: &mut fastrand::Rng, frames: u32) -> (Entity, Held<Option<i32>>) {
        let (mut vehicle, mut actor) = (Held::new(None), Actor::new(Stand::default()));
        for frame in 0..frames {
            match chance.u32(..40) {
                0 => vehicle.set(frame, 0, Some(7)),
                1 => vehicle.set(frame, 0, None),
                2..5 => {
                    let yaw = f64::from(chance.f32() * 360.0);
                    actor.path.set(frame, 0, Stand { yaw, ..Stand::default() }, false);
                }
                _ => {}
            }
        }
        let kind = "minecraft:oak_boat".to_owned();
        (Entity::of_kind(7, kind, "".into(), actor, Vec::new()), vehicle)
    }

    #[test]
    fn repeated_swings_never_run_backwards() {
        let mut player = Actor::new(Stand::default());
        player.swing_from(2, false);
        let client = client(&player, 0.0, 20);
        let attack = |frame, t| client.value(afoot(&player), SampleTime { frame, t }).attack;
        assert!((attack(7, 0.5) - 5.5 / 6.0).abs() < 1e-12);
        assert_eq!(attack(8, 0.0), 0.0);
        assert_eq!(attack(8, 0.5), 0.0);
    }

    #[test]
    fn swing_restarts_only_in_its_second_half() {
        let mut player = Actor::new(Stand::default());
        for frame in [0, 1, 2, 3, 4, 5, 20] {
            player.swing_from(frame, false);
        }
        let starts: Vec<_> = player.swings.iter().map(|swing| swing.0).collect();
        assert_eq!(starts, [0, 4, 20]);
    }
}
