//! Messages about invalid JSON.

/// Returns a description of the syntax that `error` expected, and of the syntax that `text`
/// contains at that location.
///
/// `text` has to be the JSON that caused `error`.
pub fn describe_json_syntax_error(error: &serde_json::Error, text: &[u8]) -> (String, String) {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let found = || match byte_at(text, error.line(), error.column()) {
        Some(byte) if byte.is_ascii_graphic() => format!("{:?}", char::from(byte)),
        Some(byte) => format!("the byte {byte:02x}"),
        None => "the end of the file".to_owned(),
    };
    if let Some(expected) = message.strip_prefix("EOF while parsing ") {
        (format!("the rest of {expected}"), "the end of the file".to_owned())
    } else if message == "expected ident" {
        ("true, false or null".to_owned(), found())
    } else if let Some(expected) = message.strip_prefix("expected ") {
        let expected = if expected == "value" { "a value" } else { expected };
        (expected.to_owned(), found())
    } else {
        ("JSON".to_owned(), message.to_owned())
    }
}

/// Lines and columns are counted from 1, as serde_json does. Returns `None` at the end of `text`.
fn byte_at(text: &[u8], line: usize, column: usize) -> Option<u8> {
    let line = text.split(|&byte| byte == b'\n').nth(line.checked_sub(1)?)?;
    line.get(column.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_errors_separate_expected_and_found() {
        let cases = [
            ("{\"a\": True}", "a value", "'T'"),
            ("{\"a\":\n  ]", "a value", "']'"),
            ("{\"a\": 1 2}", "`,` or `}`", "'2'"),
            ("{\"a\" 1}", "`:`", "'1'"),
            ("{\"a\": 1,}", "JSON", "trailing comma"),
            ("{\"a\": tru}", "true, false or null", "'}'"),
            ("{\"a\": [1", "the rest of a list", "the end of the file"),
            ("", "the rest of a value", "the end of the file"),
            ("{} x", "JSON", "trailing characters"),
        ];
        for (text, expected, found) in cases {
            let error = serde_json::from_str::<serde_json::Value>(text).expect_err(text);
            let syntax = describe_json_syntax_error(&error, text.as_bytes());
            assert_eq!(syntax, (expected.to_owned(), found.to_owned()), "{text}");
        }
    }
}
