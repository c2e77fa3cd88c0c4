//! Decodes vertex attributes: elements with any content, stored as differences between consecutive
//! elements, byte by byte.

use super::{MeshoptError, Stream, split_frame};

/// The number of consecutive differences that are packed with the same number of bits.
const GROUP_SIZE: usize = 16;

const MAX_BLOCK_ELEMENTS: usize = 256;
const MAX_BLOCK_BYTES: usize = 8192;

const VERSION_0: u8 = 0xa0;
const VERSION_1: u8 = 0xa1;

/// The number of bits of each difference in a group, for each of the four codes of a group. A group
/// with 0 bits is not stored, because all its differences are 0.
const BITS_0: [u32; 4] = [0, 2, 4, 8];
const BITS_1: [[u32; 4]; 2] = [[0, 1, 2, 4], [1, 2, 4, 8]];

pub(super) fn decode_attributes(
    bytes: &[u8],
    count: usize,
    stride: usize,
) -> Result<Vec<u8>, MeshoptError> {
    let channels = stride / 4;
    let (version, mut stream, tail) =
        split_frame(bytes, &[VERSION_0, VERSION_1], |version| match version {
            VERSION_0 => stride.max(32),
            _ => (stride + channels).max(24),
        })?;
    let is_version_0 = version == VERSION_0;
    let max_elements = (MAX_BLOCK_BYTES / stride / GROUP_SIZE * GROUP_SIZE).min(MAX_BLOCK_ELEMENTS);
    check_length(&stream, count, stride, max_elements, is_version_0)?;
    let tail = &tail[tail.len() - stride - if is_version_0 { 0 } else { channels }..];
    let (base, modes) = tail.split_at(stride);
    let modes = match is_version_0 {
        true => vec![ChannelMode::Bytes; channels],
        false => {
            modes.iter().map(|mode| ChannelMode::from_byte(*mode)).collect::<Result<_, _>>()?
        }
    };
    let mut before = base.to_vec();
    let mut decoded = vec![0; count * stride];
    for block in decoded.chunks_mut(max_elements * stride) {
        let elements = block.len() / stride;
        let controls = if is_version_0 { &[][..] } else { stream.take_bytes(channels)? };
        for (channel, mode) in modes.iter().enumerate() {
            let control = controls.get(channel).copied();
            let mut differences = [[0; MAX_BLOCK_ELEMENTS]; 4];
            for (byte, differences) in differences.iter_mut().enumerate() {
                let control = control.map(|control| control >> (2 * byte) & 3);
                read_differences(&mut stream, control, &mut differences[..elements])?;
            }
            let at = 4 * channel;
            let mut last = [before[at], before[at + 1], before[at + 2], before[at + 3]];
            for (element, target) in block.chunks_exact_mut(stride).enumerate() {
                last = mode.apply_differences(last, differences.each_ref().map(|one| one[element]));
                target[at..at + 4].copy_from_slice(&last);
            }
            before[at..at + 4].copy_from_slice(&last);
        }
    }
    stream.expect_end()?;
    Ok(decoded)
}

fn check_length(
    stream: &Stream<'_>,
    count: usize,
    stride: usize,
    max_elements: usize,
    is_version_0: bool,
) -> Result<(), MeshoptError> {
    let min_block_bytes = |elements: usize| match is_version_0 {
        true => stride * elements.div_ceil(GROUP_SIZE).div_ceil(4),
        false => stride / 4,
    };
    let rest =
        if count.is_multiple_of(max_elements) { 0 } else { min_block_bytes(count % max_elements) };
    let min_bytes =
        (count / max_elements).saturating_mul(min_block_bytes(max_elements)).saturating_add(rest);
    match stream.bytes.len() {
        found if found < min_bytes => Err(MeshoptError::Truncated {
            expected: format!("{min_bytes} bytes for {count} elements"),
            found: found.to_string(),
        }),
        _ => Ok(()),
    }
}

