//! Rewrites numbers of JSON as integers, for parsers that distinguish `2.0` from `2`.

use std::borrow::Cow;

/// Every integer below is exact in f64.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Rewrites all whole numbers with a point or an exponent as integers: `2.0` and `0.2e1` become
/// `2`. JSON has only one type of number, but `serde` reads no integer from `2.0`.
///
/// Spaces fill the rest of a rewritten number, so that the locations of later errors stay correct.
/// Only a number such as `1e3`, which is shorter than its digits, moves the rest of the text.
pub(super) fn write_whole_numbers_as_integers(json: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut written = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(&byte) = json.get(at) {
        let start = at;
        match byte {
            b'"' => at = string_end(&json, at),
            b'-' | b'0'..=b'9' => {
                let is_number = |byte: &&u8| {
                    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
                };
                at += json[at..].iter().take_while(is_number).count();
                if let Some(integer) = parse_disguised_integer(&json[start..at]) {
                    written.extend_from_slice(&json[copied..start]);
                    let integer = integer.to_string();
                    written.extend_from_slice(integer.as_bytes());
                    let padding = (at - start).saturating_sub(integer.len());
                    written.resize(written.len() + padding, b' ');
                    copied = at;
                }
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return json;
    }
    written.extend_from_slice(&json[copied..]);
    written.into()
}

/// Returns the offset after the string that begins at `start`, or the end of an unfinished string.
fn string_end(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

/// Returns the value of a whole number that has a point or an exponent. `None` for all other
/// numbers, and for −0, which only a float distinguishes from 0.
fn parse_disguised_integer(number: &[u8]) -> Option<i64> {
    if !number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return None;
    }
    let text = std::str::from_utf8(number).ok()?;
    // `f64` accepts numbers that JSON does not have, such as `2.`. The parser has to reject them.
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    let value: f64 = text.parse().ok()?;
    let is_whole = value.fract() == 0.0 && value.abs() < MAX_EXACT_INTEGER;
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    (is_whole && !is_negative_zero).then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(json: &str) -> String {
        let bytes = write_whole_numbers_as_integers(json.as_bytes().into());
        String::from_utf8(bytes.into_owned()).unwrap()
    }

    #[test]
    fn whole_numbers_become_integers_and_keep_their_length() {
        let cases = [
            ("[2.0]", "[2  ]"),
            ("{\"count\": 20.0e0, \"b\":-3.00}", "{\"count\": 20    , \"b\":-3   }"),
            ("[0.2E+1,1e3]", "[2     ,1000]"),
            ("[0.0,-0.0,0e9]", "[0  ,-0.0,0  ]"),
        ];
        for (json, expected) in cases {
            assert_eq!(rewritten(json), expected);
        }
    }

    #[test]
    fn other_numbers_and_strings_stay() {
        for json in [
            "[2, 2.5, 1e-3, 1e300, 9007199254740993.0, -7]",
            r#"{"version": "2.0", "a\"1.0": "\\", "b": "3.0"}"#,
            "[2., 01.0, 1.0.0, 1e, --2.0]",
            "\"2.0",
            "",
        ] {
            assert_eq!(rewritten(json), json);
        }
    }
}
