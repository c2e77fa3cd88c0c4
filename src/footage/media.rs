//! The streams of a file, as ffprobe reports them.

use std::ops::ControlFlow;

use serde_json::Value;

use super::{
    FootageError, Input, Programs,
    process::{in_words, run},
};

/// The streams and the duration of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// How long it is, in seconds, if that is known.
    pub duration: Option<f64>,
    /// The time stamp, in seconds, at which it starts.
    pub start: f64,
    /// The video, if there is one.
    pub video: Option<VideoStream>,
    /// The index of the stream of its sound, if there is one.
    pub sound: Option<u32>,
    /// How this version of ffmpeg is told to keep every frame as it is.
    pub(super) keep_frames: &'static str,
}

/// The stream of a video.
#[derive(Clone, Debug, PartialEq)]
pub struct VideoStream {
    /// Its index in the file.
    pub index: u32,
    /// Width and height in square pixels, upright.
    pub size: [u32; 2],
    /// Frames a second; of a variable rate, the mean.
    pub rate: f64,
}

/// More pixels on a side, or frames a second, are not believed.
const LARGEST: f64 = 32_768.0;
const FASTEST: f64 = 1000.0;

/// The rate of a video that states none.
const UNSTATED: f64 = 25.0;

impl Media {
    /// Asks ffprobe what is in `input`, images of which are shown at `rate`.
    ///
    /// # Errors
    /// If ffmpeg or ffprobe is missing, the file cannot be read, has nothing to see or hear, or
    /// `is_cancelled`.
    pub fn of(
        input: &Input,
        rate: f64,
        programs: &Programs,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, FootageError> {
        let said = output(
            programs.ffprobe.as_os_str(),
            |command| {
                command.args(["-v", "error", "-show_format", "-show_streams", "-of", "json"]);
                command.args(input.arguments(rate));
            },
            is_cancelled,
        )?;
        let said: Value = serde_json::from_slice(&said)
            .map_err(|error| FootageError::Unreadable(in_words(&error.to_string())))?;
        let mut media = Self::of_json(&said)?;
        if let Some(count) = input.image_count() {
            // It does not know how many there are.
            media.duration = Some(f64::from(count) / rate);
            media.sound = None;
        }
        let options = output(
            programs.ffmpeg.as_os_str(),
            |command| {
                command.args(["-hide_banner", "-h", "long"]);
            },
            is_cancelled,
        )?;
        let is_new = String::from_utf8_lossy(&options).contains("-fps_mode");
        media.keep_frames = if is_new { "-fps_mode" } else { "-vsync" };
        Ok(media)
    }

    /// Sound that is this long, for tests.
    #[cfg(test)]
    pub(crate) fn of_sound(duration: f64) -> Self {
        let (duration, start, keep_frames) = (Some(duration), 0.0, "-fps_mode");
        Self { duration, start, video: None, sound: Some(0), keep_frames }
    }

    /// A video that is this long, for tests.
    #[cfg(test)]
    pub(crate) fn of_video(duration: f64) -> Self {
        let video = VideoStream { index: 0, size: [640, 360], rate: 30.0 };
        Self { video: Some(video), sound: None, ..Self::of_sound(duration) }
    }

    /// Reads the JSON output of ffprobe.
    fn of_json(said: &Value) -> Result<Self, FootageError> {
        let streams = said["streams"].as_array().map_or(&[][..], Vec::as_slice);
        let of_kind =
            |kind: &'static str| streams.iter().filter(move |stream| stream["codec_type"] == kind);
        // The cover of an album is a stream of video, too.
        let is_cover = |stream: &&Value| stream["disposition"]["attached_pic"] == 1;
        let video = of_kind("video").filter(|stream| !is_cover(stream)).find_map(VideoStream::of);
        let sound = of_kind("audio").find_map(index);
        if video.is_none() && sound.is_none() {
            return Err(FootageError::Empty);
        }
        let format = &said["format"];
        Ok(Self {
            duration: number(&format["duration"]).filter(|duration| *duration >= 0.0),
            start: number(&format["start_time"]).unwrap_or(0.0),
            video,
            sound,
            keep_frames: "-fps_mode",
        })
    }
}

impl VideoStream {
    fn of(stream: &Value) -> Option<Self> {
        let side = |name: &str| stream[name].as_f64().filter(|side| (1.0..=LARGEST).contains(side));
        let (mut width, mut height) = (side("width")?, side("height")?);
        let aspect = ratio(&stream["sample_aspect_ratio"], ':');
        if let Some(aspect) = aspect.filter(|aspect| (0.01..=100.0).contains(aspect)) {
            width = (width * aspect).round().clamp(1.0, LARGEST);
        }
        if is_turned(stream) {
            (width, height) = (height, width);
        }
        let rates = ["avg_frame_rate", "r_frame_rate"].map(|name| ratio(&stream[name], '/'));
        let usable = |rate: &f64| *rate > 0.0 && *rate <= FASTEST;
        let rate = rates.into_iter().flatten().find(usable).unwrap_or(UNSTATED);
        Some(Self { index: index(stream)?, size: [width as u32, height as u32], rate })
    }

