//! Positions and looks over time.

use glam::DVec3;

use crate::time::SampleTime;

/// A position and a look.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stand {
    /// The middle of its feet, in blocks.
    pub position: DVec3,
    /// Down from the horizon, in degrees.
    pub pitch: f64,
    /// Where it looks, in degrees: 0 is south, 90 is west.
    pub yaw: f64,
    /// The same of its head.
    pub head_yaw: f64,
}

/// The position and look of an actor over time: kept at the frames in which it moved.
///
/// Values hold until they are set again, so between two such frames it stands still up to the frame
/// before the later one, and only then moves in a straight line; angles turn the short way. At a
/// teleport it jumps.
#[derive(Clone, Debug, Default)]
pub struct Path {
    start: Stand,
    frames: Vec<u32>,
    positions: Vec<DVec3>,
    pitches: Vec<f32>,
    yaws: Vec<f32>,
    head_yaws: Vec<f32>,
    offsets: Vec<u32>,
    /// The indices of those that are jumped to, ascending.
    jumps: Vec<u32>,
    /// The indices of those with which it takes a seat, ascending: it turns towards them as ever,
    /// but is not seen on the way.
    seats: Vec<u32>,
}

/// Nothing runs this far in a tick, in blocks: it was put there.
const FARTHEST: f64 = 8.0;

impl Path {
    /// A path that starts there.
    pub(in super::super) fn new(start: Stand) -> Self {
        Self { start, ..Self::default() }
    }

    /// The frames in which it moves, ascending.
    pub fn frames(&self) -> &[u32] {
        &self.frames
    }

    /// Where to, each time.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// The offsets of the actions that move it.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The position and look after its movement with this index.
    pub fn key(&self, index: usize) -> Stand {
        Stand {
            position: self.positions[index],
            pitch: self.pitches[index].into(),
            yaw: self.yaws[index].into(),
            head_yaw: self.head_yaws[index].into(),
        }
    }

    /// Whether the movement with this index is a jump: nothing runs there in a tick.
    pub fn is_jump(&self, index: usize) -> bool {
        self.jumps.binary_search(&(index as u32)).is_ok()
    }

    /// How many movements there are up to a frame, itself included.
    pub(in super::super) fn count_up_to(&self, frame: u32) -> usize {
        self.frames.partition_point(|&key| key <= frame)
    }

    /// The state after this many movements.
    pub(in super::super) fn after(&self, count: usize) -> Stand {
        if count == 0 { self.start } else { self.key(count - 1) }
    }

    /// The position and look in a frame.
    pub fn at(&self, frame: u32) -> Stand {
        self.after(self.count_up_to(frame))
    }

    /// The position and look at a moment.
    pub fn value(&self, moment: SampleTime) -> Stand {
        let count = self.count_up_to(moment.frame);
        let here = self.after(count);
        let moves_next = moment.t > 0.0 && self.frames.get(count) == Some(&(moment.frame + 1));
        if !moves_next || self.is_jump(count) {
            return here;
        }
        let between = here.towards(&self.key(count), moment.t);
        if self.seats.binary_search(&(count as u32)).is_ok() {
            return Stand { position: here.position, ..between };
        }
        between
    }

    /// It takes a seat in these frames, ascending: where it moves in them, it does so at once.
    pub(in super::super) fn take_seats(&mut self, frames: impl Iterator<Item = u32>) {
        let moves = frames.filter_map(|frame| self.frames.binary_search(&frame).ok());
        self.seats = moves.map(|index| index as u32).collect();
    }

    /// Its position and look at the end.
    pub(in super::super) fn latest(&self) -> Stand {
        self.after(self.frames.len())
    }

    /// Moves it in `frame`, as the action at `offset` says; `jumps` if it did not run there.
    pub(in super::super) fn set(&mut self, frame: u32, offset: usize, stand: Stand, jumps: bool) {
        if self.frames.last() == Some(&frame) {
            self.drop_last();
        } else if !self.frames.is_empty() && self.latest() == stand {
            return;
        }
        let by = stand.position - self.latest().position;
        if jumps || by.length_squared() > FARTHEST * FARTHEST {
            self.jumps.push(self.frames.len() as u32);
        }
        self.frames.push(frame);
        self.positions.push(stand.position);
        // As the file has them: nothing is lost.
        self.pitches.push(stand.pitch as f32);
        self.yaws.push(stand.yaw as f32);
        self.head_yaws.push(stand.head_yaw as f32);
        self.offsets.push(offset as u32);
    }

