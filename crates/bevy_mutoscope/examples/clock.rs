//! Two recordings on one clock: `cargo run --example clock --features stage`.
//!
//! Drag in the lower part of the window to seek. The space bar pauses, the up and down keys change
//! the speed, and L switches looping. Markers, loops and the end are printed.

use bevy::prelude::*;
use bevy_mutoscope::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin::viewer()))
        .add_systems(Startup, spawn_recordings)
        .add_systems(
            Update,
            (seek_by_slider, control_by_keys).before(RecordingSystems::AdvanceClock),
        )
        .add_observer(|passed: On<RecordingEvent>| println!("{}", passed.marker().name))
        .add_observer(|_: On<PlaybackLooped>| println!("again"))
        .add_observer(|_: On<PlaybackFinished>| println!("the end"))
        .run()
}

fn spawn_recordings(mut commands: Commands, assets: Res<AssetServer>) {
    let clock = commands.spawn(PlaybackClock::default()).id();
    for (path, x) in [("mrtk/two-hands.bin", 0.0), ("prime/walk.ANIM", 1.0)] {
        let player = RecordingPlayer(assets.load(path));
        commands.spawn((player, FollowsClock(clock), Transform::from_xyz(x, 0.0, 0.0)));
    }
}

fn seek_by_slider(
    window: Single<&Window>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut clock: Single<&mut PlaybackClock>,
) {
    let Some(cursor) = window.cursor_position() else { return };
    if buttons.pressed(MouseButton::Left) && cursor.y > 0.85 * window.height() {
        let (start, end) = clock.playback_bounds();
        clock.seek(start + f64::from(cursor.x / window.width()) * (end - start));
    }
}

fn control_by_keys(keys: Res<ButtonInput<KeyCode>>, mut clock: Single<&mut PlaybackClock>) {
    let speed = clock.speed();
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::Space => clock.toggle(),
            KeyCode::ArrowUp => clock.set_speed(2.0 * speed),
            KeyCode::ArrowDown => clock.set_speed(0.5 * speed),
            KeyCode::KeyL if clock.looping() == Looping::Off => clock.set_looping(Looping::All),
            KeyCode::KeyL => clock.set_looping(Looping::Off),
            _ => {}
        }
    }
}