/// Reads the differences for one byte position of the elements in a block. `control` selects the
/// encoding. `None` for version 0, which has only one encoding.
fn read_differences(
    stream: &mut Stream<'_>,
    control: Option<u8>,
    into: &mut [u8],
) -> Result<(), MeshoptError> {
    let bits = match control {
        None => BITS_0,
        Some(control @ (0 | 1)) => BITS_1[usize::from(control)],
        Some(2) => return Ok(()),
        Some(_) => {
            into.copy_from_slice(stream.take_bytes(into.len())?);
            return Ok(());
        }
    };
    let kinds = stream.take_bytes(into.len().div_ceil(GROUP_SIZE).div_ceil(4))?;
    for (group, into) in into.chunks_mut(GROUP_SIZE).enumerate() {
        let kind = kinds[group / 4] >> (2 * (group % 4)) & 3;
        let differences = read_group(stream, bits[usize::from(kind)])?;
        into.copy_from_slice(&differences[..into.len()]);
    }
    Ok(())
}

/// Reads sixteen differences of `bits` bits each. If all bits of a difference are set, the
/// difference is stored as a whole byte after the group instead.
fn read_group(stream: &mut Stream<'_>, bits: u32) -> Result<[u8; GROUP_SIZE], MeshoptError> {
    let mut differences = [0; GROUP_SIZE];
    if bits == 0 {
        return Ok(differences);
    }
    let packed = stream.take_bytes(bits as usize * GROUP_SIZE / 8)?;
    if bits == 8 {
        differences.copy_from_slice(packed);
        return Ok(differences);
    }
    let per_byte = 8 / bits as usize;
    let all_set = (1 << bits) - 1;
    for (index, difference) in differences.iter_mut().enumerate() {
        let index_in_byte = (index % per_byte) as u32;
        // Single bits are packed from the lowest bit up. Larger differences are packed from the
        // highest bit down.
        let shift = if bits == 1 { index_in_byte } else { 8 - bits * (index_in_byte + 1) };
        let value = packed[index / per_byte] >> shift & all_set;
        *difference = if value == all_set { stream.take_byte()? } else { value };
    }
    Ok(differences)
}

/// The type of the numbers that are stored as differences. Four bytes contain four bytes, two
/// shorts, or one number of 32 bits.
#[derive(Clone, Copy)]
enum ChannelMode {
    Bytes,
    Shorts,
    /// A number of 32 bits. Its difference is an XOR, rotated left by this number of bits.
    Bits(u32),
}

impl ChannelMode {
    fn from_byte(byte: u8) -> Result<Self, MeshoptError> {
        match (byte & 15, byte >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Shorts),
            (2, turn) => Ok(Self::Bits(turn.into())),
            _ => Err(MeshoptError::ChannelMode(byte)),
        }
    }

    fn apply_differences(self, last: [u8; 4], differences: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => {
                std::array::from_fn(|at| last[at].wrapping_add(decode_zigzag_u8(differences[at])))
            }
            Self::Shorts => {
                let [a, b, c, d] = last;
                let [e, f, g, h] = differences;
                let low = add_zigzag_u16([a, b], [e, f]);
                let high = add_zigzag_u16([c, d], [g, h]);
                [low[0], low[1], high[0], high[1]]
            }
            Self::Bits(turn) => {
                let turned = u32::from_le_bytes(differences).rotate_right(turn);
                (u32::from_le_bytes(last) ^ turned).to_le_bytes()
            }
        }
    }
}

fn add_zigzag_u16(last: [u8; 2], difference: [u8; 2]) -> [u8; 2] {
    let difference = u16::from_le_bytes(difference);
    let signed = if difference & 1 == 0 { difference >> 1 } else { !(difference >> 1) };
    u16::from_le_bytes(last).wrapping_add(signed).to_le_bytes()
}

/// Decodes zigzag: 0, 1, 2, 3 … stand for 0, −1, 1, −2 …
fn decode_zigzag_u8(difference: u8) -> u8 {
    if difference & 1 == 0 { difference >> 1 } else { !(difference >> 1) }
}
