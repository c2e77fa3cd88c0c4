//! Animations and skeletons as ozz's archives have them: versions 7 and 2.
//!
//! Keys of all tracks of a kind are in one list, in the order in which a player that goes forward needs
//! them: the first of each track, the second of each, then by the time of the key before.

/// A value as the archive packs it.
type Packed = [u16; 3];

/// A key of a track: the index of its time, and its value.
pub(crate) type Key = (u16, Packed);

/// The part of an animation after which there is a snapshot of the state of a player, from which any time
/// near it is found: a fiftieth. What random times take is about the same from a hundredth to a
/// twentieth; without snapshots it is a hundred times as long.
const SNAPSHOTS: f32 = 0.02;

/// An animation: `timepoints` from 0 to 1, and the keys of each track, of translations, rotations and
/// scales. Each track has a key at the first and at the last time, and there are a multiple of four.
pub(crate) fn animation(duration: f32, timepoints: &[f32], kinds: [&[Vec<Key>]; 3]) -> Vec<u8> {
    let kinds = kinds.map(|tracks| Keys::new(timepoints, tracks));
    let mut out = head("ozz-animation", 7);
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
        out.extend(count(keys.snapshot_places.len()));
    }
    out.extend(timepoints.iter().flat_map(|time| time.to_le_bytes()));
    for keys in &kinds {
        match timepoints.len() <= usize::from(u8::MAX) {
            true => out.extend(keys.times.iter().map(|&time| time as u8)),
            false => out.extend(keys.times.iter().flat_map(|time| time.to_le_bytes())),
        }
        out.extend(keys.back.iter().flat_map(|back| back.to_le_bytes()));
        out.extend(&keys.snapshots);
        out.extend(keys.snapshot_places.iter().flat_map(|place| place.to_le_bytes()));
        out.extend(SNAPSHOTS.to_le_bytes());
        out.extend(keys.values.iter().flatten().flat_map(|value| value.to_le_bytes()));
    }
    out
}

/// A skeleton with this many joints, none of which is below another.
pub(crate) fn skeleton(joints: usize) -> Vec<u8> {
    let mut out = head("ozz-skeleton", 2);
    let names: Vec<u8> = (0..joints).flat_map(|joint| format!("{joint}\0").into_bytes()).collect();
    out.extend((joints as u32).to_le_bytes());
    out.extend((names.len() as u32).to_le_bytes());
    out.extend(names);
    out.extend((0..joints).flat_map(|_| (-1_i16).to_le_bytes()));
    // Rest poses, four at a time: translation, rotation, scale.
    let four = |value: f32| [value; 4];
    let rest = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0].map(four);
    for _ in 0..joints.div_ceil(4) {
        out.extend(rest.iter().flatten().flat_map(|number| number.to_le_bytes()));
    }
    out
}

/// The byte for little-endian, what the archive has, and its version.
fn head(tag: &str, version: u32) -> Vec<u8> {
    let mut out = vec![1];
    out.extend(tag.as_bytes());
    out.push(0);
    out.extend(version.to_le_bytes());
    out
}

/// The keys of all tracks of a kind.
struct Keys {
    track_count: usize,
    times: Vec<u16>,
    /// How far before each key the one before it of its track is.
    back: Vec<u16>,
    values: Vec<Packed>,
    snapshots: Vec<u8>,
    /// For each snapshot where it begins, and the last key that a player has read by then.
    snapshot_places: Vec<u32>,
}

impl Keys {
    fn new(timepoints: &[f32], tracks: &[Vec<Key>]) -> Self {
        assert!(tracks.len().is_multiple_of(4), "{} tracks", tracks.len());
        // The index of the time before which a key is needed; the first two are needed at once.
        let mut order: Vec<(u16, usize, usize)> = Vec::new();
        for (track, keys) in tracks.iter().enumerate() {
            assert_eq!(keys.first().map(|key| key.0), Some(0), "a key at the first time");
            assert_eq!(keys.last().map(|key| usize::from(key.0) + 1), Some(timepoints.len()));
            order.extend((2..keys.len()).map(|key| (keys[key - 1].0, track, key)));
        }
        order.sort_unstable();
        let firsts =
            [0, 1].into_iter().flat_map(|key| (0..tracks.len()).map(move |at| (0, at, key)));
        let order: Vec<_> = firsts.chain(order).collect();

        let mut made = Self {
            track_count: tracks.len(),
            times: Vec::new(),
            back: Vec::new(),
            values: Vec::new(),
            snapshots: Vec::new(),
            snapshot_places: Vec::new(),
        };
        let mut latest = vec![0; tracks.len()];
        let mut next_snapshot = 1;
        for (place, &(needed_after, track, key)) in order.iter().enumerate() {
            let ahead = place >= 2 * tracks.len();
            while ahead && timepoints[usize::from(needed_after)] > next_snapshot as f32 * SNAPSHOTS
            {
                made.snapshot(&latest, place - 1);
                next_snapshot += 1;
            }
            let back = if key == 0 { 0 } else { place - latest[track] };
            made.back.push(u16::try_from(back).expect("keys of a track are near each other"));
            latest[track] = place;
            made.times.push(tracks[track][key].0);
            made.values.push(tracks[track][key].1);
        }
        while next_snapshot as f32 * SNAPSHOTS < 1.0 + SNAPSHOTS {
            made.snapshot(&latest, order.len() - 1);
            next_snapshot += 1;
        }
        // ozz reads four bytes where there may be fewer.
        made.snapshots.extend([0; 3]);
        made
    }

    /// The latest key of each track, four at a time: how many bytes each has, then those.
    fn snapshot(&mut self, latest: &[usize], last: usize) {
        self.snapshot_places.extend([self.snapshots.len() as u32, last as u32]);
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

/// A vector in half precision.
pub(crate) fn vector(value: [f32; 3]) -> Packed {
    value.map(|number| {
        let bits = number.to_bits();
        let sign = (bits >> 16 & 0x8000) as u16;
        // Smaller numbers than half precision has in full are 0.
        if number.abs() < f32::from_bits(0x3880_0000) {
            return sign;
        }
        // Rounded to the nearest, up where two are as near.
        let rounded = (bits & 0x7fff_ffff) + 0x1000;
        sign | ((rounded - 0x3800_0000) >> 13) as u16
    })
}

/// A rotation in 48 bits: three components of 15 bits, which is the largest, and its sign.
pub(crate) fn rotation(value: [f32; 4]) -> Packed {
    let largest = (0..4).max_by(|&a, &b| value[a].abs().total_cmp(&value[b].abs())).unwrap_or(3);
    let coded = |number: f32| {
        let part = (number / std::f32::consts::SQRT_2 + 0.5) * 32767.0;
        part.round().clamp(0.0, 32767.0) as u64
    };
    let mut bits = largest as u64 | u64::from(value[largest] < 0.0) << 2;
    let others = (0..4).filter(|&component| component != largest);
    for (index, component) in others.enumerate() {
        bits |= coded(value[component]) << (3 + 15 * index);
    }
    [bits as u16, (bits >> 16) as u16, (bits >> 32) as u16]
}
