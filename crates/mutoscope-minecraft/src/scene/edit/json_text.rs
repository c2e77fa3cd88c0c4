//! JSON that keeps what is in it: members in their order, also those that nobody knows.

use std::fmt::{self, Write as _};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    /// Of members with the same name the last counts.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The last member with this name, of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|member| member.0 == name).map(|member| &member.1)
    }

    /// Sets the member at `path`, through objects; `None` removes it, and the objects around it that
    /// are empty then. What is no object on the way becomes one.
    pub(super) fn set(&mut self, path: &[&str], value: Option<Self>) {
        let Some((name, rest)) = path.split_first() else { return };
        if !matches!(self, Self::Object(_)) {
            *self = Self::Object(Vec::new());
        }
        let Self::Object(members) = self else { return };
        let index = members.iter().rposition(|member| member.0 == *name);
        let value = match (rest, index, value) {
            ([], _, value) => value,
            (_, None, None) => None,
            (rest, index, value) => {
                let inner = index.map(|index| members[index].1.clone());
                let mut inner = inner.unwrap_or(Self::Object(Vec::new()));
                inner.set(rest, value);
                Some(inner).filter(|inner| *inner != Self::Object(Vec::new()))
            }
        };
        match (index, value) {
            (Some(index), Some(value)) => members[index].1 = value,
            (None, Some(value)) => members.push(((*name).to_owned(), value)),
            (_, None) => members.retain(|member| member.0 != *name),
        }
    }

    /// A number; `None` if it is not finite.
    pub(super) fn number(number: f64) -> Option<Self> {
        // There is no difference between the zeros of a scene.
        Number::from_f64(if number == 0.0 { 0.0 } else { number }).map(Self::Number)
    }

    /// Writes it over several lines, the first of which is indented already.
    pub(super) fn write(&self, out: &mut String, indent: usize) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            // Writing to a string does not fail.
            Self::Number(number) => drop(write!(out, "{number}")),
            Self::String(text) => out.push_str(&quoted(text)),
            Self::Array(values) if values.iter().all(Self::is_plain) => {
                out.push('[');
                for (index, value) in values.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    value.write(out, indent);
                }
                out.push(']');
            }
            Self::Array(values) => {
                lines(out, indent, ['[', ']'], values, |out, value, indent| {
                    value.write(out, indent);
                });
            }
            Self::Object(members) if members.is_empty() => out.push_str("{}"),
            Self::Object(members) => {
                lines(out, indent, ['{', '}'], members, |out, (name, value), indent| {
                    out.push_str(&quoted(name));
                    out.push_str(": ");
                    value.write(out, indent);
                });
            }
        }
    }

    fn is_plain(&self) -> bool {
        !matches!(self, Self::Array(_) | Self::Object(_))
    }
}

/// Writes values between brackets, each on a line of its own.
pub(super) fn lines<T>(
    out: &mut String,
    indent: usize,
    [open, close]: [char; 2],
    values: &[T],
    write: impl Fn(&mut String, &T, usize),
) {
    let new_line = |out: &mut String, indent: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", indent));
    };
    out.push(open);
    for (index, value) in values.iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        new_line(out, indent + 1);
        write(out, value, indent + 1);
    }
    new_line(out, indent);
    out.push(close);
}

/// A string as JSON has it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = values.next_element()? {
            all.push(value);
        }
        Ok(Json::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Json::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    fn written(json: &Json) -> String {
        let mut text = String::new();
        json.write(&mut text, 0);
        text
    }

    #[test]
    fn members_keep_their_order_and_numbers_their_value() {
        let text = r#"{"z":[1,2.5,-0.1,1e300,18446744073709551615],"a":{"é\"\n":null,"b":[[],{}]},
            "z2":true}"#;
        let json = read(text);
        assert_eq!(read(&written(&json)), json);
        let Json::Object(members) = &json else { panic!() };
        let names: Vec<_> = members.iter().map(|member| member.0.as_str()).collect();
        assert_eq!(names, ["z", "a", "z2"]);
        assert!(written(&json).starts_with("{\n  \"z\": [1, 2.5, -0.1, "), "{json:?}");
    }

    #[test]
    fn members_are_set_and_removed_by_path() {
        let mut json = read(r#"{"a":1,"time":{"loop":true},"b":2}"#);
        json.set(&["time", "start_delay"], Json::number(0.5));
        assert_eq!(json, read(r#"{"a":1,"time":{"loop":true,"start_delay":0.5},"b":2}"#));
        json.set(&["time", "loop"], None);
        json.set(&["time", "start_delay"], None);
        assert_eq!(json, read(r#"{"a":1,"b":2}"#), "nothing empty is left");
        json.set(&["time", "loop"], None);
        assert_eq!(json, read(r#"{"a":1,"b":2}"#));
        json.set(&["a", "b", "c"], Some(Json::Bool(true)));
        assert_eq!(json, read(r#"{"a":{"b":{"c":true}},"b":2}"#));
        let mut twice = read(r#"{"a":1,"a":2}"#);
        assert_eq!(twice.get("a"), Some(&Json::Number(2.into())));
        twice.set(&["a"], None);
        assert_eq!(twice, read("{}"));
    }
}
