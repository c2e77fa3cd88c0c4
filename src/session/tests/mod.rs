//! Tests of the effects of commands, in an app without a window and without panels.

mod columns;
mod compare;
mod edits;
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
    AllOpenRecordings, Command, CommandQueue, Document, EditCommand, EditHistory, FileCommand,
    Files, Jobs, OpenRecording, OpenRecordings, SessionPlugin, Source, WindowRequest,
    view::Settings,
};
use bevy_mutoscope::{Recording, RecordingNode, RecordingPlugin, stage::CameraRequest};
use mutoscope_core::{clip::NodeId, playback::Clock};

/// The time limit for background jobs. It is long because the machine may be busy.
const JOB_TIMEOUT: Duration = Duration::from_secs(60);

/// A session in an app without a window.
struct Session(App);

impl Session {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), RecordingPlugin))
            .add_plugins(SessionPlugin::default())
            // Do not load the settings of the user who runs the tests.
            .insert_resource(Settings::default());
        app.update();
        let mut session = Self(app);
        session.camera_requests();
        session
    }

    /// Opens the recording at `path`.
    fn with(path: impl Into<PathBuf>) -> Self {
        let mut session = Self::new();
        session.send(Command::File(FileCommand::Open(vec![path.into()])));
        session.settle();
        assert_eq!(session.failure(), None);
        session.camera_requests();
        session
    }

    /// Queues a command and runs one frame.
    fn send(&mut self, command: Command) {
        self.0.world_mut().resource_mut::<CommandQueue>().0.push(command);
        self.0.update();
    }

    /// Queues several commands and runs one frame.
    fn send_together(&mut self, commands: impl IntoIterator<Item = Command>) {
        self.0.world_mut().resource_mut::<CommandQueue>().0.extend(commands);
        self.0.update();
    }

    fn send_edit_command(&mut self, command: EditCommand) {
        self.send(Command::Edit(command));
        self.settle();
    }

    /// Runs frames until no job is running.
    fn settle(&mut self) {
        let deadline = Instant::now() + JOB_TIMEOUT;
        let mut idle_frames = 0;
        // Wait for three idle frames, because a finished job may start another one in the next
        // frame.
        while idle_frames < 3 {
            assert!(Instant::now() < deadline, "background jobs do not end");
            self.0.update();
            let is_busy = self.get::<Jobs>().running_count() > 0;
            idle_frames = if is_busy { 0 } else { idle_frames + 1 };
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

    /// Returns the name of the reference.
    fn current(&self) -> Option<String> {
        self.sources().first().map(Source::name)
    }

    /// Returns the sources of the open recordings, the reference first.
    fn sources(&self) -> Vec<Source> {
        let world = self.0.world();
        let Some(mut query) = world.try_query::<(&Recording, &Source)>() else { return Vec::new() };
        let mut open: Vec<_> = query.iter(world).collect();
        open.sort_by_key(|(recording, _)| recording.order());
        open.into_iter().map(|(_, source)| source.clone()).collect()
    }

    /// Returns the result of `look` for the open recordings, the reference first.
    fn open<T: 'static>(
        &mut self,
        look: impl Fn(&[OpenRecording<'_>]) -> T + Send + Sync + 'static,
    ) -> T {
        let system = move |open: AllOpenRecordings| look(&open.in_order());
        self.0.world_mut().run_system_once(system).unwrap()
    }

    fn clock(&mut self) -> Clock {
        let system = |open: OpenRecordings| open.clock().unwrap().clone();
        self.0.world_mut().run_system_once(system).unwrap()
    }

    /// Returns the node with this name in the recording with this index.
    fn node(&mut self, index: usize, name: &'static str) -> RecordingNode {
        self.open(move |open| {
            let nodes = &open[index].clip().nodes;
            let node = nodes.iter().position(|node| node.name == name).unwrap();
            RecordingNode::new(open[index].entity, NodeId::new(node))
        })
    }

    /// Returns the documents with unsaved edits.
    fn unsaved(&self) -> Vec<Document> {
        self.get::<EditHistory>().unsaved().collect()
    }

    fn confirmation_text(&self) -> &str {
        &self.files().confirmation.text
    }

    /// Returns the name and the message of the last failure.
    fn failure(&self) -> Option<(&str, &str)> {
        self.files().failure.as_ref().map(|failed| (failed.name.as_str(), failed.message.as_str()))
    }

    /// Returns the requests to the window since the last call.
    fn window_requests(&mut self) -> Vec<WindowRequest> {
        self.get_mut::<Messages<WindowRequest>>().drain().collect()
    }

    /// Returns the requests to the camera since the last call.
    fn camera_requests(&mut self) -> Vec<CameraRequest> {
        self.get_mut::<Messages<CameraRequest>>().drain().collect()
    }
}

/// Returns the path of a file in the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

const HANDS: &str = "assets/mrtk/two-hands.bin";
const WALK: &str = "assets/prime/walk.ANIM";
const WALK_RIG: &str = "assets/prime/walk.CINF";
