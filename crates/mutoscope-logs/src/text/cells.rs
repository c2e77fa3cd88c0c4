//! Cells of text: numbers, texts, or missing.

use crate::{
    mapping::TableOptions,
    table::{Table, is_missing},
};

/// Puts cells of text into a table.
pub(super) struct CellReader<'a> {
    missing: &'a [String],
    has_decimal_comma: bool,
}

impl<'a> CellReader<'a> {
    pub(super) fn new(options: &'a TableOptions, has_decimal_comma: bool) -> Self {
        Self { missing: &options.missing, has_decimal_comma }
    }

    /// The number of a cell; `None` for any other text.
    #[inline]
    pub(super) fn number(&self, text: &str) -> Option<f64> {
        // Words such as "infinity" are numbers to the parser of the standard library.
        let first = text.bytes().next()?;
        if !matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.' | b',') {
            return None;
        }
        if self.has_decimal_comma && text.contains(',') {
            return text.replace(',', ".").parse().ok();
        }
        text.parse().ok()
    }

    /// Adds a cell to a table.
    #[inline]
    pub(super) fn add(&self, table: &mut Table, column: usize, row: usize, text: &str) {
        const EXACT: f64 = 9e15;
        let text = text.trim_matches([' ', '\t', '\u{a0}']);
        if text.is_empty() {
            return;
        }
        match self.number(text) {
            Some(number) if number.abs() > EXACT => match text.parse() {
                Ok(integer) => table.push_integer(column, row, integer),
                Err(_) => table.push_number(column, row, number),
            },
            Some(number) => table.push_number(column, row, number),
            None if is_missing(text) || self.missing.iter().any(|missing| missing == text) => {}
            None => table.push_text(column, row, text),
        }
    }

    /// Whether a cell is a value rather than a word of a header.
    pub(super) fn is_value(&self, text: &str) -> bool {
        let text = text.trim();
        let is_bool = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
        let begins_with_digit = text.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
        let is_time = begins_with_digit && text.contains([':', '-', '/']);
        self.number(text).is_some() || is_bool || is_time || (!text.is_empty() && is_missing(text))
    }
}
