//! Extracts plain text from text components.

use serde_json::Value;

pub(super) fn plain_text(json: &str) -> String {
    let Ok(component) = serde_json::from_str(json) else { return json.to_owned() };
    let mut text = String::new();
    append_text(&component, &mut text);
    if text.is_empty() { json.to_owned() } else { text }
}

/// The recursion is safe because serde_json rejects JSON that is nested deeper than 128 levels.
fn append_text(component: &Value, text: &mut String) {
    match component {
        Value::String(words) => text.push_str(words),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::Bool(is_true) => text.push_str(&is_true.to_string()),
        Value::Null => {}
        Value::Array(parts) => parts.iter().for_each(|part| append_text(part, text)),
        Value::Object(fields) => {
            // Show the key and its arguments, because only the game can translate a key.
            let own = ["text", "translate", "selector", "keybind"];
            own.iter().filter_map(|key| fields.get(*key)).for_each(|part| append_text(part, text));
            if let Some(Value::Array(with)) = fields.get("with") {
                for part in with {
                    text.push(' ');
                    append_text(part, text);
                }
            }
            fields.get("extra").into_iter().for_each(|part| append_text(part, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chat_text_is_collected_from_nested_components() {
        let cases = [
            (r#""hello 世界""#, "hello 世界"),
            (r#"{"text":"a","extra":[" b",{"text":" c","color":"red"}]}"#, "a b c"),
            (r#"["x",{"text":"y"}]"#, "xy"),
            (r#"{"translate":"chat.type.text","with":["Steve","hi"]}"#, "chat.type.text Steve hi"),
            ("no json", "no json"),
            ("{}", "{}"),
        ];
        for (json, text) in cases {
            assert_eq!(plain_text(json), text);
        }
    }
}
