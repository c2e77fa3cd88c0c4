//! Reads those parts of FlatBuffers that the hands and heads of IsaacTeleop need.

use glam::{DQuat, DVec3};

#[derive(Clone, Copy)]
struct Buffer<'a>(&'a [u8]);

/// A FlatBuffers table at byte `at`. Its vtable lists the fields.
#[derive(Clone, Copy)]
struct Table<'a> {
    buffer: Buffer<'a>,
    at: usize,
}

impl<'a> Buffer<'a> {
    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn offset(self, at: usize) -> Option<usize> {
        at.checked_add(u32::from_le_bytes(self.array(at)?) as usize)
    }

    fn f32(self, at: usize) -> Option<f32> {
        Some(f32::from_le_bytes(self.array(at)?))
    }

    fn root(self) -> Option<Table<'a>> {
        Some(Table { buffer: self, at: self.offset(0)? })
    }
}

impl<'a> Table<'a> {
    fn field_offset(self, number: usize) -> Option<usize> {
        let back = i32::from_le_bytes(self.buffer.array(self.at)?);
        let fields = (self.at as i64).checked_sub(i64::from(back))?;
        let fields = usize::try_from(fields).ok()?;
        let size = usize::from(u16::from_le_bytes(self.buffer.array(fields)?));
        let entry = 4 + 2 * number;
        if entry + 2 > size {
            return None;
        }
        let offset = u16::from_le_bytes(self.buffer.array(fields.checked_add(entry)?)?);
        (offset != 0).then_some(self.at + usize::from(offset))
    }

    fn table(self, number: usize) -> Option<Table<'a>> {
        Some(Self { buffer: self.buffer, at: self.buffer.offset(self.field_offset(number)?)? })
    }

    /// Returns the time of the sample in nanoseconds, which is the second of the record's three
    /// times.
    fn sample_time(self) -> Option<i64> {
        let at = self.field_offset(1)?;
        Some(i64::from_le_bytes(self.buffer.array(at.checked_add(8)?)?))
    }
}

#[derive(Clone, Copy)]
pub(super) struct TrackedPose {
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
    pub(super) is_valid: bool,
    pub(super) radius: f64,
}

/// A record of a hand or a head. The time is that of the sample in nanoseconds. The poses are empty
/// while tracking is lost.
pub(super) struct PoseRecord {
    pub(super) time: Option<i64>,
    pub(super) poses: Vec<TrackedPose>,
}

fn read_pose(buffer: Buffer<'_>, at: usize) -> Option<(DVec3, DQuat)> {
    let mut numbers = [0.0; 7];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = f64::from(buffer.f32(at + 4 * index)?);
    }
    let [x, y, z, qx, qy, qz, qw] = numbers;
    Some((DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw)))
}

/// Reads `core.HandPoseRecord`, whose 26 joints are in the order of OpenXR.
pub(super) fn read_hand(data: &[u8]) -> Option<PoseRecord> {
    const JOINT_BYTES: usize = 36;
    let buffer = Buffer(data);
    let record = buffer.root()?;
    let time = record.sample_time();
    let Some(hand) = record.table(0) else { return Some(PoseRecord { time, poses: Vec::new() }) };
    let Some(joints) = hand.field_offset(0) else {
        return Some(PoseRecord { time, poses: Vec::new() });
    };
    let mut poses = Vec::with_capacity(26);
    for joint in 0..26 {
        let at = joints.checked_add(joint * JOINT_BYTES)?;
        let (position, rotation) = read_pose(buffer, at)?;
        let is_valid = buffer.array::<1>(at + 28)?[0] != 0;
        let radius = f64::from(buffer.f32(at + 32)?);
        poses.push(TrackedPose { position, rotation, is_valid, radius });
    }
    Some(PoseRecord { time, poses })
}

pub(super) fn read_head(data: &[u8]) -> Option<PoseRecord> {
    let buffer = Buffer(data);
    let record = buffer.root()?;
    let time = record.sample_time();
    let Some(head) = record.table(0) else { return Some(PoseRecord { time, poses: Vec::new() }) };
    let Some(at) = head.field_offset(0) else {
        return Some(PoseRecord { time, poses: Vec::new() });
    };
    let (position, rotation) = read_pose(buffer, at)?;
    let flag = |number: usize| {
        let at = head.field_offset(number);
        at.is_some_and(|at| buffer.array::<1>(at).is_some_and(|[flag]| flag != 0))
    };
    let pose = TrackedPose { position, rotation, is_valid: flag(1), radius: f64::NAN };
    Some(PoseRecord { time, poses: vec![pose] })
}
