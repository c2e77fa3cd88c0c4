//! Numbers that were transformed before they were compressed.

use std::f32::consts::FRAC_1_SQRT_2;

use serde::Deserialize;

/// The transformation of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Filter {
    #[default]
    None,
    /// Unit vectors as points of an octahedron.
    Octahedral,
    /// Unit quaternions without their largest component.
    Quaternion,
    /// Floats as a mantissa of 24 bits and an exponent of 8.
    Exponential,
    /// Colours as brightness and two differences.
    Color,
}

impl Filter {
    /// Whether it knows elements of `stride` bytes.
    pub(super) fn takes(self, stride: usize) -> bool {
        match self {
            Self::None => true,
            Self::Octahedral | Self::Color => matches!(stride, 4 | 8),
            Self::Quaternion => stride == 8,
            Self::Exponential => stride.is_multiple_of(4),
        }
    }

    /// Undoes it, in place.
    pub(super) fn apply(self, bytes: &mut [u8], stride: usize) {
        match (self, stride) {
            (Self::None, _) => {}
            (Self::Octahedral, 4) => signed_bytes(bytes, |input| octahedral(input, 127.0)),
            (Self::Octahedral, _) => signed_shorts(bytes, |input| octahedral(input, 32767.0)),
            (Self::Quaternion, _) => signed_shorts(bytes, quaternion),
            (Self::Exponential, _) => exponential(bytes),
            (Self::Color, 4) => signed_bytes(bytes, |[y, co, cg, alpha]| {
                color([y & 255, co, cg, alpha & 255], 255.0)
            }),
            (Self::Color, _) => signed_shorts(bytes, |[y, co, cg, alpha]| {
                color([y & 0xffff, co, cg, alpha & 0xffff], 65535.0)
            }),
        }
    }
}

/// Elements of four signed bytes.
fn signed_bytes(bytes: &mut [u8], of: impl Fn([i32; 4]) -> [i32; 4]) {
    for element in bytes.chunks_exact_mut(4) {
        let input = std::array::from_fn(|at| i32::from(element[at] as i8));
        for (byte, output) in element.iter_mut().zip(of(input)) {
            *byte = output as u8;
        }
    }
}

/// Elements of four signed 16-bit numbers.
fn signed_shorts(bytes: &mut [u8], of: impl Fn([i32; 4]) -> [i32; 4]) {
    for element in bytes.chunks_exact_mut(8) {
        let input = std::array::from_fn(|at| {
            i32::from(i16::from_le_bytes([element[2 * at], element[2 * at + 1]]))
        });
        for (pair, output) in element.chunks_exact_mut(2).zip(of(input)) {
            pair.copy_from_slice(&(output as u16).to_le_bytes());
        }
    }
}

/// A unit vector of which 1 is `most`; the fourth number stays.
fn octahedral([x, y, one, kept]: [i32; 4], most: f32) -> [i32; 4] {
    let (x, y, one) = (x as f32, y as f32, one as f32);
    let z = one - x.abs() - y.abs();
    // The lower half is folded outwards.
    let folded = z.min(0.0);
    let (x, y) = (x + folded.copysign(-x), y + folded.copysign(-y));
    let scale = most / (x * x + y * y + z * z).sqrt();
    let whole = |number: f32| (number * scale).round() as i32;
    [whole(x), whole(y), whole(z), kept]
}

/// A unit quaternion of three components and, in the fourth, 1 and which component is left out.
fn quaternion([x, y, z, one_and_largest]: [i32; 4]) -> [i32; 4] {
    const ONE: f32 = 32767.0;
    let scale = FRAC_1_SQRT_2 / (one_and_largest | 3) as f32;
    let [x, y, z] = [x, y, z].map(|part| part as f32 * scale);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut quaternion = [largest, x, y, z].map(|part| (part * ONE).round() as i32);
    quaternion.rotate_right((one_and_largest & 3) as usize);
    quaternion
}

/// Floats, of 24 bits of mantissa and 8 of exponent.
fn exponential(bytes: &mut [u8]) {
    for number in bytes.chunks_exact_mut(4) {
        let packed = i32::from_le_bytes([number[0], number[1], number[2], number[3]]);
        let (mantissa, exponent) = (packed << 8 >> 8, packed >> 24);
        // In double precision no product is rounded, and the sum of both exponents is in its range.
        let float = (f64::from(mantissa) * 2f64.powi(exponent)) as f32;
        number.copy_from_slice(&float.to_le_bytes());
    }
}

/// Red, green, blue and opacity of brightness, two differences, and an opacity below a bit that tells
/// how many bits the numbers have.
fn color([y, co, cg, alpha]: [i32; 4], most: f32) -> [i32; 4] {
    let bits = i32::BITS - alpha.leading_zeros();
    let all = (1i32 << bits) - 1;
    let opacity = alpha & all >> 1;
    let opacity = opacity << 1 | opacity & 1;
    let scale = most / all.max(1) as f32;
    [y + co - cg, y + cg, y - co - cg, opacity]
        .map(|part| (part as f32 * scale).round().clamp(0.0, most) as i32)
}
