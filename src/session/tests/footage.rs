//! Reference footage with open recordings. Tests that need ffmpeg are skipped, with a message, where it is
//! not installed.

use std::{fs, process};

use super::*;
use crate::{
    footage::Programs,
    session::{
        FilePurpose, FootageCommand, FootagePlace, OpenFootage, Panel, Panels, SavedFootage,
    },
};
use mutoscope_core::playback::{Direction, TimeCommand};

/// A video of two seconds, 25 frames a second, with sound; nothing without ffmpeg.
fn video(folder: &Path) -> Option<PathBuf> {
    let path = folder.join("a video.mkv");
    let mut ffmpeg = process::Command::new("ffmpeg");
    ffmpeg.args(["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]);
    ffmpeg.args(["-f", "lavfi", "-i", "sine=duration=2", "-c:v", "ffv1", "-c:a", "flac"]);
    match ffmpeg.arg(&path).status() {
        Ok(status) => {
            assert!(status.success());
            Some(path)
        }
        Err(_) => {
            eprintln!("SKIPPED: ffmpeg is not installed, so no video was played");
            None
        }
    }
}

fn tell(session: &mut Session, command: FootageCommand) {
    session.tell(Command::Footage(command));
    session.settle();
}

fn footage(session: &Session) -> &OpenFootage {
    session.get()
}

/// The time of the frame that is shown, in hundredths of a second.
fn shown(session: &Session) -> i32 {
    (footage(session).frame().unwrap().time * 100.0).round() as i32
}

fn paused_at(time: f64) -> [Command; 2] {
    [Command::Time(TimeCommand::Pause), Command::Time(TimeCommand::Seek(time))]
}

#[test]
fn dropped_video_plays_beside_the_recording_on_its_clock() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(folder.path()) else { return };
    let mut session = Session::with(file(HANDS));
    paused_at(1.0).into_iter().for_each(|command| session.tell(command));
    session.tell(Command::File(FileCommand::Open(vec![path.clone()])));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("two-hands.bin")));
    assert_eq!(footage(&session).failed(), None);
    assert!(session.get::<Panels>().is_open(Panel::FOOTAGE));
    assert_eq!((shown(&session), footage(&session).duration()), (100, Some(2.0)));
    assert!(footage(&session).waveform().unwrap().loudest() > 0.1);
    // Earlier by half a second, and beyond its ends.
    tell(&mut session, FootageCommand::SetOffset(-0.5));
    assert_eq!((shown(&session), footage(&session).place(1.0)), (148, FootagePlace::Within));
    tell(&mut session, FootageCommand::SetOffset(-1.5));
    assert_eq!((shown(&session), footage(&session).place(1.0)), (196, FootagePlace::After));
    tell(&mut session, FootageCommand::SetOffset(1.25));
    assert_eq!((shown(&session), footage(&session).place(1.0)), (0, FootagePlace::Before));
    // It is where it was after reloading.
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    let saved = SavedFootage { path, offset: 1.25, rate: None };
    assert_eq!(footage(&session).saved(), Some(&saved));
    tell(&mut session, FootageCommand::Remove);
    assert!(!footage(&session).is_open());
}

#[test]
fn video_given_with_a_recording_is_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(folder.path()) else { return };
    let mut session = Session::new();
    session.tell(Command::File(FileCommand::Open(vec![path.clone(), file(HANDS)])));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("two-hands.bin")));
    assert!(footage(&session).is_open());
    assert!(!session.files().given.contains(&path));
}

#[test]
fn stepping_puts_the_beginning_of_a_frame_at_the_playhead() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(folder.path()) else { return };
    let mut session = Session::with(file(HANDS));
    paused_at(1.013).into_iter().for_each(|command| session.tell(command));
    tell(&mut session, FootageCommand::Open(SavedFootage::of_path(path)));
    for (direction, expected) in [
        (Direction::Forward, 104),
        (Direction::Forward, 108),
        (Direction::Backward, 104),
        (Direction::Backward, 100),
        (Direction::Backward, 96),
    ] {
        tell(&mut session, FootageCommand::Step(direction));
        assert_eq!(shown(&session), expected);
        let own = footage(&session).time(1.013);
        assert!((own * 100.0 - f64::from(expected)).abs() < 1e-3, "{own}");
    }
}

#[test]
fn a_folder_of_images_is_footage_with_a_rate() {
    let folder = tempfile::tempdir().unwrap();
    let Some(video) = video(folder.path()) else { return };
    let images = folder.path().join("images");
    fs::create_dir(&images).unwrap();
    let mut ffmpeg = process::Command::new("ffmpeg");
    ffmpeg.args(["-v", "error", "-i"]).arg(&video).arg(images.join("%03d.png"));
    assert!(ffmpeg.status().unwrap().success());
    let mut session = Session::with(file(HANDS));
    paused_at(1.0).into_iter().for_each(|command| session.tell(command));
    session.tell(Command::File(FileCommand::Open(vec![images])));
    session.settle();
    assert_eq!((session.failure(), footage(&session).failed()), (None, None));
    assert_eq!((footage(&session).image_rate(), shown(&session)), (Some(30.0), 100));
    tell(&mut session, FootageCommand::SetRate(12.5));
    let expected = (Some(12.5), Some(4.0));
    assert_eq!((footage(&session).image_rate(), footage(&session).duration()), expected);
    assert_eq!(shown(&session), 96);
}

#[test]
fn absence_of_ffmpeg_is_told() {
    let mut session = Session::with(file(HANDS));
    let programs = Programs { ffmpeg: "no-ffmpeg".into(), ffprobe: "no-ffprobe".into() };
    session.get_mut::<OpenFootage>().set_programs(programs);
    tell(&mut session, FootageCommand::Open(SavedFootage::of_path(file(HANDS))));
    let why = footage(&session).failed().unwrap();
    assert!(why.contains("no-ffprobe was not found. Install ffmpeg"), "{why}");
    let missing = SavedFootage::of_path("missing.mp4".into());
    tell(&mut session, FootageCommand::Open(missing));
    let why = footage(&session).failed().unwrap();
    assert!(why.starts_with("cannot be read: "), "{why}");
}

#[test]
fn view_is_copied_with_its_footage() {
    let mut session = Session::with(file(HANDS));
    let saved = SavedFootage { path: "a b.mp4".into(), offset: -1.5, rate: None };
    tell(&mut session, FootageCommand::Open(saved));
    session.window_requests();
    session.tell(Command::CopyView);
    let requests = session.window_requests();
    let [WindowRequest::CopyText(text)] = &requests[..] else { panic!("{requests:?}") };
    assert!(text.ends_with(" --reference='a b.mp4' --reference-offset=-1.5"), "{text}");
    session.tell(Command::Footage(FootageCommand::Choose));
    assert_eq!(session.window_requests(), [WindowRequest::ChooseFiles(FilePurpose::Footage)]);
}
