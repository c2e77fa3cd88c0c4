//! The sound output of the system.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread,
    time::Instant,
};

use cpal::{
    Device, ErrorKind, FromSample, OutputCallbackInfo, SampleFormat, SizedSample, Stream,
    StreamConfig,
    traits::{DeviceTrait as _, HostTrait as _, StreamTrait as _},
};

use super::feed::Feed;

/// The default sound output of the system. It plays the samples from a feed. Dropping the speaker
/// closes the output.
///
/// A separate thread opens the output, because opening may take a while. The same thread keeps the
/// output, because on some systems it cannot be moved to another thread.
#[derive(Debug)]
pub(super) struct Speaker {
    /// The lock makes the `Receiver` `Sync`, because a Bevy resource must be `Sync`. Only methods
    /// with `&mut self` use the lock, so they never wait for it.
    opened: Mutex<Receiver<Result<u32, String>>>,
    state: SpeakerState,
    is_lost: Arc<AtomicBool>,
    /// The thread ends when this sender is dropped.
    _stop_sender: Sender<()>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SpeakerState {
    /// The output is being opened.
    Opening,
    /// The output is open, with this sample rate in Hz.
    Open(u32),
    /// The output could not be opened or is gone. Contains the reason.
    Closed(String),
}

impl Speaker {
    pub(super) fn open(feed: Arc<Mutex<Feed>>) -> Self {
        let (result_sender, opened) = channel();
        let (stop_sender, stop_receiver) = channel();
        let is_lost = Arc::new(AtomicBool::new(false));
        let lost = is_lost.clone();
        let started = thread::Builder::new().name("sound".to_owned()).spawn(move || {
            match open(feed, lost) {
                Ok((_stream, rate)) => {
                    let _ = result_sender.send(Ok(rate));
                    // Keep the stream open until the sender is dropped.
                    let _ = stop_receiver.recv();
                }
                Err(why) => drop(result_sender.send(Err(why))),
            }
        });
        let state = started
            .err()
            .map_or(SpeakerState::Opening, |error| SpeakerState::Closed(error.to_string()));
        Self { opened: Mutex::new(opened), state, is_lost, _stop_sender: stop_sender }
    }

    pub(super) fn state(&mut self) -> &SpeakerState {
        if self.state == SpeakerState::Opening {
            let opened = self.opened.get_mut().unwrap_or_else(PoisonError::into_inner);
            match opened.try_recv() {
                Ok(Ok(rate)) => self.state = SpeakerState::Open(rate),
                Ok(Err(why)) => self.state = SpeakerState::Closed(why),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    self.state =
                        SpeakerState::Closed("the system's sound output failed".to_owned());
                }
            }
        }
        if self.is_lost.load(Ordering::Relaxed) {
            self.state = SpeakerState::Closed("the sound output was disconnected".to_owned());
        }
        &self.state
    }
}

fn open(feed: Arc<Mutex<Feed>>, is_lost: Arc<AtomicBool>) -> Result<(Stream, u32), String> {
    let device = cpal::default_host().default_output_device();
    let device = device.ok_or("no sound output was found")?;
    let default_config = device.default_output_config().map_err(|error| describe_error(&error))?;
    let (format, config) = (default_config.sample_format(), StreamConfig::from(default_config));
    let rate = config.sample_rate;
    let source = FeedSource { feed, is_lost, channels: config.channels.into(), buffer: Vec::new() };
    let stream = match format {
        SampleFormat::F32 => source.stream::<f32>(&device, config),
        SampleFormat::F64 => source.stream::<f64>(&device, config),
        SampleFormat::I16 => source.stream::<i16>(&device, config),
        SampleFormat::I32 => source.stream::<i32>(&device, config),
        SampleFormat::U16 => source.stream::<u16>(&device, config),
        SampleFormat::U8 => source.stream::<u8>(&device, config),
        other => {
            return Err(format!(
                "the sound output needs the sample format {other}, which is not supported"
            ));
        }
    };
    let stream = stream.map_err(|error| describe_error(&error))?;
    stream.play().map_err(|error| describe_error(&error))?;
    Ok((stream, rate))
}

fn describe_error(error: &cpal::Error) -> String {
    format!("cannot use the sound output: {error}")
}

struct FeedSource {
    feed: Arc<Mutex<Feed>>,
    is_lost: Arc<AtomicBool>,
    channels: usize,
    buffer: Vec<f32>,
}

impl FeedSource {
    fn stream<T: SizedSample + FromSample<f32>>(
        self,
        device: &Device,
        config: StreamConfig,
    ) -> Result<Stream, cpal::Error> {
        let Self { feed, is_lost, channels, mut buffer } = self;
        let fill = move |out: &mut [T], info: &OutputCallbackInfo| {
            let times = info.timestamp();
            let heard_at = Instant::now() + times.playback.duration_since(times.callback);
            buffer.resize(out.len(), 0.0);
            let mut feed = feed.lock().unwrap_or_else(PoisonError::into_inner);
            feed.fill(&mut buffer, channels, heard_at);
            drop(feed);
            for (out, sample) in out.iter_mut().zip(&buffer) {
                *out = T::from_sample(*sample);
            }
        };
        let on_error = move |error: cpal::Error| {
            // The stream continues after any other error.
            let is_fatal = matches!(
                error.kind(),
                ErrorKind::DeviceNotAvailable
                    | ErrorKind::HostUnavailable
                    | ErrorKind::StreamInvalidated
            );
            is_lost.fetch_or(is_fatal, Ordering::Relaxed);
        };
        device.build_output_stream(config, fill, on_error, None)
    }
}
