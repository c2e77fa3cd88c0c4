//! Riding: while a player rides, the vehicle turns the body instead of the player's own movement.

use super::{Actor, ActorTransform, MotionPath, StepTrack, path::wrap_degrees};
use crate::{Entity, kinds, time::SampleTime};

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Actors<'a> {
    pub(in super::super) player: &'a Actor,
    pub(in super::super) entities: &'a [Entity],
}

#[derive(Clone, Debug, Default)]
pub(super) struct RideList(Box<[Ride]>);

#[derive(Clone, Debug)]
pub(super) struct Ride {
    from: u32,
    /// The first frame after the ride.
    to: u32,
    entity: usize,
    vehicle: Vehicle,
}

#[derive(Clone, Debug)]
enum Vehicle {
    /// The rider's body faces where the boat faces.
    Boat,
    /// The rider's body faces in the direction of the mount's body. The angle between the rider's
    /// head and body is limited.
    Mount {
        /// The ranges of the mount's movements in which its position changes. The mount's body
        /// turns only in these movements.
        walk_spans: Box<[(u32, u32)]>,
    },
    /// A minecart or another vehicle. Only the rider's head turns the body.
    Other,
}

impl RideList {
    pub(super) fn new(vehicle: &StepTrack<Option<i32>>, entities: &[Entity]) -> Self {
        let ends = vehicle.frames().iter().skip(1).copied().chain([u32::MAX]);
        let stretches = vehicle.frames().iter().zip(ends).zip(vehicle.values());
        let rides = stretches.filter_map(|((&from, to), id)| {
            let id = (*id)?;
            let entity = entities.iter().position(|entity| entity.id == id)?;
            Some(Ride { from, to, entity, vehicle: Vehicle::new(&entities[entity]) })
        });
        Self(rides.collect())
    }

    pub(super) fn ride_at(&self, frame: u32) -> Option<&Ride> {
        let begun = self.0.partition_point(|ride| ride.from <= frame);
        self.0[..begun].last().filter(|ride| frame < ride.to)
    }

    pub(super) fn next_change(&self, frame: u32, entities: &[Entity]) -> Option<u32> {
        let next = self.0.get(self.0.partition_point(|ride| ride.from <= frame));
        let current = self.ride_at(frame);
        let turn = current.and_then(|ride| {
            let path = &ride.boat_entity(entities)?.actor.path;
            path.frames().get(path.movement_count(frame)).copied()
        });
        [next.map(|ride| ride.from), current.map(|ride| ride.to), turn].into_iter().flatten().min()
    }

    /// Returns the player's position and look direction as drawn. In a boat, the game limits the
    /// look to 105° to either side.
    pub(super) fn sample_look(&self, actors: Actors<'_>, moment: SampleTime) -> ActorTransform {
        let recorded = actors.player.path.sample(moment);
        let [here, next] = [moment.frame, moment.frame + 1]
            .map(|frame| Some((frame, self.ride_at(frame)?.boat_entity(actors.entities)?)));
        let next = next.filter(|_| moment.t > 0.0);
        if here.is_none() && next.is_none() {
            return recorded;
        }
        let limited = |frame: u32, boat: Option<(u32, &Entity)>| {
            let mut transform = actors.player.path.at_frame(frame);
            if let Some((frame, boat)) = boat {
                let boat_yaw = boat.actor.path.at_frame(frame).yaw;
                transform.yaw = clamp_look_in_boat(boat_yaw, transform.yaw);
                transform.head_yaw = clamp_look_in_boat(boat_yaw, transform.head_yaw);
            }
            transform
        };
        let from = limited(moment.frame, here);
        let to = if moment.t > 0.0 { limited(moment.frame + 1, next) } else { from };
        let between = from.lerp(&to, moment.t);
        ActorTransform { yaw: between.yaw, head_yaw: between.head_yaw, ..recorded }
    }
}

fn clamp_look_in_boat(boat_yaw: f64, look: f64) -> f64 {
    const MAX_LOOK_DEGREES: f64 = 105.0;
    boat_yaw + wrap_degrees(look - boat_yaw).clamp(-MAX_LOOK_DEGREES, MAX_LOOK_DEGREES)
}

impl Ride {
    fn boat_entity<'a>(&self, entities: &'a [Entity]) -> Option<&'a Entity> {
        matches!(self.vehicle, Vehicle::Boat).then(|| &entities[self.entity])
    }

    pub(super) fn boat_yaw(&self, entities: &[Entity], frame: u32) -> Option<f64> {
        self.boat_entity(entities).map(|boat| boat.actor.path.at_frame(frame).yaw)
    }

    pub(super) fn drawn_body_yaw(&self, actors: Actors<'_>, frame: u32, own: f64) -> f64 {
        match &self.vehicle {
            Vehicle::Boat | Vehicle::Other => own,
            Vehicle::Mount { walk_spans: walks } => {
                let body = mount_body_yaw(&actors.entities[self.entity].actor.path, walks, frame);
                rider_body_yaw(body, actors.player.path.at_frame(frame).head_yaw)
            }
        }
    }
}

