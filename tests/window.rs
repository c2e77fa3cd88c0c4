//! The real window, under a virtual display: a file is opened, keys are pressed, and the images
//! that the window saves of itself are examined.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "what cannot be done fails the test")]

use std::{
    collections::HashSet,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use image::RgbImage;

/// How long the window may take for anything; software rendering on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long it may take to do what a key says, before the key is pressed again.
const PATIENCE_WITH_A_KEY: Duration = Duration::from_secs(15);

/// The left hand's colour and the right hand's, as light makes them.
const LEFT: fn([u8; 3]) -> bool = |[r, g, b]| b > 110 && b > r.saturating_add(50) && b > g;
const RIGHT: fn([u8; 3]) -> bool = |[r, g, b]| r > 110 && r > g.saturating_add(50) && r > b;

/// The colour of a second recording.
const COUNTERPART: fn([u8; 3]) -> bool =
    |[r, g, b]| g > 110 && g > r && r > b.saturating_add(40) && g > b.saturating_add(60);

/// The colour of what is selected.
const ACCENT: fn([u8; 3]) -> bool =
    |[r, g, b]| r > 220 && (150..210).contains(&g) && b < 140 && g > b.saturating_add(40);

/// The red of a message, which is stronger than that of a hand.
const MESSAGE: fn([u8; 3]) -> bool = |[r, g, b]| r > 235 && g < 110 && b < 110;

#[test]
fn recording_opens_plays_and_follows_key_presses() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &["assets/mrtk/two-hands.bin"]);
    viewer.wait_for_title("two-hands.bin");

    // The left hand is tracked here; it is not between 1.5 and 2 seconds.
    viewer.press(&["space", "Home"]);
    let has_hands = |picture: &RgbImage| [LEFT, RIGHT].iter().all(|of| count(picture, of) > 300);
    let at_start = viewer.picture_that(has_hands, "both hands are there at the start");
    let left = count(&at_start, LEFT);

    viewer.press(&["shift+Right"]);
    let later = viewer.picture();
    let moved = differing(&at_start, &later);
    assert!(moved > 500, "only {moved} pixels changed within a second of motion");

    // A second on and one sample back: the left hand is lost then.
    viewer.press(&["shift+Right", "Left"]);
    let lost = viewer.picture();
    let left_lost = count(&lost, LEFT);
    assert!(left_lost < left / 2, "a lost hand is still there: {left_lost} of {left} pixels");

    viewer.press(&["Home"]);
    let again = viewer.picture();
    let differing = differing(&at_start, &again);
    assert!(differing < 200, "the same time looks different: {differing} pixels");
}

#[test]
fn unreadable_file_shows_a_message() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.bin");
    std::fs::write(&broken, &std::fs::read("assets/mrtk/two-hands.bin").unwrap()[..5000]).unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &[broken.to_str().unwrap()]);
    viewer.wait_for_title("Mutoscope");
    viewer.picture_that(|picture| count(picture, MESSAGE) > 20, "no message is seen");
}

/// A link that a browser passes on; nobody reads standard error then.
#[test]
fn refused_link_is_told_in_the_window_where_nobody_reads_standard_error() {
    let link = "mutoscope:open?file=//host/share/take.bin";
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start_with(&display, folder.path(), &["--", link], Stdio::null());
    viewer.wait_for_title("Mutoscope");
    viewer.picture_that(|picture| count(picture, MESSAGE) > 20, "no message is seen");

    let ended = Command::new(env!("CARGO_BIN_EXE_mutoscope"))
        .args(["--", link])
        .env("DISPLAY", &display.name)
        .env("XDG_CONFIG_HOME", folder.path().join("settings"))
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{errors}");
    assert!(errors.contains("found the network path") && errors.lines().count() == 1, "{errors}");
}

#[test]
fn window_without_a_driver_says_what_to_install() {
    let display = Display::start();
    let drivers = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(|name| (name, "/no-driver.json"));
    // Not OpenGL, which draws in software here.
    let variables = [&drivers[..], &[("WGPU_BACKEND", "vulkan")]].concat();
    assert_no_window(&display.name, &variables, "mesa-vulkan-drivers");
}

/// As after a login on another machine whose display is gone.
#[test]
fn window_on_a_display_that_does_not_answer_says_so() {
    assert_no_window(":59999", &[], "(DISPLAY=:59999)");
}

