//! The text of a text component.

use serde_json::Value;

/// The words of a text component in JSON, without colours and the like; the JSON itself if it is
/// none.
pub(super) fn plain(json: &str) -> String {
    let Ok(component) = serde_json::from_str(json) else { return json.to_owned() };
    let mut text = String::new();
    append(&component, &mut text);
    if text.is_empty() { json.to_owned() } else { text }
}

/// serde_json nests no deeper than 128, so neither does this.
fn append(component: &Value, text: &mut String) {
    match component {
        Value::String(words) => text.push_str(words),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::Bool(is_true) => text.push_str(&is_true.to_string()),
        Value::Null => {}
        Value::Array(parts) => parts.iter().for_each(|part| append(part, text)),
        Value::Object(fields) => {
            // A translation is known to the game alone: its key has to do, and what goes into it.
            let own = ["text", "translate", "selector", "keybind"];
            own.iter().filter_map(|key| fields.get(*key)).for_each(|part| append(part, text));
            if let Some(Value::Array(with)) = fields.get("with") {
                for part in with {
                    text.push(' ');
                    append(part, text);
                }
            }
            fields.get("extra").into_iter().for_each(|part| append(part, text));
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
            assert_eq!(plain(json), text);
        }
    }
}
