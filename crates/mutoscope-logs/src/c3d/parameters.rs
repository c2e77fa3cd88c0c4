//! Reads the parameters: groups of named values.

use std::collections::HashMap;

use mutoscope_core::diagnostics::{Diagnostics, SourceLocation};

use super::{BLOCK_BYTES, numbers::Processor};
use crate::codes;

#[derive(Debug)]
pub(super) struct Parameters<'a> {
    processor: Processor,
    all: HashMap<(String, String), Parameter<'a>>,
}

#[derive(Clone, Debug)]
struct Parameter<'a> {
    kind: ValueKind,
    sizes: Vec<usize>,
    data: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Text,
    Byte,
    Word,
    Number,
}

impl ValueKind {
    fn from_code(length: i8) -> Option<Self> {
        match length {
            -1 => Some(Self::Text),
            1 => Some(Self::Byte),
            2 => Some(Self::Word),
            4 => Some(Self::Number),
            _ => None,
        }
    }

    fn size_in_bytes(self) -> usize {
        match self {
            Self::Text | Self::Byte => 1,
            Self::Word => 2,
            Self::Number => 4,
        }
    }
}

pub(super) fn decode_text(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec());
    // Older programs write Latin-1, whose bytes are the first 256 Unicode characters.
    let text = text
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
    text.trim_matches(|character: char| character.is_whitespace() || character == '\0').to_owned()
}

impl<'a> Parameters<'a> {
    pub(super) fn read(
        bytes: &'a [u8],
        start: usize,
        data_start: usize,
        processor: Processor,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        // The number of blocks is one byte, which is 0 in some files and overflows in others, so
        // the parameters may reach to the first data block.
        let blocks = usize::from(bytes.get(start + 2).copied().unwrap_or(0));
        let end = match data_start > start {
            true => data_start.min(bytes.len()),
            false if blocks == 0 => bytes.len(),
            false => (start + blocks * BLOCK_BYTES).min(bytes.len()),
        };
        let mut found = Self { processor, all: HashMap::new() };
        let mut groups: HashMap<i8, String> = HashMap::new();
        let mut parameters = Vec::new();
        let mut at = start + 4;
        while at < end {
            let Some(entry) = Entry::read(bytes, at, processor) else {
                let message = "a broken parameter; skipped, with all after it";
                diagnostics.warning(
                    codes::c3d::BROKEN_PARAMETER,
                    SourceLocation::byte(at),
                    message,
                );
                break;
            };
            let Some(entry) = entry else { break };
            at = entry.next;
            match entry.parameter {
                None => {
                    groups.insert(entry.group, entry.name);
                }
                Some(parameter) => parameters.push((entry.group, entry.name, parameter)),
            }
            if entry.is_last {
                break;
            }
        }
        // Assign the parameters to groups at the end, because a group may be stored after its
        // parameters.
        for (group, name, parameter) in parameters {
            if let Some(group) = groups.get(&group.saturating_neg()) {
                found.all.insert((group.clone(), name), parameter);
            }
        }
        found
    }

    fn get(&self, group: &str, name: &str) -> Option<&Parameter<'a>> {
        self.all.get(&(group.to_owned(), name.to_owned()))
    }

    pub(super) fn numbers(&self, group: &str, name: &str) -> Vec<f64> {
        let Some(parameter) = self.get(group, name) else { return Vec::new() };
        let (size, data) = (parameter.kind.size_in_bytes(), parameter.data);
        let number = |at: usize| match parameter.kind {
            ValueKind::Text => None,
            ValueKind::Byte => data.get(at).map(|byte| f64::from(*byte)),
            ValueKind::Word => self.processor.u16_at(data, at).map(|word| f64::from(word as i16)),
            ValueKind::Number => self.processor.f32_at(data, at),
        };
        (0..data.len() / size).filter_map(|index| number(index * size)).collect()
    }

    pub(super) fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.numbers(group, name).first().copied()
    }

    /// Returns a count. A count beyond 32 767 is stored as a negative word.
    pub(super) fn unsigned(&self, group: &str, name: &str) -> Option<f64> {
        let number = self.number(group, name)?;
        Some(if number < 0.0 { number + 65_536.0 } else { number })
    }

    pub(super) fn text(&self, group: &str, name: &str) -> Option<String> {
        let parameter = self.get(group, name).filter(|it| it.kind == ValueKind::Text)?;
        Some(decode_text(parameter.data)).filter(|text| !text.is_empty())
    }

    /// Returns a list of strings. `NAME2`, `NAME3` and so on continue a list that is too long for
    /// `NAME`.
    pub(super) fn labels(&self, group: &str, name: &str) -> Vec<String> {
        let mut labels = Vec::new();
        let mut part = 1;
        loop {
            let named = if part == 1 { name.to_owned() } else { format!("{name}{part}") };
            let Some(parameter) = self.get(group, &named).filter(|it| it.kind == ValueKind::Text)
            else {
                return labels;
            };
            let length = parameter.sizes.first().copied().unwrap_or(1).max(1);
            labels.extend(parameter.data.chunks_exact(length).map(decode_text));
            part += 1;
        }
    }
}

struct Entry<'a> {
    /// The id of the group. The id is negative in the entry of a group, and positive in the entry
    /// of a parameter.
    group: i8,
    name: String,
    parameter: Option<Parameter<'a>>,
    next: usize,
    is_last: bool,
}

impl<'a> Entry<'a> {
    /// Reads the entry at byte `at`. Returns `Some(None)` at the end of the list, and `None` if the
    /// entry is broken.
    fn read(bytes: &'a [u8], at: usize, processor: Processor) -> Option<Option<Self>> {
        let length = usize::from((*bytes.get(at)? as i8).unsigned_abs());
        let group = *bytes.get(at + 1)? as i8;
        if length == 0 || group == 0 {
            return Some(None);
        }
        let name = decode_text(bytes.get(at + 2..at + 2 + length)?).to_ascii_uppercase();
        let pointer = at + 2 + length;
        let offset = usize::from(processor.u16_at(bytes, pointer)?);
        let parameter = match group < 0 {
            true => None,
            false => Some(Parameter::read(bytes, pointer + 2)?),
        };
        let is_last = offset == 0;
        Some(Some(Self { group, name, parameter, next: pointer + offset.max(2), is_last }))
    }
}

impl<'a> Parameter<'a> {
    fn read(bytes: &'a [u8], at: usize) -> Option<Self> {
        let kind = ValueKind::from_code(*bytes.get(at)? as i8)?;
        let count = usize::from(*bytes.get(at + 1)?);
        let start = at + 2 + count;
        let sizes: Vec<usize> =
            bytes.get(at + 2..start)?.iter().map(|size| usize::from(*size)).collect();
        let values = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size))?;
        let length = values.checked_mul(kind.size_in_bytes())?;
        let data = bytes.get(start..start.checked_add(length)?)?;
        Some(Self { kind, sizes, data })
    }
}
