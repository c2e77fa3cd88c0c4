//! Writes ozz archives: animations of version 7 and skeletons of version 2.
//!
//! All keys of a kind, such as all rotations, are in one list. Its order is that in which a player
//! needs them while it plays forwards: the first key of each track, the second key of each track,
//! and then by the time of the previous key of the same track.

/// A quantised value, as stored in an archive.
type Packed = [u16; 3];

/// A key of a track: the index of its time, and its value.
pub(crate) type Key = (u16, Packed);

/// The interval between snapshots, as a fraction of the animation: a fiftieth. A snapshot is the
/// state of a player at a time, from which the player can seek to nearby times. Seeking to random
/// times takes about the same from a hundredth to a twentieth. Without snapshots it takes a hundred
/// times as long.
const SNAPSHOT_INTERVAL: f32 = 0.02;

/// Encodes an animation. `timepoints` are the key times from 0 to 1. `kinds` are the tracks of
/// translations, rotations and scales. Each track must have keys at the first and at the last time,
/// and the number of tracks of a kind must be a multiple of four.
pub(crate) fn encode_animation(
    duration: f32,
    timepoints: &[f32],
    kinds: [&[Vec<Key>]; 3],
) -> Vec<u8> {
    let kinds = kinds.map(|tracks| Keys::new(timepoints, tracks));
    let mut out = encode_header("ozz-animation", 7);
    out.extend(duration.to_le_bytes());
    let [translations, rotations, scales] = &kinds;
    let count = |length: usize| (length as u32).to_le_bytes();
    for length in [
        translations.track_count,
        0,
        timepoints.len(),
        translations.values.len(),
        rotations.values.len(),
        scales.values.len(),
    ] {
        out.extend(count(length));
    }
    for keys in &kinds {
        out.extend(count(keys.snapshots.len()));
        out.extend(count(keys.snapshot_positions.len()));
    }
    out.extend(timepoints.iter().flat_map(|time| time.to_le_bytes()));
    for keys in &kinds {
        match timepoints.len() <= usize::from(u8::MAX) {
            true => out.extend(keys.times.iter().map(|&time| time as u8)),
            false => out.extend(keys.times.iter().flat_map(|time| time.to_le_bytes())),
        }
        let distances = keys.previous_distances.iter();
        out.extend(distances.flat_map(|distance| distance.to_le_bytes()));
        out.extend(&keys.snapshots);
        out.extend(keys.snapshot_positions.iter().flat_map(|position| position.to_le_bytes()));
        out.extend(SNAPSHOT_INTERVAL.to_le_bytes());
        out.extend(keys.values.iter().flatten().flat_map(|value| value.to_le_bytes()));
    }
    out
}

/// Encodes a skeleton with `joint_count` joints without parents.
pub(crate) fn encode_skeleton(joint_count: usize) -> Vec<u8> {
    let mut out = encode_header("ozz-skeleton", 2);
    let names: Vec<u8> =
        (0..joint_count).flat_map(|joint| format!("{joint}\0").into_bytes()).collect();
    out.extend((joint_count as u32).to_le_bytes());
    out.extend((names.len() as u32).to_le_bytes());
    out.extend(names);
    out.extend((0..joint_count).flat_map(|_| (-1_i16).to_le_bytes()));
    // Rest poses are stored for groups of four joints: translation, rotation, scale.
    let for_four_joints = |value: f32| [value; 4];
    let rest = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0].map(for_four_joints);
    for _ in 0..joint_count.div_ceil(4) {
        out.extend(rest.iter().flatten().flat_map(|number| number.to_le_bytes()));
    }
    out
}

/// Encodes the header: the byte for little-endian, the tag and the version.
fn encode_header(tag: &str, version: u32) -> Vec<u8> {
    let mut out = vec![1];
    out.extend(tag.as_bytes());
    out.push(0);
    out.extend(version.to_le_bytes());
    out
}

/// The keys of all tracks of a kind, in the order of the archive.
struct Keys {
    track_count: usize,
    times: Vec<u16>,
    /// For each key, the distance to the previous key of the same track, in keys.
    previous_distances: Vec<u16>,
    values: Vec<Packed>,
    snapshots: Vec<u8>,
    /// For each snapshot, its byte offset and the index of the last key that a player has read at
    /// that time.
    snapshot_positions: Vec<u32>,
}

