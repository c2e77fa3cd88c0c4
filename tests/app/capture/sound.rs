//! Tests of the sound of a reference in an MP4.

use std::{path::Path, process::Command};

use mutoscope_testing::needs;

use super::{SAMPLE, errors, render};

/// Half a frame at 60 Hz.
const TOLERANCE_S: f64 = 1.0 / 120.0;

fn run_ffmpeg(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    let ended = command.args(["-v", "error", "-y"]).args(arguments).output().unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", errors(&ended));
    ended.stdout
}

/// Writes three seconds of sound with one clap, at 1 s.
fn write_clap(path: &Path) {
    let sound =
        "aevalsrc=if(between(t\\,1\\,1.02)\\,0.9*sin(2000*PI*t)\\,0):duration=3:sample_rate=44100";
    run_ffmpeg(&["-f", "lavfi", "-i", sound, path.to_str().unwrap()]);
}

/// Returns the time at which the sound of the video at `path` becomes loud, and the duration of the
/// sound, in seconds.
fn measure_sound(path: &Path) -> (f64, f64) {
    const RATE: f64 = 48_000.0;
    let path = path.to_str().unwrap();
    let resample = "aresample=48000:async=1:first_pts=0";
    let samples = run_ffmpeg(&["-i", path, "-vn", "-af", resample, "-ac", "1", "-f", "f32le", "-"]);
    let (samples, _) = samples.as_chunks::<4>();
    let loud = samples.iter().position(|bytes| f32::from_le_bytes(*bytes).abs() > 0.1);
    (loud.expect("the sound contains the clap") as f64 / RATE, samples.len() as f64 / RATE)
}

#[needs(ffmpeg)]
#[test]
fn clap_is_in_sync_with_the_video() {
    let folder = tempfile::tempdir().unwrap();
    let [sound, video] = ["clap.wav", "out.mp4"].map(|name| folder.path().join(name));
    write_clap(&sound);
    let [from, to] = [0.5, 2.5];
    // The range begins at 0.5 s, so the sound begins before the video or after it, depending on the
    // offset.
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
        let (clap_time, length) = measure_sound(&video);
        let expected = 1.0 + offset - from;
        assert!(
            (clap_time - expected).abs() < TOLERANCE_S,
            "offset {offset}: {clap_time} instead of {expected} s"
        );
        assert!((length - (to - from)).abs() < 0.1, "offset {offset}: {length} s of sound");
    }
}

#[test]
fn reference_sound_needs_an_mp4_and_a_readable_file() {
    let folder = tempfile::tempdir().unwrap();
    let [gif, mp4, text] = ["out.gif", "out.mp4", "take.txt"].map(|name| folder.path().join(name));
    std::fs::write(&text, "no sound").unwrap();
    let [gif, mp4, text] = [&gif, &mp4, &text].map(|path| path.to_str().unwrap());
    let ended = render(&["-o", gif, "--reference", text, SAMPLE]);
    assert_eq!(ended.status.code(), Some(2), "{}", errors(&ended));
    assert!(errors(&ended).contains("--reference adds sound, which only an .mp4 can have"));
    let ended = render(&["-o", mp4, "--fps", "1", "--size", "64x36", "--reference", text, SAMPLE]);
    assert_eq!(ended.status.code(), Some(1));
    assert!(errors(&ended).contains("take.txt"), "{}", errors(&ended));
    assert!(!Path::new(mp4).exists());
}
