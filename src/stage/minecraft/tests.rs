//! Players on a stage that draws nothing.

use bevy::prelude::*;

use super::figure::Body;
use crate::{
    clip::Clip,
    formats::{self, DecodeRequest, FormatId},
    playback::TimeCommand,
    player::Player,
    stage::{material::Paint, survey::Survey, tests::app_with},
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

/// How much there is to see of the player's skin: the same of all that is his.
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
fn who_is_invisible_is_a_trace_and_spectators_are_seen_through() {
    const TICK: &[u8] = &[0];
    const INVISIBLE: &[u8] = &[5, 0x20];
    const VISIBLE_SPECTATOR: &[u8] = &[5, 0, 26, 1];
    let clip = recording(&[TICK, INVISIBLE, TICK, VISIBLE_SPECTATOR, TICK, TICK]);
    let mut app = app_with(clip, 0.0);
    let mut alphas = Vec::new();
    for time in [0.0, 0.05, 0.1, 0.0] {
        app.world_mut().resource_mut::<Player>().apply(TimeCommand::Seek(time));
        app.update();
        alphas.push(alpha(&mut app));
    }
    assert_eq!(alphas, [1.0, 0.15, 0.4, 1.0]);
}

/// A player who is put 8600 blocks away after three ticks, and an entity that stays.
#[test]
fn a_recording_with_nonsense_in_it_is_framed_where_it_mostly_is() {
    let bytes = include_bytes!("../../../tests/data/mcmocap/sink_v5.mcmocap_rec");
    let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
    let [least, most] = Survey::new(&clip).bounds();
    assert!((most - least).length() < 50.0, "{least} {most}");
    let near = include_bytes!("../../../assets/mcmocap/a-day.mcmocap_rec");
    let [least, most] =
        Survey::new(&formats::decode(near, &DecodeRequest::default()).unwrap()).bounds();
    assert!((15.0..40.0).contains(&(most - least).length()), "all of it: {least} {most}");
}
