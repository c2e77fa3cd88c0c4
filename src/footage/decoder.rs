//! Decodes video frames with ffmpeg, in order from a given time.

use std::{
    fmt,
    io::Read as _,
    process::{ChildStderr, ChildStdout, ExitStatus},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel},
    },
    thread,
};

use super::{
    FootageError, Input, Media, Programs,
    frame_times::{FrameTimeParser, ReportLine},
    process::{Process, describe_error_line, for_each_line},
};

/// A decoded frame.
pub struct Frame {
    /// The time in the footage, in seconds.
    pub time: f64,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// The pixels, row by row from the top: red, green, blue and an opaque alpha, one byte each.
    pub pixels: Vec<u8>,
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, size, .. } = self;
        f.debug_struct("Frame").field("time", time).field("size", size).finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
pub(super) struct DecoderOptions<'a> {
    pub(super) input: &'a Input,
    /// The rate of an image sequence, in Hz.
    pub(super) rate: f64,
    pub(super) media: &'a Media,
    pub(super) stream: u32,
    pub(super) size: [u32; 2],
    /// The time of the first frame, in seconds. `None` starts at the first frame of the stream.
    pub(super) from: Option<f64>,
}

#[derive(Debug)]
pub(super) enum DecoderMessage {
    Frame(Frame),
    /// The end of the frames, with an error message if ffmpeg failed.
    End(Option<String>),
}

/// A running ffmpeg that decodes frames. Dropping the decoder kills ffmpeg. No method waits for
/// ffmpeg.
#[derive(Debug)]
pub(super) struct Decoder {
    /// The lock makes the `Receiver` `Sync`, because a Bevy resource must be `Sync`. Only methods
    /// with `&mut self` use the lock, so they never wait for it.
    messages: Mutex<Receiver<DecoderMessage>>,
    _process: Process,
}

const MAX_QUEUED_FRAMES: usize = 2;

impl Decoder {
    pub(super) fn start(
        options: &DecoderOptions<'_>,
        programs: &Programs,
    ) -> Result<Self, FootageError> {
        let [width, height] = options.size;
        let (process, stdout, stderr) = Process::start(programs.ffmpeg.as_os_str(), |command| {
            command.args(["-hide_banner", "-nostdin", "-nostats", "-loglevel", "info"]);
            if let Some(from) = options.from {
                command.arg("-ss").arg(format!("{from:.6}"));
            }
            // `-copyts` keeps the time stamps of the frames. Otherwise ffmpeg would count from the
            // start time.
            command.arg("-copyts").args(options.input.ffmpeg_arguments(options.rate));
            command.arg("-map").arg(format!("0:{}", options.stream));
            let filter = format!("scale={width}:{height}:flags=area,format=rgba,showinfo");
            command.args(["-an", "-sn", "-dn", "-vf", &filter]);
            command.args([
                options.media.keep_frames_option,
                "passthrough",
                "-f",
                "rawvideo",
                "pipe:1",
            ]);
        })?;
        let (time_sender, times) = channel();
        let (sender, messages) = sync_channel(MAX_QUEUED_FRAMES);
        let base = options.media.start;
        let report = thread::spawn(move || read_report(stderr, &time_sender, base));
        let (waiter, size) = (process.waiter(), options.size);
        thread::spawn(move || {
            read_frames(stdout, &times, size, &sender);
            // `read_frames` returns early if the decoder was dropped, and ffmpeg is killed then.
            // Otherwise ffmpeg has closed its output and exits by itself.
            drop(times);
            let status = waiter.wait_or_kill();
            let last_line = report.join().unwrap_or_default();
            let has_failed = !status.as_ref().is_some_and(ExitStatus::success);
            // Sending fails if the decoder was dropped. Nobody needs the message then.
            let _ = sender
                .send(DecoderMessage::End(has_failed.then(|| describe_error_line(&last_line))));
        });
        Ok(Self { messages: Mutex::new(messages), _process: process })
    }

    pub(super) fn try_next(&mut self) -> Option<DecoderMessage> {
        match self.messages.get_mut().unwrap_or_else(PoisonError::into_inner).try_recv() {
            Ok(message) => Some(message),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(DecoderMessage::End(Some("decoding ended unexpectedly".to_owned())))
            }
        }
    }

    #[cfg(test)]
    pub(super) fn process_id(&self) -> u32 {
        self._process.id()
    }
}

fn read_report(stderr: ChildStderr, time_sender: &Sender<Option<f64>>, base: f64) -> String {
    let (mut parser, mut last_line) = (FrameTimeParser::default(), String::new());
    for_each_line(stderr, |line| match parser.read_line(line) {
        ReportLine::Frame(time) => {
            // Ignore the error and read on, even if nobody receives the times. Otherwise the pipe
            // would fill up, and ffmpeg would wait for it forever.
            let _ = time_sender.send(time.map(|time| time - base));
        }
        ReportLine::Other => {}
        ReportLine::NoReport if line.is_empty() => {}
        ReportLine::NoReport => last_line = line.to_owned(),
    });
    last_line
}

fn read_frames(
    mut stdout: ChildStdout,
    times: &Receiver<Option<f64>>,
    size: [u32; 2],
    sender: &SyncSender<DecoderMessage>,
) {
    let bytes = size[0] as usize * size[1] as usize * 4;
    loop {
        let mut pixels = vec![0; bytes];
        if stdout.read_exact(&mut pixels).is_err() {
            return;
        }
        // ffmpeg reports the time of a frame before it writes the pixels. The time is therefore
        // already here or arrives soon.
        let Ok(time) = times.recv() else { return };
        let Some(time) = time else { continue };
        if sender.send(DecoderMessage::Frame(Frame { time, size, pixels })).is_err() {
            return;
        }
    }
}
