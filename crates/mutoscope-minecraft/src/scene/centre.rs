//! The centre of rotation, mirroring and scaling of a scene within a scene.
//!
//! The centre follows from where the chosen element was *recorded*: what that element does to its
//! own places does not count, only its own configuration does.

use glam::DVec3;

use super::{
    file::{Chosen, Element, SceneFile},
    gather::{DEEPEST, Gatherer},
};

impl Gatherer<'_> {
    /// The centre of a scene by its chosen element; nothing if each recording is turned about its
    /// own centre, or if there is none.
    pub(super) fn centre_of_scene(&mut self, file: &SceneFile, element: &Element) -> Option<DVec3> {
        match &element.centre.of_scene {
            Chosen::Individual => None,
            chosen => self.centre_at(file, &element.name, chosen, 0),
        }
    }

    /// The centre that the chosen one of a scene's elements gives.
    fn centre_at(
        &mut self,
        file: &SceneFile,
        scene: &str,
        chosen: &Chosen,
        depth: usize,
    ) -> Option<DVec3> {
        if depth > DEEPEST {
            return None;
        }
        let key = (scene.to_owned(), chosen.clone());
        if let Some(known) = self.centres.get(&key) {
            return *known;
        }
        // A scene within itself has none.
        self.centres.insert(key.clone(), None);
        let first = file.elements.first()?;
        let element = match chosen {
            Chosen::First => first,
            Chosen::Last => file.elements.last()?,
            Chosen::Specific(words) => specific(file, words).unwrap_or_else(|| {
                self.warn(&format!(
                    "{words:?} is not an element of the scene {scene:?}, such as 2 or \
                     002-walk; using common_first. The mod does not start it"
                ));
                first
            }),
            Chosen::Individual => {
                self.warn(&format!(
                    "the scene {scene:?} is turned about an element of it that has no one centre, \
                     individual; using common_first. The mod does not start it"
                ));
                first
            }
        };
        // The missing file was reported: another element has to do.
        let centre = self
            .centre_of_element(element, depth)
            .or_else(|| file.elements.iter().find_map(|other| self.start_of(other)));
        self.centres.insert(key, centre);
        centre
    }

    fn centre_of_element(&mut self, element: &Element, depth: usize) -> Option<DVec3> {
        if !element.is_scene {
            return self.start_of(element);
        }
        let file = self.scene_file(&element.name)?;
        let about = self.centre_at(&file, &element.name, &element.centre.of_scene, depth + 1)?;
        Some(element.centre_about(about))
    }

    /// The centre of an element that is a recording.
    fn start_of(&self, element: &Element) -> Option<DVec3> {
        let start = (!element.is_scene).then(|| self.starts.get(&element.name))??;
        Some(element.centre_about(*start))
    }
}

/// The element that `2`, `002` or `002-walk` means: the position from 1 on, and the name if there
/// is one, which for a scene begins with its dot.
fn specific<'a>(file: &'a SceneFile, words: &str) -> Option<&'a Element> {
    let (number, name) = match words.split_once('-') {
        Some((number, name)) => (number, Some(name)),
        None => (words, None),
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let index = is_number.then(|| number.parse::<usize>().ok()?.checked_sub(1))??;
    let element = file.elements.get(index)?;
    let dot = if element.is_scene { "." } else { "" };
    let is_it = name.is_none_or(|name| name.strip_prefix(dot) == Some(&element.name));
    is_it.then_some(element)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_chosen_by_position_and_name() {
        let element = |name: &str, is_scene| {
            let name = name.to_owned();
            Element { name, is_scene, ..Element::default() }
        };
        let elements = vec![element("walk", false), element("sub", true), element("my-rec", false)];
        let file = SceneFile { version: 4, is_json: true, elements };
        let chosen = |words: &str| {
            let found = specific(&file, words)?;
            file.elements.iter().position(|element| element == found)
        };
        for (words, index) in
            [("1", 0), ("002", 1), ("2-.sub", 1), ("003-my-rec", 2), ("1-walk", 0)]
        {
            assert_eq!(chosen(words), Some(index), "{words}");
        }
        for words in
            ["", "0", "4", "walk", "1-run", "2-sub", "-1", "+1", "1-", "99999999999999999999"]
        {
            assert_eq!(chosen(words), None, "{words}");
        }
    }
}
