//! An ffmpeg that fills a feed from a time on.

use std::{
    io::Read as _,
    process::ChildStdout,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use super::{
    feed::{Added, Feed, Stereo},
    samples::Samples,
};
use crate::footage::{
    FootageError, Input, Programs,
    process::{Process, lines},
};

/// How sound is decoded.
#[derive(Clone, Debug)]
pub(super) struct Decoding<'a> {
    pub(super) input: &'a Input,
    /// The index of the stream.
    pub(super) stream: u32,
    /// The time of the first sample, in seconds.
    pub(super) from: f64,
    /// Samples a second, of the output.
    pub(super) rate: u32,
    /// How fast it is heard, from 0.5 to 2; the pitch stays.
    pub(super) speed: f64,
}

/// An ffmpeg that fills a feed. It is ended when this is dropped; nothing here waits for it.
#[derive(Debug)]
pub(super) struct Decoder {
    _process: Process,
}

impl Decoder {
    /// Empties `feed` and begins to fill it.
    ///
    /// # Errors
    /// If ffmpeg is missing.
    pub(super) fn start(
        how: &Decoding<'_>,
        programs: &Programs,
        feed: &Arc<Mutex<Feed>>,
    ) -> Result<Self, FootageError> {
        let Decoding { input, stream, from, rate, speed } = how;
        let step = speed / f64::from(*rate);
        let generation = feed.lock().unwrap_or_else(PoisonError::into_inner).restart(*from, step);
        let (process, stdout, stderr) = Process::start(programs.ffmpeg.as_os_str(), |command| {
            command.args(["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error"]);
            if *from > 0.0 {
                command.arg("-ss").arg(format!("{from:.6}"));
            }
            command.args(input.arguments(1.0)).arg("-map").arg(format!("0:{stream}"));
            // Sound that begins late or has gaps stays at its time.
            let on_time = format!("aresample={rate}:async=1:first_pts=0");
            let filter = if *speed == 1.0 { on_time } else { format!("{on_time},atempo={speed}") };
            command.args(["-vn", "-af", &filter, "-ac", "2", "-f", "f32le", "pipe:1"]);
        })?;
        // What it reports is told by the waveform, which reads the same sound.
        thread::spawn(move || lines(stderr, |_| {}));
        let (reaper, feed) = (process.reaper(), feed.clone());
        thread::spawn(move || {
            fill(stdout, &feed, generation);
            reaper.wait();
        });
        Ok(Self { _process: process })
    }
}

/// Adds samples to `feed` until there are no more, or it began anew.
fn fill(mut stdout: ChildStdout, feed: &Mutex<Feed>, generation: u64) {
    /// How often a feed that is full is asked again.
    const LOOK: Duration = Duration::from_millis(20);
    let (mut samples, mut half) = (Samples::default(), None);
    let (mut piece, mut pairs) = (vec![0; 1 << 14], Vec::<Stereo>::new());
    while let Ok(count @ 1..) = stdout.read(&mut piece) {
        pairs.clear();
        samples.read(&piece[..count], |sample| match half.take() {
            None => half = Some(sample),
            Some(left) => pairs.push([left, sample]),
        });
        loop {
            // Never locked while waiting: the loudspeaker does not wait.
            let added = feed.lock().unwrap_or_else(PoisonError::into_inner).add(generation, &pairs);
            match added {
                Added::Taken => break,
                Added::Full => thread::sleep(LOOK),
                Added::Unwanted => return,
            }
        }
    }
}
