//! The content of a scene file while it is edited.

use std::sync::Arc;

use super::{
    json_text::{Json, quote_json, write_lines},
    upgrade,
};
use crate::scene::{Element, file, json};
use mutoscope_core::diagnostics::{Diagnostic, Diagnostics, Error, SourceLocation};

/// The content of a scene file, converted to version 4. Members that this program does not know are
/// kept.
///
/// [`Self::to_json_text`] returns JSON of version 4 for the mod, even if the file had an older
/// version.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneDocument {
    /// The members of the file. The member `subscenes` has no content here: it only marks the
    /// position at which `elements` are written.
    members: Vec<(String, Json)>,
    pub(super) elements: Vec<Arc<Json>>,
    upgrades: Vec<String>,
}

/// An element of a scene, as the mod reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneElement {
    /// The name in the file. The name of a scene begins with a dot. `element 3`, for example, if
    /// the element has no name.
    pub name: String,
    /// The content, or the reason why it cannot be read.
    pub content: Result<Element, Diagnostic>,
}

const SUBSCENES: &str = "subscenes";

impl SceneDocument {
    /// Reads a scene of any version.
    ///
    /// # Errors
    /// See [`decode`](file::decode).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let scene = file::decode(bytes, &mut Diagnostics::new())?;
        if !scene.is_json {
            let (elements, upgrades) = upgrade::upgrade_text_scene(&scene);
            let version = ("version".to_owned(), Json::Number(upgrade::VERSION.into()));
            let members = vec![version, (SUBSCENES.to_owned(), Json::Null)];
            return Ok(Self { members, elements: into_arcs(elements), upgrades });
        }
        let broken = |found: &str| {
            Error::malformed(SourceLocation::File, "an object with subscenes", found.to_owned())
        };
        let text = std::str::from_utf8(bytes).map_err(|_| broken("no text"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root: Json = serde_json::from_str(text).map_err(|error| broken(&error.to_string()))?;
        let Json::Object(mut members) = root else { return Err(broken("another value")) };
        let subscenes_index = members.iter().rposition(|member| member.0 == SUBSCENES);
        let subscenes_index = subscenes_index.ok_or_else(|| broken("none"))?;
        let Json::Array(mut elements) =
            std::mem::replace(&mut members[subscenes_index].1, Json::Null)
        else {
            return Err(broken("other subscenes"));
        };
        let upgrades = upgrade::upgrade_json_scene(scene.version, &mut members, &mut elements);
        Ok(Self { members, elements: into_arcs(elements), upgrades })
    }

    /// Returns the changes that the conversion from an older version made, one sentence for each
    /// change. Empty if the file had version 4.
    pub fn upgrades(&self) -> &[String] {
        &self.upgrades
    }

    /// Returns the content of the file as version 4.
    pub fn to_json_text(&self) -> String {
        let mut text = String::new();
        write_lines(&mut text, 0, ['{', '}'], &self.members, |out, (name, value), indent| {
            out.push_str(&quote_json(name));
            out.push_str(": ");
            match name.as_str() {
                SUBSCENES if self.elements.is_empty() => out.push_str("[]"),
                SUBSCENES => {
                    write_lines(out, indent, ['[', ']'], &self.elements, |out, element, indent| {
                        element.write(out, indent);
                    })
                }
                _ => value.write(out, indent),
            }
        });
        text.push('\n');
        text
    }

    /// Returns the elements, in the order of the file.
    pub fn elements(&self) -> Vec<SceneElement> {
        self.elements.iter().enumerate().map(|(index, json)| read_element(index, json)).collect()
    }

    /// Returns the element with this index, or `None` if it does not exist.
    pub fn element(&self, index: usize) -> Option<SceneElement> {
        self.elements.get(index).map(|json| read_element(index, json))
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns `true` if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}

fn into_arcs(elements: Vec<Json>) -> Vec<Arc<Json>> {
    elements.into_iter().map(Arc::new).collect()
}

fn read_element(index: usize, json: &Json) -> SceneElement {
    let mut text = String::new();
    json.write(&mut text, 0);
    let name = match json.get("name") {
        Some(Json::String(name)) => name.clone(),
        _ => format!("element {}", index + 1),
    };
    SceneElement { name, content: json::decode_element(index, &text) }
}
