//! Tests of the real window on a virtual display. The tests open a file, press keys, and examine
//! screenshots that the window saves.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use image::RgbImage;
use mutoscope_testing::display::Display;

/// Generous, because software rendering on a busy machine is slow.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The time to wait for the effect of a key press before the key is pressed again.
const KEY_TIMEOUT: Duration = Duration::from_secs(15);

/// Return `true` for the colours of the left and the right hand, including their shading.
const IS_LEFT_HAND: fn([u8; 3]) -> bool = |[r, g, b]| b > 110 && b > r.saturating_add(50) && b > g;
const IS_RIGHT_HAND: fn([u8; 3]) -> bool = |[r, g, b]| r > 110 && r > g.saturating_add(50) && r > b;

/// Returns `true` for the colour of a second recording.
const IS_SECOND_RECORDING: fn([u8; 3]) -> bool =
    |[r, g, b]| g > 110 && g > r && r > b.saturating_add(40) && g > b.saturating_add(60);

/// Returns `true` for the colour of the selection.
const IS_SELECTION: fn([u8; 3]) -> bool =
    |[r, g, b]| r > 220 && (150..210).contains(&g) && b < 140 && g > b.saturating_add(40);

/// Returns `true` for the red of a message, which is more saturated than the red of a hand.
const IS_MESSAGE: fn([u8; 3]) -> bool = |[r, g, b]| r > 235 && g < 110 && b < 110;

#[test]
fn recording_opens_plays_and_follows_key_presses() {
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &["assets/mrtk/two-hands.bin"]);
    viewer.wait_for_title("two-hands.bin");

    // The left hand is tracked at the start, but not between 1.5 and 2 seconds.
    viewer.press(&["space", "Home"]);
    let has_hands = |picture: &RgbImage| {
        [IS_LEFT_HAND, IS_RIGHT_HAND].iter().all(|is_hand| count_pixels(picture, is_hand) > 300)
    };
    let at_start = viewer.wait_for_picture(has_hands, "both hands are visible");
    let left = count_pixels(&at_start, IS_LEFT_HAND);

    viewer.press(&["shift+Right"]);
    let later = viewer.picture();
    let moved = count_differing_pixels(&at_start, &later);
    assert!(moved > 500, "only {moved} pixels changed within a second of motion");

    // Two seconds minus one sample, so the left hand is not tracked.
    viewer.press(&["shift+Right", "Left"]);
    let lost = viewer.picture();
    let left_lost = count_pixels(&lost, IS_LEFT_HAND);
    assert!(left_lost < left / 2, "an untracked hand is hidden: {left_lost} of {left} pixels");

    viewer.press(&["Home"]);
    // Wait until the message about the last screenshot has passed.
    sleep(Duration::from_secs(5));
    let again = viewer.picture();
    let changed = count_differing_pixels(&at_start, &again);
    assert!(changed < 200, "the same time looks the same: {changed} pixels differ");
}

#[test]
fn unreadable_file_shows_a_message() {
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.bin");
    std::fs::write(&broken, &std::fs::read("assets/mrtk/two-hands.bin").unwrap()[..5000]).unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &[broken.to_str().unwrap()]);
    viewer.wait_for_title("Mutoscope");
    viewer
        .wait_for_picture(|picture| count_pixels(picture, IS_MESSAGE) > 20, "a message is visible");
}

/// If a browser passes the link on, nobody reads standard error.
#[test]
fn refused_link_is_reported_in_the_window_or_on_standard_error() {
    let link = "mutoscope:open?file=//host/share/take.bin";
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let mut viewer =
        Viewer::start_with_stderr(&display, folder.path(), &["--", link], Stdio::null());
    viewer.wait_for_title("Mutoscope");
    viewer
        .wait_for_picture(|picture| count_pixels(picture, IS_MESSAGE) > 20, "a message is visible");

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
fn missing_driver_error_says_what_to_install() {
    let display = Display::start("1280x720");
    let drivers = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(|name| (name, "/no-driver.json"));
    // Use only Vulkan, because OpenGL draws in software here and needs no driver file.
    let variables = [&drivers[..], &[("WGPU_BACKEND", "vulkan")]].concat();
    assert_no_window(&display.name, &variables, "mesa-vulkan-drivers");
}

/// This happens after a login on another machine whose display is gone.
#[test]
fn unreachable_display_is_reported() {
    assert_no_window(":59999", &[], "(DISPLAY=:59999)");
}

/// Checks that the viewer ends without a panic, and that the last line of standard error is an
/// error that contains `expected`.
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

/// Mesa's software driver recompiles a shader that branches on a uniform in every frame, and keeps
/// every version. With one such shader, playback took 200 MB in this time.
#[test]
fn memory_is_steady_during_playback() {
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &["assets/mrtk/two-hands.bin"]);
    viewer.wait_for_title("two-hands.bin");
    viewer.wait_for_picture(
        |picture| count_pixels(picture, IS_RIGHT_HAND) > 300,
        "the right hand is visible",
    );
    sleep(Duration::from_secs(4));
    let before = viewer.anonymous_memory_kb();
    sleep(Duration::from_secs(8));
    let grown = viewer.anonymous_memory_kb().saturating_sub(before);
    assert!(grown < 40_000, "memory grew by {grown} kB during playback");
}

