//! Parses text cells: numbers, vectors, strings and missing values.

use crate::{
    mapping::TableOptions,
    table::{Table, is_missing},
};

const VECTOR_LENGTHS: [usize; 3] = [3, 4, 16];

const BRACKETS: [char; 8] = ['(', ')', '[', ']', '{', '}', '<', '>'];

#[derive(Clone, Copy)]
pub(super) struct CellReader<'a> {
    missing: &'a [String],
    allows_decimal_comma: bool,
}

/// The decimal marks of a column's numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DecimalMarks {
    /// `true` if numbers with a comma are strings.
    pub(super) refuses_comma: bool,
    pub(super) has_point: bool,
    pub(super) has_comma: bool,
    /// `true` if a number has other than three digits after its comma, so that the comma does not
    /// separate thousands.
    pub(super) has_clear_comma: bool,
}

impl DecimalMarks {
    /// Adds the decimal marks that later rows of the column have.
    pub(super) fn add(&mut self, later: Self) {
        self.has_point |= later.has_point;
        self.has_comma |= later.has_comma;
        self.has_clear_comma |= later.has_clear_comma;
    }

    fn add_comma(&mut self, decimals: usize) {
        self.has_comma = true;
        self.has_clear_comma |= decimals != 3;
    }
}

impl<'a> CellReader<'a> {
    pub(super) fn new(options: &'a TableOptions, allows_decimal_comma: bool) -> Self {
        Self { missing: &options.missing, allows_decimal_comma }
    }

