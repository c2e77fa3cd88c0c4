//! Finds the fields that the tracks of an animation would drive in Resonite.
//!
//! Resonite's Animator can look up fields by the names of tracks. It then keeps a list of the
//! fields that it found. The first track drives the first field in the list, the second track the
//! second, and so on. A track without a field leaves no gap in the list, so every field after it is
//! driven by the wrong track.

use std::{collections::HashMap, fmt};

use super::codes;
use crate::{
    clip::{Assumptions, Clip, Owner, TrackId},
    diagnostics::{Diagnostics, SourceLocation},
    skeleton_file::{self, LoadedSkeleton, Matching},
};

/// The result of looking up the field of a track in Resonite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The id of the track.
    pub track: TrackId,
    /// The index of the track's field among all fields that tracks drive, or the reason why the
    /// track drives no field.
    pub field: Result<usize, Unbound>,
}

/// The reason why a track finds no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbound {
    /// No slot has the name of the track's node. The comparison is case-sensitive.
    NoSlot,
    /// Earlier tracks already drive this field in all slots with this name.
    Taken,
    /// Slots have no field with the track's property name.
    NoField,
    /// The property is a field of a component. Resonite never finds such fields. It compares the
    /// part before the point with component names, but these contain points themselves.
    Component,
}

impl fmt::Display for Unbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlot => "no slot with this name",
            Self::Taken => "an earlier track drives this field",
            Self::NoField => "not a field of a slot",
            Self::Component => "a field of a component, which Resonite does not find by name",
        })
    }
}

impl Binding {
    /// Returns `true` if the field of this track is driven by another track.
    pub fn is_shifted(&self) -> bool {
        self.field.is_ok_and(|field| field != self.track.index())
    }

    /// Returns a short description of the result.
    pub fn description(&self) -> String {
        match self.field {
            Ok(field) if self.is_shifted() => {
                format!("field {field}, which track {field} drives instead")
            }
            Ok(field) => format!("field {field}"),
            Err(why) => format!("skipped: {why}"),
        }
    }
}

const SLOT_FIELDS: [&str; 8] =
    ["Position", "Rotation", "Scale", "Active", "Persistent", "Name", "Tag", "OrderOffset"];

/// Returns the bindings of all tracks of a Resonite animation.
///
/// The slots are the nodes of the attached skeleton. If there is no skeleton, we assume a slot for
/// each node name of the tracks.
pub fn bindings(clip: &Clip) -> Vec<Binding> {
    let slots = count_slots(clip);
    let mut taken: HashMap<(&str, &str), usize> = HashMap::new();
    let mut found = 0;
    let bindings = clip.tracks.iter().enumerate().map(|(index, track)| {
        let (node, property) = (clip.owner_name(track.owner), track.property.as_str());
        let slots = slots.get(node).copied().unwrap_or_default();
        let driven = taken.entry((node, property)).or_default();
        let field = if property.contains('.') {
            Err(Unbound::Component)
        } else if !SLOT_FIELDS.contains(&property) {
            Err(Unbound::NoField)
        } else if slots == 0 {
            Err(Unbound::NoSlot)
        } else if *driven >= slots {
            Err(Unbound::Taken)
        } else {
            *driven += 1;
            found += 1;
            Ok(found - 1)
        };
        Binding { track: TrackId::new(index), field }
    });
    bindings.collect()
}

fn count_slots(clip: &Clip) -> HashMap<&str, usize> {
    let mut slots = HashMap::new();
    match clip.skeleton.attached() {
        None => {
            let names = clip.tracks.iter().map(|track| clip.owner_name(track.owner));
            slots.extend(names.map(|name| (name, 1)));
        }
        Some(attached) => {
            let matched = attached.matched.iter().map(|one| one.name_in_skeleton.as_str());
            let resting = attached.resting.iter().map(|&id| clip.owner_name(Owner::Node(id)));
            matched.chain(resting).for_each(|name| *slots.entry(name).or_default() += 1);
        }
    }
    slots
}

