//! The sound of a reference in an MP4. Skipped, with a message, where ffmpeg is not installed.

use std::{path::Path, process::Command};

use super::{SAMPLE, errors, render};

/// Half a frame at 60 Hz, in seconds.
const NEAR: f64 = 1.0 / 120.0;

fn ffmpeg(arguments: &[&str]) -> Option<Vec<u8>> {
    let ended = Command::new("ffmpeg").args(["-v", "error", "-y"]).args(arguments).output().ok()?;
    assert!(ended.status.success(), "{arguments:?}: {}", errors(&ended));
    Some(ended.stdout)
}

/// Three seconds of sound with one clap, at 1 s; nothing if ffmpeg is missing.
fn clap(path: &Path) -> Option<()> {
    let sound =
        "aevalsrc=if(between(t\\,1\\,1.02)\\,0.9*sin(2000*PI*t)\\,0):duration=3:sample_rate=44100";
    ffmpeg(&["-f", "lavfi", "-i", sound, path.to_str().unwrap()]).map(drop)
}

/// When the sound of the video at `path` begins, and how long all of it is, in seconds.
fn heard(path: &Path) -> (f64, f64) {
    const RATE: f64 = 48_000.0;
    let path = path.to_str().unwrap();
    let on_time = "aresample=48000:async=1:first_pts=0";
    let samples =
        ffmpeg(&["-i", path, "-vn", "-af", on_time, "-ac", "1", "-f", "f32le", "-"]).unwrap();
    let (samples, _) = samples.as_chunks::<4>();
    let loud = samples.iter().position(|bytes| f32::from_le_bytes(*bytes).abs() > 0.1);
    (loud.expect("the clap is heard") as f64 / RATE, samples.len() as f64 / RATE)
}

#[test]
fn clap_is_heard_in_the_frame_that_it_belongs_to() {
    let folder = tempfile::tempdir().unwrap();
    let [sound, video] = ["clap.wav", "out.mp4"].map(|name| folder.path().join(name));
    if clap(&sound).is_none() {
        eprintln!("SKIPPED: ffmpeg is not installed, so no video was made");
        return;
    }
    let [from, to] = [0.5, 2.5];
    // Sound that has begun before the video, and sound that begins later.
    for offset in [0.2, 0.8, -0.3] {
        let range = format!("{from}..{to}");
        let offset_text = offset.to_string();
        let ended = render(&[
            "-o",
            video.to_str().unwrap(),
            "--fps",
            "10",
            "--size",
            "64x36",
            "--range",
            &range,
            "--reference",
            sound.to_str().unwrap(),
            "--reference-offset",
            &offset_text,
            SAMPLE,
        ]);
        assert!(ended.status.success(), "{}", errors(&ended));
        let (at, length) = heard(&video);
        let expected = 1.0 + offset - from;
        assert!((at - expected).abs() < NEAR, "offset {offset}: at {at} instead of {expected} s");
        assert!((length - (to - from)).abs() < 0.1, "offset {offset}: {length} s of sound");
    }
}

#[test]
fn sound_is_for_mp4_and_has_to_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let [gif, mp4, text] = ["out.gif", "out.mp4", "take.txt"].map(|name| folder.path().join(name));
    std::fs::write(&text, "no sound").unwrap();
    let [gif, mp4, text] = [&gif, &mp4, &text].map(|path| path.to_str().unwrap());
    let ended = render(&["-o", gif, "--reference", text, SAMPLE]);
    assert_eq!(ended.status.code(), Some(2), "{}", errors(&ended));
    assert!(errors(&ended).contains("--reference gives sound to an .mp4"));
    let ended = render(&["-o", mp4, "--fps", "1", "--size", "64x36", "--reference", text, SAMPLE]);
    assert_eq!(ended.status.code(), Some(1));
    assert!(errors(&ended).contains("take.txt"), "{}", errors(&ended));
    assert!(!Path::new(mp4).exists());
}
