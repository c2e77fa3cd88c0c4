//! Elements of any content. Each of their bytes is the difference from that of the element before.

use super::{Stream, framed};

/// How many elements have the bits of a byte in a row.
const GROUP: usize = 16;

/// The largest block, in elements and in bytes.
const BLOCK_ELEMENTS: usize = 256;
const BLOCK_BYTES: usize = 8192;

const VERSION_0: u8 = 0xa0;
const VERSION_1: u8 = 0xa1;

/// How many bits a difference has in groups of each of four kinds; all 0 is not written at all.
const BITS_0: [u32; 4] = [0, 2, 4, 8];
const BITS_1: [[u32; 4]; 2] = [[0, 1, 2, 4], [1, 2, 4, 8]];

/// Decodes `count` elements of `stride` bytes.
///
/// # Errors
/// If the bytes are not exactly these.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let channels = stride / 4;
    let (version, mut stream, tail) =
        framed(bytes, &[VERSION_0, VERSION_1], |version| match version {
            VERSION_0 => stride.max(32),
            _ => (stride + channels).max(24),
        })?;
    let is_old = version == VERSION_0;
    let most = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK_ELEMENTS);
    check_length(&stream, count, stride, most, is_old)?;
    let tail = &tail[tail.len() - stride - if is_old { 0 } else { channels }..];
    let (base, modes) = tail.split_at(stride);
    let modes = match is_old {
        true => vec![ChannelMode::Bytes; channels],
        false => modes.iter().map(|mode| ChannelMode::of(*mode)).collect::<Result<_, _>>()?,
    };
    let mut before = base.to_vec();
    let mut decoded = vec![0; count * stride];
    for block in decoded.chunks_mut(most * stride) {
        let elements = block.len() / stride;
        let controls = if is_old { &[][..] } else { stream.take(channels)? };
        for (channel, mode) in modes.iter().enumerate() {
            let control = controls.get(channel).copied();
            let mut differences = [[0; BLOCK_ELEMENTS]; 4];
            for (byte, differences) in differences.iter_mut().enumerate() {
                let control = control.map(|control| control >> (2 * byte) & 3);
                read(&mut stream, control, &mut differences[..elements])?;
            }
            let at = 4 * channel;
            let mut last = [before[at], before[at + 1], before[at + 2], before[at + 3]];
            for (element, target) in block.chunks_exact_mut(stride).enumerate() {
                last = mode.next(last, differences.each_ref().map(|one| one[element]));
                target[at..at + 4].copy_from_slice(&last);
            }
            before[at..at + 4].copy_from_slice(&last);
        }
    }
    stream.end()?;
    Ok(decoded)
}

/// Whether there are as many bytes as this many elements take at least.
fn check_length(
    stream: &Stream<'_>,
    count: usize,
    stride: usize,
    most: usize,
    is_old: bool,
) -> Result<(), String> {
    let of_block = |elements: usize| match is_old {
        true => stride * elements.div_ceil(GROUP).div_ceil(4),
        false => stride / 4,
    };
    let rest = if count.is_multiple_of(most) { 0 } else { of_block(count % most) };
    let least = (count / most).saturating_mul(of_block(most)).saturating_add(rest);
    match stream.bytes.len() {
        found if found < least => {
            Err(format!("truncated: expected {least} bytes for {count} elements, found {found}"))
        }
        _ => Ok(()),
    }
}

/// Reads the differences of a byte of each element, by the `control` of version 1.
fn read(stream: &mut Stream<'_>, control: Option<u8>, into: &mut [u8]) -> Result<(), String> {
    let bits = match control {
        None => BITS_0,
        Some(control @ (0 | 1)) => BITS_1[usize::from(control)],
        Some(2) => return Ok(()),
        Some(_) => {
            into.copy_from_slice(stream.take(into.len())?);
            return Ok(());
        }
    };
    let kinds = stream.take(into.len().div_ceil(GROUP).div_ceil(4))?;
    for (group, into) in into.chunks_mut(GROUP).enumerate() {
        let kind = kinds[group / 4] >> (2 * (group % 4)) & 3;
        let differences = read_group(stream, bits[usize::from(kind)])?;
        into.copy_from_slice(&differences[..into.len()]);
    }
    Ok(())
}

/// Reads sixteen differences of this many bits. All bits set stand for a whole byte behind the group.
fn read_group(stream: &mut Stream<'_>, bits: u32) -> Result<[u8; GROUP], String> {
    let mut differences = [0; GROUP];
    if bits == 0 {
        return Ok(differences);
    }
    let packed = stream.take(bits as usize * GROUP / 8)?;
    if bits == 8 {
        differences.copy_from_slice(packed);
        return Ok(differences);
    }
    let per_byte = 8 / bits as usize;
    let all_set = (1 << bits) - 1;
    for (index, difference) in differences.iter_mut().enumerate() {
        let within = (index % per_byte) as u32;
        // Single bits begin at the lowest, others at the highest.
        let place = if bits == 1 { within } else { 8 - bits * (within + 1) };
        let value = packed[index / per_byte] >> place & all_set;
        *difference = if value == all_set { stream.byte()? } else { value };
    }
    Ok(differences)
}

/// The numbers that differences are between: four bytes hold four, two or one.
#[derive(Clone, Copy)]
enum ChannelMode {
    Bytes,
    Shorts,
    /// Bits that differ, turned by this many bits to the left.
    Bits(u32),
}

impl ChannelMode {
    fn of(byte: u8) -> Result<Self, String> {
        match (byte & 15, byte >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Shorts),
            (2, turn) => Ok(Self::Bits(turn.into())),
            _ => Err(format!("expected a channel of mode 0 to 2, found {byte:#04x}")),
        }
    }

    /// The four bytes after `last`, by their differences from it.
    fn next(self, last: [u8; 4], differences: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => {
                std::array::from_fn(|at| last[at].wrapping_add(signed_byte(differences[at])))
            }
            Self::Shorts => {
                let [a, b, c, d] = last;
                let [e, f, g, h] = differences;
                let low = next_short([a, b], [e, f]);
                let high = next_short([c, d], [g, h]);
                [low[0], low[1], high[0], high[1]]
            }
            Self::Bits(turn) => {
                let turned = u32::from_le_bytes(differences).rotate_right(turn);
                (u32::from_le_bytes(last) ^ turned).to_le_bytes()
            }
        }
    }
}

fn next_short(last: [u8; 2], difference: [u8; 2]) -> [u8; 2] {
    let difference = u16::from_le_bytes(difference);
    let signed = if difference & 1 == 0 { difference >> 1 } else { !(difference >> 1) };
    u16::from_le_bytes(last).wrapping_add(signed).to_le_bytes()
}

/// Even numbers stand for 0, 1, 2 …, odd ones for −1, −2, −3 …
fn signed_byte(difference: u8) -> u8 {
    if difference & 1 == 0 { difference >> 1 } else { !(difference >> 1) }
}