impl Keys {
    fn new(timepoints: &[f32], tracks: &[Vec<Key>]) -> Self {
        assert!(tracks.len().is_multiple_of(4), "{} tracks", tracks.len());
        // Sort by the index of the time after which a key is needed. The first two keys of each
        // track are needed immediately.
        let mut order: Vec<(u16, usize, usize)> = Vec::new();
        for (track, keys) in tracks.iter().enumerate() {
            assert_eq!(keys.first().map(|key| key.0), Some(0), "the first key is at the first time");
            assert_eq!(keys.last().map(|key| usize::from(key.0) + 1), Some(timepoints.len()));
            order.extend((2..keys.len()).map(|key| (keys[key - 1].0, track, key)));
        }
        order.sort_unstable();
        let first_keys =
            [0, 1].into_iter().flat_map(|key| (0..tracks.len()).map(move |track| (0, track, key)));
        let order: Vec<_> = first_keys.chain(order).collect();

        let mut keys_of_kind = Self {
            track_count: tracks.len(),
            times: Vec::new(),
            previous_distances: Vec::new(),
            values: Vec::new(),
            snapshots: Vec::new(),
            snapshot_positions: Vec::new(),
        };
        let mut latest = vec![0; tracks.len()];
        let mut next_snapshot = 1;
        for (index, &(needed_after, track, key)) in order.iter().enumerate() {
            let is_needed_later = index >= 2 * tracks.len();
            let needed_after = timepoints[usize::from(needed_after)];
            while is_needed_later && needed_after > next_snapshot as f32 * SNAPSHOT_INTERVAL {
                keys_of_kind.push_snapshot(&latest, index - 1);
                next_snapshot += 1;
            }
            let distance = if key == 0 { 0 } else { index - latest[track] };
            keys_of_kind.previous_distances.push(
                u16::try_from(distance).expect("the keys of a track are near each other"),
            );
            latest[track] = index;
            keys_of_kind.times.push(tracks[track][key].0);
            keys_of_kind.values.push(tracks[track][key].1);
        }
        while next_snapshot as f32 * SNAPSHOT_INTERVAL < 1.0 + SNAPSHOT_INTERVAL {
            keys_of_kind.push_snapshot(&latest, order.len() - 1);
            next_snapshot += 1;
        }
        // Pad the end, because ozz always reads four bytes, even for shorter indices.
        keys_of_kind.snapshots.extend([0; 3]);
        keys_of_kind
    }

    /// Encodes the latest key of each track in groups of four: a byte with the lengths of the four
    /// indices, then the indices.
    fn push_snapshot(&mut self, latest: &[usize], last: usize) {
        self.snapshot_positions.extend([self.snapshots.len() as u32, last as u32]);
        for four in latest.chunks(4) {
            let bytes = |key: usize| 4 - (key as u32 | 1).leading_zeros() / 8;
            let lengths = four.iter().rev().fold(0, |all, &key| all << 2 | (bytes(key) - 1));
            self.snapshots.push(lengths as u8);
            for &key in four {
                self.snapshots.extend(&(key as u32).to_le_bytes()[..bytes(key) as usize]);
            }
        }
    }
}

/// Packs a vector as half-precision floats.
pub(crate) fn pack_vector(value: [f32; 3]) -> Packed {
    value.map(|number| {
        let bits = number.to_bits();
        let sign = (bits >> 16 & 0x8000) as u16;
        // Flush values to zero that are subnormal in half precision.
        if number.abs() < f32::from_bits(0x3880_0000) {
            return sign;
        }
        // Round to the nearest value, and ties upwards.
        let rounded = (bits & 0x7fff_ffff) + 0x1000;
        sign | ((rounded - 0x3800_0000) >> 13) as u16
    })
}

/// Packs a rotation into 48 bits: the index of the largest component, the sign of that component,
/// and the other three components with 15 bits each.
pub(crate) fn pack_rotation(value: [f32; 4]) -> Packed {
    let largest = (0..4).max_by(|&a, &b| value[a].abs().total_cmp(&value[b].abs())).unwrap_or(3);
    let quantise = |number: f32| {
        let part = (number / std::f32::consts::SQRT_2 + 0.5) * 32767.0;
        part.round().clamp(0.0, 32767.0) as u64
    };
    let mut bits = largest as u64 | u64::from(value[largest] < 0.0) << 2;
    let others = (0..4).filter(|&component| component != largest);
    for (index, component) in others.enumerate() {
        bits |= quantise(value[component]) << (3 + 15 * index);
    }
    [bits as u16, (bits >> 16) as u16, (bits >> 32) as u16]
}
