//! Members that an object has at most once.

/// The members of an object that were met so far, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen(u8);

impl Seen {
    /// Notes the member with this number, below 8; returns whether it came before.
    pub(super) fn again(&mut self, member: u8) -> bool {
        let bit = 1 << member;
        let came = self.0 & bit != 0;
        self.0 |= bit;
        came
    }

    /// Whether the member with this number came.
    pub(super) fn has(self, member: u8) -> bool {
        self.0 & (1 << member) != 0
    }
}
