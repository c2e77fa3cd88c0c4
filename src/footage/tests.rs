//! Makes footage with ffmpeg and decodes it again.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread::sleep,
    time::{Duration, Instant},
};

use mutoscope_testing::needs;

use super::*;

/// Generous, because a busy machine is slow.
const TIMEOUT: Duration = Duration::from_secs(60);

fn make_footage(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let mut command = Command::new("ffmpeg");
    let status = command.args(["-v", "error", "-y"]).args(arguments).arg(&path).status().unwrap();
    assert!(status.success(), "{arguments:?}");
    path
}

/// Grey frames at 25 Hz. The brightness of frame N is 8 + 4 N.
const SHADES_SOURCE: &str = "color=black:size=64x48:rate=25:duration=2,format=gray,geq=lum=8+4*N";

fn open(path: &Path, rate: f64) -> (Arc<Input>, Arc<Media>) {
    let input = Input::from_path(path).unwrap();
    let media = Media::probe(&input, rate, &Programs::default(), &|| false).unwrap();
    (Arc::new(input), Arc::new(media))
}

fn player(path: &Path, rate: f64) -> Player {
    let (input, media) = open(path, rate);
    Player::new(input, rate, media, 48, Programs::default()).unwrap()
}

fn wait_for_frame(player: &mut Player, time: f64) -> Arc<Frame> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        player.update(time, 0.0);
        assert_eq!(player.error(), None, "at {time}");
        if !player.is_waiting() {
            return player.shown_frame().unwrap().clone();
        }
        assert!(Instant::now() < deadline, "no frame at {time}");
        sleep(Duration::from_millis(1));
    }
}

/// Returns the frame number, which is encoded in the brightness of the centre.
fn frame_number(frame: &Frame) -> i32 {
    let [width, height] = frame.size;
    let offset = 4 * (width * (height / 2) + width / 2) as usize;
    ((f64::from(frame.pixels[offset]) - 8.0) / 4.0).round() as i32
}

#[needs(ffmpeg)]
#[test]
fn player_shows_the_right_frame_at_every_time() {
    let folder = tempfile::tempdir().unwrap();
    // Encode losslessly, with few key frames. The time stamps of a transport stream start at about
    // 1.4 s.
    let codec = ["-c:v", "libx264", "-qp", "0", "-g", "30", "-color_range", "pc"];
    let arguments =
        [&["-f", "lavfi", "-i", SHADES_SOURCE][..], &codec, &["-pix_fmt", "yuvj420p"]].concat();
    for name in ["take 1.mp4", "take%d.mkv", "-take.ts"] {
        let path = make_footage(folder.path(), name, &arguments);
        let mut player = player(&path, 0.0);
        assert_eq!(player.size(), [64, 48]);
        // Play forward, jump, go back, go beyond both ends, then step through all frames.
        let mut times = vec![0.0, 0.05, 1.5, 0.3, -4.0, 99.0, 1.96, 1.0];
        times.extend((0..50).map(|index| f64::from(index) / 25.0 + 0.001));
        for time in times {
            let expected = ((time + 1e-4) * 25.0).floor().clamp(0.0, 49.0) as i32;
            let frame = wait_for_frame(&mut player, time);
            assert_eq!(frame_number(&frame), expected, "{name} at {time}: frame of {}", frame.time);
            assert!((frame.time - f64::from(expected) / 25.0).abs() < 1e-3, "{name} at {time}");
        }
        let [before, after] = player.neighbour_times(1.0);
        assert!((before - 0.96).abs() < 1e-3 && (after - 1.04).abs() < 1e-3);
    }
}

