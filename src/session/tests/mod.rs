//! The effects of commands, in an app without a window and without panels.

mod columns;
mod compare;
mod export;
mod footage;
mod labels;
mod links;
mod opening;
mod panels;
mod playback;
mod requests;
mod scenes;
mod view;

use std::{
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use bevy::{
    ecs::{component::Mutable, message::Messages, system::RunSystemOnce as _},
    prelude::*,
};

use super::{
    Command, CommandQueue, FileCommand, Files, Jobs, OpenRecording, OpenRecordings, SessionPlugin,
    Source, WindowRequest, view::settings::Settings,
};
use crate::{
    recording::{RecordingNode, RecordingPlugin},
    stage::CameraRequest,
};
use mutoscope_core::{clip::NodeId, playback::Clock};

/// How long anything may take; a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session, and nobody who shows it.
struct Session(App);

impl Session {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), RecordingPlugin))
            .add_plugins(SessionPlugin::default())
            // The settings of this machine's user must not affect tests.
            .insert_resource(Settings::default());
        app.update();
        let mut session = Self(app);
        session.camera_requests();
        session
    }

    /// With the recording in this file open.
    fn with(path: impl Into<PathBuf>) -> Self {
        let mut session = Self::new();
        session.tell(Command::File(FileCommand::Open(vec![path.into()])));
        session.settle();
        assert_eq!(session.failure(), None);
        session.camera_requests();
        session
    }

    /// Gives a command and lets a frame go by.
    fn tell(&mut self, command: Command) {
        self.0.world_mut().resource_mut::<CommandQueue>().0.push(command);
        self.0.update();
    }

    /// Lets frames go by until nothing is at work any more.
    fn settle(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        let mut calm = 0;
        // A finished job may start another in the next frame.
        while calm < 3 {
            assert!(Instant::now() < deadline, "it never ends");
            self.0.update();
            let is_busy = self.get::<Jobs>().busy() > 0;
            calm = if is_busy { 0 } else { calm + 1 };
            sleep(Duration::from_millis(1));
        }
    }

    fn get<R: Resource>(&self) -> &R {
        self.0.world().resource()
    }

    fn get_mut<R: Resource<Mutability = Mutable>>(&mut self) -> Mut<'_, R> {
        self.0.world_mut().resource_mut()
    }

    fn files(&self) -> &Files {
        self.get()
    }

    /// The name of the file that plays.
    fn current(&self) -> Option<String> {
        self.files().current.as_ref().map(super::Source::name)
    }

    /// The result of `look` for the open recordings, the reference first.
    fn open<T: 'static>(
        &mut self,
        look: impl Fn(&[OpenRecording<'_>]) -> T + Send + Sync + 'static,
    ) -> T {
        let system = move |open: OpenRecordings| look(&open.in_order());
        self.0.world_mut().run_system_once(system).unwrap()
    }

    fn clock(&mut self) -> Clock {
        let system = |open: OpenRecordings| open.clock().unwrap().clone();
        self.0.world_mut().run_system_once(system).unwrap()
    }

    /// The node of this name, of the recording with this index.
    fn node(&mut self, index: usize, name: &'static str) -> RecordingNode {
        self.open(move |open| {
            let nodes = &open[index].clip().nodes;
            let node = nodes.iter().position(|node| node.name == name).unwrap();
            RecordingNode::new(open[index].entity, NodeId::new(node))
        })
    }

    /// The name and the message of the last failure.
    fn failure(&self) -> Option<(&str, &str)> {
        self.files().failed.as_ref().map(|failed| (failed.name.as_str(), failed.message.as_str()))
    }

    /// The requests to the window since this was called last.
    fn window_requests(&mut self) -> Vec<WindowRequest> {
        self.get_mut::<Messages<WindowRequest>>().drain().collect()
    }

    /// The requests to the camera since this was called last.
    fn camera_requests(&mut self) -> Vec<CameraRequest> {
        self.get_mut::<Messages<CameraRequest>>().drain().collect()
    }
}

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

const HANDS: &str = "assets/mrtk/two-hands.bin";
const WALK: &str = "assets/prime/walk.ANIM";
const WALK_RIG: &str = "assets/prime/walk.CINF";
