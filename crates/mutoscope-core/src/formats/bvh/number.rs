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

/// Splits a word such as `0.0-7.5` before each sign that does not belong to an exponent. Some
/// writers print numbers in columns of a fixed width, which leave no room for a blank before a sign.
///
/// Returns the whole word if a part is not a number.
pub(super) fn split_glued(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts_number = move |index: usize| {
        matches!(word[index], b'+' | b'-') && !matches!(word[index - 1], b'e' | b'E')
    };
    let parts = move || {
        let mut start = 0;
        std::iter::from_fn(move || {
            let rest = word.get(start..).filter(|rest| !rest.is_empty())?;
            let end = (start + 1..word.len()).find(|&index| starts_number(index));
            let part = end.map_or(rest, |end| &word[start..end]);
            start += part.len();
            Some(part)
        })
    };
    let is_glued = parts().nth(1).is_some() && parts().all(|part| parse(part).is_some());
    let whole = (!is_glued).then_some(word);
    whole.into_iter().chain(is_glued.then(parts).into_iter().flatten())
}

pub(super) fn describe_glued_numbers(found: &str) -> String {
    format!(
        "expected white space between numbers, found {found}; using each sign as the start of a \
         number"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glued_numbers_are_split_before_signs_but_not_in_exponents() {
        let split = |word: &'static str| {
            split_glued(word.as_bytes())
                .map(|part| str::from_utf8(part).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(split("0.0-7.5"), ["0.0", "-7.5"]);
        assert_eq!(split("1e-3-2"), ["1e-3", "-2"]);
        assert_eq!(split("1.5+2"), ["1.5", "+2"]);
        assert_eq!(split("-0.1-0.2-0.3"), ["-0.1", "-0.2", "-0.3"]);
        assert_eq!(split("-1.5E+2-4E-1+7"), ["-1.5E+2", "-4E-1", "+7"]);
        assert_eq!(split("0,5-1,25"), ["0,5", "-1,25"]);
        for whole in ["-7.5", "1e-3", "--5", "1-", "a-b", "-1.#IND-5", "1.5-nope", "-", ""] {
            assert_eq!(split(whole), [whole], "{whole}");
        }
    }

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
