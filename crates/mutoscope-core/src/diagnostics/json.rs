//! Messages about invalid JSON.

/// The expected and the found syntax at the place of `error` in `text`.
pub fn json_syntax(error: &serde_json::Error, text: &[u8]) -> (String, String) {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let found = || match byte_at(text, error.line(), error.column()) {
        Some(byte) if byte.is_ascii_graphic() => format!("{:?}", char::from(byte)),
        Some(byte) => format!("the byte {byte:02x}"),
        None => "the end of the file".to_owned(),
    };
    if let Some(what) = message.strip_prefix("EOF while parsing ") {
        (format!("the rest of {what}"), "the end of the file".to_owned())
    } else if message == "expected ident" {
        ("true, false or null".to_owned(), found())
    } else if let Some(what) = message.strip_prefix("expected ") {
        let what = if what == "value" { "a value" } else { what };
        (what.to_owned(), found())
    } else {
        ("JSON".to_owned(), message.to_owned())
    }
}

/// The byte at a line and a column, both counted from 1.
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
            let syntax = json_syntax(&error, text.as_bytes());
            assert_eq!(syntax, (expected.to_owned(), found.to_owned()), "{text}");
        }
    }
}
