//! Writes animations and skeletons of Metroid Prime. Nothing is validated, so that tests can write
//! broken files.

pub mod gait;
pub mod walk;

use std::f64::consts::FRAC_PI_2;

use bitvec::prelude::{BitVec, Lsb0};
use mutoscope_core::formats::prime::Game;

/// The content of an animation file.
#[derive(Clone, Debug)]
pub struct Animation {
    pub game: Game,
    pub interval: f32,
    pub root_bone: u32,
    pub is_looping: bool,
    pub events: u32,
    /// The integer that stands for a quarter turn.
    pub divisor: u32,
    /// The length of the integer 1, in metres.
    pub translation_multiplier: f32,
    /// The scale of the integer 1.
    pub scale_multiplier: f32,
    /// The number of frames.
    pub frame_count: u32,
    /// The frames with keys, in ascending order, beginning with frame 0. In version 0 every frame
    /// has keys.
    pub keyed: Vec<u32>,
    pub channels: Vec<Keys>,
    /// Set if the file is padded to 32 bytes, as in the games' archives.
    pub is_padded: bool,
}

/// The keys of a bone: one for each keyed frame, or none.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    pub bone: u32,
    /// Unit quaternions in the order x, y, z, w. The w of the first one is not negative.
    pub rotation: Vec<[f64; 4]>,
    pub translation: Vec<[f64; 3]>,
    pub scale: Vec<[f64; 3]>,
}

impl Default for Animation {
    fn default() -> Self {
        Self {
            game: Game::Prime,
            interval: 0.033_333,
            root_bone: 3,
            is_looping: false,
            events: 0,
            divisor: 32_767,
            translation_multiplier: 1e-4,
            scale_multiplier: 1e-4,
            frame_count: 2,
            keyed: vec![0, 1],
            channels: Vec::new(),
            is_padded: true,
        }
    }
}

/// The quantised keys of one attribute: x, y and z, and the sign of w.
struct Integers {
    signs: Option<Vec<bool>>,
    keys: Vec<[i16; 3]>,
    /// The smallest number of bits that holds every difference, for each axis.
    widths: [u32; 3],
}

impl Integers {
    fn new(signs: Option<Vec<bool>>, keys: Vec<[i16; 3]>) -> Self {
        let bits = |difference: i16| match difference {
            0 => 0,
            _ => 17 - if difference < 0 { !difference } else { difference }.leading_zeros(),
        };
        let mut integers = Self { signs, keys, widths: [0; 3] };
        for axis in 0..3 {
            let differences = (1..integers.keys.len()).map(|key| integers.difference(key, axis));
            integers.widths[axis] = differences.map(bits).max().unwrap_or(0);
        }
        integers
    }

    fn from_rotations(keys: &[[f64; 4]], divisor: u32) -> Self {
        let step = FRAC_PI_2 / f64::from(divisor);
        let integer = |component: f64| (component.clamp(-1.0, 1.0).asin() / step).round() as i16;
        let signs = keys.iter().map(|key| key[3] < 0.0).collect();
        Self::new(Some(signs), keys.iter().map(|&[x, y, z, _]| [x, y, z].map(integer)).collect())
    }

    fn from_vectors(keys: &[[f64; 3]], step: f32) -> Self {
        let integer = |component: f64| (component / f64::from(step)).round() as i16;
        Self::new(None, keys.iter().map(|key| key.map(integer)).collect())
    }

    /// Returns the difference from the previous key, which wraps around at 16 bits.
    fn difference(&self, key: usize, axis: usize) -> i16 {
        self.keys[key][axis].wrapping_sub(self.keys[key - 1][axis])
    }

    fn descriptor(&self, bytes: &mut Vec<u8>) {
        let in_stream = self.keys.len().saturating_sub(1) as u16;
        bytes.extend(in_stream.to_be_bytes());
        if in_stream > 0 {
            for axis in 0..3 {
                bytes.extend(self.keys[0][axis].to_be_bytes());
                bytes.push(self.widths[axis] as u8);
            }
        }
    }

