//! Converts mapping files from and to JSON, for programs that hold a mapping in memory.

use std::{fs, io, path::Path};

use mutoscope_core::{formats::MappingFile, read::format_path};
use serde_json::{Map, Value};

use crate::FORMAT_ID;

/// Reads the mapping file at `path`.
///
/// # Errors
/// If the file cannot be read.
pub fn read_mapping_file(path: &Path) -> io::Result<MappingFile> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    Ok(MappingFile { format: FORMAT_ID, name: format_path(path), text })
}

/// Converts JSON with the structure of a mapping file. Messages call the result `name`.
///
/// Each value is written on a line of its own, in the order of the keys, because error messages
/// quote a line.
///
/// # Errors
/// If the JSON is not an object, or contains null, which TOML lacks. The error is the message.
pub fn mapping_from_json(name: &str, json: &str) -> Result<MappingFile, String> {
    let value: Value = serde_json::from_str(json)
        .map_err(|error| format!("{name}: expected a mapping as JSON: {error}"))?;
    let Value::Object(sections) = value else {
        return Err(format!("{name}: expected the sections of a mapping, found {value}"));
    };
    let mut text = String::new();
    write_table(&mut text, "", &sections).map_err(|message| format!("{name}: {message}"))?;
    Ok(MappingFile { format: FORMAT_ID, name: name.to_owned(), text })
}

/// Converts a mapping file to JSON. Comments are lost.
///
/// # Errors
/// If the text is not TOML. The error is the message.
pub fn mapping_to_json(text: &str) -> Result<String, String> {
    let value: Value = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    Ok(value.to_string())
}

fn write_table(text: &mut String, above: &str, table: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in table {
        let key = match above {
            "" => quote(name),
            above => format!("{above}.{}", quote(name)),
        };
        match value {
            // Write an empty table as a value, because it states that there are none, for example
            // no signals.
            Value::Object(table) if !table.is_empty() => write_table(text, &key, table)?,
            value => *text += &format!("{key} = {}\n", format_value(&key, value)?),
        }
    }
    Ok(())
}

fn format_value(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::Null => Err(format!("{key}: expected a value, found none")),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        Value::String(text) => Ok(quote(text)),
        Value::Array(values) => {
            let values: Result<Vec<_>, _> =
                values.iter().map(|one| format_value(key, one)).collect();
            Ok(format!("[{}]", values?.join(", ")))
        }
        Value::Object(table) if table.is_empty() => Ok("{}".to_owned()),
        Value::Object(_) => Err(format!("{key}: expected strings or numbers, found {value}")),
    }
}

/// Returns a basic string of TOML. JSON strings have the same escapes, except that TOML also
/// escapes DEL.
fn quote(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Mapping;

    #[test]
    fn mapping_survives_conversion_to_json() {
        let json = r#"{"time":{"column":"a \"b\"\n\u007f=é","rate":90.5,"unit":"ms"},"table":{"header":true,
            "missing":["-1"],"skip":2},"nodes":{"left/IndexTip":{"position":["x","y","z"]}},"signals":{}}"#;
        let file = mapping_from_json("given", json).expect("it is a mapping");
        let back = mapping_to_json(&file.text).expect("it is TOML");
        let [one, other] = [json, &back].map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(one, other, "{}", file.text);
        let mapping = Mapping::parse(&file.name, &file.text).expect("it is a mapping file");
        assert_eq!(mapping.time.rate_hz, Some(90.5));
        assert_eq!(mapping.table.skip, Some(2));
        assert_eq!(mapping.signals, Some(Vec::new()));
        assert_eq!(mapping.nodes.expect("it lists nodes")[0].name, "left/IndexTip");
    }

    #[test]
    fn errors_name_the_invalid_value() {
        let error = |json: &str| mapping_from_json("given", json).expect_err(json);
        assert_eq!(error("[1]"), "given: expected the sections of a mapping, found [1]");
        assert_eq!(
            error(r#"{"time":{"unit":null}}"#),
            r#"given: "time"."unit": expected a value, found none"#
        );
        assert_eq!(
            error(r#"{"signals":{"a":[{"b":1}]}}"#),
            r#"given: "signals"."a": expected strings or numbers, found {"b":1}"#
        );
        assert!(error("{").starts_with("given: expected a mapping as JSON: EOF"));
        let file = mapping_from_json(
            "given",
            r#"{"space":{"axes":["right","up","back"],"unit":"furlong"}}"#,
        );
        let file = file.expect("it is TOML");
        let error = Mapping::parse(&file.name, &file.text).expect_err("no unit is called so");
        assert!(error.starts_with("given: line 2: ") && error.contains("furlong"), "{error}");
    }
}