/// The viewer ends without a panic, and its last words are an error that has `expected`.
fn assert_no_window(display: &str, variables: &[(&str, &str)], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_mutoscope"))
        .arg("assets/bvh/walk.bvh")
        .env("DISPLAY", display)
        .env("XDG_CONFIG_HOME", folder.path().join("settings"))
        .envs(variables.iter().copied())
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    let last = errors.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains(expected), "{errors}");
}

/// Mesa's driver in software recompiles a shader that branches on a uniform in every frame, and keeps each:
/// with one such shader, playback took 200 MB in this time.
#[test]
fn memory_is_steady_while_it_plays() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &["assets/mrtk/two-hands.bin"]);
    viewer.wait_for_title("two-hands.bin");
    viewer.picture_that(|picture| count(picture, RIGHT) > 300, "the right hand is not seen");
    sleep(Duration::from_secs(4));
    let before = viewer.memory();
    sleep(Duration::from_secs(8));
    let grown = viewer.memory().saturating_sub(before);
    assert!(grown < 40_000, "memory grew by {grown} kB while a recording played");
}

/// Where a sample is found in the list of everything, and a node of it, and two times that look
/// different.
const SAMPLES: [(&str, &str, &str); 7] = [
    ("two hands head", "Two hands, head and gaze", "right/Palm"),
    ("damaged 2.6", "Two hands, damaged by MRTK 2.6", "right/Palm"),
    ("walk hat maya", "Walk with a hat", "chest"),
    ("lantern show", "Lantern show", "Lantern 1"),
    ("swinging arm", "Swinging arm", "Lower"),
    ("day minecraft", "A day in Minecraft", "player/head"),
    ("walk metroid", "Walk cycle", "spine"),
];

#[test]
fn every_example_opens_moves_and_shows_the_selection() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &[]);
    viewer.wait_for_title("Mutoscope");
    for (query, name, node) in SAMPLES {
        viewer.choose(query);
        viewer.wait_for_title(&format!("^{name}"));
        viewer.press(&["space", "Home"]);
        let at_start = viewer.picture();
        assert!(colours(&at_start) > 40, "{name}: nothing is seen");
        viewer.press(&["shift+Right"]);
        let later = viewer.picture();
        let moved = differing(&at_start, &later);
        assert!(moved > 60, "{name}: only {moved} pixels changed within a second of motion");
        let before = count(&later, ACCENT);
        viewer.choose(node);
        let selected = count(&viewer.picture(), ACCENT);
        assert!(selected > before + 20, "{name}: {node} has no halo: {before}, {selected} pixels");
    }
}

/// The command line sets a time, a selection and a camera; a new version of the file is loaded as
/// soon as it is written, and a broken one keeps the old.
#[test]
fn view_is_restored_and_survives_reloading() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let take = folder.path().join("take.bin");
    std::fs::copy("assets/mrtk/two-hands.bin", &take).unwrap();
    let view = ["--at=1.2", "--select=right/IndexTip", "--camera=40,10,0.5,0,-0.1,-0.4"];
    let arguments: Vec<&str> = [take.to_str().unwrap()].into_iter().chain(view).collect();
    let mut viewer = Viewer::start(&display, folder.path(), &arguments);
    viewer.wait_for_title("take.bin");
    let first = viewer.picture();
    assert!(count(&first, ACCENT) > 60, "the selected tip has a halo");
    assert!(count(&first, RIGHT) > 2000, "the right hand is seen from nearby");

    // Without its last third it cannot be read: a message appears, the view stays.
    let whole = std::fs::read(&take).unwrap();
    std::fs::write(&take, &whole[..whole.len() * 2 / 3]).unwrap();
    let is_said = |picture: &RgbImage| count(picture, MESSAGE) > 20;
    let broken = viewer.picture_that(is_said, "no message is seen");
    assert!(count(&broken, RIGHT) > 2000, "what was open is gone");

    std::fs::write(&take, &whole).unwrap();
    let again = viewer.picture_that(|picture| !is_said(picture), "the message stays");
    let differing = differing(&first, &again);
    assert!(differing < 3000, "the same file looks different: {differing} pixels");
    assert!(count(&again, ACCENT) > 60, "the selection is lost");
}