pub(super) fn attach_to_skeleton(
    mut clip: Clip,
    skeleton: &LoadedSkeleton,
    assumptions: &Assumptions,
    diagnostics: &mut Diagnostics,
) -> Clip {
    assumptions.apply(&mut clip.convention);
    let clip = skeleton_file::attach(clip, skeleton, Matching::ByName, diagnostics);
    let bindings = bindings(&clip);
    let lost = bindings.iter().filter(|binding| binding.field.is_err()).count();
    if let Some(first) = bindings.iter().find(|binding| binding.is_shifted()) {
        let track = clip.track(first.track);
        let message = format!(
            "on {}, {lost} of {} tracks match no field by name. Resonite skips them without \
             leaving a gap, so from track {} ({}.{}) on, each track drives the wrong field",
            skeleton.name,
            bindings.len(),
            first.track.index(),
            clip.owner_name(track.owner),
            track.property
        );
        diagnostics
            .warning(codes::TRACK_NOT_BOUND, track.source.location.clone(), message)
            .with("count", lost);
    } else if lost > 0 {
        let tracks = match lost {
            1 => "the last track matches no field by name".to_owned(),
            _ => format!("the last {lost} tracks match no field by name"),
        };
        let message = format!("on {}, {tracks}", skeleton.name);
        diagnostics
            .warning(codes::TRACK_NOT_BOUND, SourceLocation::File, message)
            .with("count", lost);
    }
    clip
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        clip::{NodeKind, Transform},
        formats::{ReadOptions, decode, resonite},
        skeleton_file::{SkeletonKind, SkeletonNode, SkeletonSpace},
    };

    fn animation(names: &[(&str, &str)]) -> String {
        let track = |(node, property): &(&str, &str)| {
            format!(
                r#"{{"trackType": "Discrete", "valueType": "float3", "data": {{"node": "{node}",
                 "property": "{property}", "keyframes": []}}}}"#
            )
        };
        let tracks: Vec<_> = names.iter().map(track).collect();
        format!(r#"{{"tracks": [{}]}}"#, tracks.join(","))
    }

    fn skeleton_with(names: &[&str]) -> LoadedSkeleton {
        let node = |name: &&str| SkeletonNode {
            name: (*name).to_owned(),
            id: None,
            parent: None,
            bone_from: None,
            side: None,
            rest: Transform::IDENTITY,
            kind: NodeKind::Joint,
        };
        LoadedSkeleton {
            name: "model.glb".to_owned(),
            kind: SkeletonKind::GLTF,
            nodes: names.iter().map(node).collect(),
            space: SkeletonSpace::default(),
            humanoid: None,
            model: Arc::default(),
            diagnostics: Diagnostics::new(),
            sidecars: Vec::new(),
        }
    }

    const NAMES: [(&str, &str); 7] = [
        ("Hip", "Position"),
        ("Hip", "Mesh.Radius"),
        ("knee", "Rotation"),
        ("Toe", "Position"),
        ("Hip", "Position"),
        ("Hip", "location"),
        ("Toe", "Scale"),
    ];

    #[test]
    fn track_without_a_field_shifts_the_following_ones() {
        let text = animation(&NAMES);
        let alone = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
        let fields = |clip: &Clip| -> Vec<_> {
            bindings(clip).iter().map(|binding| binding.field).collect()
        };
        let (part, none) = (Unbound::Component, Unbound::NoField);
        let expected = [Ok(0), Err(part), Ok(1), Ok(2), Err(Unbound::Taken), Err(none), Ok(3)];
        assert_eq!(fields(&alone), expected);

        // Two slots named Hip have two Position fields. The slot Knee does not match, because the
        // comparison is case-sensitive.
        let skeleton = skeleton_with(&["Hip", "Knee", "Toe", "Hip"]);
        let attached =
            decode(text.as_bytes(), &ReadOptions::default().with_skeleton(skeleton.clone()))
                .unwrap();
        let expected = [Ok(0), Err(part), Err(Unbound::NoSlot), Ok(1), Ok(2), Err(none), Ok(3)];
        assert_eq!(fields(&attached), expected);
        let found = attached
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.message.contains("match no field"));
        let message = found.unwrap().message.as_str();
        assert!(message.starts_with("on model.glb, 3 of 7 tracks match no field"), "{message}");
        assert!(
            message.ends_with("from track 3 (Toe.Position) on, each track drives the wrong field")
        );
        let texts: Vec<_> =
            resonite::bindings(&attached).iter().map(Binding::description).collect();
        assert_eq!(texts[0], "field 0");
        assert_eq!(texts[3], "field 1, which track 1 drives instead");
        assert_eq!(texts[2], "skipped: no slot with this name");
    }

    #[test]
    fn trailing_tracks_without_a_field_shift_nothing() {
        let text = animation(&[("Hip", "Position"), ("Tail", "Position")]);
        let clip = decode(
            text.as_bytes(),
            &ReadOptions::default().with_skeleton(skeleton_with(&["Hip"]).clone()),
        )
        .unwrap();
        assert!(bindings(&clip).iter().all(|binding| !binding.is_shifted()));
        let messages = clip.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str());
        assert!(
            messages.into_iter().any(|message| {
                message == "on model.glb, the last track matches no field by name"
            })
        );
    }
}
