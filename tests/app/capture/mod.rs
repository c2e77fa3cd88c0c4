//! Tests of images without a window. The tests need a Vulkan driver; a software driver is enough.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(unix)]
use mutoscope_testing::signals;
mod follow;
mod shapes;
mod snapshots;
mod sound;
#[cfg(unix)]
mod stopped;

use std::{
    path::Path,
    process::{Command, Output},
};

use image::RgbImage;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/mrtk/two-hands.bin");

/// Return `true` for the colours of the left and the right hand, including their shading.
const IS_LEFT_HAND: fn([u8; 3]) -> bool = |[r, g, b]| b > 110 && b > r.saturating_add(50) && b > g;
const IS_RIGHT_HAND: fn([u8; 3]) -> bool = |[r, g, b]| r > 110 && r > g.saturating_add(50) && r > b;

fn render_command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutoscope"));
    command.arg("render");
    command
}

fn render(arguments: &[&str]) -> Output {
    render_command().args(arguments).output().unwrap()
}

fn errors(ended: &Output) -> String {
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

fn open(path: &Path) -> RgbImage {
    image::open(path).unwrap().into_rgb8()
}

/// Returns the column of each pixel whose colour matches.
fn matching_columns(picture: &RgbImage, is_match: fn([u8; 3]) -> bool) -> Vec<u32> {
    picture.enumerate_pixels().filter(|(.., pixel)| is_match(pixel.0)).map(|(x, ..)| x).collect()
}

#[test]
fn image_has_a_blue_left_and_a_red_right_hand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.png");
    let out = path.to_str().unwrap();
    let ended = render(&["-o", out, "--size", "320x180", "--at", "1", "--camera=0,60", SAMPLE]);
    assert_eq!(ended.status.code(), Some(0), "{}", errors(&ended));
    assert!(ended.stdout.is_empty());
    assert_eq!(errors(&ended), "");

    let picture = open(&path);
    assert_eq!(picture.dimensions(), (320, 180));
    let [left, right] = [IS_LEFT_HAND, IS_RIGHT_HAND].map(|side| matching_columns(&picture, side));
    assert!(left.len() > 100 && right.len() > 100, "{} and {} pixels", left.len(), right.len());
    let [left, right] =
        [left, right].map(|columns| columns.iter().sum::<u32>() / columns.len() as u32);
    assert!(left + 20 < right, "from behind, the left hand is on the left: {left} {right}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary files are left");
}

#[test]
fn second_recording_is_drawn_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let take = "assets/mrtk/two-hands.bin";
    let line = ["-o", out.to_str().unwrap(), "--size", "640x360", "--at", "1", take];
    let second = ["--against", take, "--place", "beside"];
    let is_second: fn([u8; 3]) -> bool = |[r, g, b]| g > 110 && g > r && r > b.saturating_add(40);
    let mut column_counts = Vec::new();
    for line in [&line[..], &[&second[..], &line].concat()] {
        let ended = render(line);
        assert!(ended.status.success(), "{}", errors(&ended));
        column_counts.push(matching_columns(&open(&out), is_second).len());
    }
    assert!(column_counts[0] == 0 && column_counts[1] > 40, "{column_counts:?}");
}

#[test]
fn strip_contains_all_images_and_several_outputs_are_numbered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.png");
    let out = path.to_str().unwrap();
    let ended = render(&["-o", out, "--size=96x54", "--strip=3", "--range=0..2", SAMPLE, SAMPLE]);
    assert_eq!(ended.status.code(), Some(0), "{}", errors(&ended));
    assert_eq!(errors(&ended).matches("wrote ").count(), 2, "{}", errors(&ended));
    for name in ["out-1.png", "out-2.png"] {
        let sheet = open(&folder.path().join(name));
        assert!(sheet.width() > 2 * 96 && sheet.height() > 54 + 16, "{:?}", sheet.dimensions());
    }
}

#[test]
fn missing_driver_error_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let missing_driver = folder.path().join("no-driver.json");
    let ended = render_command()
        .arg("-o")
        .args([&out, Path::new(SAMPLE)])
        .env("VK_DRIVER_FILES", &missing_driver)
        .env("VK_ICD_FILENAMES", &missing_driver)
        .env_remove("WGPU_BACKEND")
        .output()
        .unwrap();
    let errors = errors(&ended);
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(ended.stdout.is_empty());
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.starts_with("error: ") && errors.contains("mesa-vulkan-drivers"), "{errors}");
    assert!(!out.exists());
}

#[test]
fn unreadable_files_are_reported_and_the_others_rendered() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let ended = render(&["-o", out.to_str().unwrap(), "--size=64x36", "no-such-file", SAMPLE]);
    assert_eq!(ended.status.code(), Some(1));
    assert!(errors(&ended).contains("error: no-such-file: "), "{}", errors(&ended));
    assert!(folder.path().join("out-2.png").exists());
}

