//! Ctrl+C while something is written: it takes the time to clear away what is half written.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether somebody wants to stop what is being done.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where that cannot be, the program ends at once, as any other does.
    pub(super) fn listen() -> Self {
        let interrupt = Self::default();
        let flag = Arc::clone(&interrupt.0);
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        interrupt
    }

    /// Whether it came.
    pub(super) fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
