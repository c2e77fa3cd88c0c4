//! Running a program, and ending it.

use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader, Read as _},
    ops::ControlFlow,
    path::PathBuf,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// The programs that read footage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// Decodes.
    pub ffmpeg: PathBuf,
    /// Says what is in a file.
    pub ffprobe: PathBuf,
}

impl Default for Programs {
    /// The installed programs.
    fn default() -> Self {
        Self { ffmpeg: "ffmpeg".into(), ffprobe: "ffprobe".into() }
    }
}

#[cfg(windows)]
const HOW_TO_INSTALL: &str = "`winget install ffmpeg`, then open Mutoscope again; or put ffmpeg.exe and ffprobe.exe \
    beside mutoscope.exe";
#[cfg(not(windows))]
const HOW_TO_INSTALL: &str = "on Debian and Ubuntu the package ffmpeg";

/// Why there is no footage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FootageError {
    /// ffmpeg or ffprobe is not there.
    #[error(
        "the program {0} was not found. Install ffmpeg ({how}), then add the file again",
        how = HOW_TO_INSTALL
    )]
    NotInstalled(String),
    /// The file cannot be read, or the program says why it does not.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// There is nothing to see or hear.
    #[error("it has neither video nor sound")]
    Empty,
    /// Nobody wants it any more.
    #[error("cancelled")]
    Cancelled,
}

/// How long a program may take to end after its output has, before it is killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a program is asked whether it has ended.
const LOOK: Duration = Duration::from_millis(5);

/// A program that runs. It is killed when this is dropped, which never waits for it.
#[derive(Debug)]
pub(super) struct Process(Arc<Mutex<Child>>);

impl Process {
    /// Starts `program` without input; gives its outputs, too.
    pub(super) fn start(
        program: &OsStr,
        set_up: impl FnOnce(&mut Command),
    ) -> Result<(Self, ChildStdout, ChildStderr), FootageError> {
        let mut command = Command::new(program);
        set_up(&mut command);
        without_console(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                FootageError::NotInstalled(program.to_string_lossy().into_owned())
            }
            _ => FootageError::Unreadable(format!("{}: {error}", program.to_string_lossy())),
        })?;
        match (child.stdout.take(), child.stderr.take()) {
            (Some(stdout), Some(stderr)) => Ok((Self(Arc::new(Mutex::new(child))), stdout, stderr)),
            _ => Err(FootageError::Unreadable("it has no output".to_owned())),
        }
    }

    /// A handle that waits for the process on another thread.
    pub(super) fn reaper(&self) -> Reaper {
        Reaper(self.0.clone())
    }

    /// Its number.
    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.0.lock().unwrap().id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(&self.0);
    }
}

/// Waits for a program that has nothing more to say.
pub(super) struct Reaper(Arc<Mutex<Child>>);

impl Reaper {
    /// Waits until it has ended, kills it if it does not, and gives how it ended.
    pub(super) fn wait(self) -> Option<ExitStatus> {
        let deadline = Instant::now() + PATIENCE;
        let mut is_killed = false;
        loop {
            // Never locked while waiting: killing it must not wait either.
            match self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => {}
                Err(_) => return None,
            }
            if !is_killed && Instant::now() > deadline {
                kill(&self.0);
                is_killed = true;
            }
            thread::sleep(LOOK);
        }
    }
}

fn kill(child: &Mutex<Child>) {
    // It may have ended by itself.
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
}

/// On Windows, a program would open a console of its own.
pub(crate) fn without_console(command: &mut Command) {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(CREATE_NO_WINDOW);
    }
    #[cfg(not(windows))]
    let _ = command;
}

/// Reads the output of an error line by line, whatever its bytes; lines that are longer than any of
/// interest are cut.
pub(super) fn lines(stderr: ChildStderr, mut on_line: impl FnMut(&str)) {
    const LONGEST: u64 = 4096;
    let mut reader = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => on_line(String::from_utf8_lossy(&line).trim()),
        }
    }
}

/// Runs `program` to its end and gives its output to `on_bytes`, piece by piece, until that breaks.
///
/// # Errors
/// If it cannot be started, fails, or `is_cancelled`.
pub(super) fn run(
    program: &OsStr,
    set_up: impl FnOnce(&mut Command),
    is_cancelled: &dyn Fn() -> bool,
    mut on_bytes: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<(), FootageError> {
    /// How often it is asked whether the output is still wanted.
    const ASK: Duration = Duration::from_millis(20);
    let (process, mut stdout, stderr) = Process::start(program, set_up)?;
    let last_line = thread::spawn(move || {
        let mut last = String::new();
        lines(stderr, |line| {
            if !line.is_empty() {
                last = line.to_owned();
            }
        });
        last
    });
    let (sender, pieces) = sync_channel::<Vec<u8>>(4);
    thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        while let Ok(count @ 1..) = stdout.read(&mut piece) {
            if sender.send(piece[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    loop {
        match pieces.recv_timeout(ASK) {
            Ok(piece) => {
                if on_bytes(&piece).is_break() {
                    drop(process);
                    return Ok(());
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if is_cancelled() {
            let reaper = process.reaper();
            drop(process);
            reaper.wait();
            return Err(FootageError::Cancelled);
        }
    }
    let status = process.reaper().wait();
    match status {
        Some(status) if status.success() => Ok(()),
        _ => {
            let said = last_line.join().unwrap_or_default();
            Err(FootageError::Unreadable(in_words(&said)))
        }
    }
}

/// The last message of ffmpeg, without the address of the component that reported it.
pub(super) fn in_words(line: &str) -> String {
    let line = match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, said)) => said,
        None => line,
    };
    if line.is_empty() { "ffmpeg ended without a message".to_owned() } else { line.to_owned() }
}
