//! Writes the ends of ticks.

use super::byte_writer::ByteWriter;

const NEXT_TICK: u8 = 0;
const SKIP_TICKS: u8 = 22;

/// Counts the ends of ticks before they are written, because consecutive ends are written as one
/// action.
#[derive(Debug, Default)]
pub(super) struct TickWriter {
    pending: u64,
    pub(super) count: u32,
}

impl TickWriter {
    pub(super) fn end_ticks(&mut self, count: u32) {
        self.pending += u64::from(count);
        self.count = self.count.saturating_add(count);
    }

    /// Writes the pending ends. Call this before anything else is written, and at the end.
    pub(super) fn flush(&mut self, out: &mut ByteWriter) {
        while self.pending > 0 {
            let count = self.pending.min(255);
            match count {
                1 => out.u8(NEXT_TICK),
                many => out.0.extend([SKIP_TICKS, many as u8]),
            }
            self.pending -= count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_ticks_are_one_action() {
        let written = |counts: &[u32]| {
            let (mut ticks, mut out) = (TickWriter::default(), ByteWriter::default());
            counts.iter().for_each(|&count| ticks.end_ticks(count));
            ticks.flush(&mut out);
            (out.0, ticks.count)
        };
        assert_eq!(written(&[1]), (vec![0], 1));
        assert_eq!(written(&[1, 1]), (vec![22, 2], 2));
        assert_eq!(written(&[200, 56]), (vec![22, 255, 0], 256));
        assert_eq!(written(&[]), (vec![], 0));
    }
}
