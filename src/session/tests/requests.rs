//! Requests to the window, and to the camera.

use super::*;
use crate::{
    session::{CameraCommand, Compare, FilePurpose, SkeletonCommand, Toggle},
    stage::AxisView,
};

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
        (Command::Toggle(Toggle::FullScreen), WindowRequest::ToggleFullScreen),
    ] {
        session.tell(command.clone());
        assert_eq!(session.window_requests(), [request], "{command:?}");
    }
}

#[test]
fn compare_dialog_needs_an_open_recording() {
    let choose = Command::Compare(Compare::Choose);
    let mut session = Session::new();
    session.tell(choose.clone());
    assert_eq!(session.window_requests(), []);
    assert!(session.failure().is_some());

    let mut session = Session::with(file(HANDS));
    session.tell(choose);
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
        session.tell(command.clone());
        assert_eq!(session.camera_requests(), [request], "{command:?}");
    }
}

#[test]
fn view_of_a_file_is_copied_and_of_an_example_not() {
    let mut session = Session::with(file(HANDS));
    session.tell(Command::CopyView);
    let requests = session.window_requests();
    let [WindowRequest::CopyText(line)] = &requests[..] else { panic!("{requests:?}") };
    assert!(line.starts_with("mutoscope ") && line.contains("two-hands.bin --at="), "{line}");
    assert!(session.files().confirmation.words.contains(line.as_str()), "it is said");

    session.tell(Command::File(FileCommand::OpenSample(0)));
    session.settle();
    let said = session.files().confirmation.number;
    session.tell(Command::CopyView);
    assert_eq!(session.window_requests(), []);
    assert_eq!(session.files().confirmation.number, said + 1, "why not is said");
}
