//! Plays a recording and follows changes of its file: `cargo run --example hot_reload [FOLDER
//! FILE]`.

use bevy::prelude::*;
use bevy_mutoscope::prelude::*;

fn main() -> AppExit {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "assets".to_owned());
    let file = arguments.next().unwrap_or_else(|| "bvh/walk.bvh".to_owned());
    let assets =
        AssetPlugin { file_path: folder, watch_for_changes_override: Some(true), ..default() };
    App::new()
        .add_plugins((MinimalPlugins, assets, RecordingPlugin))
        .add_systems(Startup, move |mut commands: Commands, assets: Res<AssetServer>| {
            commands.spawn(RecordingPlayer(assets.load(file.clone())));
        })
        .add_observer(|loaded: On<RecordingLoaded>, recordings: Query<&Recording>| {
            if let Ok(recording) = recordings.get(loaded.entity) {
                let clip = recording.clip();
                println!("{} nodes, {:.3} s", clip.nodes.len(), clip.span.duration);
            }
        })
        .add_observer(|failed: On<RecordingFailed>| println!("kept: {}", failed.error))
        .run()
}
