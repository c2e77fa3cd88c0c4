//! Plays a recording of two hands: `cargo run --example play --features stage`.

use bevy::prelude::*;
use bevy_mutoscope::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin::viewer()))
        .add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
            commands.spawn(RecordingPlayer(assets.load("mrtk/two-hands.bin")));
        })
        .run()
}
