//! Runs a program and ends it.

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
    /// The program that decodes.
    pub ffmpeg: PathBuf,
    /// The program that describes the streams of a file.
    pub ffprobe: PathBuf,
}

impl Default for Programs {
    fn default() -> Self {
        Self { ffmpeg: "ffmpeg".into(), ffprobe: "ffprobe".into() }
    }
}

#[cfg(windows)]
const INSTALL_HINT: &str = "`winget install ffmpeg`, then open Mutoscope again; or put ffmpeg.exe and ffprobe.exe \
    next to mutoscope.exe";
#[cfg(not(windows))]
const INSTALL_HINT: &str = "`sudo apt install ffmpeg` on Debian and Ubuntu";

/// A reason why footage is not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FootageError {
    /// ffmpeg or ffprobe was not found.
    #[error(
        "the program {0} was not found. Install ffmpeg ({how}), then add the file again",
        how = INSTALL_HINT
    )]
    NotInstalled(String),
    /// The file cannot be read. Contains the message of the program or of the operating system.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The file has neither video nor sound.
    #[error("the file has neither video nor sound")]
    Empty,
    /// The caller cancelled the operation.
    #[error("cancelled")]
    Cancelled,
}

/// The time in which a program must exit after it has closed its output. Afterwards we kill the
/// program.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A running program. Dropping this kills the program without waiting for it.
#[derive(Debug)]
pub(super) struct Process(Arc<Mutex<Child>>);

impl Process {
    pub(super) fn start(
        program: &OsStr,
        configure: impl FnOnce(&mut Command),
    ) -> Result<(Self, ChildStdout, ChildStderr), FootageError> {
        let mut command = Command::new(program);
        configure(&mut command);
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
            _ => {
                Err(FootageError::Unreadable("cannot capture the output of the program".to_owned()))
            }
        }
    }

    pub(super) fn waiter(&self) -> ExitWaiter {
        ExitWaiter(self.0.clone())
    }

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

pub(super) struct ExitWaiter(Arc<Mutex<Child>>);

impl ExitWaiter {
    pub(super) fn wait_or_kill(self) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        let mut is_killed = false;
        loop {
            // Poll instead of waiting, because `kill` needs the lock. If we waited for the program
            // while holding the lock, nobody could kill the program.
            match self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => {}
                Err(_) => return None,
            }
            if !is_killed && Instant::now() > deadline {
                kill(&self.0);
                is_killed = true;
            }
            thread::sleep(EXIT_POLL_INTERVAL);
        }
    }
}

fn kill(child: &Mutex<Child>) {
    // Killing fails if the program has already ended.
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
}

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

pub(super) fn for_each_line(stderr: ChildStderr, mut on_line: impl FnMut(&str)) {
    const MAX_LINE_BYTES: u64 = 4096;
    let mut reader = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => on_line(String::from_utf8_lossy(&line).trim()),
        }
    }
}

/// Runs `program` and passes its output to `on_bytes` in pieces. Kills the program if `on_bytes`
/// returns `Break`.
///
/// # Errors
/// If the program cannot be started or fails, or if `is_cancelled` returns `true`.
pub(super) fn run(
    program: &OsStr,
    configure: impl FnOnce(&mut Command),
    is_cancelled: &dyn Fn() -> bool,
    mut on_bytes: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<(), FootageError> {
    const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(20);
    let (process, mut stdout, stderr) = Process::start(program, configure)?;
    let last_line = thread::spawn(move || {
        let mut last_line = String::new();
        for_each_line(stderr, |line| {
            if !line.is_empty() {
                last_line = line.to_owned();
            }
        });
        last_line
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
        match pieces.recv_timeout(CANCEL_POLL_INTERVAL) {
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
            let waiter = process.waiter();
            drop(process);
            waiter.wait_or_kill();
            return Err(FootageError::Cancelled);
        }
    }
    let status = process.waiter().wait_or_kill();
    match status {
        Some(status) if status.success() => Ok(()),
        _ => {
            let message = last_line.join().unwrap_or_default();
            Err(FootageError::Unreadable(describe_error_line(&message)))
        }
    }
}

pub(super) fn describe_error_line(line: &str) -> String {
    let line = match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, message)) => message,
        None => line,
    };
    if line.is_empty() { "ffmpeg ended without a message".to_owned() } else { line.to_owned() }
}
