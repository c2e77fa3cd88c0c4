//! Text that a terminal shows and does not obey.

use std::borrow::Cow;

/// `text` as a part of a line: line ends and control characters, with which a name could drive a terminal,
/// are written as `\\n` and `\\u{1b}`. Every path and name that is printed goes through this.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, char::is_control)
}

/// The same for a cell of a table, where lines may end within quotes.
pub fn printable_cell(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
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
        assert_eq!(printable("hip é \u{1f600}"), "hip é \u{1f600}");
        assert_eq!(
            printable("\u{1b}]0;x\u{7}\n\t\r\u{9b}2J\u{7f}"),
            r"\u{1b}]0;x\u{7}\n\t\r\u{9b}2J\u{7f}"
        );
        assert_eq!(printable_cell("a\nb\u{1b}c"), "a\nb\\u{1b}c");
    }
}
