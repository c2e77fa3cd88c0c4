//! Detects members that an object has more than once.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeenMembers(u8);

impl SeenMembers {
    /// Returns `true` if `member` was read before, and records that it was read. `member` must be
    /// below 8.
    pub(super) fn check_repeated(&mut self, member: u8) -> bool {
        let bit = 1 << member;
        let came = self.0 & bit != 0;
        self.0 |= bit;
        came
    }

    pub(super) fn contains(self, member: u8) -> bool {
        self.0 & (1 << member) != 0
    }
}
