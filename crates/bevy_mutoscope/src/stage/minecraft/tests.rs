//! Tests of Minecraft figures on a stage without rendering.

use bevy::prelude::*;

use super::{
    blocks::ChangingBlock,
    chat::ChatMessages,
    creatures::CreatureLimb,
    figure::Body,
    fire_and_arrows::{Flames, StuckArrow},
    hands::HeldItem,
};
use crate::stage::{
    Tag,
    material::Paint,
    measure::measure,
    tests::{app_with, seek},
};
use mutoscope_core::{
    clip::Clip,
    formats::{ReadOptions, decode},
};

/// Decodes a recording of version 5 without lists. `actions` are the bytes after its header.
fn recording(actions: &[&[u8]]) -> Clip {
    let mut bytes = vec![5];
    [0.5_f64, 64.0, 0.5].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    // No rotation, and packed lengths.
    bytes.extend([0; 8]);
    bytes.push(2);
    bytes.extend(actions.concat());
    decode(
        &bytes,
        &ReadOptions::from(&crate::loader::default_registry())
            .with_format(mutoscope_minecraft::FORMAT_ID),
    )
    .unwrap()
}

const TICK: &[u8] = &[0];

fn text(text: &str) -> Vec<u8> {
    [&[text.len() as u8], text.as_bytes()].concat()
}

/// Decodes a recording with one item and one block in its lists. `open` is the block's property
/// `open`.
fn recording_with(item: &str, [block, open]: [&str; 2], actions: &[&[u8]]) -> Clip {
    let mut bytes = vec![5];
    [0.5_f64, 64.0, 0.5].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    bytes.extend([0; 8]);
    // Packed lengths, and lists.
    bytes.push(6);
    bytes.extend(1_i32.to_be_bytes());
    bytes.extend(text(item));
    bytes.extend(1_i32.to_be_bytes());
    bytes.extend([text(block), vec![0, 1], text("open"), text(open)].concat());
    bytes.extend(actions.concat());
    decode(
        &bytes,
        &ReadOptions::from(&crate::loader::default_registry())
            .with_format(mutoscope_minecraft::FORMAT_ID),
    )
    .unwrap()
}

/// Returns the number of visible entities with the component `T`.
fn count<T: Component>(app: &mut App) -> usize {
    let world = app.world_mut();
    let mut visibilities = world.query_filtered::<&Visibility, With<T>>();
    visibilities.iter(world).filter(|visibility| **visibility != Visibility::Hidden).count()
}

/// Returns the opacity of the player's skin, and checks that it is the same for all parts.
fn alpha(app: &mut App) -> f32 {
    let world = app.world_mut();
    let mut bodies = world.query::<(&Body, &MeshMaterial3d<Paint>)>();
    let paints = world.resource::<Assets<Paint>>();
    let alpha = |paint: &MeshMaterial3d<Paint>| {
        let paint = paints.get(&paint.0).unwrap();
        assert_eq!(paint.transparent, paint.color.alpha < 1.0);
        paint.color.alpha
    };
    let alphas: Vec<f32> = bodies.iter(world).map(|(_, paint)| alpha(paint)).collect();
    assert!(alphas.len() > 5 && alphas.iter().all(|alpha| *alpha == alphas[0]), "{alphas:?}");
    alphas[0]
}

#[test]
fn invisible_players_and_spectators_are_translucent() {
    const INVISIBLE: &[u8] = &[5, 0x20];
    const VISIBLE_SPECTATOR: &[u8] = &[5, 0, 26, 1];
    let clip = recording(&[TICK, INVISIBLE, TICK, VISIBLE_SPECTATOR, TICK, TICK]);
    let mut app = app_with(clip, 0.0);
    let mut alphas = Vec::new();
    for time in [0.0, 0.05, 0.1, 0.0] {
        seek(&mut app, time);
        alphas.push(alpha(&mut app));
    }
    assert_eq!(alphas, [1.0, 0.15, 0.4, 1.0]);
}

/// The player teleports 8600 blocks away after three ticks, and an entity stays behind.
#[test]
fn outliers_do_not_affect_framing() {
    let bytes = include_bytes!("../../../../../tests/data/mcmocap/sink_v5.mcmocap_rec");
    let clip = decode(bytes, &ReadOptions::from(&crate::loader::default_registry())).unwrap();
    let [min, max] = measure(&clip, true).bounds();
    assert!((max - min).length() < 50.0, "{min} {max}");
    let day = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec");
    let [min, max] = measure(
        &decode(day, &ReadOptions::from(&crate::loader::default_registry())).unwrap(),
        true,
    )
    .bounds();
    assert!(
        (15.0..40.0).contains(&(max - min).length()),
        "the whole recording is framed: {min} {max}"
    );
}

