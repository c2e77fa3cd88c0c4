//! Runs `mutoscope render`, which writes images and videos without a window.

use std::{
    io::{self, IsTerminal as _, Write as _},
    num::NonZeroU16,
    ops::RangeInclusive,
    panic,
    path::{Path, PathBuf},
    thread,
};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use image::RgbaImage;

use mutoscope_cli::{Interrupt, ReadArgs, Status, TimeRange, print_message, report_input};
use mutoscope_core::{
    ReadOptions,
    read::{Input, Message, Source},
};

use super::{AgainstArgs, CameraArgs, ReferenceOffsetArgs};
use crate::{
    capture::{
        BurnIn, CaptureError, Studio, Video, contact_sheet, evenly_spaced_times,
        representative_time, save_png, video_times,
    },
    footage::{FootageError, Programs, Soundtrack},
};
use bevy_mutoscope::stage::{Follow, PlayerSkin, RecordingSnapshot};
use mutoscope_core::{
    clip::Clip,
    export::{ExportTarget, OverwriteError, VideoFormat},
    playback::{parse_rate, parse_seconds, parse_time_range},
};

/// The arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Write to this file: an image (.png) or a video (.gif, or .mp4, which needs ffmpeg); several
    /// recordings are written to OUT-1.png, OUT-2.png and so on
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "frames")]
    pub output: Option<PathBuf>,
    /// Write every frame of a video as an image into this folder: 00001.png and so on
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "at", "strip"])]
    pub frames: Option<PathBuf>,
    /// The frame rate of a video, in Hz [default: 25 for GIF, else 30]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rate)]
    pub fps: Option<f64>,
    /// Render this time, in seconds [default: a representative one]
    #[arg(
        long,
        value_name = "T",
        allow_hyphen_values = true,
        value_parser = parse_seconds,
        conflicts_with = "strip"
    )]
    pub at: Option<f64>,
    /// Write a sheet of this many images, spread over the clip, with the time under each
    #[arg(long, value_name = "N")]
    pub strip: Option<NonZeroU16>,
    /// Render only this range, in seconds [default: the whole clip]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_time_range)]
    pub range: Option<TimeRange>,
    /// Width and height of each image, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub size: Size,
    /// Write this line of text at the top of every image
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write the time of the recording into every image
    #[arg(long)]
    pub timecode: bool,
    /// Write subtitles and events into every image, as in the viewer
    #[arg(long)]
    pub captions: bool,
    /// Add the sound of this video or sound file to an MP4; needs ffmpeg
    #[arg(long, value_name = "FILE")]
    pub reference: Option<PathBuf>,
    /// The start of the sound on the recording's clock.
    #[command(flatten)]
    pub reference_offset: ReferenceOffsetArgs,
    /// The camera of the images.
    #[command(flatten)]
    pub from: CameraArgs,
    /// How the camera follows the root: off, position, or rotation (position and rotation)
    /// [default: position if the whole path is too long to frame, otherwise off]
    #[arg(long, value_name = "HOW", value_parser = parse_follow())]
    pub follow: Option<Follow>,
    /// The recordings; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub sources: Vec<Source>,
    /// The recordings to compare with.
    #[command(flatten, next_help_heading = "Comparison")]
    pub against: AgainstArgs,
}

/// The width and height of an image, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

