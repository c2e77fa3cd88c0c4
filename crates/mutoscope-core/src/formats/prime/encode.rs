//! Encodes animations: the inverse of `decode`.

use glam::{DQuat, DVec3};

use super::{Game, RawKey, Step, decode::NO_INDEX};

/// An animation with keys at every frame.
pub(crate) struct EncodableAnimation {
    pub(crate) game: Game,
    /// In seconds.
    pub(crate) duration: f32,
    /// The time from one frame to the next, in seconds.
    pub(crate) interval: f32,
    pub(crate) frame_count: usize,
    pub(crate) root_bone: u32,
    pub(crate) events: Option<u32>,
    pub(crate) is_looping: bool,
    /// The animated bones, by ascending id. The root has a rotation.
    pub(crate) bones: Vec<BoneKeys>,
}

/// The keys of a bone, one for each frame.
pub(crate) struct BoneKeys {
    pub(crate) id: u32,
    /// Adjacent rotations are in the same hemisphere, and the first has a w of at least 0.
    pub(crate) rotation: Option<Vec<DQuat>>,
    /// Relative to the parent, in metres.
    pub(crate) translation: Option<Vec<DVec3>>,
    pub(crate) scale: Option<Vec<DVec3>>,
}

impl EncodableAnimation {
    /// Encodes version 0: floats for each frame.
    pub(crate) fn encode_arrays(&self) -> Vec<u8> {
        /// The number of slots in files of the games, one for each bone id.
        const BONE_SLOTS: usize = 100;
        let has_echoes = self.game != Game::Prime;
        let mut bytes = Bytes(Vec::new());
        bytes.add_u32(0);
        for time in [self.duration, self.interval] {
            bytes.add_f32(time);
            // The state of a time: not zero. Playback ignores it.
            bytes.add_u32(0);
        }
        bytes.add_u32(self.frame_count as u32);
        bytes.add_u32(self.root_bone);
        let highest = self.bones.iter().map(|bone| bone.id as usize + 1).max().unwrap_or(0);
        let slots = (0..highest.max(BONE_SLOTS) as u32)
            .map(|id| self.bones.iter().position(|bone| bone.id == id));
        bytes.add_indices(slots);
        let has_rotation = |bone: &BoneKeys| bone.rotation.is_some();
        let has_translation = |bone: &BoneKeys| bone.translation.is_some();
        let has_scale = |bone: &BoneKeys| bone.scale.is_some();
        if has_echoes {
            bytes.add_indices(self.track_indices(has_rotation));
        }
        bytes.add_indices(self.track_indices(has_translation));
        if has_echoes {
            bytes.add_indices(self.track_indices(has_scale));
            bytes.add_vectors(self.bones.iter().filter_map(|bone| bone.scale.as_deref()));
        }
        let rotations = self.bones.iter().filter_map(|bone| bone.rotation.as_deref());
        let wxyz = |q: &DQuat| [q.w, q.x, q.y, q.z];
        bytes.add_keys(rotations.flatten().map(wxyz).collect::<Vec<_>>());
        bytes.add_vectors(self.bones.iter().filter_map(|bone| bone.translation.as_deref()));
        if !has_echoes {
            bytes.add_u32(self.events.unwrap_or(u32::MAX));
        }
        bytes.0
    }

    fn track_indices(&self, has_track: impl Fn(&BoneKeys) -> bool) -> Vec<Option<usize>> {
        let mut count = 0;
        let mut next = |bone: &BoneKeys| {
            has_track(bone).then(|| {
                count += 1;
                count - 1
            })
        };
        self.bones.iter().map(&mut next).collect()
    }

