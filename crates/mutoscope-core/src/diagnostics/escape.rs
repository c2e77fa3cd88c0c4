//! Escaping of text for terminals and tables.

use std::borrow::Cow;

/// Escapes all control characters in `text`, so that the result is safe to print as part of a line.
///
/// A name from a file could otherwise contain escape sequences that control the terminal. Line ends
/// become `\\n`, other control characters `\\u{1b}`. Every path and every name that is printed goes
/// through this function.
pub fn escape_control_chars(text: &str) -> Cow<'_, str> {
    escape_chars(text, char::is_control)
}

/// Escapes all control characters in `text` except line ends and tabs, which the cells of a quoted
/// table may contain.
pub fn escape_control_chars_in_cell(text: &str) -> Cow<'_, str> {
    escape_chars(text, |c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

fn escape_chars(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_control_chars("hip é \u{1f600}"), "hip é \u{1f600}");
        assert_eq!(
            escape_control_chars("\u{1b}]0;x\u{7}\n\t\r\u{9b}2J\u{7f}"),
            r"\u{1b}]0;x\u{7}\n\t\r\u{9b}2J\u{7f}"
        );
        assert_eq!(escape_control_chars_in_cell("a\nb\u{1b}c"), "a\nb\\u{1b}c");
    }
}
