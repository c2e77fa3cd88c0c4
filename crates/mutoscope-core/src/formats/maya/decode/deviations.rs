//! Deviations from what Maya writes or reads. Each kind is reported once.

use std::fmt::Display;

use crate::{
    diagnostics::{Code, Diagnostics, Severity, SourceLocation},
    formats::maya::codes,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deviation {
    /// The file begins with a byte order mark.
    ByteOrderMark,
    /// Lines end with CR only.
    CarriageReturns,
    /// No space separates a word from the brace after it.
    GluedBrace,
    /// A statement ends with its line and without `;`.
    NoSemicolon,
    /// A name is not valid UTF-8.
    NotUtf8,
    /// The header has no version.
    NoVersion,
    /// The version is unknown.
    UnknownVersion,
    /// A statement of the header is repeated.
    RepeatedHeader,
    /// A statement of the header follows the first `anim` line.
    LateHeader,
    /// A statement has no value, or an invalid one.
    BadValue,
    /// A keyword is unknown.
    UnknownKeyword,
    /// An `anim` line does not end with three integers.
    BadAnimLine,
    /// An `animData` block has no `anim` line before it.
    DataWithoutAnim,
    /// An `anim` line is followed by a second `animData` block.
    SecondData,
    /// The `anim` line of an attribute is not followed by an `animData` block.
    AnimWithoutData,
    /// A brace is missing.
    NoBrace,
    /// A brace is unmatched.
    StrayBrace,
    /// A line has several keys.
    KeysInALine,
    /// Keys of a version 1.1 file have no breakdown flag.
    NoBreakdown,
    /// Keys of a version 1.0 file have a breakdown flag.
    EarlyBreakdown,
    /// A key has too few numbers.
    FewNumbers,
    /// A key has too many numbers.
    ManyNumbers,
    /// A tangent type is unknown.
    UnknownTangent,
    /// A tangent depends on the user's preferences, which the file does not contain.
    PreferredTangent,
    /// A number has thousands separators.
    GroupedNumber,
    /// A number has a decimal comma.
    DecimalComma,
    /// The time or value of a key is not a number.
    LostKey,
}

impl Deviation {
    const COUNT: usize = Self::LostKey as usize + 1;

    fn code(self) -> Code {
        match self {
            Self::ByteOrderMark | Self::CarriageReturns => codes::ENCODING,
            Self::NotUtf8 => codes::INVALID_NAME,
            Self::GluedBrace
            | Self::NoSemicolon
            | Self::NoBrace
            | Self::StrayBrace
            | Self::KeysInALine => codes::SYNTAX,
            Self::NoVersion | Self::UnknownVersion => codes::VERSION,
            Self::RepeatedHeader | Self::LateHeader => codes::HEADER_ORDER,
            Self::BadValue => codes::INVALID_VALUE,
            Self::UnknownKeyword => codes::UNKNOWN_KEYWORD,
            Self::BadAnimLine => codes::INVALID_ANIM_LINE,
            Self::DataWithoutAnim | Self::SecondData | Self::AnimWithoutData => {
                codes::UNPAIRED_CURVE
            }
            Self::NoBreakdown | Self::EarlyBreakdown => codes::BREAKDOWN_FLAG,
            Self::FewNumbers | Self::ManyNumbers => codes::TANGENT_NUMBERS,
            Self::UnknownTangent => codes::UNKNOWN_TANGENT,
            Self::PreferredTangent => codes::TANGENT_BY_PREFERENCE,
            Self::GroupedNumber | Self::DecimalComma => codes::LOCALISED_NUMBER,
            Self::LostKey => codes::LOST_KEY,
        }
    }

    fn severity(self) -> Severity {
        match self {
            Self::LostKey | Self::DataWithoutAnim => Severity::Error,
            _ => Severity::Warning,
        }
    }

    fn message(self, example: &str) -> String {
        let message = match self {
            Self::ByteOrderMark => "the file begins with a byte order mark; Maya refuses it",
            Self::CarriageReturns => "lines end with CR only; Maya loses the keys",
            Self::NoSemicolon => "a statement ends without a semicolon",
            Self::NoVersion => "no animVersion; using 1.1. Maya refuses the file",
            Self::BadAnimLine => {
                "an anim line should end with three integers (row, child, attr); using 0 for \
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
            _ => return self.message_with_example(example),
        };
        message.to_owned()
    }

    fn message_with_example(self, example: &str) -> String {
        match self {
            Self::GluedBrace => format!("no space between {example} and a brace"),
            Self::NotUtf8 => format!("the name {example} is not valid UTF-8"),
            Self::UnknownVersion => format!("animVersion {example} is not known; using 1.1"),
            Self::RepeatedHeader => format!("{example} repeated in the header; using the last"),
            Self::LateHeader => {
                format!("{example} after the first anim line; skipped, as Maya does")
            }
            Self::BadValue => format!("{example}; skipped"),
            Self::AnimWithoutData => format!("no animData block for {example}"),
            Self::UnknownTangent => format!("unknown tangent type {example}; using auto"),
            Self::PreferredTangent => format!(
                "tangent type {example} depends on the user's preferences, which the file does not \
                 have; using Maya's default"
            ),
            Self::GroupedNumber => format!("a number with thousands separators: {example}"),
            Self::DecimalComma => format!("a number with a decimal comma: {example}"),
            Self::LostKey => format!("expected {example}; key skipped"),
            _ => format!("unknown keyword {example}; skipped with its block"),
        }
    }
}

#[derive(Debug)]
pub(super) struct DeviationLog {
    records: Vec<DeviationRecord>,
    index: [Option<u8>; Deviation::COUNT],
}

#[derive(Debug)]
struct DeviationRecord {
    deviation: Deviation,
    location: SourceLocation,
    message: String,
    count: u32,
    last_line: u32,
}

impl DeviationLog {
    pub(super) fn new() -> Self {
        Self { records: Vec::new(), index: [None; Deviation::COUNT] }
    }

    pub(super) fn record<T: Display>(
        &mut self,
        deviation: Deviation,
        line: u32,
        location: impl FnOnce() -> SourceLocation,
        example: impl FnOnce() -> T,
    ) {
        if let Some(index) = self.index[deviation as usize] {
            let record = &mut self.records[usize::from(index)];
            record.count += 1;
            record.last_line = line;
            return;
        }
        self.index[deviation as usize] = Some(self.records.len() as u8);
        let message = deviation.message(&example().to_string());
        self.records.push(DeviationRecord {
            deviation,
            location: location(),
            message,
            count: 1,
            last_line: line,
        });
    }

    pub(super) fn report(self, diagnostics: &mut Diagnostics) {
        for DeviationRecord { deviation, location, message, count, last_line } in self.records {
            let message = if count > 1 {
                format!("{message} ({count} times, last in line {last_line})")
            } else {
                message
            };
            diagnostics
                .add(deviation.code(), deviation.severity(), location, message)
                .with("count", count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deviation_is_reported_once_at_its_first_location() {
        let mut log = DeviationLog::new();
        for line in [3, 5, 9] {
            log.record(Deviation::DecimalComma, line, || SourceLocation::line(line), || "0,5");
        }
        log.record(Deviation::LostKey, 4, || SourceLocation::line(4), || "a number, found \"x\"");
        let mut diagnostics = Diagnostics::new();
        log.report(&mut diagnostics);
        let messages: Vec<_> = diagnostics
            .iter()
            .map(|n| format!("{} at {}: {}", n.severity, n.location, n.message))
            .collect();
        assert_eq!(
            messages,
            [
                "warning at line 3: a number with a decimal comma: 0,5 (3 times, last in line 9)",
                "error at line 4: expected a number, found \"x\"; key skipped",
            ]
        );
    }
}