/// Two samples on one clock, side by side; a video of that and the recording as a model are written
/// from the dialog, by keys alone.
#[test]
fn two_recordings_are_compared_and_exported() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["assets/mrtk/two-hands.bin", "--at=1", "--range=1..1.2"];
    let mut viewer = Viewer::start(&display, folder.path(), &arguments);
    viewer.wait_for_title("two-hands.bin");
    let alone = viewer.picture();
    assert!(count(&alone, COUNTERPART) < 50, "{}", count(&alone, COUNTERPART));

    viewer.choose("compare damaged 2.6");
    viewer.wait_for_title("two-hands.bin, Two hands, damaged");
    // As recorded it is all but hidden by the first; then aligned, then side by side.
    viewer.press(&["s", "s"]);
    let is_seen = |picture: &RgbImage| count(picture, COUNTERPART) > 500;
    let beside = viewer.picture_that(is_seen, "the second recording is not seen");
    assert!(count(&beside, LEFT) > 100 && count(&beside, RIGHT) > 100, "the first is gone");

    let video = viewer.export("video.gif");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut video = options.read_info(video.as_slice()).unwrap();
    let (width, height) = (u32::from(video.width()), u32::from(video.height()));
    let mut pictures = Vec::new();
    while let Some(frame) = video.read_next_frame().unwrap() {
        let picture = image::RgbaImage::from_raw(width, height, frame.buffer.to_vec()).unwrap();
        pictures.push((image::DynamicImage::from(picture).into_rgb8(), frame.delay));
    }
    let delays: Vec<u16> = pictures.iter().map(|(_, delay)| *delay).collect();
    assert_eq!(delays, [4; 5], "a fifth of a second, 25 pictures a second");
    assert!(pictures.iter().all(|(picture, _)| is_seen(picture)), "the video shows the first only");
    assert!(differing(&pictures[0].0, &pictures[4].0) > 30, "nothing moves in the video");

    let (model, buffers) = {
        let gltf = gltf::Gltf::from_slice(&viewer.export("model.glb")).unwrap();
        (gltf.document, vec![gltf.blob.unwrap()])
    };
    let animation = model.animations().next().unwrap();
    let channel = animation.channels().next().unwrap();
    let reader = channel.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
    let times: Vec<f32> = reader.read_inputs().unwrap().collect();
    // The range has 13 samples, 60 a second, and begins at nought.
    assert_eq!((times.len(), times[0]), (13, 0.0));
    assert!((times[12] - 0.2).abs() < 1e-3, "{times:?}");
    assert!(model.nodes().any(|node| node.name() == Some("left/IndexTip")));
}

/// How many pixels of the viewport are of a colour.
fn count(picture: &RgbImage, is_colour: impl Fn([u8; 3]) -> bool) -> usize {
    stage_pixels(picture).filter(|(_, _, colour)| is_colour(*colour)).count()
}

/// How many colours the viewport has: few where nothing is drawn.
fn colours(picture: &RgbImage) -> usize {
    let colours: HashSet<[u8; 3]> = stage_pixels(picture).map(|(_, _, colour)| colour).collect();
    colours.len()
}

/// How many pixels of the viewport differ clearly.
fn differing(a: &RgbImage, b: &RgbImage) -> usize {
    let clearly = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 40);
    stage_pixels(a).filter(|&(x, y, colour)| clearly(colour, b.get_pixel(x, y).0)).count()
}

/// The middle of the window, where no panel is.
fn stage_pixels(picture: &RgbImage) -> impl Iterator<Item = (u32, u32, [u8; 3])> + '_ {
    let (width, height) = picture.dimensions();
    let columns = width / 4..width * 3 / 4;
    let rows = height / 10..height * 3 / 5;
    picture
        .enumerate_pixels()
        .filter(move |(x, y, _)| columns.contains(x) && rows.contains(y))
        .map(|(x, y, pixel)| (x, y, pixel.0))
}

/// A virtual display.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn start() -> Self {
        // Without `-noreset` it starts anew whenever its last client goes, and refuses who comes
        // meanwhile: xdotool, which looks for the window, may be that client.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts (scripts/test installs it)");
        let mut number = String::new();
        let stdout = server.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb found no free display");
        Self { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The viewer in its window.
struct Viewer<'a> {
    display: &'a Display,
    folder: PathBuf,
    process: Child,
}

impl<'a> Viewer<'a> {
    /// Starts it in `folder`; files among `arguments` are found from here.
    fn start(display: &'a Display, folder: &Path, arguments: &[&str]) -> Self {
        Self::start_with(display, folder, arguments, Stdio::inherit())
    }