/// Renders the images that `args` requests, and returns the exit status.
pub(super) fn run(args: &RenderArgs, read_options: ReadOptions, read_args: &ReadArgs) -> Status {
    let (output, kind) = match select_output(args) {
        Ok(selected) => selected,
        Err(message) => {
            print_message(format_args!("error: {message}"));
            return Status::WrongUsage;
        }
    };
    if let Err((path, message)) = check_outputs(args, output, kind, read_args) {
        print_message(Message::for_file(&path, message));
        return Status::Failed;
    }
    let Some(skins) = read_args.read_player_skins() else { return Status::Failed };
    let player_skin = PlayerSkin(skins);
    if let Err(message) = args.against.compare_options() {
        print_message(format_args!("error: {message}"));
        return Status::WrongUsage;
    }
    let mut read_options = ReadOptions { with_model: true, ..read_options };
    if !args.against.against.is_empty() {
        // `--rate` is the playback rate of the other recordings.
        read_options.frame_rate = None;
    }
    let Ok(others) = args.against.open(&read_options) else { return Status::Failed };
    silence_driver();
    let interrupt = Interrupt::listen();
    // Creating the studio takes most of a second, so read the first recording meanwhile.
    let open = |source| Input::open(source, &read_options);
    let (mut studio, mut first_input) = thread::scope(|scope| {
        let reading = scope.spawn(move || args.sources.first().map(open));
        let studio = create_studio(args, player_skin);
        (studio, reading.join().unwrap_or_else(|payload| panic::resume_unwind(payload)))
    });
    let mut all_done = true;
    for (index, source) in args.sources.iter().enumerate() {
        let input = first_input.take().unwrap_or_else(|| open(source));
        let Some(clip) = report_input(&input) else {
            all_done = false;
            continue;
        };
        if args.follow.is_some_and(|follow| follow != Follow::Off)
            && clip.root_motion_node().is_none()
        {
            let name = &input.name;
            print_message(format_args!(
                "warning: {name}: there is no root to follow; the camera stays in place"
            ));
        }
        let path = numbered_path(output, index, args.sources.len());
        let recordings = match args.against.overlay(clip, &others) {
            Ok(recordings) => recordings,
            Err(message) => {
                print_message(Message::for_file(&input.name, message));
                all_done = false;
                continue;
            }
        };
        // Report a missing graphics driver only here, because it does not matter if no file can be
        // read.
        let studio = match &mut studio {
            Ok(studio) => studio,
            Err(error) => return fail(&format_args!("error: {}: {error}", input.name)),
        };
        let drawn = match kind {
            None => render_image(studio, clip, recordings, args, &interrupt)
                .and_then(|image| Ok(save_png(&image, &path)?)),
            Some(kind) => render_video(studio, clip, recordings, args, kind, &path, &interrupt),
        };
        match drawn {
            Ok(()) if args.sources.len() > 1 => {
                print_message(format_args!("wrote {}", path.display()))
            }
            Ok(()) => {}
            Err(RenderError::Write(error)) => {
                print_message(format_args!(
                    "error: {}: cannot be written: {error}",
                    path.display()
                ));
                all_done = false;
            }
            // Stop here, because after an interruption or without a graphics driver the other
            // recordings would fail as well.
            Err(error) => return fail(&format_args!("error: {}: {error}", input.name)),
        }
    }
    Status::done_if(all_done)
}

