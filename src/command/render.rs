//! `mutoscope render`: images without a window.

use std::{
    io::{self, IsTerminal as _, Write as _},
    num::NonZeroU16,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use image::RgbaImage;

use mutoscope_cli::{Interrupt, Reading, Status, TimeRange, report, tell};
use mutoscope_core::read::{Message, Reader, Source};

use super::{AgainstArgs, CameraArgs, ReferenceOffsetArgs};
use crate::{
    capture::{
        BurnIn, CaptureError, Studio, Video, contact_sheet, save_png, spread, telling_moment,
        video_times,
    },
    footage::{FootageError, Programs, Soundtrack},
    recording::RecordingSnapshot,
    stage::{Follow, PlayerSkin},
};
use mutoscope_core::{
    clip::Clip,
    export::{ExportTarget, VideoFormat},
    playback::{parse_rate, parse_seconds, parse_time_range},
};

/// The arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The output file: an image (.png) or a video (.gif, or .mp4, which needs ffmpeg); with
    /// several files, OUT-1.png, OUT-2.png and so on
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "frames")]
    pub output: Option<PathBuf>,
    /// A folder for an image of every frame of a video: 00001.png and so on
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "at", "strip"])]
    pub frames: Option<PathBuf>,
    /// Images a second of a video [default: 25 for GIF, else 30]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rate)]
    pub fps: Option<f64>,
    /// The time of the image, in seconds [default: a representative one]
    #[arg(
        long,
        value_name = "T",
        allow_hyphen_values = true,
        value_parser = parse_seconds,
        conflicts_with = "strip"
    )]
    pub at: Option<f64>,
    /// A sheet of this many images, spread over the clip, with the time under each
    #[arg(long, value_name = "N")]
    pub strip: Option<NonZeroU16>,
    /// The range of the images, in seconds [default: the whole clip]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_time_range)]
    pub range: Option<TimeRange>,
    /// Width and height of each image, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: Size,
    /// A line of text at the top of every image
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// The time of the recording in every image
    #[arg(long)]
    pub timecode: bool,
    /// Subtitles and events in every image, as in the viewer
    #[arg(long)]
    pub captions: bool,
    /// A video or sound file whose sound an MP4 gets; needs the program ffmpeg
    #[arg(long, value_name = "FILE")]
    pub reference: Option<PathBuf>,
    /// When it plays.
    #[command(flatten)]
    pub reference_offset: ReferenceOffsetArgs,
    /// Where it is seen from.
    #[command(flatten)]
    pub from: CameraArgs,
    /// Whether the camera follows the root: off, its position, or its rotation as well [default: its position,
    /// if it goes so far that all of its path would show little]
    #[arg(long, value_name = "HOW", value_parser = follow())]
    pub follow: Option<Follow>,
    /// The recordings; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub sources: Vec<Source>,
    /// The recordings that are compared with them.
    #[command(flatten, next_help_heading = "Comparison")]
    pub against: AgainstArgs,
}

/// Width and height, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

/// Renders the images that `args` requests.
pub(super) fn run(args: &RenderArgs, reader: &Reader, reading: &Reading) -> Status {
    let (output, kind) = match wanted(args) {
        Ok(wanted) => wanted,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Status::WrongUsage;
        }
    };
    if let Err((path, message)) = may_write(args, output, kind, reading) {
        tell(Message::about_file(&path, message));
        return Status::Failed;
    }
    let Some(skins) = reading.player_skins() else { return Status::Failed };
    let player_skin = PlayerSkin(skins);
    if let Err(message) = args.against.options() {
        tell(format_args!("error: {message}"));
        return Status::WrongUsage;
    }
    let reader = &Reader { with_model: true, ..reader.clone() };
    let Ok(others) = args.against.open(reader) else { return Status::Failed };
    quieten_driver();
    let interrupt = Interrupt::listen();
    let mut studio = None;
    let mut all_done = true;
    for (index, source) in args.sources.iter().enumerate() {
        let input = reader.open(source);
        let Some(clip) = report(&input) else {
            all_done = false;
            continue;
        };
        if args.follow.is_some_and(|way| way != Follow::Off) && clip.root_motion_node().is_none() {
            let name = &input.name;
            tell(format_args!(
                "warning: {name}: it has no root to follow; the camera stands still"
            ));
        }
        let path = numbered(output, index, args.sources.len());
        let recordings = match args.against.overlay(clip, &others) {
            Ok(recordings) => recordings,
            Err(message) => {
                tell(Message::about_file(&input.name, message));
                all_done = false;
                continue;
            }
        };
        let drawn = prepared(&mut studio, args, &player_skin).map_err(RenderError::from);
        let drawn = drawn.and_then(|studio| match kind {
            None => Ok(save_png(&draw(studio, clip, recordings, args, &interrupt)?, &path)?),
            Some(kind) => video(studio, clip, recordings, args, kind, &path, &interrupt),
        });
        match drawn {
            Ok(()) if args.sources.len() > 1 => tell(format_args!("wrote {}", path.display())),
            Ok(()) => {}
            Err(RenderError::Unwritable(error)) => {
                tell(format_args!("error: {}: cannot be written: {error}", path.display()));
                all_done = false;
            }
            // Without a driver, or after an interruption, the others are not rendered.
            Err(error) => return fail(&format_args!("error: {}: {error}", input.name)),
        }
    }
    Status::done_if(all_done)
}

