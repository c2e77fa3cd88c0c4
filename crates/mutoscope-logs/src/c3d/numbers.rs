//! Reads integers and floats in the encodings of the three processors.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processor {
    /// Little-endian, IEEE 754.
    Intel,
    /// Little-endian, with VAX floats.
    Dec,
    /// Big-endian, IEEE 754.
    Mips,
}

impl Processor {
    pub(super) fn from_code(number: u8) -> Option<Self> {
        match number {
            84 => Some(Self::Intel),
            85 => Some(Self::Dec),
            86 => Some(Self::Mips),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn u16_at(self, bytes: &[u8], at: usize) -> Option<u16> {
        let word: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(word),
            Self::Mips => u16::from_be_bytes(word),
        })
    }

    #[inline]
    pub(super) fn f32_at(self, bytes: &[u8], at: usize) -> Option<f64> {
        let number: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Self::Intel => f32::from_le_bytes(number).into(),
            Self::Mips => f32::from_be_bytes(number).into(),
            Self::Dec => f64_from_vax(number),
        })
    }
}

/// Converts a VAX float. Unlike an IEEE float, a VAX float has its 16-bit halves swapped and an
/// exponent bias that is larger by 2. There are no infinities and no subnormal numbers.
fn f64_from_vax([a, b, c, d]: [u8; 4]) -> f64 {
    let bits = u32::from_le_bytes([c, d, a, b]);
    let (exponent, fraction) = ((bits >> 23) & 0xff, bits & 0x7f_ffff);
    if exponent == 0 {
        return 0.0;
    }
    let size = (1.0 + f64::from(fraction) / f64::from(1_u32 << 23))
        * f64::from(exponent as i32 - 129).exp2();
    if bits >> 31 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_of_each_processor() {
        let cases: [(Processor, [u8; 4], f64); 7] = [
            (Processor::Intel, [0x00, 0x00, 0x80, 0x3f], 1.0),
            (Processor::Mips, [0x3f, 0x80, 0x00, 0x00], 1.0),
            // From the VAX manual: the first word of 1.0 is 0x4080.
            (Processor::Dec, [0x80, 0x40, 0x00, 0x00], 1.0),
            (Processor::Dec, [0x80, 0xc0, 0x00, 0x00], -1.0),
            (Processor::Dec, [0x49, 0x41, 0xd0, 0x0f], 3.141_590_118_408_203),
            (Processor::Dec, [0x00, 0x00, 0x00, 0x00], 0.0),
            (Processor::Dec, [0x00, 0x00, 0xff, 0xff], 0.0),
        ];
        for (processor, bytes, number) in cases {
            let found = processor.f32_at(&bytes, 0).unwrap();
            assert!((found - number).abs() < 1e-6, "{processor:?} {bytes:?}: {found}");
        }
        assert_eq!(Processor::Mips.u16_at(&[1, 2], 0), Some(0x0102));
        assert_eq!(Processor::Dec.u16_at(&[1, 2], 0), Some(0x0201));
        assert_eq!(Processor::Dec.u16_at(&[1, 2], 1), None);
    }
}
