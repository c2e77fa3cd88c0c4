//! Images of recordings that go far: whether the camera follows.

use std::path::{Path, PathBuf};

use image::{GenericImageView as _, RgbImage};

use super::{errors, open, render};

/// A figure of 1.8 m in BVH that walks 60 m along +X in 3 s.
fn long_walk() -> String {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    let turns = "CHANNELS 3 Zrotation Xrotation Yrotation\n";
    let mut text = format!("HIERARCHY\nROOT hips\n{{ OFFSET 0 0 0\n{channels}");
    text += &format!("JOINT chest\n{{ OFFSET 0 45 0\n{turns}End Site\n{{ OFFSET 0 45 0\n}}\n}}\n");
    text +=
        &format!("JOINT leg\n{{ OFFSET 0 -45 0\n{turns}End Site\n{{ OFFSET 0 -45 0\n}}\n}}\n}}\n");
    text += "MOTION\nFrames: 91\nFrame Time: 0.0333333\n";
    for frame in 0..91 {
        let (way, swing) = (f64::from(frame) * 6000.0 / 90.0, 30.0 * f64::from(frame).sin());
        text += &format!("{way} 90 0 0 0 0 {swing} 0 0 {swing} 0 0\n");
    }
    text
}

/// The bright pixels of an image, which are those of bones: where their middle is, from 0 to 1, and how many there are.
fn figure(picture: &RgbImage) -> ([f64; 2], usize) {
    let bright =
        picture.enumerate_pixels().filter(|(.., pixel)| pixel.0.iter().all(|part| *part > 120));
    let places: Vec<[f64; 2]> = bright.map(|(x, y, _)| [f64::from(x), f64::from(y)]).collect();
    let mean =
        |axis: usize| places.iter().map(|place| place[axis]).sum::<f64>() / places.len() as f64;
    let [width, height] = [picture.width(), picture.height()].map(f64::from);
    ([mean(0) / width, mean(1) / height], places.len())
}

/// Draws the walk, with these options, to `out` of the folder.
fn draw(folder: &Path, to: &str, out: &str, options: &[&str]) -> PathBuf {
    let (walk, out) = (folder.join("long walk.bvh"), folder.join(out));
    std::fs::write(&walk, long_walk()).unwrap();
    let files = [to, out.to_str().unwrap(), walk.to_str().unwrap()];
    let ended = render(&[options, &files].concat());
    assert!(ended.status.success(), "{}", errors(&ended));
    out
}

/// The frames of a video of the walk, with these options.
fn frames(folder: &Path, options: &[&str]) -> Vec<RgbImage> {
    let out = draw(folder, "--frames", "frames", &[options, &["--fps", "1"]].concat());
    (1..=3).map(|frame| open(&out.join(format!("{frame:05}.png")))).collect()
}

#[test]
fn long_walks_stay_in_the_middle_of_every_image() {
    let folder = tempfile::tempdir().unwrap();
    let seen: Vec<_> = frames(folder.path(), &["--size", "320x180"]).iter().map(figure).collect();
    for ([x, y], count) in &seen {
        assert!((0.35..0.65).contains(x) && (0.2..0.8).contains(y) && *count > 400, "{seen:?}");
    }
}

#[test]
fn contact_sheets_follow_too() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--strip", "4", "--size", "320x180"];
    let sheet = open(&draw(folder.path(), "-o", "sheet.png", &options));
    // One row of four, each above its time.
    assert_eq!(sheet.dimensions(), (4 * 328 + 8, 214));
    for left in [8, 336, 664, 992] {
        let ([x, _], count) = figure(&sheet.view(left, 8, 320, 180).to_image());
        assert!((0.35..0.65).contains(&x) && count > 400, "{left}: {x} {count}");
    }
}

#[test]
fn camera_that_does_not_follow_sees_the_whole_path() {
    let folder = tempfile::tempdir().unwrap();
    let seen: Vec<_> = frames(folder.path(), &["--follow", "off", "--size", "1280x720"])
        .iter()
        .map(figure)
        .collect();
    let across = (seen[2].0[0] - seen[0].0[0]).abs();
    assert!(across > 0.3 && seen.iter().all(|(_, count)| *count > 10), "{seen:?}");
}

/// It looks at the place of the walker at 2 s, 40 m along the walk.
#[test]
fn given_camera_is_where_it_was_asked_for_at_the_first_image() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--size", "320x180", "--at", "2", "--camera", "0,10,5,40,0.9,0"];
    let ([x, y], count) = figure(&open(&draw(folder.path(), "-o", "out.png", &options)));
    assert!((0.4..0.6).contains(&x) && (0.3..0.7).contains(&y) && count > 400, "{x} {y} {count}");
}
