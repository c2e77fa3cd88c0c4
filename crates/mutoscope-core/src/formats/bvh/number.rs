//! Parses numbers as BVH writers print them.

/// Accepts a decimal comma, because some writers follow the user's locale.
pub(super) fn parse(word: &[u8]) -> Option<f64> {
    let text = str::from_utf8(word).ok()?;
    text.parse().ok().or_else(|| {
        let is_decimal_comma = text.bytes().filter(|&byte| byte == b',').count() == 1;
        if is_decimal_comma { text.replace(',', ".").parse().ok() } else { None }
    })
}

/// Parses a non-negative integer, which may be written like `6.0`. Returns `None` for other
/// numbers. Values above `usize::MAX` become `usize::MAX`.
pub(super) fn parse_integer(word: &[u8]) -> Option<usize> {
    let number = parse(word)?;
    (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_different_writers_are_parsed() {
        let cases: [(&[u8], Option<f64>); 8] = [
            (b"-1.5e-3", Some(-0.0015)),
            (b"1,25", Some(1.25)),
            (b".5", Some(0.5)),
            (b"+2", Some(2.0)),
            (b"1,2,3", None),
            (b"1.#IND", None),
            (b"\xff", None),
            (b"", None),
        ];
        for (word, expected) in cases {
            assert_eq!(parse(word), expected, "{word:?}");
        }
        assert!(parse(b"nan").is_some_and(f64::is_nan));
        assert_eq!(
            [&b"6"[..], b"6.0", b"6.5", b"-1", b"nan"].map(parse_integer),
            [Some(6), Some(6), None, None, None]
        );
    }
}
