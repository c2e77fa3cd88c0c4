//! Reads transforms in the serialisations of ROS 1 and ROS 2.

use glam::{DQuat, DVec3};

use super::{log::Transform, pose::Pose};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum RosVersion {
    /// ROS 1, whose fields are packed.
    One,
    /// ROS 2 with CDR, whose fields are aligned.
    Two,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    ros: RosVersion,
    is_big_endian: bool,
}

impl<'a> Reader<'a> {
    fn new(ros: RosVersion, bytes: &'a [u8]) -> Option<Self> {
        match ros {
            RosVersion::One => Some(Self { bytes, at: 0, ros, is_big_endian: false }),
            RosVersion::Two => {
                // Alignment is relative to the byte after the encapsulation header.
                let (encapsulation, rest) = bytes.split_at_checked(4)?;
                let is_big_endian = match encapsulation[..2] {
                    [0, 0] => true,
                    [0, 1] => false,
                    _ => return None,
                };
                Some(Self { bytes: rest, at: 0, ros, is_big_endian })
            }
        }
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        if self.ros == RosVersion::Two {
            self.at = self.at.next_multiple_of(N);
        }
        let end = self.at.checked_add(N)?;
        let mut array: [u8; N] = self.bytes.get(self.at..end)?.try_into().ok()?;
        if self.is_big_endian {
            array.reverse();
        }
        self.at = end;
        Some(array)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.array()?))
    }

    fn read_string(&mut self) -> Option<&'a str> {
        let length = self.u32()? as usize;
        let end = self.at.checked_add(length)?;
        let text = self.bytes.get(self.at..end)?;
        self.at = end;
        let text = match self.ros {
            RosVersion::One => text,
            RosVersion::Two => text.strip_suffix(&[0]).unwrap_or(text),
        };
        str::from_utf8(text).ok()
    }

    fn read_transform(&mut self) -> Option<(i64, Transform<'a>)> {
        if self.ros == RosVersion::One {
            self.u32()?;
        }
        let seconds = self.u32()?;
        let nanoseconds = self.u32()?;
        let parent = self.read_string()?;
        let child = self.read_string()?;
        let mut numbers = [0.0; 7];
        for number in &mut numbers {
            *number = self.f64()?;
        }
        let [x, y, z, qx, qy, qz, qw] = numbers;
        // Both versions count from 1970. ROS 2 has signed seconds, but the sign matters only for
        // times before 1970.
        let stamp = i64::from(seconds) * 1_000_000_000 + i64::from(nanoseconds);
        let transform = Transform {
            parent: parent.trim_start_matches('/'),
            child: child.trim_start_matches('/'),
            pose: Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw)),
        };
        Some((stamp, transform))
    }
}

pub(super) fn read_transforms(
    ros: RosVersion,
    data: &[u8],
    mut each: impl FnMut(i64, &Transform<'_>),
) -> Option<()> {
    let mut reader = Reader::new(ros, data)?;
    let count = reader.u32()?;
    // Each transform has more than 64 bytes, so a larger count is wrong.
    if count as usize > data.len() / 64 {
        return None;
    }
    for _ in 0..count {
        let (stamp, transform) = reader.read_transform()?;
        each(stamp, &transform);
    }
    Some(())
}
