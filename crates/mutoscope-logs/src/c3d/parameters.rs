//! The parameters: groups of named values.

use std::collections::HashMap;

use mutoscope_core::diagnostics::{Notices, SourceLocation};

use super::{BLOCK, words::Processor};

/// The parameters of a file by group and name, both in capitals.
#[derive(Debug)]
pub(super) struct Parameters<'a> {
    processor: Processor,
    all: HashMap<(String, String), Parameter<'a>>,
}

/// A parameter: an array of values.
#[derive(Clone, Debug)]
struct Parameter<'a> {
    kind: Kind,
    sizes: Vec<usize>,
    data: &'a [u8],
}

/// The type of the values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Byte,
    Word,
    Number,
}

impl Kind {
    fn of(length: i8) -> Option<Self> {
        match length {
            -1 => Some(Self::Text),
            1 => Some(Self::Byte),
            2 => Some(Self::Word),
            4 => Some(Self::Number),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Text | Self::Byte => 1,
            Self::Word => 2,
            Self::Number => 4,
        }
    }
}

/// A text without the blanks and zeros that fill it up.
pub(super) fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec());
    // Older programs write the letters of the west in one byte each.
    let text = text
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
    text.trim_matches(|character: char| character.is_whitespace() || character == '\0').to_owned()
}

impl<'a> Parameters<'a> {
    /// Reads the parameters that begin at a byte. Broken ones end them, with a notice.
    pub(super) fn read(
        bytes: &'a [u8],
        start: usize,
        processor: Processor,
        notices: &mut Notices,
    ) -> Self {
        let blocks = usize::from(bytes.get(start + 2).copied().unwrap_or(0));
        // The count of blocks is wrong in some files; the list itself says where it ends.
        let end = match blocks {
            0 => bytes.len(),
            blocks => (start + blocks * BLOCK).min(bytes.len()),
        };
        let mut found = Self { processor, all: HashMap::new() };
        let mut groups: HashMap<i8, String> = HashMap::new();
        let mut parameters = Vec::new();
        let mut at = start + 4;
        while at < end {
            let Some(entry) = Entry::read(bytes, at, processor) else {
                let message = "a broken parameter; it and those after it are skipped";
                notices.warning(SourceLocation::byte(at), message);
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
        // A group may stand behind its parameters.
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

    /// The numbers of a parameter; none if there is no such parameter.
    pub(super) fn numbers(&self, group: &str, name: &str) -> Vec<f64> {
        let Some(parameter) = self.get(group, name) else { return Vec::new() };
        let (size, data) = (parameter.kind.bytes(), parameter.data);
        let number = |at: usize| match parameter.kind {
            Kind::Text => None,
            Kind::Byte => data.get(at).map(|byte| f64::from(*byte)),
            Kind::Word => self.processor.word(data, at).map(|word| f64::from(word as i16)),
            Kind::Number => self.processor.number(data, at),
        };
        (0..data.len() / size).filter_map(|index| number(index * size)).collect()
    }

    /// The first number of a parameter.
    pub(super) fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.numbers(group, name).first().copied()
    }

    /// The text of a parameter.
    pub(super) fn text(&self, group: &str, name: &str) -> Option<String> {
        let parameter = self.get(group, name).filter(|it| it.kind == Kind::Text)?;
        Some(text(parameter.data)).filter(|text| !text.is_empty())
    }

    /// A list of texts, with those of `NAME2`, `NAME3` and so on, which continue it.
    pub(super) fn labels(&self, group: &str, name: &str) -> Vec<String> {
        let mut labels = Vec::new();
        let mut part = 1;
        loop {
            let named = if part == 1 { name.to_owned() } else { format!("{name}{part}") };
            let Some(parameter) = self.get(group, &named).filter(|it| it.kind == Kind::Text) else {
                return labels;
            };
            let length = parameter.sizes.first().copied().unwrap_or(1).max(1);
            labels.extend(parameter.data.chunks_exact(length).map(text));
            part += 1;
        }
    }
}

/// A group, or a parameter of one.
struct Entry<'a> {
    /// Below 0 for a group; a parameter has the number of its group above 0.
    group: i8,
    name: String,
    parameter: Option<Parameter<'a>>,
    /// The first byte of the next entry.
    next: usize,
    is_last: bool,
}

impl<'a> Entry<'a> {
    /// The entry at a byte; `Some(None)` at the end of all, `None` if it is broken.
    fn read(bytes: &'a [u8], at: usize, processor: Processor) -> Option<Option<Self>> {
        let length = usize::from((*bytes.get(at)? as i8).unsigned_abs());
        let group = *bytes.get(at + 1)? as i8;
        if length == 0 || group == 0 {
            return Some(None);
        }
        let name = text(bytes.get(at + 2..at + 2 + length)?).to_ascii_uppercase();
        let pointer = at + 2 + length;
        let offset = usize::from(processor.word(bytes, pointer)?);
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
        let kind = Kind::of(*bytes.get(at)? as i8)?;
        let count = usize::from(*bytes.get(at + 1)?);
        let start = at + 2 + count;
        let sizes: Vec<usize> =
            bytes.get(at + 2..start)?.iter().map(|size| usize::from(*size)).collect();
        let values = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size))?;
        let length = values.checked_mul(kind.bytes())?;
        let data = bytes.get(start..start.checked_add(length)?)?;
        Some(Self { kind, sizes, data })
    }
}