    /// The same with standard error there.
    fn start_with(display: &'a Display, folder: &Path, arguments: &[&str], errors: Stdio) -> Self {
        let found = |argument: &&str| match std::fs::canonicalize(argument) {
            Ok(path) => path.into_os_string(),
            Err(_) => argument.into(),
        };
        let process = Command::new(env!("CARGO_BIN_EXE_mutoscope"))
            .args(arguments.iter().map(found))
            .current_dir(folder)
            .env("DISPLAY", &display.name)
            // A test must not change the settings of a user.
            .env("XDG_CONFIG_HOME", folder.join("settings"))
            .env_remove("WAYLAND_DISPLAY")
            .stderr(errors)
            .spawn()
            .unwrap();
        Self { display, folder: folder.to_owned(), process }
    }

    fn wait_for_title(&mut self, title: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.xdotool(&["search", "--name", title]) {
            assert!(self.process.try_wait().unwrap().is_none(), "the viewer ended");
            assert!(Instant::now() < deadline, "no window with the title {title}");
            sleep(Duration::from_millis(200));
        }
        // There is no window manager that would give it the keyboard.
        assert!(self.xdotool(&["search", "--name", title, "windowfocus"]));
        assert!(self.xdotool(&["mousemove", "640", "60"]));
        sleep(Duration::from_secs(2));
    }

    /// Presses keys one after another, as `Home` or `shift+Right`. A modifier is held for as long
    /// as a hand would hold it: within a single frame it would not be seen.
    fn press(&self, keys: &[&str]) {
        for keys in keys {
            let (modifier, key) = keys.split_once('+').unwrap_or(("", keys));
            let held = !modifier.is_empty();
            assert!(!held || self.xdotool(&["keydown", modifier, "sleep", "0.4"]));
            assert!(self.xdotool(&["key", key, "sleep", "0.4"]));
            assert!(!held || self.xdotool(&["keyup", modifier, "sleep", "0.4"]));
        }
    }

    /// Finds something in the list of everything, and takes the first.
    fn choose(&self, query: &str) {
        self.press(&["ctrl+p"]);
        assert!(self.xdotool(&["type", "--delay", "60", query]));
        sleep(Duration::from_secs(1));
        self.press(&["Return"]);
    }

    /// Writes what is open to a file of this name, and reads it back.
    fn export(&mut self, name: &str) -> Vec<u8> {
        self.press(&["Escape", "ctrl+e"]);
        sleep(Duration::from_secs(1));
        assert!(self.xdotool(&["type", "--delay", "60", name]));
        self.press(&["Return"]);
        let path = self.folder.join(name);
        let deadline = Instant::now() + PATIENCE;
        // It is there as soon as it is whole.
        while !path.exists() {
            assert!(self.process.try_wait().unwrap().is_none(), "the viewer ended");
            assert!(Instant::now() < deadline, "{name} was not written");
            sleep(Duration::from_millis(200));
        }
        self.press(&["Escape"]);
        std::fs::read(path).unwrap()
    }

    /// The window's image as soon as it is as expected.
    fn picture_that(&mut self, is_so: impl Fn(&RgbImage) -> bool, or_else: &str) -> RgbImage {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let picture = self.picture();
            if is_so(&picture) {
                return picture;
            }
            assert!(Instant::now() < deadline, "{or_else}");
            sleep(Duration::from_secs(1));
        }
    }

    /// The window's image, as it saves it itself.
    fn picture(&mut self) -> RgbImage {
        sleep(Duration::from_secs(1));
        let path = self.folder.join("mutoscope-1.png");
        let _ = std::fs::remove_file(&path);
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.press(&["F12"]);
            let pressed = Instant::now();
            while pressed.elapsed() < PATIENCE_WITH_A_KEY {
                if let Ok(picture) = image::open(&path) {
                    return picture.into_rgb8();
                }
                assert!(self.process.try_wait().unwrap().is_none(), "the viewer ended");
                sleep(Duration::from_millis(100));
            }
            assert!(Instant::now() < deadline, "no picture was saved to {}", path.display());
        }
    }

    /// How much memory it has of its own, in kB.
    fn memory(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn xdotool(&self, arguments: &[&str]) -> bool {
        Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display.name)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("xdotool runs (scripts/test installs it)")
            .success()
    }
}

impl Drop for Viewer<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
