//! Animation channels that name their node in a JSON pointer, or not at all.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value, json};

use super::codes;
use crate::diagnostics::{Diagnostics, SourceLocation, format_count};

pub(super) const ANIMATION_POINTER: &str = "KHR_animation_pointer";

#[derive(Default)]
pub(super) struct ResolvedTargets {
    /// The channels that move no node, by the indices of animation and channel.
    pub(super) skipped_channels: HashSet<(usize, usize)>,
    /// The channels that have a pointer to a node, and also another target.
    contradictions: Vec<(usize, usize)>,
    other_pointers: BTreeSet<String>,
    other_pointer_count: usize,
    nodeless_count: usize,
}

/// Writes the node and the path that each pointer names into the target of its channel. Channels
/// that move no node get a node too, because `gltf_json` rejects channels without a node.
pub(super) fn resolve_targets(json: &mut Value) -> ResolvedTargets {
    let mut targets = ResolvedTargets::default();
    let animations = json.get_mut("animations").and_then(Value::as_array_mut);
    for (animation_index, animation) in animations.into_iter().flatten().enumerate() {
        let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
        for (channel_index, channel) in channels.into_iter().flatten().enumerate() {
            if let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) {
                targets.resolve((animation_index, channel_index), target);
            }
        }
    }
    targets
}

impl ResolvedTargets {
    fn resolve(&mut self, channel: (usize, usize), target: &mut Map<String, Value>) {
        let extension = target.get("extensions").and_then(|all| all.get(ANIMATION_POINTER));
        let pointer = extension.and_then(|one| one.get("pointer")).and_then(Value::as_str);
        let node_property = pointer.and_then(parse_node_pointer);
        match (node_property, pointer) {
            (Some(_), _) => {
                let is_pointer = target.get("path").is_none_or(|path| path == "pointer");
                if target.contains_key("node") || !is_pointer {
                    self.contradictions.push(channel);
                }
            }
            (None, Some(pointer)) => {
                self.other_pointers.insert(format!("{pointer:?}"));
                self.other_pointer_count += 1;
            }
            (None, None) if target.contains_key("node") => return,
            (None, None) => self.nodeless_count += 1,
        }
        if node_property.is_none() {
            self.skipped_channels.insert(channel);
        }
        let (node, property) = node_property.unwrap_or((0, "translation"));
        target.insert("node".to_owned(), json!(node));
        target.insert("path".to_owned(), json!(property));
    }

    pub(super) fn report(&self, diagnostics: &mut Diagnostics) {
        for (animation, channel) in &self.contradictions {
            let message = format!(
                "animations[{animation}].channels[{channel}]: expected only the pointer of \
                 {ANIMATION_POINTER}, found another target as well; using the pointer"
            );
            diagnostics.warning(codes::CONTRADICTORY_TARGET, SourceLocation::File, message);
        }
        if self.other_pointer_count > 0 {
            const MAX_LISTED_POINTERS: usize = 6;
            let mut list: Vec<_> =
                self.other_pointers.iter().take(MAX_LISTED_POINTERS).cloned().collect();
            let more = self.other_pointers.len() - list.len();
            list.extend((more > 0).then(|| format!("{more} more")));
            let message = format!(
                "{} of {ANIMATION_POINTER} skipped, because only the translation, rotation, scale \
                 and weights of nodes are read: {}",
                format_count(self.other_pointer_count, "animation channel"),
                list.join(", ")
            );
            diagnostics
                .warning(codes::UNSUPPORTED_TARGET, SourceLocation::File, message)
                .with("count", self.other_pointer_count);
        }
        if self.nodeless_count > 0 {
            let message = format!(
                "{} without a node skipped; of the extensions, only {ANIMATION_POINTER} is read",
                format_count(self.nodeless_count, "animation channel")
            );
            diagnostics
                .warning(codes::UNSUPPORTED_TARGET, SourceLocation::File, message)
                .with("count", self.nodeless_count);
        }
    }
}

/// Returns the index of the node and the name of the animated property, if `pointer` is the JSON
/// pointer of a transform or of morph weights: `/nodes/3/rotation`.
fn parse_node_pointer(pointer: &str) -> Option<(u32, &'static str)> {
    const PROPERTIES: [&str; 4] = ["translation", "rotation", "scale", "weights"];
    let (node, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    let property = PROPERTIES.into_iter().find(|name| *name == property)?;
    let is_index = node.bytes().all(|byte| byte.is_ascii_digit());
    Some((node.parse().ok().filter(|_| is_index)?, property))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pointers_to_transforms_and_weights_of_nodes_are_read() {
        assert_eq!(parse_node_pointer("/nodes/12/rotation"), Some((12, "rotation")));
        assert_eq!(parse_node_pointer("/nodes/0/weights"), Some((0, "weights")));
        for pointer in [
            "/nodes/0/weights/1",
            "/nodes/+1/scale",
            "/nodes//scale",
            "/nodes/0",
            "/nodes/0/matrix",
            "/meshes/0/weights",
            "nodes/0/scale",
            "",
        ] {
            assert_eq!(parse_node_pointer(pointer), None, "{pointer}");
        }
    }
}