fn rider_body_yaw(mount_body: f64, head: f64) -> f64 {
    const MAX_HEAD_TURN_DEGREES: f64 = 85.0;
    /// The angle between head and body, in degrees, from which the body follows the head by
    /// `FOLLOW_RATIO` of the angle.
    const FOLLOW_FROM_DEGREES: f64 = 50.0;
    const FOLLOW_RATIO: f64 = 0.2;
    let turn = wrap_degrees(head - mount_body).clamp(-MAX_HEAD_TURN_DEGREES, MAX_HEAD_TURN_DEGREES);
    let body = head - turn;
    if turn.abs() > FOLLOW_FROM_DEGREES { body + turn * FOLLOW_RATIO } else { body }
}

fn mount_body_yaw(path: &MotionPath, walks: &[(u32, u32)], frame: u32) -> f64 {
    let moved = path.movement_count(frame) as u32;
    match walks[..walks.partition_point(|walk| walk.0 < moved)].last() {
        Some(&(_, end)) => path.after_movements(moved.min(end) as usize).yaw,
        // The mount has not moved since it was added, so use the yaw with which it was added.
        None => path.after_movements(1).yaw,
    }
}

impl Vehicle {
    fn new(entity: &Entity) -> Self {
        if kinds::is_boat(&entity.kind) {
            Self::Boat
        } else if entity.is_living() {
            Self::Mount { walk_spans: find_walk_spans(&entity.actor.path) }
        } else {
            Self::Other
        }
    }
}

fn find_walk_spans(path: &MotionPath) -> Box<[(u32, u32)]> {
    /// The speed in blocks per tick up to which the game regards a mount as standing.
    const MIN_WALK_BLOCKS_PER_TICK: f64 = 0.0005;
    let mut walks: Vec<(u32, u32)> = Vec::new();
    let mut before = path.after_movements(0).position;
    for (index, &position) in (0_u32..).zip(path.positions()) {
        let movement = (position - before).with_y(0.0);
        before = position;
        if movement.length_squared() <= MIN_WALK_BLOCKS_PER_TICK * MIN_WALK_BLOCKS_PER_TICK {
            continue;
        }
        match walks.last_mut() {
            Some(last) if last.1 == index => last.1 += 1,
            _ => walks.push((index, index + 1)),
        }
    }
    walks.into()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn boat_riders_look_within_limits() {
        assert_eq!(clamp_look_in_boat(-89.0, -30.0), -30.0);
        assert_eq!(clamp_look_in_boat(-89.0, 170.0), -89.0 - 101.0, "the short way");
        assert_eq!(clamp_look_in_boat(-89.0, 150.0), -89.0 - 105.0);
        assert_eq!(clamp_look_in_boat(10.0, 140.0), 115.0);
    }

    #[test]
    fn mounted_body_follows_the_head_with_a_limit() {
        for (head, body) in [(0.0, 0.0), (50.0, 0.0), (60.0, 12.0), (85.0, 17.0), (100.0, 32.0)] {
            assert!((rider_body_yaw(0.0, head) - body).abs() < 1e-12, "{head}");
            assert!((rider_body_yaw(0.0, -head) + body).abs() < 1e-12, "-{head}");
        }
    }

    #[test]
    fn standing_mount_does_not_turn_the_rider() {
        let transform = |x: f64, yaw: f64| ActorTransform {
            position: DVec3::X * x,
            yaw,
            ..ActorTransform::default()
        };
        let mut path = MotionPath::new(transform(0.0, 5.0));
        path.set(0, 0, transform(0.0, 5.0), true);
        path.set(2, 0, transform(0.0, 30.0), false);
        path.set(3, 0, transform(0.1, 40.0), false);
        path.set(4, 0, transform(0.2, 50.0), false);
        path.set(7, 0, transform(0.2, 90.0), false);
        path.set(9, 0, transform(0.2004, 95.0), false);
        path.set(11, 0, transform(0.3, 100.0), false);
        let walks = find_walk_spans(&path);
        assert_eq!(*walks, [(2, 4), (6, 7)]);
        let yaws = [0, 2, 3, 4, 8, 10, 12].map(|frame| mount_body_yaw(&path, &walks, frame));
        assert_eq!(yaws, [5.0, 5.0, 40.0, 50.0, 50.0, 50.0, 100.0]);
    }
}