    /// Parses a short number without an exponent. Nearly all cells hold such a number. Returns
    /// `None` for any other text.
    ///
    /// The result is exact: an f64 holds integers up to 2⁵³ and powers of ten up to 10²² exactly,
    /// and their quotient is rounded only once (Clinger's fast path).
    #[inline]
    fn parse_plain_number(
        text: &[u8],
        allows_comma: bool,
        marks: &mut DecimalMarks,
    ) -> Option<f64> {
        /// Any number with this many digits is below 2⁵³.
        const MAX_DIGITS: usize = 15;
        const POWERS_OF_TEN: [f64; MAX_DIGITS + 1] =
            [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
        let (is_negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        // Allow one extra byte for the decimal point.
        if digits.len() > MAX_DIGITS + 1 {
            return None;
        }
        let (mut number, mut decimals, mut count) = (0_u64, None, 0);
        let mut has_comma = false;
        for byte in digits {
            match byte {
                b'0'..=b'9' => {
                    number = 10 * number + u64::from(byte - b'0');
                    count += 1;
                }
                b'.' if decimals.is_none() => decimals = Some(count),
                b',' if decimals.is_none() && allows_comma => {
                    decimals = Some(count);
                    has_comma = true;
                }
                _ => return None,
            }
        }
        if count == 0 || count > MAX_DIGITS {
            return None;
        }
        let decimals = decimals.map(|before| count - before);
        match has_comma {
            true if decimals == Some(0) => return None,
            true => marks.add_comma(decimals.unwrap_or(0)),
            false => marks.has_point |= decimals.is_some(),
        }
        let number = number as f64 / POWERS_OF_TEN[decimals.unwrap_or(0)];
        Some(if is_negative { -number } else { number })
    }

    #[inline]
    pub(super) fn parse_number(&self, text: &str) -> Option<f64> {
        // The standard library would also parse words such as "infinity".
        let first = text.bytes().next()?;
        if !matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.' | b',') {
            return None;
        }
        if self.allows_decimal_comma && find_decimal_mark(text) == Some(b',') {
            return text.replace(',', ".").parse().ok().filter(|_| !text.ends_with(','));
        }
        text.parse().ok()
    }

    #[inline]
    pub(super) fn add_cell(&self, table: &mut Table, column: usize, row: usize, text: &str) {
        if let Some(text) = self.add_number(table, column, row, text, &mut DecimalMarks::default())
        {
            table.push_text(column, row, text);
        }
    }

    /// Adds a number to the table. If the cell is a string, returns the string instead, because the
    /// caller may split it.
    #[inline]
    pub(super) fn add_number<'t>(
        &self,
        table: &mut Table,
        column: usize,
        row: usize,
        text: &'t str,
        marks: &mut DecimalMarks,
    ) -> Option<&'t str> {
        const MAX_EXACT: f64 = 9e15;
        let allows_comma = self.allows_decimal_comma && !marks.refuses_comma;
        if let Some(number) = Self::parse_plain_number(text.as_bytes(), allows_comma, marks) {
            table.push_number(column, row, number);
            return None;
        }
        let text = text.trim_matches([' ', '\t', '\u{a0}']);
        if text.is_empty() {
            return None;
        }
        let number = self.parse_number(text);
        if number.is_some() {
            match find_decimal_mark(text) {
                Some(b',') if marks.refuses_comma => return Some(text),
                Some(b',') => marks.add_comma(text.rsplit(',').next().map_or(0, str::len)),
                Some(_) => marks.has_point = true,
                None => {}
            }
        }
        match number {
            Some(number) if number.abs() > MAX_EXACT => match text.parse() {
                Ok(integer) => table.push_integer(column, row, integer),
                Err(_) => table.push_number(column, row, number),
            },
            Some(number) => table.push_number(column, row, number),
            None if is_missing(text) || self.missing.iter().any(|missing| missing == text) => {}
            None => return Some(text),
        }
        None
    }

    /// Parses a vector, a quaternion or a matrix in one cell, for example `(0.1, 0.2, 0.3)`,
    /// `[1/2/3]` or `X=1 Y=2 Z=3`. Without brackets and names, numbers are accepted only if
    /// `is_bare` is set.
    pub(super) fn parse_vector(&self, text: &str, is_bare: bool) -> Option<Vec<f64>> {
        let has_brackets = text.starts_with(['(', '[', '{', '<']);
        let has_names = text.contains('=') || has_brackets && text.contains(':');
        if !has_brackets && !has_names && !is_bare {
            return None;
        }
        let is_blank = |character: char| {
            character.is_whitespace()
                || matches!(character, '/' | ';' | '|')
                || BRACKETS.contains(&character)
        };
        let has_decimal_comma = has_decimal_commas(text, is_blank);
        let is_separator =
            |character: char| is_blank(character) || character == ',' && !has_decimal_comma;
        let mut numbers = Vec::new();
        let mut named = [None; 4];
        let mut name = None;
        for part in text.split(is_separator).filter(|part| !part.is_empty()) {
            let mut number = part;
            if has_names && let Some((axis, rest)) = part.split_once(['=', ':']) {
                name = Some(match axis.to_ascii_lowercase().as_str() {
                    "x" => 0,
                    "y" => 1,
                    "z" => 2,
                    "w" => 3,
                    _ => return None,
                });
                number = rest;
            }
            if number.is_empty() {
                continue;
            }
            let plain = number.trim_end_matches(',').replace(',', ".");
            let value = match self.parse_number(&plain) {
                Some(value) => value,
                None if is_missing(number) => f64::NAN,
                None => return None,
            };
            match name.take() {
                Some(axis) => named[axis] = Some(value),
                None => numbers.push(value),
            }
        }
        if has_names {
            let count = if named[3].is_some() { 4 } else { 3 };
            let all: Option<Vec<f64>> = named[..count].iter().copied().collect();
            return all.filter(|_| numbers.is_empty());
        }
        VECTOR_LENGTHS.contains(&numbers.len()).then_some(numbers)
    }

    pub(super) fn is_value(&self, text: &str) -> bool {
        let text = text.trim();
        let is_bool = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
        let begins_with_digit = text.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
        // A name such as `2_vz [m/s]` is no date.
        let is_of_date = |it: char| it.is_ascii_digit() || ":-/., +TZAPMapm".contains(it);
        let is_time =
            begins_with_digit && text.contains([':', '-', '/']) && text.chars().all(is_of_date);
        self.parse_number(text).is_some()
            || is_bool
            || is_time
            || (!text.is_empty() && is_missing(text))
            || self.parse_vector(text, false).is_some()
    }
}