    /// Takes the last movement back: another in the same frame counts.
    fn drop_last(&mut self) {
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

impl Stand {
    /// So much of the way to another, angles the short way.
    pub(super) fn towards(&self, other: &Self, t: f64) -> Self {
        Self {
            position: self.position.lerp(other.position, t),
            pitch: turned(self.pitch, other.pitch, t),
            yaw: turned(self.yaw, other.yaw, t),
            head_yaw: turned(self.head_yaw, other.head_yaw, t),
        }
    }
}

/// An angle in degrees brought to −180 ≤ angle < 180.
pub(in super::super) fn wrapped(angle: f64) -> f64 {
    let rest = angle % 360.0;
    if rest >= 180.0 {
        rest - 360.0
    } else if rest < -180.0 {
        rest + 360.0
    } else {
        rest
    }
}

/// So much of the way from one angle to another, in degrees, the short way round.
pub(in super::super) fn turned(from: f64, to: f64, t: f64) -> f64 {
    from + wrapped(to - from) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stand(x: f64, yaw: f64) -> Stand {
        Stand { position: DVec3::new(x, 64.0, 0.0), yaw, ..Stand::default() }
    }

    fn at(path: &Path, frame: u32, t: f64) -> (f64, f64) {
        let stand = path.value(SampleTime { frame, t });
        (stand.position.x, stand.yaw)
    }

    #[test]
    fn path_rests_until_the_frame_before_a_movement() {
        let mut path = Path::new(stand(0.0, 0.0));
        path.set(4, 0, stand(1.0, 10.0), false);
        path.set(5, 1, stand(2.0, 20.0), false);
        assert_eq!(at(&path, 2, 0.5), (0.0, 0.0));
        assert_eq!(at(&path, 3, 0.0), (0.0, 0.0));
        assert_eq!(at(&path, 3, 0.5), (0.5, 5.0));
        assert_eq!(at(&path, 4, 0.0), (1.0, 10.0));
        assert_eq!(at(&path, 4, 0.25), (1.25, 12.5));
        assert_eq!(at(&path, 9, 0.5), (2.0, 20.0));
    }

    #[test]
    fn mounting_is_a_jump() {
        let mut path = Path::new(stand(0.0, 0.0));
        path.set(1, 0, stand(1.0, 10.0), false);
        path.set(2, 0, stand(2.0, 20.0), false);
        path.take_seats([0, 2].into_iter());
        assert_eq!(at(&path, 0, 0.5), (0.5, 5.0));
        assert_eq!(at(&path, 1, 0.5), (1.0, 15.0));
        assert_eq!(at(&path, 2, 0.0), (2.0, 20.0));
    }

    #[test]
    fn angles_turn_the_short_way() {
        let mut path = Path::new(stand(0.0, 170.0));
        path.set(1, 0, stand(0.0, -170.0), false);
        assert_eq!(at(&path, 0, 0.5).1, 180.0);
        for (angle, expected) in [(180.0, -180.0), (-180.0, -180.0), (540.0, -180.0), (725.0, 5.0)]
        {
            assert_eq!(wrapped(angle), expected, "{angle}");
        }
    }

    #[test]
    fn teleports_are_jumps() {
        let mut path = Path::new(stand(0.0, 0.0));
        path.set(1, 0, stand(8.5, 90.0), false);
        path.set(2, 1, stand(9.0, 90.0), true);
        path.set(2, 2, stand(9.5, 90.0), false);
        path.set(3, 3, stand(9.75, 90.0), true);
        assert_eq!(at(&path, 0, 0.9), (0.0, 0.0));
        assert_eq!(at(&path, 1, 0.5), (9.0, 90.0), "the later movement of a frame counts");
        assert_eq!(at(&path, 2, 0.5), (9.5, 90.0));
        assert_eq!(at(&path, 3, 0.0), (9.75, 90.0));
    }
}