#[needs(ffmpeg)]
#[test]
fn variable_rate_frames_are_shown_by_time_stamp() {
    let folder = tempfile::tempdir().unwrap();
    // Frames 0 to 9 are at 25 Hz. Each later frame is 0.2 s after the previous one, so the last is
    // at 8.36 s.
    let late = "setpts='if(lt(N,10),N/25,0.36+(N-9)/5)/TB'";
    let filter = format!("{SHADES_SOURCE},settb=1/1000,{late}");
    let arguments = ["-f", "lavfi", "-i", &filter, "-fps_mode", "passthrough", "-c:v", "ffv1"];
    let path = make_footage(folder.path(), "variable.mkv", &arguments);
    let mut player = player(&path, 0.0);
    for (time, expected) in [
        (0.3, 7),
        (0.39, 9),
        (0.55, 9),
        (0.57, 10),
        (5.0, 32),
        (2.9, 21),
        (8.35, 48),
        (8.37, 49),
        (0.1, 2),
    ] {
        assert_eq!(frame_number(&wait_for_frame(&mut player, time)), expected, "{time}");
    }
}

#[needs(ffmpeg)]
#[test]
fn jump_finds_a_frame_that_is_shown_for_long() {
    let folder = tempfile::tempdir().unwrap();
    let filter = format!("{SHADES_SOURCE},settb=1/1000,setpts='if(lt(N,3),N,N+30)/TB'");
    let arguments = ["-f", "lavfi", "-i", &filter, "-fps_mode", "passthrough", "-c:v", "ffv1"];
    let path = make_footage(folder.path(), "slides.mkv", &arguments);
    assert_eq!(
        frame_number(&wait_for_frame(&mut player(&path, 0.0), 32.0)),
        2,
        "shown from 2 s to 33 s"
    );
}

#[needs(ffmpeg)]
#[test]
fn image_sequence_plays_at_the_given_rate() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["-f", "lavfi", "-i", SHADES_SOURCE, "-frames:v", "20", "-start_number", "7"];
    make_footage(folder.path(), "50%% %03d.png", &arguments);
    // A broken image is skipped, and the others keep their times.
    let broken = folder.path().join("50% 012.png");
    fs::write(&broken, &fs::read(&broken).unwrap()[..40]).unwrap();
    let path = folder.path().join("50% 010.png");
    let (input, media) = open(&path, 10.0);
    assert_eq!((input.image_count(), media.duration), (Some(20), Some(2.0)));
    let mut player = player(&path, 10.0);
    for (time, expected) in [(0.0, 0), (0.19, 1), (1.25, 12), (0.5, 4), (0.6, 6), (5.0, 19)] {
        assert_eq!(frame_number(&wait_for_frame(&mut player, time)), expected, "{time}");
    }
    let still = folder.path().join("still.png");
    fs::copy(&path, &still).unwrap();
    let (_, media) = open(&still, 10.0);
    assert_eq!(media.duration, Some(0.1));
    assert_eq!(frame_number(&wait_for_frame(&mut self::player(&still, 10.0), 3.0)), 3);
}

#[needs(ffmpeg)]
#[test]
fn frames_are_scaled_down_to_the_requested_height() {
    let folder = tempfile::tempdir().unwrap();
    let path =
        make_footage(folder.path(), "a.mkv", &["-f", "lavfi", "-i", SHADES_SOURCE, "-c:v", "ffv1"]);
    let mut player = player(&path, 0.0);
    player.set_height(12);
    let frame = wait_for_frame(&mut player, 0.5);
    assert_eq!((frame.size, frame.pixels.len(), frame_number(&frame)), ([16, 12], 16 * 12 * 4, 12));
    player.set_height(9999);
    assert_eq!(wait_for_frame(&mut player, 0.5).size, [64, 48], "frames are never scaled up");
}

