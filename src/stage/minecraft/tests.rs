//! Players on a stage that draws nothing.

use bevy::prelude::*;

use super::figure::Body;
use crate::{
    clip::Clip,
    formats::{self, DecodeRequest, FormatId},
    stage::{
        material::Paint,
        measure::measure,
        tests::{app_with, seek},
    },
};

/// A recording of version 5 without lists, in which all of this happens from the start on.
fn recording(actions: &[&[u8]]) -> Clip {
    let mut bytes = vec![5];
    [0.5_f64, 64.0, 0.5].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    // No turn, and packed lengths.
    bytes.extend([0; 8]);
    bytes.push(2);
    bytes.extend(actions.concat());
    formats::decode(&bytes, &DecodeRequest::default().format(FormatId::MCMOCAP)).unwrap()
}

/// The opacity of the player's skin, which is the same for all parts.
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
    assert!(alphas.len() > 5 && alphas.iter().all(|one| *one == alphas[0]), "{alphas:?}");
    alphas[0]
}

#[test]
fn invisible_players_and_spectators_are_translucent() {
    const TICK: &[u8] = &[0];
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

/// A player who is put 8600 blocks away after three ticks, and an entity that stays.
#[test]
fn outliers_do_not_affect_framing() {
    let bytes = include_bytes!("../../../tests/data/mcmocap/sink_v5.mcmocap_rec");
    let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
    let [least, most] = measure(&clip).bounds();
    assert!((most - least).length() < 50.0, "{least} {most}");
    let near = include_bytes!("../../../assets/mcmocap/a-day.mcmocap_rec");
    let [least, most] =
        measure(&formats::decode(near, &DecodeRequest::default()).unwrap()).bounds();
    assert!((15.0..40.0).contains(&(most - least).length()), "all of it: {least} {most}");
}