/// The query that finds an example in the command palette, the name of the example, and a node of
/// it.
const EXAMPLES: [(&str, &str, &str); 7] = [
    ("two hands head", "Two hands, head and gaze", "right/Palm"),
    ("damaged 2.6", "Two hands, damaged by MRTK 2.6", "right/Palm"),
    ("walk hat maya", "Walk with a hat", "chest"),
    ("lantern show", "Lantern show", "Lantern 1"),
    ("swinging arm", "Swinging arm", "Lower"),
    ("day minecraft", "A day in Minecraft", "player/head"),
    ("walk metroid", "Walk cycle", "spine"),
];

/// The examples are divided between two tests, so that two viewers open them at the same time.
#[test]
fn examples_of_the_first_half_open_move_and_show_the_selection() {
    open_examples(&EXAMPLES[..EXAMPLES.len() / 2]);
}

#[test]
fn examples_of_the_second_half_open_move_and_show_the_selection() {
    open_examples(&EXAMPLES[EXAMPLES.len() / 2..]);
}

fn open_examples(examples: &[(&str, &str, &str)]) {
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let mut viewer = Viewer::start(&display, folder.path(), &[]);
    viewer.wait_for_title("Mutoscope");
    for (query, name, node) in examples {
        viewer.choose(query);
        viewer.wait_for_title(&format!("^{name}"));
        viewer.press(&["space", "Home"]);
        let at_start = viewer.picture();
        assert!(count_colours(&at_start) > 40, "{name}: the viewport is not empty");
        viewer.press(&["shift+Right"]);
        let later = viewer.picture();
        let moved = count_differing_pixels(&at_start, &later);
        assert!(moved > 60, "{name}: only {moved} pixels changed within a second of motion");
        let before = count_pixels(&later, IS_SELECTION);
        viewer.choose(node);
        let selected = count_pixels(&viewer.picture(), IS_SELECTION);
        assert!(selected > before + 20, "{name}: {node} has no halo: {before}, {selected} pixels");
    }
}

/// The command line sets a time, a selection and a camera. A new version of the file is loaded as
/// soon as it is written, and a broken version keeps the open recording.
#[test]
fn view_is_restored_and_survives_reloading() {
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let take = folder.path().join("take.bin");
    std::fs::copy("assets/mrtk/two-hands.bin", &take).unwrap();
    let view = ["--at=1.2", "--select=right/IndexTip", "--camera=40,10,0.5,0,-0.1,-0.4"];
    let arguments: Vec<&str> = [take.to_str().unwrap()].into_iter().chain(view).collect();
    let mut viewer = Viewer::start(&display, folder.path(), &arguments);
    viewer.wait_for_title("take.bin");
    let first = viewer.picture();
    assert!(count_pixels(&first, IS_SELECTION) > 60, "the selected tip has a halo");
    assert!(count_pixels(&first, IS_RIGHT_HAND) > 2000, "the camera is close to the right hand");

    // Without its last third, the file cannot be read. A message appears, and the view stays.
    let whole = std::fs::read(&take).unwrap();
    std::fs::write(&take, &whole[..whole.len() * 2 / 3]).unwrap();
    let has_message = |picture: &RgbImage| count_pixels(picture, IS_MESSAGE) > 20;
    let broken = viewer.wait_for_picture(has_message, "a message is visible");
    assert!(count_pixels(&broken, IS_RIGHT_HAND) > 2000, "the recording stays open");

    std::fs::write(&take, &whole).unwrap();
    let again = viewer.wait_for_picture(|picture| !has_message(picture), "the message is gone");
    let changed = count_differing_pixels(&first, &again);
    assert!(changed < 3000, "the same file looks the same: {changed} pixels differ");
    assert!(count_pixels(&again, IS_SELECTION) > 60, "the selection is kept");
}