    /// Encodes version 2: integers whose differences are packed into bits. The frames have to fit
    /// into a u16.
    pub(crate) fn encode_bitstream(&self, divisor: u32, multipliers: [f32; 2]) -> Vec<u8> {
        let [translation, scale] = multipliers.map(|multiplier| Step::Vector { multiplier });
        let is_echoes = self.game == Game::Echoes;
        let mut bytes = Bytes(Vec::new());
        bytes.add_u32(2);
        let scratch_offset = bytes.0.len();
        bytes.add_u32(0);
        if self.game == Game::Prime {
            bytes.add_u32(self.events.unwrap_or(u32::MAX));
        }
        match is_echoes {
            true => bytes.0.extend([1, 1]),
            false => bytes.add_u32(1),
        }
        bytes.add_f32(self.duration);
        bytes.add_f32(self.interval);
        bytes.add_u32(self.root_bone);
        bytes.add_u32(self.is_looping.into());
        bytes.add_u32(divisor);
        bytes.add_f32(multipliers[0]);
        if is_echoes {
            bytes.add_f32(multipliers[1]);
        }
        // The games store the root of Metroid Prime last, and the bones of Echoes by id.
        let mut bones: Vec<&BoneKeys> = self.bones.iter().collect();
        if !is_echoes {
            bones.sort_by_key(|bone| bone.id == self.root_bone);
        }
        let bone_count = bones.len() as u32;
        bytes.add_u32(bone_count);
        bytes.add_u32(1);
        bytes.add_u32(self.frame_count as u32);
        for first in (0..self.frame_count).step_by(32) {
            let frames = (self.frame_count - first).min(32);
            bytes.add_u32(u32::MAX >> (32 - frames));
        }
        if !is_echoes {
            bytes.add_u32(bone_count);
        }
        bytes.add_u32(bone_count);
        let mut attributes = Vec::new();
        for bone in bones {
            match is_echoes {
                true => bytes.0.push(bone.id as u8),
                false => bytes.add_u32(bone.id),
            }
            let rotation = bone.rotation.as_deref().map(|keys| quantized_rotations(keys, divisor));
            let vectors = |keys: &Option<Vec<DVec3>>, step: Step| {
                keys.as_deref().map(|keys| quantized_vectors(keys, step))
            };
            let mut parts =
                vec![(rotation, true), (vectors(&bone.translation, translation), false)];
            if is_echoes {
                parts.push((vectors(&bone.scale, scale), false));
            }
            for (keys, has_sign) in parts {
                let Some(keys) = keys else {
                    bytes.add_u16(0);
                    continue;
                };
                let widths = difference_widths(&keys);
                bytes.add_u16((self.frame_count - 1) as u16);
                for (number, width) in keys[0].numbers.into_iter().zip(widths) {
                    bytes.add_u16(number as u16);
                    bytes.0.push(width);
                }
                attributes.push((keys, widths, has_sign));
            }
        }
        let mut bits = BitWriter::default();
        for frame in 1..self.frame_count {
            for (keys, widths, has_sign) in &attributes {
                let [before, key] = [keys[frame - 1], keys[frame]];
                if *has_sign {
                    bits.add(key.is_negative.into(), 1);
                }
                for ((number, before), &width) in
                    key.numbers.into_iter().zip(before.numbers).zip(widths)
                {
                    bits.add((i32::from(number) - i32::from(before)).cast_unsigned(), width);
                }
            }
        }
        bits.words.iter().for_each(|word| bytes.add_u32(*word));
        // The scratch size includes its own four bytes.
        let scratch_size = (bytes.0.len() - scratch_offset) as u32;
        bytes.0[scratch_offset..scratch_offset + 4].copy_from_slice(&scratch_size.to_be_bytes());
        bytes.0
    }
}

fn quantized_rotations(keys: &[DQuat], divisor: u32) -> Vec<RawKey> {
    let step = Step::Rotation { divisor };
    let key = |q: &DQuat| RawKey {
        is_negative: q.w < 0.0,
        numbers: step.nearest_numbers(DVec3::new(q.x, q.y, q.z)),
    };
    keys.iter().map(key).collect()
}

fn quantized_vectors(keys: &[DVec3], step: Step) -> Vec<RawKey> {
    let key =
        |vector: &DVec3| RawKey { is_negative: false, numbers: step.nearest_numbers(*vector) };
    keys.iter().map(key).collect()
}

/// Returns the number of bits that the largest difference of each component takes, with its sign. A
/// component without differences takes no bits.
fn difference_widths(keys: &[RawKey]) -> [u8; 3] {
    [0, 1, 2].map(|axis| {
        let differences = keys
            .windows(2)
            .map(|pair| i32::from(pair[1].numbers[axis]) - i32::from(pair[0].numbers[axis]));
        let width = |difference: i32| {
            let magnitude = if difference < 0 { !difference } else { difference };
            (33 - magnitude.leading_zeros()) as u8
        };
        differences.filter(|difference| *difference != 0).map(width).max().unwrap_or(0)
    })
}

/// Packs bits into words from the least significant bit on.
#[derive(Default)]
struct BitWriter {
    words: Vec<u32>,
    bit: u32,
}

impl BitWriter {
    fn add(&mut self, value: u32, width: u8) {
        for bit in 0..width {
            if self.bit.is_multiple_of(32) {
                self.words.push(0);
            }
            if let Some(word) = self.words.last_mut() {
                *word |= (value >> bit & 1) << (self.bit % 32);
            }
            self.bit += 1;
        }
    }
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn add_u16(&mut self, number: u16) {
        self.0.extend(number.to_be_bytes());
    }

    fn add_u32(&mut self, number: u32) {
        self.0.extend(number.to_be_bytes());
    }

    fn add_f32(&mut self, number: f32) {
        self.0.extend(number.to_be_bytes());
    }

    fn add_indices(&mut self, indices: impl IntoIterator<Item = Option<usize>>) {
        let indices: Vec<u8> =
            indices.into_iter().map(|index| index.map_or(NO_INDEX, |index| index as u8)).collect();
        self.add_u32(indices.len() as u32);
        self.0.extend(indices);
    }

    fn add_vectors<'a>(&mut self, tracks: impl Iterator<Item = &'a [DVec3]>) {
        self.add_keys(tracks.flatten().map(|vector| vector.to_array()).collect::<Vec<_>>());
    }

    fn add_keys<const N: usize>(&mut self, keys: Vec<[f64; N]>) {
        self.add_u32(keys.len() as u32);
        keys.iter().flatten().for_each(|number| self.add_f32(*number as f32));
    }
}
