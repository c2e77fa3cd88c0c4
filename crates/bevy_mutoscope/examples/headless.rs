//! Samples a recording on a server, without rendering and without a window: `cargo run --example
//! headless`.

use std::time::Duration;

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use bevy_mutoscope::prelude::*;

fn main() -> AppExit {
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    App::new()
        .add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(frame)))
        .add_plugins((AssetPlugin::default(), RecordingPlugin))
        .add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
            commands.spawn(RecordingPlayer(assets.load("mrtk/two-hands.bin")));
        })
        .add_systems(Update, print_head.after(RecordingSystems::Sample))
        .add_observer(|failed: On<RecordingFailed>, mut exit: MessageWriter<AppExit>| {
            eprintln!("{}", failed.error);
            exit.write(AppExit::error());
        })
        .run()
}

fn print_head(recordings: Query<&Recording, Changed<Recording>>) {
    for recording in &recordings {
        let (pose, nodes) = (recording.pose(), &recording.clip().nodes);
        if let Some((head, _)) = nodes.with_ids().find(|(_, node)| node.name == "camera") {
            println!("{:6.3} s: the head is at {:.3} m", pose.time, pose[head].world.translation);
        }
    }
}
