//! JSON values that preserve the order of members and members that are not known here.

use std::fmt::{self, Write as _};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    /// If several members have the same name, the last one is used.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the last member with this name. `None` if there is none or if the value is not an
    /// object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|member| member.0 == name).map(|member| &member.1)
    }

    /// Sets the member at `path`. A value on the path that is not an object is replaced by an
    /// object. If `value` is `None`, the member is removed, and so is each object on the path that
    /// becomes empty.
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

    pub(super) fn number(number: f64) -> Option<Self> {
        // Write −0 as 0, because both have the same effect in a scene.
        Number::from_f64(if number == 0.0 { 0.0 } else { number }).map(Self::Number)
    }

    pub(super) fn write(&self, out: &mut String, indent: usize) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            // Writing to a `String` cannot fail.
            Self::Number(number) => drop(write!(out, "{number}")),
            Self::String(text) => out.push_str(&quote_json(text)),
            Self::Array(values) if values.iter().all(Self::is_scalar) => {
                out.push('[');
                for (index, value) in values.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    value.write(out, indent);
                }
                out.push(']');
            }
            Self::Array(values) => {
                write_lines(out, indent, ['[', ']'], values, |out, value, indent| {
                    value.write(out, indent);
                });
            }
            Self::Object(members) if members.is_empty() => out.push_str("{}"),
            Self::Object(members) => {
                write_lines(out, indent, ['{', '}'], members, |out, (name, value), indent| {
                    out.push_str(&quote_json(name));
                    out.push_str(": ");
                    value.write(out, indent);
                });
            }
        }
    }

    fn is_scalar(&self) -> bool {
        !matches!(self, Self::Array(_) | Self::Object(_))
    }
}

pub(super) fn write_lines<T>(
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

pub(super) fn quote_json(text: &str) -> String {
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