/// Compares two examples side by side, and exports a video of both and a model from the dialog,
/// using only the keyboard.
#[test]
fn two_recordings_are_compared_and_exported() {
    let display = Display::start("1280x720");
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["assets/mrtk/two-hands.bin", "--at=1", "--range=1..1.2"];
    let mut viewer = Viewer::start(&display, folder.path(), &arguments);
    viewer.wait_for_title("two-hands.bin");
    let alone = viewer.picture();
    assert!(
        count_pixels(&alone, IS_SECOND_RECORDING) < 50,
        "{}",
        count_pixels(&alone, IS_SECOND_RECORDING)
    );

    viewer.choose("compare damaged 2.6");
    viewer.wait_for_title("two-hands.bin, Two hands, damaged");
    // As recorded, the first recording hides nearly all of the second. The two key presses switch
    // to aligned and then to side by side.
    viewer.press(&["s", "s"]);
    let shows_second = |picture: &RgbImage| count_pixels(picture, IS_SECOND_RECORDING) > 500;
    let side_by_side = viewer.wait_for_picture(shows_second, "the second recording is visible");
    assert!(
        count_pixels(&side_by_side, IS_LEFT_HAND) > 100
            && count_pixels(&side_by_side, IS_RIGHT_HAND) > 100,
        "the first recording stays visible"
    );

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
    assert_eq!(delays, [4; 5], "0.2 s at 25 Hz");
    assert!(pictures.iter().all(|(picture, _)| shows_second(picture)), "the video shows both");
    assert!(count_differing_pixels(&pictures[0].0, &pictures[4].0) > 30, "the video moves");

    let (model, buffers) = {
        let gltf = gltf::Gltf::from_slice(&viewer.export("model.glb")).unwrap();
        (gltf.document, vec![gltf.blob.unwrap()])
    };
    let animation = model.animations().next().unwrap();
    let channel = animation.channels().next().unwrap();
    let reader = channel.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
    let times: Vec<f32> = reader.read_inputs().unwrap().collect();
    // The range has 13 samples at 60 Hz, and its times begin at zero.
    assert_eq!((times.len(), times[0]), (13, 0.0));
    assert!((times[12] - 0.2).abs() < 1e-3, "{times:?}");
    assert!(model.nodes().any(|node| node.name() == Some("left/IndexTip")));
}

fn count_pixels(picture: &RgbImage, is_colour: impl Fn([u8; 3]) -> bool) -> usize {
    viewport_pixels(picture).filter(|(_, _, colour)| is_colour(*colour)).count()
}

/// Returns the number of colours in the viewport. An empty viewport has few.
fn count_colours(picture: &RgbImage) -> usize {
    let colours: HashSet<[u8; 3]> = viewport_pixels(picture).map(|(_, _, colour)| colour).collect();
    colours.len()
}

/// Returns the number of pixels of the viewport that differ by more than 40 of 255 in a channel.
fn count_differing_pixels(a: &RgbImage, b: &RgbImage) -> usize {
    let is_different = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 40);
    viewport_pixels(a).filter(|&(x, y, colour)| is_different(colour, b.get_pixel(x, y).0)).count()
}

/// Returns the pixels in the middle of the window, which no panel covers.
fn viewport_pixels(picture: &RgbImage) -> impl Iterator<Item = (u32, u32, [u8; 3])> + '_ {
    let (width, height) = picture.dimensions();
    let columns = width / 4..width * 3 / 4;
    let rows = height / 10..height * 3 / 5;
    picture
        .enumerate_pixels()
        .filter(move |(x, y, _)| columns.contains(x) && rows.contains(y))
        .map(|(x, y, pixel)| (x, y, pixel.0))
}

struct Viewer<'a> {
    display: &'a Display,
    folder: PathBuf,
    process: Child,
}

