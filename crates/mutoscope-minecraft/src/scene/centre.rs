//! Computes the centre about which a nested scene is rotated, mirrored and scaled.
//!
//! The centre depends on where the chosen element was *recorded*. The centre settings of that
//! element are used, but its own transformation is ignored.

use glam::DVec3;

use super::{
    codes,
    file::{ChosenElement, Element, SceneFile},
    loader::{MAX_SCENE_DEPTH, SceneLoader},
};

impl SceneLoader<'_> {
    pub(super) fn centre_of_scene(&mut self, file: &SceneFile, element: &Element) -> Option<DVec3> {
        match &element.centre.chosen_element {
            ChosenElement::Individual => None,
            chosen => self.centre_of_chosen_element(file, &element.name, chosen, 0),
        }
    }

    fn centre_of_chosen_element(
        &mut self,
        file: &SceneFile,
        scene: &str,
        chosen: &ChosenElement,
        depth: usize,
    ) -> Option<DVec3> {
        if depth > MAX_SCENE_DEPTH {
            return None;
        }
        let key = (scene.to_owned(), chosen.clone());
        if let Some(known_centre) = self.centres.get(&key) {
            return *known_centre;
        }
        // Insert `None` before the recursion, because a scene that contains itself would otherwise
        // recurse without end.
        self.centres.insert(key.clone(), None);
        let first = file.elements.first()?;
        let element = match chosen {
            ChosenElement::First => first,
            ChosenElement::Last => file.elements.last()?,
            ChosenElement::Specific(reference) => find_specific_element(file, reference)
                .unwrap_or_else(|| {
                    self.warn(codes::INVALID_CENTRE, &format!(
                    "the scene {scene:?} has no element {reference:?}; using common_first. The mod \
                     does not play this scene. Name an element such as 2 or 002-walk"
                ));
                    first
                }),
            ChosenElement::Individual => {
                self.warn(codes::INVALID_CENTRE, &format!(
                    "the scene {scene:?} cannot rotate about \"individual\" centres; using common_first. \
                     The mod does not play this scene"
                ));
                first
            }
        };
        // If the file of the chosen element is missing, use the first recording that was loaded.
        // The missing file has already been reported.
        let centre = self.centre_of_element(element, depth).or_else(|| {
            file.elements.iter().find_map(|candidate| self.centre_of_recording(candidate))
        });
        self.centres.insert(key, centre);
        centre
    }

    fn centre_of_element(&mut self, element: &Element, depth: usize) -> Option<DVec3> {
        if !element.is_scene {
            return self.centre_of_recording(element);
        }
        let file = self.scene_file(&element.name)?;
        let start = self.centre_of_chosen_element(
            &file,
            &element.name,
            &element.centre.chosen_element,
            depth + 1,
        )?;
        Some(element.centre_for_start(start))
    }

    fn centre_of_recording(&self, element: &Element) -> Option<DVec3> {
        let start = (!element.is_scene).then(|| self.starts.get(&element.name))??;
        Some(element.centre_for_start(*start))
    }
}

/// Finds the element for a reference such as `2`, `002` or `002-walk`. The first number is 1. The
/// name may be omitted. The name of a scene begins with a dot.
fn find_specific_element<'a>(file: &'a SceneFile, reference: &str) -> Option<&'a Element> {
    let (number, name) = match reference.split_once('-') {
        Some((number, name)) => (number, Some(name)),
        None => (reference, None),
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let index = is_number.then(|| number.parse::<usize>().ok()?.checked_sub(1))??;
    let element = file.elements.get(index)?;
    let dot = if element.is_scene { "." } else { "" };
    let is_named_so = name.is_none_or(|name| name.strip_prefix(dot) == Some(&element.name));
    is_named_so.then_some(element)
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
        let chosen = |reference: &str| {
            let found = find_specific_element(&file, reference)?;
            file.elements.iter().position(|element| element == found)
        };
        for (reference, index) in
            [("1", 0), ("002", 1), ("2-.sub", 1), ("003-my-rec", 2), ("1-walk", 0)]
        {
            assert_eq!(chosen(reference), Some(index), "{reference}");
        }
        for reference in
            ["", "0", "4", "walk", "1-run", "2-sub", "-1", "+1", "1-", "99999999999999999999"]
        {
            assert_eq!(chosen(reference), None, "{reference}");
        }
    }
}
