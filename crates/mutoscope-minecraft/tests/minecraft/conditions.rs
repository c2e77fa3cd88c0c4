//! Tests the conditions of players and entities: flags and presence.

use mutoscope_core::clip::{Clip, Condition, ConditionKind, Owner, Pose};

use crate::{clip, recording};
use mutoscope_testing::{
    fixtures::{self, McmocapFixture},
    mcmocap::sample,
};

fn holds(condition: &Condition, time: f64) -> bool {
    condition.spans.iter().any(|&(start, end)| (start..end).contains(&time))
}

/// Each row has a track property, a bit, and the name of the condition.
const FLAGS: [(&str, u8, &str); 10] = [
    ("entity_flags", 0x01, "on fire"),
    ("entity_flags", 0x02, "sneaking"),
    ("entity_flags", 0x08, "sprinting"),
    ("entity_flags", 0x10, "swimming"),
    ("entity_flags", 0x20, "invisible"),
    ("entity_flags", 0x40, "glowing"),
    ("entity_flags", 0x80, "gliding"),
    ("living_flags", 0x01, "using an item"),
    ("living_flags", 0x02, "… in the off hand"),
    ("living_flags", 0x04, "spinning"),
];

fn flag<'a>(conditions: &'a [Condition], expected_name: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| match &condition.kind {
        ConditionKind::Flag { name, .. } => name == expected_name,
        ConditionKind::Presence => false,
    })
}

/// Compares every frame with the flags that an independent reader found.
#[test]
fn flags_hold_while_their_bits_are_set() {
    let mut set_count = 0;
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let clip = clip(&bytes);
        let conditions = clip.conditions();
        let frames = expected["frames"].as_array().unwrap();
        // Data after the last tick have a frame in the expected values, but no time in the clip.
        let frames = &frames[..recording(&clip).ticks as usize];
        for (property, bit, condition) in FLAGS {
            let key = if property == "entity_flags" { "entityFlags" } else { "livingFlags" };
            let is_set = |frame: usize| frames[frame][key].as_u64().unwrap() & u64::from(bit) != 0;
            let flag_condition = flag(&conditions, condition);
            assert_eq!(
                flag_condition.is_some(),
                (0..frames.len()).any(is_set),
                "{name}: {condition}"
            );
            let Some(flag_condition) = flag_condition else { continue };
            for frame in 0..frames.len() {
                let found = holds(flag_condition, frame as f64 / 20.0);
                assert_eq!(found, is_set(frame), "{name}: {condition} in frame {frame}");
                set_count += usize::from(found);
            }
            let is_flag_of = |kind: &ConditionKind| matches!(kind, ConditionKind::Flag { property: Some(flag_property), .. } if *flag_property == property);
            assert!(
                is_flag_of(&flag_condition.kind)
                    && clip.nodes[flag_condition.node].name == "player",
                "{name}: {condition}"
            );
        }
    }
    assert!(set_count > 500, "{set_count}");
}

/// An entity must be visible exactly while its presence condition holds.
#[test]
fn presence_matches_visibility() {
    let recordings = fixtures::mcmocap_fixtures().into_iter().map(|fixture| fixture.bytes);
    for bytes in recordings.chain([sample::bytes_with_respawn()]) {
        let clip = clip(&bytes);
        let conditions = clip.conditions();
        let presences = conditions.iter().filter(|one| one.kind == ConditionKind::Presence);
        let presences: Vec<_> = presences.collect();
        assert_eq!(presences.len(), 1 + recording(&clip).entities.len());
        let mut pose = Pose::default();
        for frame in 0..recording(&clip).ticks {
            let time = f64::from(frame) / 20.0;
            clip.sample(time, &mut pose);
            for presence in &presences {
                let is_shown = pose[presence.node].is_visible;
                assert_eq!(holds(presence, time), is_shown, "frame {frame}: {presence:?}");
            }
        }
    }
}

fn event_sentence(clip: &Clip, name: &str) -> String {
    let event = clip.events.iter().find(|event| event.name == name).unwrap();
    clip.describe_event(event).unwrap().sentence
}

#[test]
fn conditions_and_events_have_readable_names() {
    let clip = clip(&fixtures::mcmocap_file("full_v5"));
    assert_eq!(event_sentence(&clip, "mount"), "mounts oak boat (entity/0)");
    assert_eq!(event_sentence(&clip, "swing"), "swings main hand");
    let label = |property: &str, time: f64| {
        let track = clip
            .tracks
            .iter()
            .find(|track| track.property == property && clip.owner_name(track.owner) == "player");
        let track = track.unwrap();
        clip.value_label(track, &track.curve.value(time))
    };
    assert_eq!(label("pose", 4.5).as_deref(), Some("crouching"));
    assert_eq!(label("vehicle", 2.5).as_deref(), Some("oak boat (entity/0)"));
    assert_eq!((label("vehicle", 0.0), label("arrows", 0.0)), (None, None));
    assert_eq!(clip.property_label("item.OFFHAND"), "off hand");
    let cow = clip.nodes.with_ids().find(|(_, node)| node.name == "entity/1").unwrap().0;
    assert_eq!(clip.node_type_label(cow).as_deref(), Some("cow"));
    assert!(clip.events.iter().any(|event| event.owner == Some(Owner::Node(cow))));
}
