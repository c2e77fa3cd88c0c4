//! Tests of reference footage. Tests that need ffmpeg are skipped, with a message, if it is not
//! installed.

use std::{fs, process};

use super::*;
use crate::{
    footage::Programs,
    session::{
        FilePurpose, FootageCommand, FootagePhase, OpenFootage, Panel, Panels, SavedFootage,
    },
};
use mutoscope_core::playback::{Direction, TimeCommand};

/// Writes a video of two seconds at 25 Hz, with sound. Returns `None` if ffmpeg is not installed.
fn write_video(folder: &Path) -> Option<PathBuf> {
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

fn send_footage_command(session: &mut Session, command: FootageCommand) {
    session.send(Command::Footage(command));
    session.settle();
}

fn footage(session: &Session) -> &OpenFootage {
    session.get()
}

/// Returns the time of the shown frame in hundredths of a second.
fn shown_frame_time(session: &Session) -> i32 {
    (footage(session).frame().unwrap().time * 100.0).round() as i32
}

fn paused_at(time: f64) -> [Command; 2] {
    [Command::Time(TimeCommand::Pause), Command::Time(TimeCommand::Seek(time))]
}

#[test]
fn dropped_video_plays_on_the_clock_of_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = write_video(folder.path()) else { return };
    let mut session = Session::with(file(HANDS));
    paused_at(1.0).into_iter().for_each(|command| session.send(command));
    session.send(Command::File(FileCommand::Open(vec![path.clone()])));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("two-hands.bin")));
    assert_eq!(footage(&session).error(), None);
    assert!(session.get::<Panels>().is_open(Panel::FOOTAGE));
    assert_eq!((shown_frame_time(&session), footage(&session).duration()), (100, Some(2.0)));
    assert!(footage(&session).waveform().unwrap().max_amplitude() > 0.1);
    // The footage starts half a second earlier, and then so that the playhead is after its end and
    // before its start.
    send_footage_command(&mut session, FootageCommand::SetOffset(-0.5));
    assert_eq!(
        (shown_frame_time(&session), footage(&session).phase(1.0)),
        (148, FootagePhase::Within)
    );
    send_footage_command(&mut session, FootageCommand::SetOffset(-1.5));
    assert_eq!(
        (shown_frame_time(&session), footage(&session).phase(1.0)),
        (196, FootagePhase::After)
    );
    send_footage_command(&mut session, FootageCommand::SetOffset(1.25));
    assert_eq!(
        (shown_frame_time(&session), footage(&session).phase(1.0)),
        (0, FootagePhase::Before)
    );
    // Reloading the recording keeps the footage and its offset.
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    let saved = SavedFootage { path, offset: 1.25, rate: None };
    assert_eq!(footage(&session).saved(), Some(&saved));
    send_footage_command(&mut session, FootageCommand::Remove);
    assert!(!footage(&session).is_open());
}

#[test]
fn video_next_to_a_recording_is_opened_as_footage() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = write_video(folder.path()) else { return };
    let mut session = Session::new();
    session.send(Command::File(FileCommand::Open(vec![path.clone(), file(HANDS)])));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("two-hands.bin")));
    assert!(footage(&session).is_open());
    assert!(!session.files().listed.contains(&path));
}

#[test]
fn stepping_aligns_a_frame_start_with_the_playhead() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = write_video(folder.path()) else { return };
    let mut session = Session::with(file(HANDS));
    paused_at(1.013).into_iter().for_each(|command| session.send(command));
    send_footage_command(&mut session, FootageCommand::Open(SavedFootage::from_path(path)));
    for (direction, expected) in [
        (Direction::Forward, 104),
        (Direction::Forward, 108),
        (Direction::Backward, 104),
        (Direction::Backward, 100),
        (Direction::Backward, 96),
    ] {
        send_footage_command(&mut session, FootageCommand::Step(direction));
        assert_eq!(shown_frame_time(&session), expected);
        let footage_time = footage(&session).footage_time(1.013);
        assert!((footage_time * 100.0 - f64::from(expected)).abs() < 1e-3, "{footage_time}");
    }
}

#[test]
fn image_folder_is_footage_with_a_rate() {
    let folder = tempfile::tempdir().unwrap();
    let Some(video) = write_video(folder.path()) else { return };
    let images = folder.path().join("images");
    fs::create_dir(&images).unwrap();
    let mut ffmpeg = process::Command::new("ffmpeg");
    ffmpeg.args(["-v", "error", "-i"]).arg(&video).arg(images.join("%03d.png"));
    assert!(ffmpeg.status().unwrap().success());
    let mut session = Session::with(file(HANDS));
    paused_at(1.0).into_iter().for_each(|command| session.send(command));
    session.send(Command::File(FileCommand::Open(vec![images])));
    session.settle();
    assert_eq!((session.failure(), footage(&session).error()), (None, None));
    assert_eq!((footage(&session).image_rate(), shown_frame_time(&session)), (Some(30.0), 100));
    send_footage_command(&mut session, FootageCommand::SetRate(12.5));
    let expected = (Some(12.5), Some(4.0));
    assert_eq!((footage(&session).image_rate(), footage(&session).duration()), expected);
    assert_eq!(shown_frame_time(&session), 96);
}

#[test]
fn missing_ffmpeg_is_reported() {
    let mut session = Session::with(file(HANDS));
    let programs = Programs { ffmpeg: "no-ffmpeg".into(), ffprobe: "no-ffprobe".into() };
    session.get_mut::<OpenFootage>().set_programs(programs);
    send_footage_command(&mut session, FootageCommand::Open(SavedFootage::from_path(file(HANDS))));
    let message = footage(&session).error().unwrap();
    assert!(message.contains("no-ffprobe was not found. Install ffmpeg"), "{message}");
    let missing = SavedFootage::from_path("missing.mp4".into());
    send_footage_command(&mut session, FootageCommand::Open(missing));
    let message = footage(&session).error().unwrap();
    assert!(message.starts_with("cannot be read: "), "{message}");
}

#[test]
fn copied_view_contains_the_footage() {
    let mut session = Session::with(file(HANDS));
    let saved = SavedFootage { path: "a b.mp4".into(), offset: -1.5, rate: None };
    send_footage_command(&mut session, FootageCommand::Open(saved));
    session.window_requests();
    session.send(Command::CopyView);
    let requests = session.window_requests();
    let [WindowRequest::CopyText(text)] = &requests[..] else { panic!("{requests:?}") };
    assert!(text.ends_with(" --reference='a b.mp4' --reference-offset=-1.5"), "{text}");
    session.send(Command::Footage(FootageCommand::Choose));
    assert_eq!(session.window_requests(), [WindowRequest::ChooseFiles(FilePurpose::Footage)]);
}
