//! The fields that the tracks of an animation would drive in Resonite.
//!
//! Its Animator can look fields up by the names of tracks. It then keeps a list of the fields that it
//! found and drives the first of them by the first track, the second by the second, and so on: a
//! track that finds none leaves no hole, and every field after it gets the track of another.

use std::{collections::HashMap, fmt};

use crate::{
    clip::{Assumptions, Clip, Owner, TrackId},
    diagnostics::{Notices, SourceLocation},
    rig::{self, Matching, Rig},
};

/// The result of looking up the field of a track in Resonite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The track.
    pub track: TrackId,
    /// The index of its field in the list of those that were found, or why there is none.
    pub field: Result<usize, Unbound>,
}

/// Why a track finds no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbound {
    /// No slot has its node's name, by the letter.
    NoSlot,
    /// A track before it drives the field of every slot of that name.
    Taken,
    /// Its property is none of a slot.
    NoField,
    /// Its property is one of a component: Resonite compares the part before the point with names
    /// that have points themselves.
    Component,
}

impl fmt::Display for Unbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlot => "no slot of this name",
            Self::Taken => "a track before it drives this field",
            Self::NoField => "no field of a slot",
            Self::Component => "a field of a component, which Resonite does not find by name",
        })
    }
}

impl Binding {
    /// Whether the field that it finds is driven by another track.
    pub fn is_shifted(&self) -> bool {
        self.field.is_ok_and(|field| field != self.track.index())
    }

    /// The result in a few words.
    pub fn text(&self) -> String {
        match self.field {
            Ok(field) if self.is_shifted() => {
                format!("field {field}, which track {field} drives instead")
            }
            Ok(field) => format!("field {field}"),
            Err(why) => format!("skipped: {why}"),
        }
    }
}

/// The fields of a slot that can be driven.
const SLOT_FIELDS: [&str; 8] =
    ["Position", "Rotation", "Scale", "Active", "Persistent", "Name", "Tag", "OrderOffset"];

/// The bindings of each track of an animation of Resonite.
///
/// The slots are the nodes of the skeleton if one is attached, else one for every name that a track
/// has.
pub fn bindings(clip: &Clip) -> Vec<Binding> {
    let slots = slots(clip);
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

/// How many slots there are of each name.
fn slots(clip: &Clip) -> HashMap<&str, usize> {
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

/// Puts an animation on the skeleton of a model, and reports if Resonite would drive the wrong
/// fields of it.
pub(super) fn on_rig(
    mut clip: Clip,
    rig: &Rig,
    assumptions: &Assumptions,
    notices: &mut Notices,
) -> Clip {
    assumptions.apply(&mut clip.convention);
    let clip = rig::attach(clip, rig, Matching::ByName, notices);
    let bindings = bindings(&clip);
    let lost = bindings.iter().filter(|binding| binding.field.is_err()).count();
    if let Some(first) = bindings.iter().find(|binding| binding.is_shifted()) {
        let track = clip.track(first.track);
        let message = format!(
            "on {}, {lost} of {} tracks find no field by their names, and Resonite leaves no hole \
             for them: from track {} ({}.{}) on, fields get the tracks of others",
            rig.name,
            bindings.len(),
            first.track.index(),
            clip.owner_name(track.owner),
            track.property
        );
        notices.warning(track.source.place.clone(), message);
    } else if lost > 0 {
        let tracks = match lost {
            1 => "the last track finds no field by its name".to_owned(),
            _ => format!("the last {lost} tracks find no field by their names"),
        };
        let message = format!("on {}, {tracks}", rig.name);
        notices.warning(SourceLocation::File, message);
    }
    clip
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        clip::{NodeKind, Transform},
        formats::{self, DecodeRequest, resonite},
        rig::{RigKind, RigNode, RigSpace},
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

    fn rig(names: &[&str]) -> Rig {
        let node = |name: &&str| RigNode {
            name: (*name).to_owned(),
            id: None,
            parent: None,
            bone_from: None,
            side: None,
            rest: Transform::IDENTITY,
            kind: NodeKind::Joint,
        };
        Rig {
            name: "model.glb".to_owned(),
            kind: RigKind::GLTF,
            nodes: names.iter().map(node).collect(),
            space: RigSpace::default(),
            humanoid: None,
            model: Arc::default(),
            notices: Notices::new(),
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
        let alone = formats::decode(text.as_bytes(), &DecodeRequest::default()).unwrap();
        let fields = |clip: &Clip| -> Vec<_> {
            bindings(clip).iter().map(|binding| binding.field).collect()
        };
        let (part, none) = (Unbound::Component, Unbound::NoField);
        let expected = [Ok(0), Err(part), Ok(1), Ok(2), Err(Unbound::Taken), Err(none), Ok(3)];
        assert_eq!(fields(&alone), expected);

        // Two slots of one name have the field twice; the case counts.
        let rig = rig(&["Hip", "Knee", "Toe", "Hip"]);
        let on_rig = formats::decode(text.as_bytes(), &DecodeRequest::default().rig(&rig)).unwrap();
        let expected = [Ok(0), Err(part), Err(Unbound::NoSlot), Ok(1), Ok(2), Err(none), Ok(3)];
        assert_eq!(fields(&on_rig), expected);
        let said = on_rig.notices.iter().find(|notice| notice.message.contains("leaves no hole"));
        let said = said.unwrap().message.as_str();
        assert!(said.starts_with("on model.glb, 3 of 7 tracks find no field"), "{said}");
        assert!(said.ends_with("from track 3 (Toe.Position) on, fields get the tracks of others"));
        let texts: Vec<_> = resonite::bindings(&on_rig).iter().map(Binding::text).collect();
        assert_eq!(texts[0], "field 0");
        assert_eq!(texts[3], "field 1, which track 1 drives instead");
        assert_eq!(texts[2], "skipped: no slot of this name");
    }

    #[test]
    fn trailing_tracks_without_a_field_shift_nothing() {
        let text = animation(&[("Hip", "Position"), ("Tail", "Position")]);
        let clip = formats::decode(text.as_bytes(), &DecodeRequest::default().rig(&rig(&["Hip"])))
            .unwrap();
        assert!(bindings(&clip).iter().all(|binding| !binding.is_shifted()));
        let messages = clip.notices.iter().map(|notice| notice.message.as_str());
        assert!(messages.into_iter().any(|message| {
            message == "on model.glb, the last track finds no field by its name"
        }));
    }
}
