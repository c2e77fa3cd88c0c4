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

/// The default output of the system, which takes its samples from a feed. It is closed when this is dropped.
///
/// A thread of its own opens and holds it: that may take a while, and on some systems an output stays on
/// the thread that opened it.
#[derive(Debug)]
pub(super) struct Speaker {
    /// Locked by nobody else: it makes the receiver one that threads may share.
    opened: Mutex<Receiver<Result<u32, String>>>,
    state: State,
    is_lost: Arc<AtomicBool>,
    /// Dropping it ends the thread.
    _hold: Sender<()>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is being opened.
    Opening,
    /// It plays so many samples a second.
    Open(u32),
    /// There is none, or it is gone: why.
    Closed(String),
}

impl Speaker {
    /// Opens it.
    pub(super) fn open(feed: Arc<Mutex<Feed>>) -> Self {
        let (tell, opened) = channel();
        let (hold, held) = channel();
        let is_lost = Arc::new(AtomicBool::new(false));
        let lost = is_lost.clone();
        let started = thread::Builder::new().name("sound".to_owned()).spawn(move || {
            match open(feed, lost) {
                Ok((_stream, rate)) => {
                    let _ = tell.send(Ok(rate));
                    // Until the sender is dropped.
                    let _ = held.recv();
                }
                Err(why) => drop(tell.send(Err(why))),
            }
        });
        let state = started.err().map_or(State::Opening, |error| State::Closed(error.to_string()));
        Self { opened: Mutex::new(opened), state, is_lost, _hold: hold }
    }

    /// Whether it is open by now.
    pub(super) fn state(&mut self) -> &State {
        if self.state == State::Opening {
            let opened = self.opened.get_mut().unwrap_or_else(PoisonError::into_inner);
            match opened.try_recv() {
                Ok(Ok(rate)) => self.state = State::Open(rate),
                Ok(Err(why)) => self.state = State::Closed(why),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    self.state = State::Closed("the system's sound output failed".to_owned());
                }
            }
        }
        if self.is_lost.load(Ordering::Relaxed) {
            self.state = State::Closed("the sound output was disconnected".to_owned());
        }
        &self.state
    }
}

/// Opens the default output; gives its rate, too.
fn open(feed: Arc<Mutex<Feed>>, is_lost: Arc<AtomicBool>) -> Result<(Stream, u32), String> {
    let device = cpal::default_host().default_output_device();
    let device = device.ok_or("no sound output was found")?;
    let usual = device.default_output_config().map_err(|error| message(&error))?;
    let (format, config) = (usual.sample_format(), StreamConfig::from(usual));
    let rate = config.sample_rate;
    let out = Output { feed, is_lost, channels: config.channels.into(), mixed: Vec::new() };
    let stream = match format {
        SampleFormat::F32 => out.stream::<f32>(&device, config),
        SampleFormat::F64 => out.stream::<f64>(&device, config),
        SampleFormat::I16 => out.stream::<i16>(&device, config),
        SampleFormat::I32 => out.stream::<i32>(&device, config),
        SampleFormat::U16 => out.stream::<u16>(&device, config),
        SampleFormat::U8 => out.stream::<u8>(&device, config),
        other => return Err(format!("the sound output takes samples as {other}")),
    };
    let stream = stream.map_err(|error| message(&error))?;
    stream.play().map_err(|error| message(&error))?;
    Ok((stream, rate))
}

fn message(error: &cpal::Error) -> String {
    format!("the sound output cannot be used: {error}")
}

/// The source of the system's samples.
struct Output {
    feed: Arc<Mutex<Feed>>,
    is_lost: Arc<AtomicBool>,
    channels: usize,
    /// The samples of one call, before they are those of the system.
    mixed: Vec<f32>,
}

impl Output {
    fn stream<T: SizedSample + FromSample<f32>>(
        self,
        device: &Device,
        config: StreamConfig,
    ) -> Result<Stream, cpal::Error> {
        let Self { feed, is_lost, channels, mut mixed } = self;
        let fill = move |out: &mut [T], info: &OutputCallbackInfo| {
            let times = info.timestamp();
            let heard_at = Instant::now() + times.playback.duration_since(times.callback);
            mixed.resize(out.len(), 0.0);
            let mut feed = feed.lock().unwrap_or_else(PoisonError::into_inner);
            feed.fill(&mut mixed, channels, heard_at);
            drop(feed);
            for (out, sample) in out.iter_mut().zip(&mixed) {
                *out = T::from_sample(*sample);
            }
        };
        let on_error = move |error: cpal::Error| {
            // After the others it goes on.
            let is_over = matches!(
                error.kind(),
                ErrorKind::DeviceNotAvailable
                    | ErrorKind::HostUnavailable
                    | ErrorKind::StreamInvalidated
            );
            is_lost.fetch_or(is_over, Ordering::Relaxed);
        };
        device.build_output_stream(config, fill, on_error, None)
    }
}