    fn record(&self, key: usize, bits: &mut BitVec<u32, Lsb0>) {
        if self.keys.is_empty() {
            return;
        }
        bits.extend(self.signs.iter().map(|signs| signs[key]));
        for axis in 0..3 {
            let difference = self.difference(key, axis);
            bits.extend((0..self.widths[axis]).map(|bit| difference >> bit.min(15) & 1 == 1));
        }
    }
}

impl Animation {
    /// Returns the duration in seconds, as the games compute it.
    pub fn duration(&self) -> f32 {
        (self.frame_count - 1) as f32 * self.interval
    }

    /// Encodes the file in version 0.
    pub fn encode_version_0(&self) -> Vec<u8> {
        /// The number of slots in the games' files, which does not depend on the number of bones.
        const SLOTS: usize = 100;
        let has_echoes = self.game == Game::Echoes;
        let mut bytes = Vec::new();
        write_u32s(&mut bytes, [0]);
        for time in [self.duration(), self.interval] {
            bytes.extend(time.to_be_bytes());
            write_u32s(&mut bytes, [0]);
        }
        write_u32s(&mut bytes, [self.frame_count, self.root_bone, SLOTS as u32]);
        let mut slots = [0xff; SLOTS];
        // The games number channels in the order of bone ids.
        let mut channels: Vec<_> = self.channels.iter().collect();
        channels.sort_by_key(|keys| keys.bone);
        for (channel, keys) in channels.iter().enumerate() {
            slots[keys.bone as usize] = channel as u8;
        }
        bytes.extend(slots);
        let mut index = |has_keys: &dyn Fn(&Keys) -> bool| {
            write_u32s(&mut bytes, [channels.len() as u32]);
            let mut tracks = 0..;
            let track = |keys: &&Keys| if has_keys(keys) { tracks.next().unwrap() } else { 0xff };
            bytes.extend(channels.iter().map(track));
        };
        if has_echoes {
            index(&|keys| !keys.rotation.is_empty());
        }
        index(&|keys| !keys.translation.is_empty());
        if has_echoes {
            index(&|keys| !keys.scale.is_empty());
            write_keys(&mut bytes, channels.iter().flat_map(|keys| keys.scale.iter().copied()));
        }
        let wxyz = |&[x, y, z, w]: &[f64; 4]| [w, x, y, z];
        write_keys(&mut bytes, channels.iter().flat_map(|keys| keys.rotation.iter().map(wxyz)));
        write_keys(&mut bytes, channels.iter().flat_map(|keys| keys.translation.iter().copied()));
        if !has_echoes {
            write_u32s(&mut bytes, [self.events]);
        }
        self.pad(bytes)
    }

