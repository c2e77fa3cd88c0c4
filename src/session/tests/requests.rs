//! Tests of requests to the window and to the camera.

use super::*;
use crate::session::{CameraCommand, CompareCommand, FilePurpose, SkeletonCommand, Toggle};
use bevy_mutoscope::stage::AxisView;

#[test]
fn window_commands_become_requests() {
    let mut session = Session::new();
    for (command, request) in [
        (Command::File(FileCommand::Choose), WindowRequest::ChooseFiles(FilePurpose::Recordings)),
        (
            Command::Skeleton(SkeletonCommand::Choose),
            WindowRequest::ChooseFiles(FilePurpose::Skeleton),
        ),
        (Command::Screenshot, WindowRequest::SaveScreenshot),
        (Command::Toggle(Toggle::FULL_SCREEN), WindowRequest::ToggleFullScreen),
    ] {
        session.send(command.clone());
        assert_eq!(session.window_requests(), [request], "{command:?}");
    }
}

#[test]
fn compare_dialog_needs_an_open_recording() {
    let choose = Command::Compare(CompareCommand::Choose);
    let mut session = Session::new();
    session.send(choose.clone());
    assert_eq!(session.window_requests(), []);
    assert!(session.failure().is_some());

    let mut session = Session::with(file(HANDS));
    session.send(choose);
    let expected = WindowRequest::ChooseFiles(FilePurpose::Comparison);
    assert_eq!(session.window_requests(), [expected]);
}

#[test]
fn camera_commands_become_requests() {
    let mut session = Session::new();
    for (command, request) in [
        (Command::Camera(CameraCommand::FrameAll), CameraRequest::FrameAll { at_once: false }),
        (Command::Camera(CameraCommand::FrameSelected), CameraRequest::FrameSelected),
        (
            Command::Camera(CameraCommand::LookAlong(AxisView::Top)),
            CameraRequest::LookAlong(AxisView::Top),
        ),
    ] {
        session.send(command.clone());
        assert_eq!(session.camera_requests(), [request], "{command:?}");
    }
}

#[test]
fn view_is_copied_for_files_but_not_for_samples() {
    let mut session = Session::with(file(HANDS));
    session.send(Command::CopyView);
    let requests = session.window_requests();
    let [WindowRequest::CopyText(line)] = &requests[..] else { panic!("{requests:?}") };
    assert!(line.starts_with("mutoscope ") && line.contains("two-hands.bin --at="), "{line}");
    assert!(
        session.files().confirmation.text.contains(line.as_str()),
        "the confirmation shows the command"
    );

    session.send(Command::File(FileCommand::OpenSample(0)));
    session.settle();
    let confirmation_number = session.files().confirmation.number;
    session.send(Command::CopyView);
    assert_eq!(session.window_requests(), []);
    assert_eq!(
        session.files().confirmation.number,
        confirmation_number + 1,
        "the confirmation gives a reason"
    );
}