#[needs(ffmpeg)]
#[test]
fn waveform_has_the_clap_at_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let clap = "aevalsrc=if(between(t\\,1.25\\,1.26)\\,0.8\\,0):s=44100:d=3";
    let sound = make_footage(folder.path(), "clap.wav", &["-f", "lavfi", "-i", clap]);
    // Combine the sound with a video that begins half a second earlier.
    let sound_path = sound.to_str().unwrap();
    let arguments =
        ["-f", "lavfi", "-i", SHADES_SOURCE, "-itsoffset", "0.5", "-i", sound_path, "-c:a", "flac"];
    let video = make_footage(folder.path(), "late.mkv", &arguments);
    for (path, time) in [(sound, 1.25), (video, 1.75)] {
        let (input, media) = open(&path, 0.0);
        let waveform =
            Waveform::decode(&input, &media, &Programs::default(), &|| false).unwrap().unwrap();
        let is_loud = |from: f64, to: f64| waveform.peaks(from, to).unwrap()[1] > 0.5;
        assert!(is_loud(time - 0.002, time + 0.012), "{}", path.display());
        assert!(!is_loud(0.1, time - 0.1) && !is_loud(time + 0.1, 2.9), "{}", path.display());
    }
    let (input, media) = open(&folder.path().join("clap.wav"), 0.0);
    assert!(
        Player::new(input, 0.0, media, 48, Programs::default()).is_none(),
        "a file with only sound has no player"
    );
}

fn write_broken_video(folder: &Path) -> Input {
    let path = folder.join("a.mp4");
    fs::write(&path, b"\0\0\0\x20ftypisom\0\0 and no more").unwrap();
    Input::from_path(&path).unwrap()
}

#[test]
fn missing_programs_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_broken_video(folder.path());
    let missing = Programs { ffmpeg: "no-such-ffmpeg".into(), ffprobe: "no-such-ffprobe".into() };
    let error = Media::probe(&input, 0.0, &missing, &|| false).unwrap_err();
    assert_eq!(error, FootageError::NotInstalled("no-such-ffprobe".to_owned()));
}

#[needs(ffmpeg)]
#[test]
fn unreadable_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_broken_video(folder.path());
    let error = Media::probe(&input, 0.0, &Programs::default(), &|| false).unwrap_err();
    assert!(error.to_string().starts_with("cannot be read: "), "{error}");
    // A playlist that refers to other files is rejected.
    let list = folder.path().join("list.m3u8");
    fs::write(&list, "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n").unwrap();
    let input = Input::from_path(&list).unwrap();
    assert!(Media::probe(&input, 0.0, &Programs::default(), &|| false).is_err());
}

/// Returns `true` if the process exists and has not ended.
#[cfg(target_os = "linux")]
fn is_running(id: u32) -> bool {
    // A process that has ended and was not waited for has the state `Z`.
    fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

#[cfg(target_os = "linux")]
fn wait_until_ended(id: u32) {
    let deadline = Instant::now() + TIMEOUT;
    while is_running(id) {
        assert!(Instant::now() < deadline, "the process still runs");
        sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn dropping_the_player_ends_ffmpeg_even_if_it_hangs() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let hanging_program = folder.path().join("hangs");
    fs::write(&hanging_program, "#!/bin/sh\nexec sleep 1000\n").unwrap();
    fs::set_permissions(&hanging_program, fs::Permissions::from_mode(0o755)).unwrap();
    let programs = Programs { ffmpeg: hanging_program.clone(), ffprobe: hanging_program };
    let input = Arc::new(Input::File { path: "a.mp4".into(), is_image: false });
    let video = VideoStream { index: 0, size: [64, 48], rate: 25.0 };
    let (duration, start, keep_frames_option) = (Some(9.0), 0.0, "-fps_mode");
    let media = Media { duration, start, video: Some(video), sound: None, keep_frames_option };
    let mut player =
        Player::new(input.clone(), 0.0, Arc::new(media), 48, programs.clone()).unwrap();
    let started = Instant::now();
    for step in 0..100 {
        player.update(f64::from(step % 9), 1.0);
    }
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert!(player.is_waiting());
    let id = player.process_id().unwrap();
    assert!(is_running(id));
    drop(player);
    wait_until_ended(id);
    // Probing a file can be cancelled.
    let begun = Instant::now();
    let is_late = || begun.elapsed() > Duration::from_millis(100);
    assert_eq!(Media::probe(&input, 0.0, &programs, &is_late), Err(FootageError::Cancelled));
}
