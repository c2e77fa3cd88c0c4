//! Reads the streams of a file with ffprobe.

use std::ops::ControlFlow;

use serde_json::Value;

use super::{
    FootageError, Input, Programs,
    process::{describe_error_line, run},
};

/// The streams and the duration of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// The duration in seconds, or `None` if unknown.
    pub duration: Option<f64>,
    /// The time stamp at which the file starts, in seconds.
    pub start: f64,
    /// The first video stream, or `None` if the file has no video.
    pub video: Option<VideoStream>,
    /// The index of the first sound stream, or `None` if the file has no sound.
    pub sound: Option<u32>,
    /// The option that makes this version of ffmpeg keep every frame: `-fps_mode`, or `-vsync` in
    /// older versions.
    pub(super) keep_frames_option: &'static str,
}

/// A video stream.
#[derive(Clone, Debug, PartialEq)]
pub struct VideoStream {
    /// The index of the stream in the file.
    pub index: u32,
    /// Width and height in square pixels, with the picture upright.
    pub size: [u32; 2],
    /// The frame rate in Hz. For a variable rate, this is the mean.
    pub rate: f64,
}

const MAX_SIDE_PX: f64 = 32_768.0;
const MAX_RATE_HZ: f64 = 1000.0;

const DEFAULT_RATE_HZ: f64 = 25.0;

impl Media {
    /// Runs ffprobe to find the streams of `input`. `rate` is the rate of an image or image
    /// sequence, in Hz.
    ///
    /// # Errors
    /// If ffmpeg or ffprobe is missing, if the file cannot be read or has neither video nor sound,
    /// or if `is_cancelled` returns `true`.
    pub fn probe(
        input: &Input,
        rate: f64,
        programs: &Programs,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, FootageError> {
        let output = read_output(
            programs.ffprobe.as_os_str(),
            |command| {
                command.args(["-v", "error", "-show_format", "-show_streams", "-of", "json"]);
                command.args(input.ffmpeg_arguments(rate));
            },
            is_cancelled,
        )?;
        let output: Value = serde_json::from_slice(&output)
            .map_err(|error| FootageError::Unreadable(describe_error_line(&error.to_string())))?;
        let mut media = Self::from_ffprobe_json(&output)?;
        if let Some(count) = input.image_count() {
            // ffprobe does not know the number of images in a sequence.
            media.duration = Some(f64::from(count) / rate);
            media.sound = None;
        }
        let options = read_output(
            programs.ffmpeg.as_os_str(),
            |command| {
                command.args(["-hide_banner", "-h", "long"]);
            },
            is_cancelled,
        )?;
        let is_new = String::from_utf8_lossy(&options).contains("-fps_mode");
        media.keep_frames_option = if is_new { "-fps_mode" } else { "-vsync" };
        Ok(media)
    }

    #[cfg(test)]
    pub(crate) fn for_sound(duration: f64) -> Self {
        let (duration, start, keep_frames_option) = (Some(duration), 0.0, "-fps_mode");
        Self { duration, start, video: None, sound: Some(0), keep_frames_option }
    }

    #[cfg(test)]
    pub(crate) fn for_video(duration: f64) -> Self {
        let video = VideoStream { index: 0, size: [640, 360], rate: 30.0 };
        Self { video: Some(video), sound: None, ..Self::for_sound(duration) }
    }

    fn from_ffprobe_json(output: &Value) -> Result<Self, FootageError> {
        let streams = output["streams"].as_array().map_or(&[][..], Vec::as_slice);
        let streams_of_kind =
            |kind: &'static str| streams.iter().filter(move |stream| stream["codec_type"] == kind);
        // The cover picture of an album is a video stream too.
        let is_cover = |stream: &&Value| stream["disposition"]["attached_pic"] == 1;
        let video = streams_of_kind("video")
            .filter(|stream| !is_cover(stream))
            .find_map(VideoStream::from_ffprobe_json);
        let sound = streams_of_kind("audio").find_map(stream_index);
        if video.is_none() && sound.is_none() {
            return Err(FootageError::Empty);
        }
        let format = &output["format"];
        Ok(Self {
            duration: parse_number(&format["duration"]).filter(|duration| *duration >= 0.0),
            start: parse_number(&format["start_time"]).unwrap_or(0.0),
            video,
            sound,
            keep_frames_option: "-fps_mode",
        })
    }
}

impl VideoStream {
    fn from_ffprobe_json(stream: &Value) -> Option<Self> {
        let side =
            |name: &str| stream[name].as_f64().filter(|side| (1.0..=MAX_SIDE_PX).contains(side));
        let (mut width, mut height) = (side("width")?, side("height")?);
        let aspect = parse_ratio(&stream["sample_aspect_ratio"], ':');
        if let Some(aspect) = aspect.filter(|aspect| (0.01..=100.0).contains(aspect)) {
            width = (width * aspect).round().clamp(1.0, MAX_SIDE_PX);
        }
        if is_rotated_by_quarter_turn(stream) {
            (width, height) = (height, width);
        }
        let rates = ["avg_frame_rate", "r_frame_rate"].map(|name| parse_ratio(&stream[name], '/'));
        let is_plausible = |rate: &f64| *rate > 0.0 && *rate <= MAX_RATE_HZ;
        let rate = rates.into_iter().flatten().find(is_plausible).unwrap_or(DEFAULT_RATE_HZ);
        Some(Self { index: stream_index(stream)?, size: [width as u32, height as u32], rate })
    }