    /// Encodes the file in version 2.
    pub fn encode_version_2(&self) -> Vec<u8> {
        let has_echoes = self.game == Game::Echoes;
        let mut bytes = Vec::new();
        write_u32s(&mut bytes, [2, 0]);
        match self.game {
            Game::Prime => write_u32s(&mut bytes, [self.events, 1]),
            Game::Echoes => bytes.extend([1, 1]),
            Game::EchoesDemo => write_u32s(&mut bytes, [1]),
        }
        bytes.extend(self.duration().to_be_bytes());
        bytes.extend(self.interval.to_be_bytes());
        write_u32s(&mut bytes, [self.root_bone, u32::from(self.is_looping), self.divisor]);
        bytes.extend(self.translation_multiplier.to_be_bytes());
        if has_echoes {
            bytes.extend(self.scale_multiplier.to_be_bytes());
        }
        let channel_count = self.channels.len() as u32;
        write_u32s(&mut bytes, [channel_count, 1, self.frame_count]);
        let bitmap = (0..self.frame_count).map(|frame| self.keyed.binary_search(&frame).is_ok());
        write_u32s(&mut bytes, bitmap.collect::<BitVec<u32, Lsb0>>().into_vec());
        let counts = if has_echoes { 1 } else { 2 };
        write_u32s(&mut bytes, std::iter::repeat_n(channel_count, counts));
        let channels: Vec<_> =
            self.channels.iter().map(|keys| (keys.bone, self.integers(keys))).collect();
        for (bone, attributes) in &channels {
            if has_echoes {
                bytes.push(*bone as u8);
            } else {
                write_u32s(&mut bytes, [*bone]);
            }
            attributes.iter().for_each(|integers| integers.descriptor(&mut bytes));
        }
        let mut stream = BitVec::<u32, Lsb0>::new();
        for key in 1..self.keyed.len() {
            let attributes = channels.iter().flat_map(|(_, attributes)| attributes);
            attributes.for_each(|integers| integers.record(key, &mut stream));
        }
        stream.set_uninitialized(false);
        write_u32s(&mut bytes, stream.into_vec());
        let scratch_size = bytes.len() as u32 - 4;
        bytes[4..8].copy_from_slice(&scratch_size.to_be_bytes());
        self.pad(bytes)
    }

    fn integers(&self, keys: &Keys) -> Vec<Integers> {
        let mut attributes = vec![
            Integers::from_rotations(&keys.rotation, self.divisor),
            Integers::from_vectors(&keys.translation, self.translation_multiplier),
        ];
        if self.game == Game::Echoes {
            attributes.push(Integers::from_vectors(&keys.scale, self.scale_multiplier));
        }
        attributes
    }

    fn pad(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.is_padded { pad_to_32_bytes(bytes) } else { bytes }
    }
}

/// A bone: its id, the id of its parent, its position in the skeleton, and its name.
pub type SkeletonBone<'a> = (u32, u32, [f32; 3], &'a str);

/// Encodes a skeleton file.
pub fn encode_skeleton(game: Game, bones: &[SkeletonBone]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_u32s(&mut bytes, [bones.len() as u32]);
    for (id, parent, origin, _) in bones {
        write_u32s(&mut bytes, [*id, *parent]);
        origin.iter().for_each(|component| bytes.extend(component.to_be_bytes()));
        if game == Game::Echoes {
            for component in [1.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] {
                bytes.extend(component.to_be_bytes());
            }
        }
        let children = bones.iter().filter(|bone| bone.1 == *id).map(|bone| bone.0);
        let links: Vec<u32> = std::iter::once(*parent).chain(children).collect();
        write_u32s(&mut bytes, [links.len() as u32]);
        write_u32s(&mut bytes, links);
    }
    write_u32s(&mut bytes, [bones.len() as u32]);
    write_u32s(&mut bytes, bones.iter().map(|bone| bone.0));
    let mut named: Vec<_> = bones.iter().filter(|bone| !bone.3.is_empty()).collect();
    named.sort_by_key(|bone| bone.3);
    write_u32s(&mut bytes, [named.len() as u32]);
    for (id, _, _, name) in named {
        bytes.extend(name.bytes());
        bytes.push(0);
        write_u32s(&mut bytes, [*id]);
    }
    pad_to_32_bytes(bytes)
}

fn write_u32s(bytes: &mut Vec<u8>, words: impl IntoIterator<Item = u32>) {
    bytes.extend(words.into_iter().flat_map(u32::to_be_bytes));
}

/// Writes the number of keys, and then the keys.
fn write_keys<const N: usize>(bytes: &mut Vec<u8>, keys: impl Iterator<Item = [f64; N]>) {
    let keys: Vec<_> = keys.collect();
    write_u32s(bytes, [keys.len() as u32]);
    bytes.extend(keys.into_iter().flatten().flat_map(|component| (component as f32).to_be_bytes()));
}

fn pad_to_32_bytes(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(32), 0xff);
    bytes
}