/// Why there is no image or video.
#[derive(Debug, thiserror::Error)]
enum RenderError {
    #[error(transparent)]
    Undrawn(#[from] CaptureError),
    #[error("the sound of {0}: {1}")]
    Silent(String, FootageError),
    #[error(transparent)]
    Unwritable(#[from] io::Error),
    #[error("cancelled")]
    Cancelled,
}

/// The output path, and the video format, if it is a video.
fn wanted(args: &RenderArgs) -> Result<(&Path, Option<VideoFormat>), String> {
    let (path, kind) = match (&args.frames, &args.output) {
        (Some(folder), _) => (folder.as_path(), Some(VideoFormat::PngSequence)),
        (None, Some(path)) => {
            (path.as_path(), ExportTarget::of_path(path).and_then(ExportTarget::video))
        }
        (None, None) => return Err("expected -o OUT.png or --frames DIR".to_owned()),
    };
    let extension = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    match kind {
        None if extension.as_ref().is_some_and(|extension| extension != "png") => {
            Err(format!("{}: expected the extension png, gif or mp4", path.display()))
        }
        None if args.fps.is_some() => Err("--fps is for videos: .gif, .mp4 or --frames".to_owned()),
        Some(_) if args.at.is_some() || args.strip.is_some() => {
            Err("a video has a --range; --at and --strip are for images".to_owned())
        }
        Some(kind) if args.fps.is_some_and(|rate| rate > kind.max_rate()) => {
            Err(format!("--fps: at most {} here", kind.max_rate()))
        }
        kind if args.reference.is_some() && kind != Some(VideoFormat::Mp4) => {
            Err("--reference gives sound to an .mp4; there is none in other files".to_owned())
        }
        kind => Ok((path, kind)),
    }
}

/// Whether no file that is read would be written over.
///
/// # Errors
/// The first that would, and the message.
fn may_write(
    args: &RenderArgs,
    output: &Path,
    video: Option<VideoFormat>,
    reading: &Reading,
) -> Result<(), (String, String)> {
    let mut inputs = reading.files();
    args.sources.iter().for_each(|source| source.note_as(&mut inputs, "the recording"));
    args.against.against.iter().for_each(|path| inputs.add(path, "the second recording"));
    args.reference.iter().for_each(|path| inputs.add(path, "the reference"));
    for index in 0..args.sources.len() {
        let path = numbered(output, index, args.sources.len());
        let written = match video {
            // Its frames are added to the folder.
            Some(VideoFormat::PngSequence) => entries(&path),
            _ => vec![path],
        };
        for path in written {
            inputs.allow(&path).map_err(|message| (path.display().to_string(), message))?;
        }
    }
    Ok(())
}

/// The frames that are in a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let is_frame = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_suffix(".png"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_frame).collect()
}

/// Renders a video.
fn video(
    studio: &mut Studio,
    clip: &Clip,
    recordings: Vec<RecordingSnapshot>,
    args: &RenderArgs,
    kind: VideoFormat,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<(), RenderError> {
    let rate = args.fps.unwrap_or_else(|| kind.default_rate());
    let range = args.range.clone().unwrap_or_else(|| whole(clip));
    let times = video_times(range.clone(), rate)?;
    studio.open_all(recordings);
    aim(studio, args, range.clone());
    let sound = sound(args, *range.start())?;
    let mut video = Video::begin(kind, path, rate, sound)?;
    let count = times.len();
    for (index, time) in times.enumerate() {
        if interrupt.came() {
            return Err(RenderError::Cancelled);
        }
        tell_progress(index, count);
        match video.add(picture(studio, clip, args, time)?) {
            // Ctrl+C stops ffmpeg, too, which then reads no further frames.
            Err(_) if interrupt.came() => return Err(RenderError::Cancelled),
            added => added?,
        }
    }
    tell_progress(count, count);
    Ok(video.finish()?)
}

/// The sound of a video that begins at `start`, in seconds.
fn sound(args: &RenderArgs, start: f64) -> Result<Option<Soundtrack>, RenderError> {
    let Some(path) = &args.reference else { return Ok(None) };
    let from = start - args.reference_offset.seconds();
    let failed = |error| RenderError::Silent(path.display().to_string(), error);
    let none = || failed(FootageError::Unreadable("it has no sound".to_owned()));
    Soundtrack::of_path(path, from, &Programs::default())
        .map_err(failed)?
        .ok_or_else(none)
        .map(Some)
}

/// The image of `clip` at `time`, in seconds, with its text.
fn picture(
    studio: &mut Studio,
    clip: &Clip,
    args: &RenderArgs,
    time: f64,
) -> Result<RgbaImage, CaptureError> {
    let RenderArgs { title, timecode, captions, .. } = args;
    let burn_in = BurnIn { title: title.clone(), timecode: *timecode, captions: *captions };
    let mut picture = studio.picture(time)?;
    burn_in.write(&mut picture, clip, time);
    Ok(picture)
}

/// Shows progress on a terminal, in one line.
fn tell_progress(done: usize, all: usize) {
    let mut errors = io::stderr();
    if errors.is_terminal() {
        let end = if done == all { "\n" } else { "" };
        // A closed stream is no reason to stop.
        let _ = write!(errors, "\r{done} of {all} images{end}");
    }
}

/// Keeps Mesa from printing an error of its own where there is no desktop session to ask.
fn quieten_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: the command line is all that runs so far; no other thread reads the environment.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// The studio, which is created once, when it is first needed.
fn prepared<'a>(
    studio: &'a mut Option<Studio>,
    args: &RenderArgs,
    player_skin: &PlayerSkin,
) -> Result<&'a mut Studio, CaptureError> {
    Ok(match studio {
        Some(studio) => studio,
        None => {
            let studio = studio.insert(Studio::new(args.size.0)?);
            studio.dress(player_skin.clone());
            studio
        }
    })
}