    pub(super) fn size_at_height(&self, height: u32) -> [u32; 2] {
        let [width, full_height] = self.size;
        let height = height.clamp(1, full_height);
        let width = u64::from(width) * u64::from(height) / u64::from(full_height);
        [u32::try_from(width).unwrap_or(u32::MAX).max(1), height]
    }
}

/// Returns `true` if the frames are stored rotated by 90 or 270 degrees. ffmpeg then rotates them
/// upright, which swaps width and height.
fn is_rotated_by_quarter_turn(stream: &Value) -> bool {
    let side_data = stream["side_data_list"].as_array().map_or(&[][..], Vec::as_slice);
    let matrix = side_data.iter().find_map(|data| data["rotation"].as_f64());
    let degrees = matrix.or_else(|| parse_number(&stream["tags"]["rotate"])).unwrap_or(0.0);
    (degrees / 90.0).round().rem_euclid(2.0) == 1.0
}

fn stream_index(stream: &Value) -> Option<u32> {
    u32::try_from(stream["index"].as_u64()?).ok()
}

fn parse_number(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses a ratio such as `30000/1001`. Returns `None` if the ratio is not finite and positive;
/// ffprobe writes 0/0 for an unknown one.
fn parse_ratio(value: &Value, separator: char) -> Option<f64> {
    let (numerator, denominator) = value.as_str()?.split_once(separator)?;
    let ratio = numerator.parse::<f64>().ok()? / denominator.parse::<f64>().ok()?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

fn read_output(
    program: &std::ffi::OsStr,
    set_up: impl FnOnce(&mut std::process::Command),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<u8>, FootageError> {
    const MAX_OUTPUT_BYTES: usize = 8 << 20;
    let mut output = Vec::new();
    let mut is_too_long = false;
    run(program, set_up, is_cancelled, |piece| {
        output.extend_from_slice(piece);
        is_too_long = output.len() > MAX_OUTPUT_BYTES;
        if is_too_long { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if is_too_long {
        return Err(FootageError::Unreadable(
            "the description by ffprobe is longer than 8 MiB".to_owned(),
        ));
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stream(more: Value) -> Value {
        let mut stream = json!({
            "index": 1, "codec_type": "video", "width": 720, "height": 576,
            "avg_frame_rate": "0/0", "r_frame_rate": "30000/1001",
        });
        for (name, value) in more.as_object().unwrap() {
            stream[name] = value.clone();
        }
        stream
    }

    fn media(streams: Value, format: Value) -> Result<Media, FootageError> {
        Media::from_ffprobe_json(&json!({ "streams": streams, "format": format }))
    }

    #[test]
    fn video_size_is_upright_and_in_square_pixels() {
        let format = json!({ "duration": "12.5", "start_time": "1.44" });
        let cover = stream(json!({ "index": 0, "disposition": { "attached_pic": 1 } }));
        let sound = json!({ "index": 2, "codec_type": "audio" });
        let wide = stream(json!({ "sample_aspect_ratio": "16:15" }));
        let found = media(json!([cover, wide, sound]), format).unwrap();
        let video = found.video.unwrap();
        assert_eq!((video.index, video.size), (1, [768, 576]));
        assert!((video.rate - 29.97).abs() < 0.001);
        assert_eq!((found.sound, found.duration, found.start), (Some(2), Some(12.5), 1.44));
        assert_eq!(video.size_at_height(288), [384, 288]);
        assert_eq!(video.size_at_height(9999), [768, 576]);
        let turned = json!({ "side_data_list": [{ "rotation": -90 }] });
        assert_eq!(VideoStream::from_ffprobe_json(&stream(turned)).unwrap().size, [576, 720]);
    }

    #[test]
    fn implausible_numbers_are_rejected() {
        for wrong in [
            json!({ "width": 0 }),
            json!({ "height": -5 }),
            json!({ "width": 1e9 }),
            json!({ "index": -1 }),
        ] {
            assert_eq!(VideoStream::from_ffprobe_json(&stream(wrong.clone())), None, "{wrong}");
        }
        let fast = stream(json!({ "avg_frame_rate": "90000/1", "r_frame_rate": "x" }));
        assert_eq!(VideoStream::from_ffprobe_json(&fast).unwrap().rate, DEFAULT_RATE_HZ);
        let sound = json!([{ "index": 0, "codec_type": "audio" }]);
        let unknown = media(sound, json!({ "duration": "N/A", "start_time": "inf" })).unwrap();
        assert_eq!((unknown.duration, unknown.start), (None, 0.0));
        let text = json!([{ "index": 0, "codec_type": "subtitle" }]);
        assert_eq!(media(text, json!({})), Err(FootageError::Empty));
    }
}
