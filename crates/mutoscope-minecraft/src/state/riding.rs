//! Riders: what a passenger is moved by is not its own motion, so its body goes by the vehicle.

use super::{Actor, Held, Path, Stand, path::wrapped};
use crate::{Entity, kinds, time::SampleTime};

/// A player and the entities that it may ride.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Cast<'a> {
    pub(in super::super) player: &'a Actor,
    pub(in super::super) entities: &'a [Entity],
}

/// The rides of a player, in the order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Rides(Box<[Ride]>);

/// A stretch of frames in which a player rides something.
#[derive(Clone, Debug)]
pub(super) struct Ride {
    from: u32,
    /// The first frame after the ride.
    to: u32,
    /// The vehicle, by its position among the entities.
    entity: usize,
    vehicle: Vehicle,
}

#[derive(Clone, Debug)]
enum Vehicle {
    /// A rider who sits in it faces where it does.
    Boat,
    /// A rider who sits on it faces where its body does, as far as the head allows.
    Mount {
        /// From which to which of its movements it gets ahead: only then its body turns.
        walks: Box<[(u32, u32)]>,
    },
    /// Minecarts and the rest: the body is turned by the head alone.
    Other,
}

impl Rides {
    /// The rides by the player's `vehicle`, an id among `entities`.
    pub(super) fn new(vehicle: &Held<Option<i32>>, entities: &[Entity]) -> Self {
        let ends = vehicle.frames().iter().skip(1).copied().chain([u32::MAX]);
        let stretches = vehicle.frames().iter().zip(ends).zip(vehicle.values());
        let rides = stretches.filter_map(|((&from, to), id)| {
            let id = (*id)?;
            let entity = entities.iter().position(|entity| entity.id == id)?;
            Some(Ride { from, to, entity, vehicle: Vehicle::new(&entities[entity]) })
        });
        Self(rides.collect())
    }

    pub(super) fn at(&self, frame: u32) -> Option<&Ride> {
        let begun = self.0.partition_point(|ride| ride.from <= frame);
        self.0[..begun].last().filter(|ride| frame < ride.to)
    }

    /// The next frame in which a ride begins or ends, or the vehicle turns the rider's own body.
    pub(super) fn next_change(&self, frame: u32, entities: &[Entity]) -> Option<u32> {
        let next = self.0.get(self.0.partition_point(|ride| ride.from <= frame));
        let current = self.at(frame);
        let turn = current.and_then(|ride| {
            let path = &ride.boat(entities)?.actor.path;
            path.frames().get(path.count_up_to(frame)).copied()
        });
        [next.map(|ride| ride.from), current.map(|ride| ride.to), turn].into_iter().flatten().min()
    }

    /// Where the player looks at a moment as it is drawn: within a boat no farther to the side than
    /// the game lets anybody.
    pub(super) fn look(&self, cast: Cast<'_>, moment: SampleTime) -> Stand {
        let recorded = cast.player.path.value(moment);
        let [here, next] = [moment.frame, moment.frame + 1]
            .map(|frame| Some((frame, self.at(frame)?.boat(cast.entities)?)));
        let next = next.filter(|_| moment.t > 0.0);
        if here.is_none() && next.is_none() {
            return recorded;
        }
        let limited = |frame: u32, boat: Option<(u32, &Entity)>| {
            let mut stand = cast.player.path.at(frame);
            if let Some((frame, boat)) = boat {
                let boat_yaw = boat.actor.path.at(frame).yaw;
                stand.yaw = in_boat(boat_yaw, stand.yaw);
                stand.head_yaw = in_boat(boat_yaw, stand.head_yaw);
            }
            stand
        };
        let from = limited(moment.frame, here);
        let to = if moment.t > 0.0 { limited(moment.frame + 1, next) } else { from };
        let between = from.towards(&to, moment.t);
        Stand { yaw: between.yaw, head_yaw: between.head_yaw, ..recorded }
    }
}

/// A look in a boat, in degrees, as far as the boat allows.
fn in_boat(boat_yaw: f64, look: f64) -> f64 {
    const FARTHEST: f64 = 105.0;
    boat_yaw + wrapped(look - boat_yaw).clamp(-FARTHEST, FARTHEST)
}