fn draw(
    studio: &mut Studio,
    clip: &Clip,
    recordings: Vec<RecordingSnapshot>,
    args: &RenderArgs,
    interrupt: &Interrupt,
) -> Result<RgbaImage, RenderError> {
    let times = times(clip, args);
    studio.open_all(recordings);
    let ends = times.first().zip(times.last()).map(|(first, last)| *first..=*last);
    aim(studio, args, ends.unwrap_or_else(|| whole(clip)));
    let pictures = times.iter().map(|&time| match interrupt.came() {
        true => Err(RenderError::Cancelled),
        false => Ok((time, picture(studio, clip, args, time)?)),
    });
    let mut pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    match args.strip {
        Some(_) => Ok(contact_sheet(&pictures)),
        None => Ok(pictures.pop().map(|(_, picture)| picture).ok_or(CaptureError::NoPicture)?),
    }
}

/// Takes the camera to where it is asked for at the first of these times, else to where what moves at them fills
/// the image.
fn aim(studio: &mut Studio, args: &RenderArgs, times: RangeInclusive<f64>) {
    studio.view_mut().follow = args.follow;
    match args.from.camera {
        Some(camera) => studio.aim_at(camera, *times.start()),
        None => studio.frame(times),
    }
}

/// The times to render at.
fn times(clip: &Clip, args: &RenderArgs) -> Vec<f64> {
    let range = args.range.clone().unwrap_or_else(|| whole(clip));
    match (args.at, args.strip) {
        (Some(time), _) => vec![time],
        (None, Some(count)) => spread(range, count.get().into()).collect(),
        (None, None) => vec![telling_moment(clip, range)],
    }
}

fn whole(clip: &Clip) -> RangeInclusive<f64> {
    clip.span.start..=clip.span.end()
}

/// The output path of the file with this index of `count`.
fn numbered(path: &Path, index: usize, count: usize) -> PathBuf {
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
    tell(message);
    Status::Failed
}

fn size(text: &str) -> Result<Size, String> {
    const LARGEST: u32 = 16_384;
    let sides = text.split_once(['x', '×']).and_then(|(width, height)| {
        Some([width.trim().parse::<u32>().ok()?, height.trim().parse::<u32>().ok()?])
    });
    match sides {
        Some(sides) if sides.iter().all(|side| (1..=LARGEST).contains(side)) => Ok(Size(sides)),
        Some(_) => Err(format!("sides are 1 to {LARGEST} pixels long")),
        None => Err("expected a width and a height in pixels, such as 1280x720".to_owned()),
    }
}

/// The ways to follow, by their words.
fn follow() -> impl TypedValueParser<Value = Follow> {
    const WAYS: [(&str, Follow); 3] = [
        ("off", Follow::Off),
        ("position", Follow::Position),
        ("rotation", Follow::PositionAndRotation),
    ];
    let values = WAYS.map(|(word, _)| PossibleValue::new(word));
    PossibleValuesParser::new(values).map(|word| {
        let way = WAYS.iter().find(|(known, _)| *known == word);
        way.map_or(Follow::Off, |(_, follow)| *follow)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("1280x720"), Ok(Size([1280, 720])));
        for wrong in ["1280", "0x720", "-1x5", "1280x", "axb", "100000x1", "1e3x5", ""] {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn several_files_get_numbers() {
        let path = Path::new("some/out.v2.png");
        assert_eq!(numbered(path, 0, 1), path);
        assert_eq!(numbered(path, 1, 3), Path::new("some/out.v2-2.png"));
        assert_eq!(numbered(Path::new("out"), 0, 2), Path::new("out-1"));
    }
}
