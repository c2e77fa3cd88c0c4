//! Deviations from what Maya writes or reads: each kind is reported once.

use std::fmt::Display;

use crate::diagnostics::{Notices, Severity, SourceLocation};

/// A kind of oddity in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// The file begins with a byte order mark.
    ByteOrderMark,
    /// Lines end with CR only.
    CarriageReturns,
    /// A word is not set apart from the brace after it.
    GluedBrace,
    /// A statement ends with its line and without `;`.
    NoSemicolon,
    /// A name is not in UTF-8.
    NotUtf8,
    /// A header without a version.
    NoVersion,
    /// An unknown version.
    UnknownVersion,
    /// A statement of the header comes twice.
    RepeatedHeader,
    /// A statement of the header comes after the first `anim` line.
    LateHeader,
    /// A statement without its value, or with one that cannot be read.
    BadValue,
    /// An unknown statement.
    UnknownKeyword,
    /// An `anim` line without three whole numbers at its end.
    BadAnimLine,
    /// An `animData` block without an `anim` line before it.
    DataWithoutAnim,
    /// A second `animData` block after an `anim` line.
    SecondData,
    /// An `anim` line of an attribute without an `animData` block.
    AnimWithoutData,
    /// A brace is missing.
    NoBrace,
    /// A brace too many.
    StrayBrace,
    /// Two keys in a line.
    KeysInALine,
    /// A version 1.1 file whose keys have no breakdown flag.
    NoBreakdown,
    /// A version 1.0 file whose keys have a breakdown flag.
    EarlyBreakdown,
    /// A key with fewer numbers than it should have.
    FewNumbers,
    /// A key with more numbers than it should have.
    ManyNumbers,
    /// An unknown tangent.
    UnknownTangent,
    /// A tangent that depends on what the file does not say.
    PreferredTangent,
    /// A number with separators between thousands.
    GroupedNumber,
    /// A number with a comma for the decimal point.
    DecimalComma,
    /// A key whose time or value is not a number.
    LostKey,
}

impl Oddity {
    const COUNT: usize = Self::LostKey as usize + 1;

    fn severity(self) -> Severity {
        match self {
            Self::LostKey | Self::DataWithoutAnim => Severity::Error,
            _ => Severity::Warning,
        }
    }

    /// The message: problem and outcome. `example` is the word it is about, where it is one.
    fn message(self, example: &str) -> String {
        let fixed = match self {
            Self::ByteOrderMark => "the file begins with a byte order mark; Maya refuses it",
            Self::CarriageReturns => "lines end with CR only; Maya loses the keys",
            Self::NoSemicolon => "a statement ends without a semicolon",
            Self::NoVersion => "no animVersion; using 1.1. Maya refuses the file",
            Self::BadAnimLine => {
                "an anim line should end with three whole numbers (row, child, attr); using 0 for \
                 missing ones"
            }
            Self::DataWithoutAnim => "an animData block without an anim line before it",
            Self::SecondData => {
                "a second animData block for the same anim line; using it as another curve"
            }
            Self::NoBrace => "a brace is missing",
            Self::StrayBrace => "an unmatched brace",
            Self::KeysInALine => "several keys in a line; Maya reads only the first",
            Self::NoBreakdown => "keys without the breakdown flag that version 1.1 has",
            Self::EarlyBreakdown => "keys with a breakdown flag, which version 1.0 does not have",
            Self::ManyNumbers => "more numbers after a key's tangents than they need; skipped",
            Self::FewNumbers => {
                "fewer numbers after a key's tangents than they need; using flags off, angles 0 and \
                 weights 1"
            }
            _ => return self.message_about(example),
        };
        fixed.to_owned()
    }

    fn message_about(self, example: &str) -> String {
        match self {
            Self::GluedBrace => format!("no blank between {example} and a brace"),
            Self::NotUtf8 => format!("the name {example} is not valid UTF-8"),
            Self::UnknownVersion => format!("animVersion {example} is not known; using 1.1"),
            Self::RepeatedHeader => format!("{example} repeated in the header; using the last"),
            Self::LateHeader => {
                format!("{example} after the first anim line; skipped, as by Maya")
            }
            Self::BadValue => format!("{example}; skipped"),
            Self::AnimWithoutData => format!("no animData block for {example}"),
            Self::UnknownTangent => format!("unknown tangent type {example}; using auto"),
            Self::PreferredTangent => format!(
                "tangent type {example} depends on the user's preferences, which the file does not \
                 have; using Maya's default"
            ),
            Self::GroupedNumber => format!("a number with separators between thousands: {example}"),
            Self::DecimalComma => format!("a number with a decimal comma: {example}"),
            Self::LostKey => format!("expected {example}; key skipped"),
            _ => format!("unknown keyword {example}; skipped with its block"),
        }
    }
}

/// The oddities of a file, each kind once: where and what it was first, and how often it was.
#[derive(Debug)]
pub(super) struct Oddities {
    found: Vec<Found>,
    index: [Option<u8>; Oddity::COUNT],
}

#[derive(Debug)]
struct Found {
    oddity: Oddity,
    place: SourceLocation,
    message: String,
    count: u32,
    last_line: u32,
}

impl Oddities {
    pub(super) fn new() -> Self {
        Self { found: Vec::new(), index: [None; Oddity::COUNT] }
    }

    /// Notes an oddity in the line `line`. `place` and `example` are only asked for the first time.
    pub(super) fn note<T: Display>(
        &mut self,
        oddity: Oddity,
        line: u32,
        place: impl FnOnce() -> SourceLocation,
        example: impl FnOnce() -> T,
    ) {
        if let Some(index) = self.index[oddity as usize] {
            let found = &mut self.found[usize::from(index)];
            found.count += 1;
            found.last_line = line;
            return;
        }
        self.index[oddity as usize] = Some(self.found.len() as u8);
        let message = oddity.message(&example().to_string());
        self.found.push(Found { oddity, place: place(), message, count: 1, last_line: line });
    }

    /// Adds a notice for each kind, in the order in which they were first met.
    pub(super) fn report(self, notices: &mut Notices) {
        for Found { oddity, place, message, count, last_line } in self.found {
            let message = if count > 1 {
                format!("{message} ({count} times, last in line {last_line})")
            } else {
                message
            };
            match oddity.severity() {
                Severity::Error => notices.error(place, message),
                _ => notices.warning(place, message),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_issue_kind_is_reported_once_at_its_first_place() {
        let mut oddities = Oddities::new();
        for line in [3, 5, 9] {
            oddities.note(Oddity::DecimalComma, line, || SourceLocation::line(line), || "0,5");
        }
        oddities.note(Oddity::LostKey, 4, || SourceLocation::line(4), || "a number, found \"x\"");
        let mut notices = Notices::new();
        oddities.report(&mut notices);
        let said: Vec<_> = notices
            .iter()
            .map(|n| format!("{} at {}: {}", n.severity, n.place, n.message))
            .collect();
        assert_eq!(
            said,
            [
                "warning at line 3: a number with a decimal comma: 0,5 (3 times, last in line 9)",
                "error at line 4: expected a number, found \"x\"; key skipped",
            ]
        );
    }
}
