//! Decodes sound with ffmpeg and adds it to a feed, from a given time on.

use std::{
    io::Read as _,
    process::ChildStdout,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use super::{
    feed::{Feed, PushResult, Stereo},
    samples::SampleReader,
};
use crate::footage::{
    FootageError, Input, Programs,
    process::{Process, for_each_line},
};

#[derive(Clone, Debug)]
pub(super) struct DecoderOptions<'a> {
    pub(super) input: &'a Input,
    pub(super) stream: u32,
    /// The time of the first sample, in seconds.
    pub(super) from: f64,
    pub(super) rate: u32,
    /// The playback speed, from 0.5 to 2. The pitch is preserved.
    pub(super) speed: f64,
}

#[derive(Debug)]
pub(super) struct Decoder {
    _process: Process,
}

impl Decoder {
    pub(super) fn start(
        options: &DecoderOptions<'_>,
        programs: &Programs,
        feed: &Arc<Mutex<Feed>>,
    ) -> Result<Self, FootageError> {
        let DecoderOptions { input, stream, from, rate, speed } = options;
        let step = speed / f64::from(*rate);
        let generation = feed.lock().unwrap_or_else(PoisonError::into_inner).restart(*from, step);
        let (process, stdout, stderr) = Process::start(programs.ffmpeg.as_os_str(), |command| {
            command.args(["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error"]);
            if *from > 0.0 {
                command.arg("-ss").arg(format!("{from:.6}"));
            }
            command.args(input.ffmpeg_arguments(1.0)).arg("-map").arg(format!("0:{stream}"));
            // Insert silence if the sound begins late or has gaps. Otherwise the following sound
            // would be early.
            let on_time = format!("aresample={rate}:async=1:first_pts=0");
            let filter = if *speed == 1.0 { on_time } else { format!("{on_time},atempo={speed}") };
            command.args(["-vn", "-af", &filter, "-ac", "2", "-f", "f32le", "pipe:1"]);
        })?;
        // Ignore ffmpeg's messages here. The waveform is decoded from the same sound, and its
        // decoder reports them.
        thread::spawn(move || for_each_line(stderr, |_| {}));
        let (waiter, feed) = (process.waiter(), feed.clone());
        thread::spawn(move || {
            fill_feed(stdout, &feed, generation);
            waiter.wait_or_kill();
        });
        Ok(Self { _process: process })
    }
}

fn fill_feed(mut stdout: ChildStdout, feed: &Mutex<Feed>, generation: u64) {
    const FULL_POLL_INTERVAL: Duration = Duration::from_millis(20);
    let (mut reader, mut left_half) = (SampleReader::default(), None);
    let (mut piece, mut pairs) = (vec![0; 1 << 14], Vec::<Stereo>::new());
    while let Ok(count @ 1..) = stdout.read(&mut piece) {
        pairs.clear();
        reader.read(&piece[..count], |sample| match left_half.take() {
            None => left_half = Some(sample),
            Some(left) => pairs.push([left, sample]),
        });
        loop {
            // Release the lock before sleeping, because the audio callback needs the lock and must
            // not block.
            let result =
                feed.lock().unwrap_or_else(PoisonError::into_inner).push(generation, &pairs);
            match result {
                PushResult::Accepted => break,
                PushResult::Full => thread::sleep(FULL_POLL_INTERVAL),
                PushResult::Outdated => return,
            }
        }
    }
}