#[test]
fn held_items_are_shown_only_while_held() {
    const HOLDS: &[u8] = &[4, 255, 1, 0, 0, 0, 1];
    const LEFT_HANDED: &[u8] = &[7, 0];
    const EMPTY: &[u8] = &[4, 0x80];
    let actions = [TICK, HOLDS, TICK, LEFT_HANDED, TICK, EMPTY, TICK, TICK];
    let mut app = app_with(recording_with("iron_sword", ["stone", "no"], &actions), 0.0);
    let mut hands = Vec::new();
    for time in [0.0, 0.05, 0.1, 0.15] {
        seek(&mut app, time);
        let world = app.world_mut();
        let mut items = world.query::<(&HeldItem, &Visibility, &Tag)>();
        let shown_counts =
            items.iter(world).filter(|(_, visibility, _)| **visibility != Visibility::Hidden);
        let sides: Vec<_> =
            shown_counts.map(|(item, _, tag)| (item.is_right(), tag.text().to_string())).collect();
        hands.push(sides);
    }
    let sword = |is_right| vec![(is_right, "iron sword".to_owned())];
    assert_eq!(hands, [Vec::new(), sword(true), sword(false), Vec::new()]);
}

#[test]
fn doors_are_drawn_open_after_a_click() {
    let position = [1_i32, 64, 1].map(i32::to_be_bytes).concat();
    let placing = [&[10][..], &[0; 4], &[0, 0, 0, 1], &position].concat();
    let clicking = [&[11][..], &[0; 24], &position, &[2, 0, 0]].concat();
    let actions = [TICK, &placing, TICK, &clicking, TICK, TICK];
    let mut app = app_with(recording_with("update_arrows", ["oak_door", "false"], &actions), 0.0);
    let mut door = |time: f64| {
        seek(&mut app, time);
        let world = app.world_mut();
        let mut doors = world.query_filtered::<(&Visibility, &Mesh3d), With<ChangingBlock>>();
        let (visibility, mesh) = doors.single(world).unwrap();
        (*visibility != Visibility::Hidden).then(|| mesh.0.clone())
    };
    let (before, closed, open) = (door(0.0), door(0.05), door(0.1));
    assert_eq!(before, None);
    assert!(closed.is_some() && open.is_some() && closed != open);
    assert_eq!(door(0.05), closed);
}

#[test]
fn entities_are_figures_that_walk() {
    let add = |id: u8, kind: &str| {
        let nbt = text(&format!("{{id:\"{kind}\"}}"));
        let position = [0.5_f64, 64.0, 3.0].map(f64::to_be_bytes).concat();
        [&[16, 1, 0, 0, 0, id][..], &nbt, &position].concat()
    };
    // Positions along z relative to the start, as f32.
    let step = |z: f32| {
        let along = [0.0, z].map(f32::to_be_bytes).concat();
        [&[17, 0, 0, 0, 0, 21, 4][..], &along].concat()
    };
    let (cow, beast) = (add(0, "minecraft:cow"), add(1, "somemod:beast"));
    let steps: Vec<_> = (1..=6).map(|index| step(2.5 + 0.2 * index as f32)).collect();
    let mut actions = vec![&cow[..], &beast, TICK];
    steps.iter().for_each(|step| actions.extend([&step[..], TICK]));
    let mut app = app_with(recording(&actions), 0.0);
    let mut limb_angles = |time: f64| {
        seek(&mut app, time);
        let world = app.world_mut();
        let mut limbs = world.query_filtered::<&Transform, With<CreatureLimb>>();
        let turns = limbs.iter(world).map(|limb| limb.rotation.angle_between(Quat::IDENTITY));
        turns.collect::<Vec<_>>()
    };
    // The cow has a body, a head, horns, an udder and four legs. The other entity is a box, which
    // is a figure of one part.
    let rest = limb_angles(0.0);
    assert!((7..=10).contains(&rest.len()), "{rest:?}");
    let legs = |turns: Vec<f32>| turns.into_iter().filter(|turn| *turn > 0.3).count();
    assert_eq!(legs(rest), 0);
    assert_eq!(legs(limb_angles(0.3)), 4);
}

#[test]
fn fire_arrows_and_chat_are_shown_only_while_they_last() {
    const BURNS: &[u8] = &[5, 1];
    const ARROWS: &[u8] = &[13, 0, 0, 0, 3, 0, 0, 0, 0];
    const CURED: &[u8] = &[5, 0, 13, 0, 0, 0, 1, 0, 0, 0, 0];
    let says = [&[25, 0][..], &text("\"hello\"")].concat();
    let long = [&[22, 200][..]].concat();
    let clip = recording(&[TICK, BURNS, ARROWS, &says, TICK, CURED, TICK, &long]);
    let mut app = app_with(clip, 0.0);
    let mut shown_counts = |time: f64| {
        seek(&mut app, time);
        [count::<Flames>(&mut app), count::<StuckArrow>(&mut app), count::<ChatMessages>(&mut app)]
    };
    assert_eq!(shown_counts(0.0), [0, 0, 0]);
    assert_eq!(shown_counts(0.05), [1, 3, 1]);
    assert_eq!(shown_counts(0.1), [0, 1, 1]);
    assert_eq!(shown_counts(5.04), [0, 1, 1]);
    assert_eq!(shown_counts(5.06), [0, 1, 0]);
}
