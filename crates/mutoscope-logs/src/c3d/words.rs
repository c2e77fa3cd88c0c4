//! Numbers as the three processors write them.

/// The processor that a file was written on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processor {
    /// The lowest byte first, IEEE 754.
    Intel,
    /// The lowest byte first, numbers of a VAX.
    Dec,
    /// The highest byte first, IEEE 754.
    Mips,
}

impl Processor {
    /// By the number in the head of the parameters.
    pub(super) fn of(number: u8) -> Option<Self> {
        match number {
            84 => Some(Self::Intel),
            85 => Some(Self::Dec),
            86 => Some(Self::Mips),
            _ => None,
        }
    }

    /// The word at a byte.
    #[inline]
    pub(super) fn word(self, bytes: &[u8], at: usize) -> Option<u16> {
        let word: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(word),
            Self::Mips => u16::from_be_bytes(word),
        })
    }

    /// The number of single precision at a byte.
    #[inline]
    pub(super) fn number(self, bytes: &[u8], at: usize) -> Option<f64> {
        let number: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Self::Intel => f32::from_le_bytes(number).into(),
            Self::Mips => f32::from_be_bytes(number).into(),
            Self::Dec => of_vax(number),
        })
    }
}

/// A number of a VAX: the halves are swapped, the exponent is 2 more, and there are neither infinities nor
/// numbers below the normal ones.
fn of_vax([a, b, c, d]: [u8; 4]) -> f64 {
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
    fn numbers_of_each_processor_are_read() {
        let cases: [(Processor, [u8; 4], f64); 7] = [
            (Processor::Intel, [0x00, 0x00, 0x80, 0x3f], 1.0),
            (Processor::Mips, [0x3f, 0x80, 0x00, 0x00], 1.0),
            // From the manual of the VAX: 1 is 0x4080 in the first word.
            (Processor::Dec, [0x80, 0x40, 0x00, 0x00], 1.0),
            (Processor::Dec, [0x80, 0xc0, 0x00, 0x00], -1.0),
            (Processor::Dec, [0x49, 0x41, 0xd0, 0x0f], 3.141_590_118_408_203),
            (Processor::Dec, [0x00, 0x00, 0x00, 0x00], 0.0),
            (Processor::Dec, [0x00, 0x00, 0xff, 0xff], 0.0),
        ];
        for (processor, bytes, number) in cases {
            let found = processor.number(&bytes, 0).unwrap();
            assert!((found - number).abs() < 1e-6, "{processor:?} {bytes:?}: {found}");
        }
        assert_eq!(Processor::Mips.word(&[1, 2], 0), Some(0x0102));
        assert_eq!(Processor::Dec.word(&[1, 2], 0), Some(0x0201));
        assert_eq!(Processor::Dec.word(&[1, 2], 1), None);
    }
}