    /// Width and height of its frames where they are shown this high.
    pub(super) fn fitted(&self, height: u32) -> [u32; 2] {
        let [width, own] = self.size;
        let height = height.clamp(1, own);
        let width = u64::from(width) * u64::from(height) / u64::from(own);
        [u32::try_from(width).unwrap_or(u32::MAX).max(1), height]
    }
}

/// Whether the recorder lay on its side: then ffmpeg turns frames upright.
fn is_turned(stream: &Value) -> bool {
    let data = stream["side_data_list"].as_array().map_or(&[][..], Vec::as_slice);
    let matrix = data.iter().find_map(|one| one["rotation"].as_f64());
    let degrees = matrix.or_else(|| number(&stream["tags"]["rotate"])).unwrap_or(0.0);
    (degrees / 90.0).round().rem_euclid(2.0) == 1.0
}

fn index(stream: &Value) -> Option<u32> {
    u32::try_from(stream["index"].as_u64()?).ok()
}

/// A number, which ffprobe writes as text.
fn number(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A ratio such as `30000/1001`; nothing where it is unknown, 0/0.
fn ratio(value: &Value, sign: char) -> Option<f64> {
    let (above, below) = value.as_str()?.split_once(sign)?;
    let ratio = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// All that a program prints, which is little.
fn output(
    program: &std::ffi::OsStr,
    set_up: impl FnOnce(&mut std::process::Command),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<u8>, FootageError> {
    /// More is none of this, in bytes.
    const MOST: usize = 8 << 20;
    let mut all = Vec::new();
    let mut is_too_much = false;
    run(program, set_up, is_cancelled, |piece| {
        all.extend_from_slice(piece);
        is_too_much = all.len() > MOST;
        if is_too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if is_too_much {
        return Err(FootageError::Unreadable("its description has no end".to_owned()));
    }
    Ok(all)
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
        Media::of_json(&json!({ "streams": streams, "format": format }))
    }

    #[test]
    fn streams_have_their_size_upright_and_in_square_pixels() {
        let format = json!({ "duration": "12.5", "start_time": "1.44" });
        let cover = stream(json!({ "index": 0, "disposition": { "attached_pic": 1 } }));
        let sound = json!({ "index": 2, "codec_type": "audio" });
        let wide = stream(json!({ "sample_aspect_ratio": "16:15" }));
        let found = media(json!([cover, wide, sound]), format).unwrap();
        let video = found.video.unwrap();
        assert_eq!((video.index, video.size), (1, [768, 576]));
        assert!((video.rate - 29.97).abs() < 0.001);
        assert_eq!((found.sound, found.duration, found.start), (Some(2), Some(12.5), 1.44));
        assert_eq!(video.fitted(288), [384, 288]);
        assert_eq!(video.fitted(9999), [768, 576]);
        let turned = json!({ "side_data_list": [{ "rotation": -90 }] });
        assert_eq!(VideoStream::of(&stream(turned)).unwrap().size, [576, 720]);
    }

    #[test]
    fn hostile_numbers_are_not_believed() {
        for wrong in [
            json!({ "width": 0 }),
            json!({ "height": -5 }),
            json!({ "width": 1e9 }),
            json!({ "index": -1 }),
        ] {
            assert_eq!(VideoStream::of(&stream(wrong.clone())), None, "{wrong}");
        }
        let fast = stream(json!({ "avg_frame_rate": "90000/1", "r_frame_rate": "x" }));
        assert_eq!(VideoStream::of(&fast).unwrap().rate, UNSTATED);
        let sound = json!([{ "index": 0, "codec_type": "audio" }]);
        let unknown = media(sound, json!({ "duration": "N/A", "start_time": "inf" })).unwrap();
        assert_eq!((unknown.duration, unknown.start), (None, 0.0));
        let text = json!([{ "index": 0, "codec_type": "subtitle" }]);
        assert_eq!(media(text, json!({})), Err(FootageError::Empty));
    }
}
