//! The content of a scene's file as it is edited.

use std::sync::Arc;

use super::{
    change::SceneChange,
    json_text::{Json, lines, quoted},
    upgrade,
};
use crate::scene::{Element, file, json};
use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

/// The content of a scene's file as version 4 has it, with all that is in it, known or not.
///
/// It is what the mod reads: [`Self::text`] is JSON of version 4, whatever version was read.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneDocument {
    /// The members of the file; of its elements, in `subscenes`, only where they are.
    members: Vec<(String, Json)>,
    pub(super) elements: Vec<Arc<Json>>,
    /// The differences from the file that was read, because that is of another version.
    upgrades: Vec<String>,
}

/// An element of a scene, as the mod reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneElement {
    /// Its name as the file has it, with the dot of scenes; `element 3` if it has none.
    pub name: String,
    /// Its content, or why that cannot be read.
    pub content: Result<Element, String>,
}

/// The member with the elements.
const SUBSCENES: &str = "subscenes";

impl SceneDocument {
    /// Reads a scene of any version.
    ///
    /// # Errors
    /// As [`decode`](file::decode).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let scene = file::decode(bytes, &mut Notices::new())?;
        if !scene.is_json {
            let (elements, upgrades) = upgrade::of_text(&scene);
            let version = ("version".to_owned(), Json::Number(upgrade::VERSION.into()));
            let members = vec![version, (SUBSCENES.to_owned(), Json::Null)];
            return Ok(Self { members, elements: shared(elements), upgrades });
        }
        let broken = |found: &str| {
            Error::malformed(SourceLocation::File, "an object with subscenes", found.to_owned())
        };
        let text = std::str::from_utf8(bytes).map_err(|_| broken("no text"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root: Json = serde_json::from_str(text).map_err(|error| broken(&error.to_string()))?;
        let Json::Object(mut members) = root else { return Err(broken("another value")) };
        let place = members.iter().rposition(|member| member.0 == SUBSCENES);
        let place = place.ok_or_else(|| broken("none"))?;
        let Json::Array(mut elements) = std::mem::replace(&mut members[place].1, Json::Null) else {
            return Err(broken("other subscenes"));
        };
        let upgrades = upgrade::of_json(scene.version, &mut members, &mut elements);
        Ok(Self { members, elements: shared(elements), upgrades })
    }

    /// The differences from the file that was read, because that is of another version: one
    /// sentence each.
    pub fn upgrades(&self) -> &[String] {
        &self.upgrades
    }

    /// Notes that the file is of version 4 now.
    pub(super) fn forget_upgrades(&mut self) {
        self.upgrades.clear();
    }

    /// The file of version 4.
    pub fn text(&self) -> String {
        let mut text = String::new();
        lines(&mut text, 0, ['{', '}'], &self.members, |out, (name, value), indent| {
            out.push_str(&quoted(name));
            out.push_str(": ");
            match name.as_str() {
                SUBSCENES if self.elements.is_empty() => out.push_str("[]"),
                SUBSCENES => lines(out, indent, ['[', ']'], &self.elements, |out, one, indent| {
                    one.write(out, indent);
                }),
                _ => value.write(out, indent),
            }
        });
        text.push('\n');
        text
    }

    /// Its elements, in the order of the file.
    pub fn elements(&self) -> Vec<SceneElement> {
        self.elements.iter().enumerate().map(|(index, json)| element(index, json)).collect()
    }

    /// Its element with this index, if there is one.
    pub fn element(&self, index: usize) -> Option<SceneElement> {
        self.elements.get(index).map(|json| element(index, json))
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Does what a change says; one that was planned for another content may do nothing.
    pub fn apply(&mut self, change: &SceneChange) {
        match (&change.before, &change.after) {
            (None, Some(added)) if change.at <= self.len() => {
                self.elements.insert(change.at, added.clone());
            }
            (Some(_), after) if change.at < self.len() => match after {
                Some(after) => self.elements[change.at] = after.clone(),
                None => drop(self.elements.remove(change.at)),
            },
            _ => {}
        }
    }
}

fn shared(elements: Vec<Json>) -> Vec<Arc<Json>> {
    elements.into_iter().map(Arc::new).collect()
}

fn element(index: usize, json: &Json) -> SceneElement {
    let mut text = String::new();
    json.write(&mut text, 0);
    let name = match json.get("name") {
        Some(Json::String(name)) => name.clone(),
        _ => format!("element {}", index + 1),
    };
    SceneElement { name, content: json::decode_element(index, &text) }
}