#[derive(Debug, thiserror::Error)]
enum RenderError {
    #[error(transparent)]
    Capture(#[from] CaptureError),
    #[error("the sound of {0}: {1}")]
    Soundtrack(String, FootageError),
    #[error(transparent)]
    Write(#[from] io::Error),
    #[error("cancelled")]
    Cancelled,
}

/// Returns the output path, and the video format. The format is `None` for an image.
fn select_output(args: &RenderArgs) -> Result<(&Path, Option<VideoFormat>), String> {
    let (path, kind) = match (&args.frames, &args.output) {
        (Some(folder), _) => (folder.as_path(), Some(VideoFormat::PngSequence)),
        (None, Some(path)) => (
            path.as_path(),
            crate::targets().target_for_path(path).and_then(ExportTarget::video_format),
        ),
        (None, None) => return Err("expected -o OUT.png or --frames DIR".to_owned()),
    };
    let extension = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    match kind {
        None if extension.as_ref().is_some_and(|extension| extension != "png") => {
            Err(format!("{}: expected the extension png, gif or mp4", path.display()))
        }
        None if args.fps.is_some() => {
            Err("--fps is only for videos: .gif, .mp4 or --frames".to_owned())
        }
        Some(_) if args.at.is_some() || args.strip.is_some() => {
            Err("--at and --strip are for images. Use --range for a video".to_owned())
        }
        Some(kind) if args.fps.is_some_and(|rate| rate > kind.max_rate()) => {
            Err(format!("--fps: at most {} images a second in this format", kind.max_rate()))
        }
        kind if args.reference.is_some() && kind != Some(VideoFormat::Mp4) => {
            Err("--reference adds sound, which only an .mp4 can have".to_owned())
        }
        kind => Ok((path, kind)),
    }
}

/// Checks that the output does not overwrite an input file.
///
/// # Errors
/// Returns the first output path that is also an input, and the message.
fn check_outputs(
    args: &RenderArgs,
    output: &Path,
    video: Option<VideoFormat>,
    read_args: &ReadArgs,
) -> Result<(), (String, String)> {
    let mut inputs = read_args.input_files();
    args.sources.iter().for_each(|source| source.add_to_inputs(&mut inputs, "the recording"));
    args.against.against.iter().for_each(|path| inputs.add(path, "the second recording"));
    args.reference.iter().for_each(|path| inputs.add(path, "the reference"));
    for index in 0..args.sources.len() {
        let path = numbered_path(output, index, args.sources.len());
        let written = match video {
            // List the existing frames, because a new frame may replace any of them.
            Some(VideoFormat::PngSequence) => list_frames(&path),
            _ => vec![path],
        };
        for path in written {
            let refused = |error: OverwriteError| (path.display().to_string(), error.to_string());
            inputs.check_output(&path).map_err(refused)?;
        }
    }
    Ok(())
}

fn list_frames(folder: &Path) -> Vec<PathBuf> {
    let is_frame = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_suffix(".png"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_frame).collect()
}

fn render_video(
    studio: &mut Studio,
    clip: &Clip,
    recordings: Vec<RecordingSnapshot>,
    args: &RenderArgs,
    kind: VideoFormat,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<(), RenderError> {
    let rate = args.fps.unwrap_or_else(|| kind.default_rate());
    let range = args.range.clone().unwrap_or_else(|| clip_range(clip));
    let times = video_times(range.clone(), rate)?;
    studio.open_all(recordings);
    aim_camera(studio, args, range.clone());
    let sound = open_soundtrack(args, *range.start())?;
    let mut video = Video::begin(kind, path, rate, sound)?;
    let count = times.len();
    for (index, time) in times.enumerate() {
        if interrupt.is_requested() {
            return Err(RenderError::Cancelled);
        }
        print_progress(index, count);
        match video.add(render_frame(studio, clip, args, time)?) {
            // Ctrl+C also stops ffmpeg, so writing a frame to ffmpeg fails. Report the cancellation
            // instead of that error.
            Err(_) if interrupt.is_requested() => return Err(RenderError::Cancelled),
            added => added?,
        }
    }
    print_progress(count, count);
    Ok(video.finish()?)
}

/// Opens the sound of a video whose first frame is at `start` on the recording's clock, in seconds.
/// `None` without `--reference`.
fn open_soundtrack(args: &RenderArgs, start: f64) -> Result<Option<Soundtrack>, RenderError> {
    let Some(path) = &args.reference else { return Ok(None) };
    let from = start - args.reference_offset.seconds();
    let failed = |error| RenderError::Soundtrack(path.display().to_string(), error);
    let none = || failed(FootageError::Unreadable("it has no sound".to_owned()));
    Soundtrack::from_path(path, from, &Programs::default())
        .map_err(failed)?
        .ok_or_else(none)
        .map(Some)
}

fn render_frame(
    studio: &mut Studio,
    clip: &Clip,
    args: &RenderArgs,
    time: f64,
) -> Result<RgbaImage, CaptureError> {
    let RenderArgs { title, timecode, captions, .. } = args;
    let burn_in = BurnIn { title: title.clone(), timecode: *timecode, captions: *captions };
    let mut picture = studio.render_image(time)?;
    burn_in.draw(&mut picture, clip, time);
    Ok(picture)
}

fn print_progress(done: usize, all: usize) {
    let mut errors = io::stderr();
    if errors.is_terminal() {
        let end = if done == all { "\n" } else { "" };
        // Ignore a closed stream, because the render can go on without the progress message.
        let _ = write!(errors, "\r{done} of {all} images{end}");
    }
}

/// Disables Mesa's device-selection layer, because the layer prints an error if there is no desktop
/// session.
fn silence_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: this runs before any other thread is started, so no thread reads the environment.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

fn create_studio(args: &RenderArgs, player_skin: PlayerSkin) -> Result<Studio, CaptureError> {
    let mut studio = Studio::new(args.size.0)?;
    studio.set_player_skin(player_skin);
    Ok(studio)
}

fn render_image(
    studio: &mut Studio,
    clip: &Clip,
    recordings: Vec<RecordingSnapshot>,
    args: &RenderArgs,
    interrupt: &Interrupt,
) -> Result<RgbaImage, RenderError> {
    let times = image_times(clip, args);
    studio.open_all(recordings);
    let ends = times.first().zip(times.last()).map(|(first, last)| *first..=*last);
    aim_camera(studio, args, ends.unwrap_or_else(|| clip_range(clip)));
    let pictures = times.iter().map(|&time| match interrupt.is_requested() {
        true => Err(RenderError::Cancelled),
        false => Ok((time, render_frame(studio, clip, args, time)?)),
    });
    let mut pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    match args.strip {
        Some(_) => Ok(contact_sheet(&pictures)),
        None => {
            Ok(pictures.pop().map(|(_, picture)| picture).ok_or(CaptureError::ImageNotDelivered)?)
        }
    }
}

/// Moves the camera to `--camera` if given. Otherwise frames all that moves at `times`, in seconds.
fn aim_camera(studio: &mut Studio, args: &RenderArgs, times: RangeInclusive<f64>) {
    studio.view_mut().follow = args.follow;
    match args.from.camera {
        Some(camera) => studio.aim_camera_from_time(camera, *times.start()),
        None => studio.frame_times(times),
    }
}

fn image_times(clip: &Clip, args: &RenderArgs) -> Vec<f64> {
    let range = args.range.clone().unwrap_or_else(|| clip_range(clip));
    match (args.at, args.strip) {
        (Some(time), _) => vec![time],
        (None, Some(count)) => evenly_spaced_times(range, count.get().into()).collect(),
        (None, None) => vec![representative_time(clip, range)],
    }
}

fn clip_range(clip: &Clip) -> RangeInclusive<f64> {
    clip.span.start..=clip.span.end()
}

fn numbered_path(path: &Path, index: usize, count: usize) -> PathBuf {
    if count == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}", index + 1));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

fn fail(message: &std::fmt::Arguments<'_>) -> Status {
    print_message(message);
    Status::Failed
}

fn parse_size(text: &str) -> Result<Size, String> {
    const MAX_SIDE_PX: u32 = 16_384;
    let sides = text.split_once(['x', '×']).and_then(|(width, height)| {
        Some([width.trim().parse::<u32>().ok()?, height.trim().parse::<u32>().ok()?])
    });
    match sides {
        Some(sides) if sides.iter().all(|side| (1..=MAX_SIDE_PX).contains(side)) => Ok(Size(sides)),
        Some(_) => Err(format!("expected sides of 1 to {MAX_SIDE_PX} pixels")),
        None => Err("expected a width and a height in pixels, such as 1280x720".to_owned()),
    }
}

fn parse_follow() -> impl TypedValueParser<Value = Follow> {
    const MODES: [(&str, Follow); 3] = [
        ("off", Follow::Off),
        ("position", Follow::Position),
        ("rotation", Follow::PositionAndRotation),
    ];
    let values = MODES.map(|(word, _)| PossibleValue::new(word));
    PossibleValuesParser::new(values).map(|word| {
        let mode = MODES.iter().find(|(name, _)| *name == word);
        mode.map_or(Follow::Off, |(_, follow)| *follow)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_is_parsed_and_limited() {
        assert_eq!(parse_size("1280x720"), Ok(Size([1280, 720])));
        for wrong in ["1280", "0x720", "-1x5", "1280x", "axb", "100000x1", "1e3x5", ""] {
            assert!(parse_size(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn several_outputs_are_numbered() {
        let path = Path::new("some/out.v2.png");
        assert_eq!(numbered_path(path, 0, 1), path);
        assert_eq!(numbered_path(path, 1, 3), Path::new("some/out.v2-2.png"));
        assert_eq!(numbered_path(Path::new("out"), 0, 2), Path::new("out-1"));
    }
}
