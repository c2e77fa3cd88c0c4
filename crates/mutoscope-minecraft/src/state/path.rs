//! Positions and look directions over time.

use glam::DVec3;

use crate::time::SampleTime;

/// The position and look direction of an actor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActorTransform {
    /// The position of the feet, in blocks.
    pub position: DVec3,
    /// The angle below the horizon, in degrees.
    pub pitch: f64,
    /// The heading in degrees: 0 is south, 90 is west.
    pub yaw: f64,
    /// The heading of the head, in degrees.
    pub head_yaw: f64,
}

/// The position and look direction of an actor over time. Each frame in which the actor moves has a
/// key.
///
/// Between a key and the frame before that key, the position is interpolated linearly and angles
/// turn the short way. In all other frames, the values of the last key hold. Teleports are not
/// interpolated.
#[derive(Clone, Debug, Default)]
pub struct MotionPath {
    start: ActorTransform,
    frames: Vec<u32>,
    positions: Vec<DVec3>,
    pitches: Vec<f32>,
    yaws: Vec<f32>,
    head_yaws: Vec<f32>,
    offsets: Vec<u32>,
    /// The indices of keys that the actor reaches by a jump, ascending. Jumps are not interpolated.
    jumps: Vec<u32>,
    /// The indices of keys at which the actor enters a vehicle, ascending. The angles are
    /// interpolated up to such a key, but the position is not.
    seats: Vec<u32>,
}

/// The maximum length of a movement in one tick, in blocks. A longer movement is a jump, because no
/// actor runs that fast.
const MAX_STEP_BLOCKS: f64 = 8.0;

impl MotionPath {
    pub(in super::super) fn new(start: ActorTransform) -> Self {
        Self { start, ..Self::default() }
    }

    /// Returns the frames of the movements, ascending.
    pub fn frames(&self) -> &[u32] {
        &self.frames
    }

    /// Returns the position after each movement.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Returns the file offset of the action that caused each movement.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the position and look direction after the movement with this index.
    pub fn key(&self, index: usize) -> ActorTransform {
        ActorTransform {
            position: self.positions[index],
            pitch: self.pitches[index].into(),
            yaw: self.yaws[index].into(),
            head_yaw: self.head_yaws[index].into(),
        }
    }

    /// Returns `true` if the movement with this index is a jump, which is not interpolated.
    pub fn is_jump(&self, index: usize) -> bool {
        self.jumps.binary_search(&(index as u32)).is_ok()
    }

    pub(in super::super) fn movement_count(&self, frame: u32) -> usize {
        self.frames.partition_point(|&key| key <= frame)
    }

    pub(in super::super) fn after_movements(&self, count: usize) -> ActorTransform {
        if count == 0 { self.start } else { self.key(count - 1) }
    }

    /// Returns the position and look direction in a frame.
    pub fn at_frame(&self, frame: u32) -> ActorTransform {
        self.after_movements(self.movement_count(frame))
    }

    /// Returns the position and look direction at `moment`.
    pub fn sample(&self, moment: SampleTime) -> ActorTransform {
        let count = self.movement_count(moment.frame);
        let here = self.after_movements(count);
        let moves_next = moment.t > 0.0 && self.frames.get(count) == Some(&(moment.frame + 1));
        if !moves_next || self.is_jump(count) {
            return here;
        }
        let between = here.lerp(&self.key(count), moment.t);
        if self.seats.binary_search(&(count as u32)).is_ok() {
            return ActorTransform { position: here.position, ..between };
        }
        between
    }

    /// Marks the movements in `frames` (ascending) as movements that put the actor into a vehicle.
    pub(in super::super) fn mark_seats(&mut self, frames: impl Iterator<Item = u32>) {
        let moves = frames.filter_map(|frame| self.frames.binary_search(&frame).ok());
        self.seats = moves.map(|index| index as u32).collect();
    }

    pub(in super::super) fn latest(&self) -> ActorTransform {
        self.after_movements(self.frames.len())
    }

    /// Sets the position and look direction from `frame` on. If `jumps` is `true`, even a short
    /// movement is a jump.
    pub(in super::super) fn set(
        &mut self,
        frame: u32,
        offset: usize,
        transform: ActorTransform,
        jumps: bool,
    ) {
        if self.frames.last() == Some(&frame) {
            self.remove_last();
        } else if !self.frames.is_empty() && self.latest() == transform {
            return;
        }
        let movement = transform.position - self.latest().position;
        if jumps || movement.length_squared() > MAX_STEP_BLOCKS * MAX_STEP_BLOCKS {
            self.jumps.push(self.frames.len() as u32);
        }
        self.frames.push(frame);
        self.positions.push(transform.position);
        // The casts lose nothing, because the file stores angles as `f32` or with fewer bits.
        self.pitches.push(transform.pitch as f32);
        self.yaws.push(transform.yaw as f32);
        self.head_yaws.push(transform.head_yaw as f32);
        self.offsets.push(offset as u32);
    }

