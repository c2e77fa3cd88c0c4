//! Tests of how the camera follows in images of recordings with a long path.

use std::path::{Path, PathBuf};

use image::{GenericImageView as _, RgbImage};

use super::{errors, open, render};

/// Returns a BVH file of a figure of 1.8 m that walks 60 m along +X in 3 s.
fn long_walk() -> String {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    let turns = "CHANNELS 3 Zrotation Xrotation Yrotation\n";
    let mut text = format!("HIERARCHY\nROOT hips\n{{ OFFSET 0 0 0\n{channels}");
    text += &format!("JOINT chest\n{{ OFFSET 0 45 0\n{turns}End Site\n{{ OFFSET 0 45 0\n}}\n}}\n");
    text +=
        &format!("JOINT leg\n{{ OFFSET 0 -45 0\n{turns}End Site\n{{ OFFSET 0 -45 0\n}}\n}}\n}}\n");
    text += "MOTION\nFrames: 91\nFrame Time: 0.0333333\n";
    for frame in 0..91 {
        let (x, swing) = (f64::from(frame) * 6000.0 / 90.0, 30.0 * f64::from(frame).sin());
        text += &format!("{x} 90 0 0 0 0 {swing} 0 0 {swing} 0 0\n");
    }
    text
}

/// Returns the centre of the bright pixels, which are the bones, from 0 to 1 on both axes, and
/// their number.
fn find_figure(picture: &RgbImage) -> ([f64; 2], usize) {
    let bright = picture
        .enumerate_pixels()
        .filter(|(.., pixel)| pixel.0.iter().all(|channel| *channel > 120));
    let positions: Vec<[f64; 2]> = bright.map(|(x, y, _)| [f64::from(x), f64::from(y)]).collect();
    let mean = |axis: usize| {
        positions.iter().map(|position| position[axis]).sum::<f64>() / positions.len() as f64
    };
    let [width, height] = [picture.width(), picture.height()].map(f64::from);
    ([mean(0) / width, mean(1) / height], positions.len())
}

/// Renders the walk with these options to the file `out` in `folder`.
fn render_walk(folder: &Path, to: &str, out: &str, options: &[&str]) -> PathBuf {
    let (walk, out) = (folder.join("long walk.bvh"), folder.join(out));
    std::fs::write(&walk, long_walk()).unwrap();
    let files = [to, out.to_str().unwrap(), walk.to_str().unwrap()];
    let ended = render(&[options, &files].concat());
    assert!(ended.status.success(), "{}", errors(&ended));
    out
}

/// Returns three frames of a video of the walk, one per second.
fn render_frames(folder: &Path, options: &[&str]) -> Vec<RgbImage> {
    let out = render_walk(folder, "--frames", "frames", &[options, &["--fps", "1"]].concat());
    (1..=3).map(|frame| open(&out.join(format!("{frame:05}.png")))).collect()
}

#[test]
fn long_walks_stay_in_the_middle_of_every_image() {
    let folder = tempfile::tempdir().unwrap();
    let figures: Vec<_> =
        render_frames(folder.path(), &["--size", "320x180"]).iter().map(find_figure).collect();
    for ([x, y], count) in &figures {
        assert!((0.35..0.65).contains(x) && (0.2..0.8).contains(y) && *count > 400, "{figures:?}");
    }
}

#[test]
fn camera_follows_in_contact_sheets() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--strip", "4", "--size", "320x180"];
    let sheet = open(&render_walk(folder.path(), "-o", "sheet.png", &options));
    // The sheet has one row of four images, each above its time.
    assert_eq!(sheet.dimensions(), (4 * 328 + 8, 214));
    for left in [8, 336, 664, 992] {
        let ([x, _], count) = find_figure(&sheet.view(left, 8, 320, 180).to_image());
        assert!((0.35..0.65).contains(&x) && count > 400, "{left}: {x} {count}");
    }
}

#[test]
fn fixed_camera_shows_the_whole_path() {
    let folder = tempfile::tempdir().unwrap();
    let figures: Vec<_> = render_frames(folder.path(), &["--follow", "off", "--size", "1280x720"])
        .iter()
        .map(find_figure)
        .collect();
    let travel = (figures[2].0[0] - figures[0].0[0]).abs();
    assert!(travel > 0.3 && figures.iter().all(|(_, count)| *count > 10), "{figures:?}");
}

/// The camera looks at the position of the figure at 2 s, 40 m along the path.
#[test]
fn given_camera_pose_applies_to_the_first_image() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--size", "320x180", "--at", "2", "--camera", "0,10,5,40,0.9,0"];
    let ([x, y], count) =
        find_figure(&open(&render_walk(folder.path(), "-o", "out.png", &options)));
    assert!((0.4..0.6).contains(&x) && (0.3..0.7).contains(&y) && count > 400, "{x} {y} {count}");
}
