//! An ffmpeg that gives frames from a time on, one after the other.

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
    process::{Process, in_words, lines},
    shown_times::{Line, ShownTimes},
};

/// A decoded frame.
pub struct Frame {
    /// Its time, in seconds of the footage.
    pub time: f64,
    /// Its width and height, in pixels.
    pub size: [u32; 2],
    /// Its pixels, row by row from the top: red, green, blue and an opaque alpha.
    pub pixels: Vec<u8>,
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, size, .. } = self;
        f.debug_struct("Frame").field("time", time).field("size", size).finish_non_exhaustive()
    }
}

/// How frames are decoded.
#[derive(Clone, Debug)]
pub(super) struct Decoding<'a> {
    pub(super) input: &'a Input,
    /// Images a second, of a sequence.
    pub(super) rate: f64,
    pub(super) media: &'a Media,
    /// The index of the stream.
    pub(super) stream: u32,
    /// The size of frames, in pixels.
    pub(super) size: [u32; 2],
    /// The time of the first, in seconds; nothing for the first of all.
    pub(super) from: Option<f64>,
}

/// A message of a decoder.
#[derive(Debug)]
pub(super) enum Said {
    /// The next frame.
    Frame(Frame),
    /// There are no more frames; the error, if that is the reason.
    End(Option<String>),
}

/// An ffmpeg that gives frames. It is ended when this is dropped; nothing here waits for it.
#[derive(Debug)]
pub(super) struct Decoder {
    /// Locked by nobody else: it makes the receiver one that threads may share.
    said: Mutex<Receiver<Said>>,
    _process: Process,
}

/// How many decoded frames may wait besides the one that is being read.
const WAITING: usize = 2;

impl Decoder {
    /// Starts one.
    pub(super) fn start(how: &Decoding<'_>, programs: &Programs) -> Result<Self, FootageError> {
        let [width, height] = how.size;
        let (process, stdout, stderr) = Process::start(programs.ffmpeg.as_os_str(), |command| {
            command.args(["-hide_banner", "-nostdin", "-nostats", "-loglevel", "info"]);
            if let Some(from) = how.from {
                command.arg("-ss").arg(format!("{from:.6}"));
            }
            // Frames keep their time stamps.
            command.arg("-copyts").args(how.input.arguments(how.rate));
            command.arg("-map").arg(format!("0:{}", how.stream));
            let filter = format!("scale={width}:{height}:flags=area,format=rgba,showinfo");
            command.args(["-an", "-sn", "-dn", "-vf", &filter]);
            command.args([how.media.keep_frames, "passthrough", "-f", "rawvideo", "pipe:1"]);
        })?;
        let (tell_time, times) = channel();
        let (sender, said) = sync_channel(WAITING);
        let base = how.media.start;
        let report = thread::spawn(move || read_report(stderr, &tell_time, base));
        let (reaper, size) = (process.reaper(), how.size);
        thread::spawn(move || {
            read_frames(stdout, &times, size, &sender);
            // Dropping the receiver ends the program; else it ends by itself.
            drop(times);
            let status = reaper.wait();
            let last_line = report.join().unwrap_or_default();
            let is_failed = !status.as_ref().is_some_and(ExitStatus::success);
            // Nobody hears it if the decoder was dropped.
            let _ = sender.send(Said::End(is_failed.then(|| in_words(&last_line))));
        });
        Ok(Self { said: Mutex::new(said), _process: process })
    }

    /// The next message, if one is there; never waits.
    pub(super) fn next(&mut self) -> Option<Said> {
        match self.said.get_mut().unwrap_or_else(PoisonError::into_inner).try_recv() {
            Ok(said) => Some(said),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Said::End(Some("decoding ended unexpectedly".to_owned())))
            }
        }
    }

    /// The number of its process.
    #[cfg(test)]
    pub(super) fn process_id(&self) -> u32 {
        self._process.id()
    }
}

/// Tells the time of each frame that comes; gives the last line that is no part of the report.
fn read_report(stderr: ChildStderr, tell_time: &Sender<Option<f64>>, base: f64) -> String {
    let (mut times, mut last) = (ShownTimes::default(), String::new());
    lines(stderr, |line| match times.read(line) {
        Line::Frame(time) => {
            // Where nobody wants times any more, reading goes on, so that the program can end.
            let _ = tell_time.send(time.map(|time| time - base));
        }
        Line::Other => {}
        Line::NoReport if line.is_empty() => {}
        Line::NoReport => last = line.to_owned(),
    });
    last
}

/// Passes frames on with their times, until there are no more or the receiver is gone.
fn read_frames(
    mut stdout: ChildStdout,
    times: &Receiver<Option<f64>>,
    size: [u32; 2],
    sender: &SyncSender<Said>,
) {
    let bytes = size[0] as usize * size[1] as usize * 4;
    loop {
        let mut pixels = vec![0; bytes];
        if stdout.read_exact(&mut pixels).is_err() {
            return;
        }
        // The report of a frame comes before its pixels.
        let Ok(time) = times.recv() else { return };
        let Some(time) = time else { continue };
        if sender.send(Said::Frame(Frame { time, size, pixels })).is_err() {
            return;
        }
    }
}