    /// Removes the last movement, because a later movement in the same frame replaces it.
    fn remove_last(&mut self) {
        self.frames.pop();
        self.positions.pop();
        self.pitches.pop();
        self.yaws.pop();
        self.head_yaws.pop();
        self.offsets.pop();
        self.jumps.pop_if(|jump| *jump as usize == self.frames.len());
    }

    pub(in super::super) fn shrink(&mut self) {
        self.frames.shrink_to_fit();
        self.positions.shrink_to_fit();
        self.pitches.shrink_to_fit();
        self.yaws.shrink_to_fit();
        self.head_yaws.shrink_to_fit();
        self.offsets.shrink_to_fit();
        self.jumps.shrink_to_fit();
    }
}

impl ActorTransform {
    /// Interpolates towards `other`. Angles turn the short way.
    pub(super) fn lerp(&self, other: &Self, t: f64) -> Self {
        Self {
            position: self.position.lerp(other.position, t),
            pitch: lerp_degrees(self.pitch, other.pitch, t),
            yaw: lerp_degrees(self.yaw, other.yaw, t),
            head_yaw: lerp_degrees(self.head_yaw, other.head_yaw, t),
        }
    }
}

/// Returns the angle in degrees, in the range −180 ≤ angle < 180.
pub(in super::super) fn wrap_degrees(angle: f64) -> f64 {
    let remainder = angle % 360.0;
    if remainder >= 180.0 {
        remainder - 360.0
    } else if remainder < -180.0 {
        remainder + 360.0
    } else {
        remainder
    }
}

pub(in super::super) fn lerp_degrees(from: f64, to: f64, t: f64) -> f64 {
    from + wrap_degrees(to - from) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transform(x: f64, yaw: f64) -> ActorTransform {
        ActorTransform { position: DVec3::new(x, 64.0, 0.0), yaw, ..ActorTransform::default() }
    }

    fn at(path: &MotionPath, frame: u32, t: f64) -> (f64, f64) {
        let transform = path.sample(SampleTime { frame, t });
        (transform.position.x, transform.yaw)
    }

    #[test]
    fn path_rests_until_the_frame_before_a_movement() {
        let mut path = MotionPath::new(transform(0.0, 0.0));
        path.set(4, 0, transform(1.0, 10.0), false);
        path.set(5, 1, transform(2.0, 20.0), false);
        assert_eq!(at(&path, 2, 0.5), (0.0, 0.0));
        assert_eq!(at(&path, 3, 0.0), (0.0, 0.0));
        assert_eq!(at(&path, 3, 0.5), (0.5, 5.0));
        assert_eq!(at(&path, 4, 0.0), (1.0, 10.0));
        assert_eq!(at(&path, 4, 0.25), (1.25, 12.5));
        assert_eq!(at(&path, 9, 0.5), (2.0, 20.0));
    }

    #[test]
    fn mounting_is_a_jump() {
        let mut path = MotionPath::new(transform(0.0, 0.0));
        path.set(1, 0, transform(1.0, 10.0), false);
        path.set(2, 0, transform(2.0, 20.0), false);
        path.mark_seats([0, 2].into_iter());
        assert_eq!(at(&path, 0, 0.5), (0.5, 5.0));
        assert_eq!(at(&path, 1, 0.5), (1.0, 15.0));
        assert_eq!(at(&path, 2, 0.0), (2.0, 20.0));
    }

    #[test]
    fn angles_turn_the_short_way() {
        let mut path = MotionPath::new(transform(0.0, 170.0));
        path.set(1, 0, transform(0.0, -170.0), false);
        assert_eq!(at(&path, 0, 0.5).1, 180.0);
        for (angle, expected) in [(180.0, -180.0), (-180.0, -180.0), (540.0, -180.0), (725.0, 5.0)]
        {
            assert_eq!(wrap_degrees(angle), expected, "{angle}");
        }
    }

    #[test]
    fn teleports_are_jumps() {
        let mut path = MotionPath::new(transform(0.0, 0.0));
        path.set(1, 0, transform(8.5, 90.0), false);
        path.set(2, 1, transform(9.0, 90.0), true);
        path.set(2, 2, transform(9.5, 90.0), false);
        path.set(3, 3, transform(9.75, 90.0), true);
        assert_eq!(at(&path, 0, 0.9), (0.0, 0.0));
        assert_eq!(at(&path, 1, 0.5), (9.0, 90.0), "the later movement of a frame counts");
        assert_eq!(at(&path, 2, 0.5), (9.5, 90.0));
        assert_eq!(at(&path, 3, 0.0), (9.75, 90.0));
    }
}
