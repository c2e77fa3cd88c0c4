//! Tests of the figures of entities and of the items in hands.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    Actor, ActorTransform, Entity, Item, Life, Recording, SampleTime, Scene, Slot, Take,
    shapes::{Creature, creature_or_box},
};
use mutoscope_core::clip::{ExportModel, NodeId, PartParent, Transform};

fn item(id: &str) -> Option<Item> {
    Some(Item { id: id.into(), data: None })
}

/// Returns an entity that is present in ticks 10 to 29.
fn entity(id: i32, kind: &str, actor: Actor) -> Entity {
    let lives = vec![Life { from: 10, killed: None, to: Some(30) }];
    Entity::new(id, kind.to_owned(), "{}".into(), actor, lives)
}

fn export_entities(entities: Vec<Entity>) -> (ExportModel, Arc<Take>) {
    let mut recording = Recording::standing_still();
    recording.frames = 60;
    recording.ticks = 60;
    recording.entities = entities;
    let mut alone = Take::from_recording(recording);
    alone.rounds = [crate::Round::new(60.0)].into();
    let take = Arc::new(alone);
    let scene = Scene {
        takes: [Arc::clone(&take)].into(),
        ..Scene::from_recording(Recording::standing_still())
    };
    (super::build_export_model(&scene), take)
}

#[test]
fn entities_of_a_kind_share_their_meshes() {
    let still = || Actor::new(ActorTransform::default());
    let kinds = ["minecraft:cow", "minecraft:cow", "somemod:beast", "minecraft:marker"];
    let entities = kinds.iter().zip(1..).map(|(kind, id)| entity(id, kind, still())).collect();
    let (export_model, _) = export_entities(entities);
    // The figures are the player's hands, two cows and the box of an unknown kind. A marker is
    // invisible.
    let [hands, first, second, beast] = &export_model.figures[..] else { panic!("four figures") };
    assert_eq!(hands.parts.len(), 2);
    let meshes = |figure: &mutoscope_core::clip::ExportFigure| {
        figure.parts.iter().map(|part| part.mesh).collect::<Vec<_>>()
    };
    assert_eq!(meshes(first), meshes(second));
    // A cow reuses one mesh for its legs and one for its horns. The unknown kind adds the mesh of
    // its box.
    let different: BTreeSet<_> = meshes(first).into_iter().collect();
    assert!(different.len() < first.parts.len());
    assert_eq!(export_model.meshes.len(), different.len() + 1);
    let names: Vec<_> = first.parts.iter().map(|part| part.name.as_str()).collect();
    assert!(names.contains(&"entity/1/head") && names.contains(&"entity/1/right_leg_2"));
    assert!(first.parts.iter().all(|part| part.parent == PartParent::Node(NodeId::new(7))));
    assert_eq!((beast.parts.len(), &*beast.parts[0].name), (1, "entity/3/body"));
}

#[test]
fn boxes_of_unknown_kinds_are_closed_face_outwards_and_stand_on_the_ground() {
    let (export_model, _) =
        export_entities(vec![entity(1, "somemod:beast", Actor::new(ActorTransform::default()))]);
    let surface = &export_model.meshes[0].surfaces[0];
    let at = |index: u32| glam::Vec3::from(surface.positions[index as usize]);
    let tetrahedron = |corners: &[u32]| at(corners[0]).dot(at(corners[1]).cross(at(corners[2])));
    let volume: f32 = surface.triangles.chunks(3).map(tetrahedron).sum::<f32>() / 6.0;
    // An unknown kind is 0.6 wide and 1.8 high; the box is a little smaller.
    let expected = 0.96_f32.powi(3) * 0.6 * 0.6 * 1.8 + 0.15_f32.powi(3);
    assert!((volume - expected).abs() < 1e-4, "{volume} instead of {expected}");
    let heights = surface.positions.iter().map(|position| position[1]);
    let lowest = heights.reduce(f32::min).unwrap();
    assert!((0.0..0.05).contains(&lowest), "{lowest}");
}

/// Returns the transform and the visibility of a figure's part at a time in seconds.
fn sample_part(
    export_model: &ExportModel,
    figure: usize,
    part: usize,
    time: f64,
) -> (Transform, bool) {
    let figure = &export_model.figures[figure];
    let mut sampled = (figure.parts[part].rest, true);
    figure.motion.pose_parts(time, &mut |index, transform, is_visible| {
        if index == part {
            sampled = (transform, is_visible);
        }
    });
    sampled
}

#[test]
fn exported_joints_match_the_viewer_and_hands_hold_their_items() {
    let mut actor = Actor::new(ActorTransform::default());
    actor.path.set(10, 0, ActorTransform::default(), true);
    for frame in 11..30 {
        let position = glam::DVec3::Z * 0.2 * f64::from(frame);
        actor.path.set(
            frame,
            0,
            ActorTransform { position, head_yaw: 30.0, ..ActorTransform::default() },
            false,
        );
    }
    actor.items[Slot::MainHand as usize].set(15, 0, item("minecraft:iron_sword"));
    actor.items[Slot::MainHand as usize].set(20, 0, item("minecraft:shield"));
    let (export_model, take) = export_entities(vec![entity(1, "minecraft:zombie", actor)]);
    let entity = &take.recording.entities[0];
    let creature: Creature = creature_or_box(&entity.kind, &entity.nbt, entity.size).unwrap();
    let figure = &export_model.figures[1];
    for time in [0.6, 0.812, 1.2] {
        assert!(figure.motion.is_visible(time));
        let state = take.creature_state(entity, take.sample_time(time).unwrap());
        assert!(state.walk_speed > 0.1, "it walks: {state:?}");
        for (index, part) in creature.parts.iter().enumerate() {
            assert_eq!(
                sample_part(&export_model, 1, index, time).0,
                state.part_transform(&creature, part)
            );
        }
    }
    let names: Vec<_> = figure.parts.iter().map(|part| part.name.as_str()).collect();
    let find = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let hand = find("entity/1/right_hand");
    assert_eq!(figure.parts[hand].parent, PartParent::Part(find("entity/1/right_arm")));
    assert_eq!(figure.parts[hand].rest, creature.held_item_origin(true));
    assert!(!names.contains(&"entity/1/left_hand"), "it holds nothing there");
    for (name, ticks) in [("iron_sword", 15..20), ("shield", 20..30)] {
        let part = find(&format!("entity/1/right_hand/{name}"));
        assert_eq!(figure.parts[part].parent, PartParent::Part(hand));
        for tick in 0..60 {
            let time = f64::from(tick) / 20.0 + 0.01;
            assert_eq!(
                sample_part(&export_model, 1, part, time).1,
                ticks.contains(&tick),
                "{name} {tick}"
            );
        }
    }
    assert!(!figure.motion.is_visible(0.4) && !figure.motion.is_visible(1.6));
    let moment = SampleTime { frame: 16, t: 0.0 };
    let held = entity.actor.held_item_transform(true, moment.frame).unwrap().1;
    assert_eq!(sample_part(&export_model, 1, find("entity/1/right_hand/iron_sword"), 0.8).0, held);
}