impl<'a> Viewer<'a> {
    /// Starts the viewer in `folder`. Files among `arguments` are relative to the directory of the
    /// test.
    fn start(display: &'a Display, folder: &Path, arguments: &[&str]) -> Self {
        Self::start_with_stderr(display, folder, arguments, Stdio::inherit())
    }

    fn start_with_stderr(
        display: &'a Display,
        folder: &Path,
        arguments: &[&str],
        errors: Stdio,
    ) -> Self {
        let absolute = |argument: &&str| match std::fs::canonicalize(argument) {
            Ok(path) => path.into_os_string(),
            Err(_) => argument.into(),
        };
        let process = Command::new(env!("CARGO_BIN_EXE_mutoscope"))
            .args(arguments.iter().map(absolute))
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
        let deadline = Instant::now() + TIMEOUT;
        while !self.xdotool(&["search", "--name", title]) {
            assert!(self.process.try_wait().unwrap().is_none(), "the viewer runs");
            assert!(Instant::now() < deadline, "no window with the title {title}");
            sleep(Duration::from_millis(200));
        }
        // Focus the window explicitly, because there is no window manager that would.
        assert!(self.xdotool(&["search", "--name", title, "windowfocus"]));
        assert!(self.xdotool(&["mousemove", "640", "60"]));
        sleep(Duration::from_secs(2));
    }

    /// Presses keys such as `Home` or `shift+Right`, one after another. A modifier is held for as
    /// long as a person would hold it, because the viewer would miss a modifier that is held for
    /// less than a frame.
    fn press(&self, keys: &[&str]) {
        for keys in keys {
            let (modifier, key) = keys.split_once('+').unwrap_or(("", keys));
            let held = !modifier.is_empty();
            assert!(!held || self.xdotool(&["keydown", modifier, "sleep", "0.4"]));
            assert!(self.xdotool(&["key", key, "sleep", "0.4"]));
            assert!(!held || self.xdotool(&["keyup", modifier, "sleep", "0.4"]));
        }
    }

    /// Opens the command palette and runs the first result for `query`.
    fn choose(&self, query: &str) {
        self.press(&["ctrl+p"]);
        assert!(self.xdotool(&["type", "--delay", "60", query]));
        sleep(Duration::from_secs(1));
        self.press(&["Return"]);
    }

    /// Exports the open recordings to a file called `name`, and returns its content.
    fn export(&mut self, name: &str) -> Vec<u8> {
        self.press(&["Escape", "ctrl+e"]);
        sleep(Duration::from_secs(1));
        assert!(self.xdotool(&["type", "--delay", "60", name]));
        self.press(&["Return"]);
        let path = self.folder.join(name);
        let deadline = Instant::now() + TIMEOUT;
        // An export appears under its name only when it is complete.
        while !path.exists() {
            assert!(self.process.try_wait().unwrap().is_none(), "the viewer runs");
            assert!(Instant::now() < deadline, "{name} was not written");
            sleep(Duration::from_millis(200));
        }
        self.press(&["Escape"]);
        std::fs::read(path).unwrap()
    }

    /// Waits until a screenshot satisfies `condition`, which `description` describes, and returns
    /// it.
    fn wait_for_picture(
        &mut self,
        condition: impl Fn(&RgbImage) -> bool,
        description: &str,
    ) -> RgbImage {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let picture = self.picture();
            if condition(&picture) {
                return picture;
            }
            assert!(Instant::now() < deadline, "timed out before {description}");
            sleep(Duration::from_secs(1));
        }
    }

    /// Returns a screenshot that the viewer saves itself.
    fn picture(&mut self) -> RgbImage {
        sleep(Duration::from_secs(1));
        let path = self.folder.join("mutoscope-1.png");
        let _ = std::fs::remove_file(&path);
        let deadline = Instant::now() + TIMEOUT;
        loop {
            self.press(&["F12"]);
            let pressed = Instant::now();
            while pressed.elapsed() < KEY_TIMEOUT {
                if let Ok(picture) = image::open(&path) {
                    return picture.into_rgb8();
                }
                assert!(self.process.try_wait().unwrap().is_none(), "the viewer runs");
                sleep(Duration::from_millis(100));
            }
            assert!(Instant::now() < deadline, "a screenshot is saved to {}", path.display());
        }
    }

    /// Returns the size of the viewer's anonymous memory, in kB.
    fn anonymous_memory_kb(&self) -> u64 {
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
