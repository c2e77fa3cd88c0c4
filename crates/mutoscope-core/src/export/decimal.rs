//! Writes numbers in decimal digits.

use std::io::{self, Write as _};

/// The absolute values that are written without an exponent by all functions.
const PLAIN_MAGNITUDES: std::ops::Range<f64> = 1e-5..1e15;

/// Appends the shortest decimal number that is read as `number` again. Numbers have an exponent if
/// they are very small or very large: `2`, `0.1`, `1e-7`, `1e20`.
///
/// # Errors
/// Never fails, because a `Vec` takes all bytes.
pub(super) fn write_decimal(number: f64, out: &mut Vec<u8>) -> io::Result<()> {
    let is_plain = number == 0.0 || PLAIN_MAGNITUDES.contains(&number.abs());
    if is_plain { write_plain_decimal(number, out) } else { write!(out, "{number:e}") }
}

/// Appends the shortest decimal number that is read as `number` again, without an exponent.
///
/// The text is as long as that of the standard library, but most numbers take a quarter of the time.
///
/// # Errors
/// Never fails, because a `Vec` takes all bytes.
pub(super) fn write_plain_decimal(number: f64, out: &mut Vec<u8>) -> io::Result<()> {
    if number != 0.0 && !PLAIN_MAGNITUDES.contains(&number.abs()) {
        return write!(out, "{number}");
    }
    serde_json::to_writer(&mut *out, &number)?;
    // Use a pattern, because it compares two bytes, and `ends_with` would call `memcmp`.
    if let [.., b'.', b'0'] = out[..] {
        out.truncate(out.len() - 2);
    }
    Ok(())
}

/// Appends `number` with at most nine decimals, without an exponent. Numbers of a million or more
/// are written as by [`write_decimal`].
///
/// Rounded numbers are shorter than exact ones, and take less time.
///
/// # Errors
/// Never fails, because a `Vec` takes all bytes.
pub(super) fn write_rounded_decimal(number: f64, out: &mut Vec<u8>) -> io::Result<()> {
    /// Below this limit, `f64` represents every whole number of billionths exactly.
    const MAX: f64 = 1e6;
    const UNIT: u64 = 1_000_000_000;
    if number.is_nan() || number.abs() >= MAX {
        return write_decimal(number, out);
    }
    let billionths = (number.abs() * UNIT as f64).round() as u64;
    if number < 0.0 && billionths > 0 {
        out.push(b'-');
    }
    let (whole, fraction) = (billionths / UNIT, billionths % UNIT);
    serde_json::to_writer(&mut *out, &whole)?;
    if fraction > 0 {
        let point = out.len();
        // Write a 1 before the nine decimals, so that their leading zeros are written. Then replace
        // the 1 by the decimal point.
        serde_json::to_writer(&mut *out, &(UNIT + fraction))?;
        out[point] = b'.';
        while let [.., b'0'] = out[..] {
            out.pop();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(number: f64, write: fn(f64, &mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(number, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn very_small_and_very_large_numbers_have_an_exponent() {
        let cases = [0.1, 1e-7, -2.0, 1e20, 0.0, -0.0, 1e15, 1e16, 1e-5, 9.9e-6, 100.0, 0.00012];
        let expected = [
            "0.1", "1e-7", "-2", "1e20", "0", "-0", "1e15", "1e16", "0.00001", "9.9e-6", "100",
            "0.00012",
        ];
        assert_eq!(cases.map(|number| written(number, write_decimal)), expected);
    }

    #[test]
    fn plain_numbers_are_read_again_and_as_short_as_those_of_the_standard_library() {
        let mut random = fastrand::Rng::with_seed(5);
        let random = (0..20_000)
            .map(|_| (random.f64() - 0.5) * 10_f64.powi(random.i32(-12..20)))
            .chain([0.0, -0.0, 1e-5, 1e15, 1e16, f64::MIN_POSITIVE, 3.0]);
        for number in random {
            let text = written(number, write_plain_decimal);
            assert_eq!(text.parse(), Ok(number));
            assert_eq!(text.len(), number.to_string().len(), "{text}");
            assert!(!text.contains('e'), "{text}");
        }
    }

    #[test]
    fn rounded_numbers_are_within_half_a_billionth() {
        let cases = [0.1, -0.25, 1e-9, -4e-10, 2.0, 0.000_010_2, 999_999.999_999_999_9, -1.5e6];
        let expected =
            ["0.1", "-0.25", "0.000000001", "0", "2", "0.0000102", "1000000", "-1500000"];
        assert_eq!(cases.map(|number| written(number, write_rounded_decimal)), expected);
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..20_000 {
            let number = (random.f64() - 0.5) * 10_f64.powi(random.i32(-12..7));
            let text = written(number, write_rounded_decimal);
            let read: f64 = text.parse().unwrap();
            assert!((read - number).abs() <= 6e-10, "{number} is written as {text}");
            assert!(text.len() <= 18 && !text.contains('e'), "{text}");
        }
    }
}