impl Ride {
    /// The vehicle, if it is a boat.
    fn boat<'a>(&self, entities: &'a [Entity]) -> Option<&'a Entity> {
        matches!(self.vehicle, Vehicle::Boat).then(|| &entities[self.entity])
    }

    /// Where the rider's own body is turned to at once in a frame, in degrees, if it is.
    pub(super) fn turns_to(&self, entities: &[Entity], frame: u32) -> Option<f64> {
        self.boat(entities).map(|boat| boat.actor.path.at(frame).yaw)
    }

    /// Where the rider's body is drawn in a frame, in degrees; `own` is where it would be turned by
    /// itself.
    pub(super) fn drawn_body_yaw(&self, cast: Cast<'_>, frame: u32, own: f64) -> f64 {
        match &self.vehicle {
            Vehicle::Boat | Vehicle::Other => own,
            Vehicle::Mount { walks } => {
                let body = mount_body_yaw(&cast.entities[self.entity].actor.path, walks, frame);
                on_mount(body, cast.player.path.at(frame).head_yaw)
            }
        }
    }
}

/// The body of a rider whose head looks so, on a mount with such a body, in degrees.
fn on_mount(mount_body: f64, head: f64) -> f64 {
    const FARTHEST: f64 = 85.0;
    /// From here on the body follows the head, by a part of the angle.
    const FOLLOWS_FROM: f64 = 50.0;
    const FOLLOWS_BY: f64 = 0.2;
    let turn = wrapped(head - mount_body).clamp(-FARTHEST, FARTHEST);
    let body = head - turn;
    if turn.abs() > FOLLOWS_FROM { body + turn * FOLLOWS_BY } else { body }
}

/// The yaw at the last movement up to a frame with which the mount got ahead, in degrees.
fn mount_body_yaw(path: &Path, walks: &[(u32, u32)], frame: u32) -> f64 {
    let moved = path.count_up_to(frame) as u32;
    match walks[..walks.partition_point(|walk| walk.0 < moved)].last() {
        Some(&(_, end)) => path.after(moved.min(end) as usize).yaw,
        // It has stood there ever since it was added.
        None => path.after(1).yaw,
    }
}

impl Vehicle {
    fn new(entity: &Entity) -> Self {
        if kinds::is_boat(&entity.kind) {
            Self::Boat
        } else if entity.is_living() {
            Self::Mount { walks: walks(&entity.actor.path) }
        } else {
            Self::Other
        }
    }
}

/// From which to which of the movements of a path it gets ahead.
fn walks(path: &Path) -> Box<[(u32, u32)]> {
    /// The game takes less than this for standing, in blocks a tick.
    const STANDS: f64 = 0.0005;
    let mut walks: Vec<(u32, u32)> = Vec::new();
    let mut before = path.after(0).position;
    for (index, &position) in (0_u32..).zip(path.positions()) {
        let by = (position - before).with_y(0.0);
        before = position;
        if by.length_squared() <= STANDS * STANDS {
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
        assert_eq!(in_boat(-89.0, -30.0), -30.0);
        assert_eq!(in_boat(-89.0, 170.0), -89.0 - 101.0, "the short way");
        assert_eq!(in_boat(-89.0, 150.0), -89.0 - 105.0);
        assert_eq!(in_boat(10.0, 140.0), 115.0);
    }

    #[test]
    fn mounted_body_follows_the_head_with_a_limit() {
        for (head, body) in [(0.0, 0.0), (50.0, 0.0), (60.0, 12.0), (85.0, 17.0), (100.0, 32.0)] {
            assert!((on_mount(0.0, head) - body).abs() < 1e-12, "{head}");
            assert!((on_mount(0.0, -head) + body).abs() < 1e-12, "-{head}");
        }
    }

    #[test]
    fn standing_mount_does_not_turn_the_rider() {
        let stand = |x: f64, yaw: f64| Stand { position: DVec3::X * x, yaw, ..Stand::default() };
        let mut path = Path::new(stand(0.0, 5.0));
        path.set(0, 0, stand(0.0, 5.0), true);
        path.set(2, 0, stand(0.0, 30.0), false);
        path.set(3, 0, stand(0.1, 40.0), false);
        path.set(4, 0, stand(0.2, 50.0), false);
        path.set(7, 0, stand(0.2, 90.0), false);
        path.set(9, 0, stand(0.2004, 95.0), false);
        path.set(11, 0, stand(0.3, 100.0), false);
        let walks = walks(&path);
        assert_eq!(*walks, [(2, 4), (6, 7)]);
        let yaws = [0, 2, 3, 4, 8, 10, 12].map(|frame| mount_body_yaw(&path, &walks, frame));
        assert_eq!(yaws, [5.0, 5.0, 40.0, 50.0, 50.0, 50.0, 100.0]);
    }
}
