//! Filters: reverses the transformations of numbers that make compression more effective.

use std::f32::consts::FRAC_1_SQRT_2;

use serde::Deserialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::skeleton_file::gltf) enum Filter {
    #[default]
    None,
    /// Unit vectors in octahedral encoding.
    Octahedral,
    /// Unit quaternions without their largest component.
    Quaternion,
    /// Floats with a mantissa of 24 bits and an exponent of 8 bits.
    Exponential,
    /// Colours in YCoCg: luma and two chroma differences.
    Color,
}

impl Filter {
    pub(super) fn supports_stride(self, stride: usize) -> bool {
        match self {
            Self::None => true,
            Self::Octahedral | Self::Color => matches!(stride, 4 | 8),
            Self::Quaternion => stride == 8,
            Self::Exponential => stride.is_multiple_of(4),
        }
    }

    pub(super) fn reverse(self, bytes: &mut [u8], stride: usize) {
        match (self, stride) {
            (Self::None, _) => {}
            (Self::Octahedral, 4) => {
                map_i8_elements(bytes, |input| decode_octahedral(input, 127.0))
            }
            (Self::Octahedral, _) => {
                map_i16_elements(bytes, |input| decode_octahedral(input, 32767.0))
            }
            (Self::Quaternion, _) => map_i16_elements(bytes, decode_quaternion),
            (Self::Exponential, _) => decode_exponential(bytes),
            (Self::Color, 4) => map_i8_elements(bytes, |[y, co, cg, alpha]| {
                decode_color([y & 255, co, cg, alpha & 255], 255.0)
            }),
            (Self::Color, _) => map_i16_elements(bytes, |[y, co, cg, alpha]| {
                decode_color([y & 0xffff, co, cg, alpha & 0xffff], 65535.0)
            }),
        }
    }
}

fn map_i8_elements(bytes: &mut [u8], decode: impl Fn([i32; 4]) -> [i32; 4]) {
    for element in bytes.chunks_exact_mut(4) {
        let input = std::array::from_fn(|at| i32::from(element[at] as i8));
        for (byte, output) in element.iter_mut().zip(decode(input)) {
            *byte = output as u8;
        }
    }
}

fn map_i16_elements(bytes: &mut [u8], decode: impl Fn([i32; 4]) -> [i32; 4]) {
    for element in bytes.chunks_exact_mut(8) {
        let input = std::array::from_fn(|at| {
            i32::from(i16::from_le_bytes([element[2 * at], element[2 * at + 1]]))
        });
        for (pair, output) in element.chunks_exact_mut(2).zip(decode(input)) {
            pair.copy_from_slice(&(output as u16).to_le_bytes());
        }
    }
}

/// Decodes a unit vector, and scales it so that 1 becomes `max`. The fourth component is kept.
fn decode_octahedral([x, y, scale_one, fourth]: [i32; 4], max: f32) -> [i32; 4] {
    let (x, y, scale_one) = (x as f32, y as f32, scale_one as f32);
    let z = scale_one - x.abs() - y.abs();
    // In the encoding, the lower half of the octahedron is folded outwards. Fold it back.
    let folded = z.min(0.0);
    let (x, y) = (x + folded.copysign(-x), y + folded.copysign(-y));
    let scale = max / (x * x + y * y + z * z).sqrt();
    let scaled = |number: f32| (number * scale).round() as i32;
    [scaled(x), scaled(y), scaled(z), fourth]
}

/// Decodes a unit quaternion without its largest component. The fourth component contains the
/// scale. Its two lowest bits contain the index of the omitted component.
fn decode_quaternion([x, y, z, one_and_largest]: [i32; 4]) -> [i32; 4] {
    let scale = FRAC_1_SQRT_2 / (one_and_largest | 3) as f32;
    let [x, y, z] = [x, y, z].map(|part| part as f32 * scale);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut quaternion = [largest, x, y, z].map(|part| (part * f32::from(i16::MAX)).round() as i32);
    quaternion.rotate_right((one_and_largest & 3) as usize);
    quaternion
}

/// Decodes floats from 24 bits of mantissa and 8 bits of exponent.
fn decode_exponential(bytes: &mut [u8]) {
    for number in bytes.chunks_exact_mut(4) {
        let packed = i32::from_le_bytes([number[0], number[1], number[2], number[3]]);
        let (mantissa, exponent) = (packed << 8 >> 8, packed >> 24);
        // Multiply as f64, because its range holds every product exactly.
        let float = (f64::from(mantissa) * 2f64.powi(exponent)) as f32;
        number.copy_from_slice(&float.to_le_bytes());
    }
}

/// Decodes YCoCg with alpha. The position of the highest set bit of `alpha` gives the number of
/// bits of all components. The lower bits of `alpha` are the opacity.
fn decode_color([y, co, cg, alpha]: [i32; 4], max: f32) -> [i32; 4] {
    let bits = i32::BITS - alpha.leading_zeros();
    let max_value = (1i32 << bits) - 1;
    let opacity = alpha & max_value >> 1;
    let opacity = opacity << 1 | opacity & 1;
    let scale = max / max_value.max(1) as f32;
    [y + co - cg, y + cg, y - co - cg, opacity]
        .map(|part| (part as f32 * scale).round().clamp(0.0, max) as i32)
}
