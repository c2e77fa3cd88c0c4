//! Finds a statement about the unit in the comments of a BVH file. The format itself has no place
//! for a unit, and no standard comments.

use super::lexer::{Lexer, Token};

/// A line that names the unit of lengths.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatedUnit {
    pub(super) line: u32,
    pub(super) metres: f64,
}

/// Returns the first statement above the frames, or `None` if there is none.
pub(super) fn find(bytes: &[u8]) -> Option<StatedUnit> {
    let mut lexer = Lexer::new(bytes);
    while let Some((line, text)) = lexer.next_line_with_comments() {
        let text = String::from_utf8_lossy(text);
        let first = text.split_whitespace().next().unwrap_or_default();
        let first = Token { text: first.as_bytes(), line, column: 1 };
        if first.text.first().is_some_and(|byte| byte.is_ascii_digit() || b"-+.".contains(byte)) {
            return None;
        }
        let is_keyword = |keywords: &[&str]| keywords.iter().any(|word| first.is_keyword(word));
        let statement = match text.find('#').or_else(|| text.find("//")) {
            // The name of a joint extends to the end of the line.
            _ if is_keyword(&["ROOT", "JOINT", "End", "EndSite"]) => "",
            Some(start) => &text[start..],
            None if is_keyword(&["HIERARCHY", "OFFSET", "CHANNELS", "MOTION", "{", "}"]) => "",
            None => &text,
        };
        if let Some(metres) = parse_statement(statement) {
            return Some(StatedUnit { line, metres });
        }
    }
    None
}

/// Returns the length of a unit in metres, from a text such as `units: cm`, `1 unit = 2.54 cm`,
/// `positions in metres` or `metersPerUnit 0.01`.
fn parse_statement(text: &str) -> Option<f64> {
    let words = split_words(text);
    let joined: String = words.iter().map(String::as_str).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse::<f64>().ok());
    let is_length = |metres: &f64| metres.is_finite() && *metres > 0.0;
    if joined.contains("metersperunit") || joined.contains("metresperunit") {
        return numbers.next().filter(is_length);
    }
    if joined.contains("unitspermeter") || joined.contains("unitspermetre") {
        return numbers.next().map(f64::recip).filter(is_length);
    }
    let is_about_units = words.iter().any(|word| word.starts_with("unit"));
    let is_about_lengths = is_about_units
        || words.iter().any(|word| {
            ["length", "position", "offset", "distance", "translation", "scale"]
                .iter()
                .any(|stem| word.starts_with(stem))
        });
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| words[before].as_str());
        let is_last = index + 1 == words.len();
        let metres = match word.as_str() {
            "millimeter" | "millimetre" | "millimeters" | "millimetres" => 0.001,
            "centimeter" | "centimetre" | "centimeters" | "centimetres" => 0.01,
            "meter" | "metre" | "meters" | "metres" => 1.0,
            "inch" | "inches" => 0.0254,
            // The short names are also ordinary words or names of bones.
            "mm" if is_about_lengths => 0.001,
            "cm" if is_about_lengths => 0.01,
            "m" if is_about_units => 1.0,
            "in" if is_about_units && is_last => 0.0254,
            "ft" | "foot" | "feet" if is_about_units => 0.3048,
            _ => continue,
        };
        if !is_about_lengths && before != Some("in") {
            continue;
        }
        let count = before.and_then(|before| before.parse().ok()).unwrap_or(1.0);
        return Some(count * metres).filter(is_length);
    }
    None
}

/// Splits a text into numbers and words in lower case.
fn split_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for c in text.chars() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        if c.is_alphabetic() || is_number(c) {
            let continues = (previous.is_alphabetic() && c.is_alphabetic())
                || (is_number(previous) && is_number(c));
            if continues && let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            } else {
                words.push(c.to_lowercase().collect());
            }
        }
        previous = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_about_the_unit_are_understood() {
        let cases = [
            ("# units: cm", Some(0.01)),
            ("// Unit = Meters", Some(1.0)),
            ("UNITS mm", Some(0.001)),
            ("# all positions in centimetres", Some(0.01)),
            ("# values are in metres, angles in degrees", Some(1.0)),
            ("# 1 unit = 2.54 cm", Some(0.0254)),
            ("# unit: in", Some(0.0254)),
            ("# length unit: 0.1m", Some(0.1)),
            ("# metersPerUnit 0.01", Some(0.01)),
            ("# meters per unit: 0.0254", Some(0.0254)),
            ("# units per metre: 100", Some(0.01)),
            ("# lengths in feet, unit: feet", Some(0.3048)),
            ("# left foot", None),
            ("# recorded in May", None),
            ("# take 3 m", None),
            ("# metersPerUnit 0", None),
            ("", None),
        ];
        for (text, expected) in cases {
            let found = parse_statement(text);
            let is_equal = match (found, expected) {
                (Some(found), Some(expected)) => (found / expected - 1.0).abs() < 1e-12,
                _ => found == expected,
            };
            assert!(is_equal, "{text}: {found:?}");
        }
    }

    #[test]
    fn statements_are_found_above_the_frames_but_not_in_names() {
        let find = |text: &str| find(text.as_bytes());
        let found = find("HIERARCHY\n# unit: cm\nROOT a\n");
        assert_eq!(found, Some(StatedUnit { line: 2, metres: 0.01 }));
        let found = find("# unit: m\nHIERARCHY\n");
        assert_eq!(found, Some(StatedUnit { line: 1, metres: 1.0 }));
        let found = find("HIERARCHY // units: inches\n");
        assert_eq!(found, Some(StatedUnit { line: 1, metres: 0.0254 }));
        assert_eq!(find("HIERARCHY\nROOT unit cm\n{\nOFFSET 0 0 0\n}\n"), None);
        assert_eq!(find("MOTION\nFrames: 1\nFrame Time: 1\n1 2 3\n# unit: cm\n"), None);
    }
}
