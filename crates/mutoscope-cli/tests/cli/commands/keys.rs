//! Reads the keys of JSON objects in the order in which they are printed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

pub(crate) struct Keys(Vec<String>);

pub(crate) fn object_keys(json: &str) -> Vec<String> {
    serde_json::from_str::<Keys>(json).unwrap_or_else(|error| panic!("{error}: {json}")).0
}

pub(crate) fn first_object_keys(json: &str, key: &str) -> Vec<String> {
    let start = json.find(&format!("\"{key}\":[")).unwrap_or_else(|| panic!("no list {key}"));
    let list = &json[start + key.len() + 4..];
    let mut objects = serde_json::Deserializer::from_str(list).into_iter::<Keys>();
    objects.next().unwrap().unwrap().0
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self(Vec::new()))
    }
}

impl<'de> Visitor<'de> for Keys {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some((key, IgnoredAny)) = map.next_entry()? {
            self.0.push(key);
        }
        Ok(self)
    }
}