#[test]
fn wrong_usage_is_reported_before_rendering() {
    let wrong: [&[&str]; 6] = [
        &["-o", "x.png", "--offset=1", SAMPLE],
        &["-o", "x.png", "--size=0x5", SAMPLE],
        &["-o", "x.png", "--camera=1,2,-3", SAMPLE],
        &["-o", "x.png", "--at=1", "--strip=2", SAMPLE],
        &["--at=1", SAMPLE],
        &["-o", "x.png"],
    ];
    for arguments in wrong {
        assert_eq!(render(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn video_frames_are_evenly_spaced() {
    let folder = tempfile::tempdir().unwrap();
    let gif = folder.path().join("out.gif");
    // Use the same camera for both, because a single image would otherwise be framed by its own
    // pose.
    let camera = ["--camera", "30,20,1.5"];
    let take = ["--range", "0.5..1.5", "--size", "160x90", SAMPLE, camera[0], camera[1]];
    let ended = render(&[&["-o", gif.to_str().unwrap(), "--fps", "4"], &take[..]].concat());
    assert!(ended.status.success(), "{}", errors(&ended));
    let decoder = gif::DecodeOptions::new().read_info(std::fs::File::open(&gif).unwrap());
    let mut decoder = decoder.unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!((frame.width, frame.height), (160, 90));
        delays.push(frame.delay);
    }
    assert_eq!(delays, [25; 4]);

    let frames = folder.path().join("frames");
    let ended =
        render(&[&["--frames", frames.to_str().unwrap(), "--fps", "2"], &take[..]].concat());
    assert!(ended.status.success(), "{}", errors(&ended));
    let second = open(&frames.join("00002.png"));
    assert!(!frames.join("00003.png").exists());
    let still = folder.path().join("still.png");
    let still_arguments = ["-o", still.to_str().unwrap(), "--at", "1", "--size", "160x90", SAMPLE];
    assert!(render(&[&still_arguments[..], &camera].concat()).status.success());
    assert!(second == open(&still), "the second frame shows the time 1 s");
}

/// A fake ffmpeg receives every pixel of every image. Without ffmpeg there is an error and no file.
#[test]
#[cfg(unix)]
fn ffmpeg_video_is_complete_or_absent() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let video = folder.path().join("out.mp4");
    let run = || {
        let arguments = ["--fps", "3", "--range", "0..1", "--size", "64x36", SAMPLE];
        let output = ["-o", video.to_str().unwrap()];
        render_command().args(output).args(arguments).env("PATH", &programs).output().unwrap()
    };
    let without = run();
    assert_eq!(without.status.code(), Some(1));
    assert!(errors(&without).contains("ffmpeg"), "{}", errors(&without));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no files are left");

    // The fake ffmpeg copies the pixels to the file that its last argument names.
    let program = programs.join("ffmpeg");
    let script =
        "#!/bin/sh\n[ \"$1\" = -version ] && exit\nfor file; do :; done\n/bin/cat > \"$file\"\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let with = run();
    assert!(with.status.success(), "{}", errors(&with));
    assert_eq!(std::fs::metadata(&video).unwrap().len(), 3 * 64 * 36 * 4);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn title_and_timecode_are_burnt_into_images() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str, text: &[&str]| {
        let path = folder.path().join(name);
        let image = ["-o", path.to_str().unwrap(), "--size", "320x180", "--at", "1", SAMPLE];
        let ended = render(&[&image[..], text].concat());
        assert!(ended.status.success(), "{}", errors(&ended));
        open(&path)
    };
    let plain = picture("plain.png", &[]);
    let with = picture("with.png", &["--title", "Take 3", "--timecode"]);
    let differs = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
        with.enumerate_pixels().any(|(column, row, pixel)| {
            x.contains(&column) && y.contains(&row) && pixel != plain.get_pixel(column, row)
        })
    };
    assert!(differs(0..160, 0..30), "the title is at the top left");
    assert!(differs(200..320, 150..180), "the time is at the bottom right");
    assert!(!differs(0..320, 40..140), "the motion is unchanged");
}

#[test]
fn video_only_and_image_only_options_are_rejected_elsewhere() {
    for wrong in [
        &["-o", "x.png", "--fps", "10"][..],
        &["-o", "x.gif", "--at", "1"],
        &["-o", "x.gif", "--fps", "60"],
        &["--frames", "x", "--strip", "3"],
        &["--fps", "3"],
    ] {
        let ended = render(&[wrong, &[SAMPLE]].concat());
        assert_eq!(ended.status.code(), Some(2), "{wrong:?}: {}", errors(&ended));
    }
}

#[test]
fn thumbnail_needs_no_driver_and_never_replaces_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thumbnail");
    let thumbnail = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mutoscope"));
        // Hide all Vulkan drivers, so that any use of one fails.
        command.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null");
        command.arg("thumbnail").args(arguments).output().unwrap()
    };
    let ended = thumbnail(&["--size", "96", "-o", path.to_str().unwrap(), SAMPLE]);
    assert!(ended.status.success(), "{}", errors(&ended));
    let picture = image::load_from_memory(&std::fs::read(&path).unwrap()).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (96, 96));
    // The person faces the viewer, so the left hand is on the right.
    let mean = |columns: Vec<u32>| columns.iter().sum::<u32>() / columns.len() as u32;
    assert!(
        mean(matching_columns(&picture, IS_LEFT_HAND))
            > mean(matching_columns(&picture, IS_RIGHT_HAND)) + 20
    );
    let copy = folder.path().join("copy.bin");
    std::fs::copy(SAMPLE, &copy).unwrap();
    let copy = copy.to_str().unwrap();
    assert_eq!(thumbnail(&["-o", copy, copy]).status.code(), Some(1));
    assert_eq!(std::fs::read(copy).unwrap(), std::fs::read(SAMPLE).unwrap());
}