/// Returns the first comma or point of a number. A number with both is not accepted, so the first
/// one is its decimal mark.
#[inline]
fn find_decimal_mark(text: &str) -> Option<u8> {
    text.bytes().find(|byte| matches!(byte, b',' | b'.'))
}

/// Returns `true` if the commas in a vector are decimal marks. Other characters then separate the
/// numbers, no number has a point, and at least one comma is between two digits.
fn has_decimal_commas(text: &str, is_separator: impl Fn(char) -> bool) -> bool {
    let parts = || {
        let parts = text.split(&is_separator).filter(|part| !part.is_empty());
        parts.map(|part| part.trim_end_matches(','))
    };
    !text.contains('.')
        && VECTOR_LENGTHS.contains(&parts().count())
        && parts().any(|number| number.contains(','))
        && parts().all(|number| !number.is_empty() && number.matches(',').count() <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_number(text: &str) -> Option<f64> {
        CellReader::parse_plain_number(text.as_bytes(), false, &mut DecimalMarks::default())
    }

    #[test]
    fn plain_numbers_equal_standard_library_parser() {
        let texts = [
            "0",
            "-0",
            "-0.0",
            "7",
            "1.",
            ".5",
            "-.25",
            "0.1",
            "123456.789012",
            "999999999999999",
            "0.00000000000001",
            "-1.49011612",
            "100000000000000.",
            "3.14159265358979",
        ];
        for text in texts {
            let number = plain_number(text).expect(text);
            let expected: f64 = text.parse().unwrap();
            assert_eq!(number.to_bits(), expected.to_bits(), "{text}");
        }
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (number, decimals) = ((seed >> 20) % 1_000_000_000_000_000, (seed % 16) as usize);
            let digits = format!("{number:015}");
            let (whole, rest) = digits.split_at(15 - decimals);
            let text = format!("{whole}.{rest}");
            let expected: f64 = text.parse().unwrap();
            assert_eq!(plain_number(&text), Some(expected), "{text}");
        }
        for text in ["", "-", ".", "1e5", "1,5", "+1", "0x1", "1..2", " 1", "1234567890123456"] {
            assert_eq!(plain_number(text), None, "{text}");
        }
    }

    #[test]
    fn parses_vectors_in_one_cell() {
        let options = TableOptions::default();
        let point = CellReader::new(&options, false);
        let three = Some(vec![0.5, -2.0, 3e-2]);
        for text in [
            "(0.5, -2, 0.03)",
            "(0.5/ -2/ 3e-2)",
            "[0.5 -2 0.03]",
            "{0.5;-2;0.03}",
            "X=0.5 Y=-2 Z=0.03",
            "(x: 0.5, y: -2, z: 0.03)",
            "(z: 0.03, x:0.5, y:-2)",
        ] {
            assert_eq!(point.parse_vector(text, false), three, "{text}");
        }
        assert_eq!(point.parse_vector("0.5 -2 0.03", true), three);
        for text in ["(0,5; -2; 0,03)", "(0,5 -2 0,03)", "(0,5, -2, 0,03)", "X=0,5 Y=-2 Z=0,03"] {
            assert_eq!(point.parse_vector(text, false), three, "{text}");
        }
        assert_eq!(point.parse_vector("(1,2, 3)", false), Some(vec![1.0, 2.0, 3.0]));
        assert_eq!(point.parse_vector("[1,2 3,4]", false), Some(vec![1.0, 2.0, 3.0, 4.0]));
        assert_eq!(point.parse_vector("[[1,2],[3,4]]", false), Some(vec![1.0, 2.0, 3.0, 4.0]));
        assert!(point.parse_vector("(nan, nan, nan)", false).unwrap().iter().all(|it| it.is_nan()));
        for text in ["0.5 -2 0.03", "(1, 2)", "(a, b, c)", "(1,2,3,4,5)", "P=1 Y=2 R=3", "6/3/2025"]
        {
            assert_eq!(point.parse_vector(text, false), None, "{text}");
        }
        assert!(point.is_value("(1/ 2/ 3)") && !point.is_value("gaze (1)"));
    }
}
