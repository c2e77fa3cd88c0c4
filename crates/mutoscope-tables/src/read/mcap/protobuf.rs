//! Decodes Protobuf messages by the descriptors that the file holds.

use std::collections::HashMap;

use prost::Message as _;

use super::{
    error::{MessageError, Result},
    value::{Budget, MAX_DEPTH, Value},
};

/// The parts of `google.protobuf.FileDescriptorSet` that decoding needs.
mod descriptor {
    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct FileDescriptorSet {
        #[prost(message, repeated, tag = "1")]
        pub(super) file: Vec<File>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct File {
        #[prost(string, tag = "2")]
        pub(super) package: String,
        #[prost(message, repeated, tag = "4")]
        pub(super) message_type: Vec<Type>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Type {
        #[prost(string, tag = "1")]
        pub(super) name: String,
        #[prost(message, repeated, tag = "2")]
        pub(super) field: Vec<Field>,
        #[prost(message, repeated, tag = "3")]
        pub(super) nested_type: Vec<Type>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Field {
        #[prost(string, tag = "1")]
        pub(super) name: String,
        #[prost(int32, tag = "3")]
        pub(super) number: i32,
        #[prost(int32, tag = "4")]
        pub(super) label: i32,
        #[prost(int32, tag = "5")]
        pub(super) r#type: i32,
        #[prost(string, tag = "6")]
        pub(super) type_name: String,
    }
}

/// The message types of a schema. The first is that of the channel.
pub(super) struct ProtobufTypes {
    types: Vec<ProtobufType>,
    root: usize,
}

struct ProtobufType {
    fields: Vec<ProtobufField>,
    by_number: HashMap<u64, usize>,
}

struct ProtobufField {
    name: String,
    kind: Kind,
    is_repeated: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    F64,
    F32,
    /// `int32`, `int64`, `uint32`, `uint64`, `bool` or an enumeration.
    Varint,
    ZigZag,
    Fixed64,
    Fixed32,
    SignedFixed64,
    SignedFixed32,
    Text,
    Bytes,
    Message(usize),
    /// A group, or a message that the schema does not define. Its values are skipped.
    Other,
}

const LABEL_REPEATED: i32 = 3;

impl ProtobufTypes {
    /// # Errors
    /// If the schema is broken, or does not have the message `name`.
    pub(super) fn parse(name: &str, schema: &[u8]) -> Result<Self> {
        let files = descriptor::FileDescriptorSet::decode(schema).map_err(|_| {
            MessageError::unexpected("a set of Protobuf descriptors", "other bytes")
        })?;
        let mut found: Vec<(String, &descriptor::Type)> = Vec::new();
        // Each name contains the names of the package and of the outer messages.
        let mut remaining_letters = schema.len().saturating_mul(16).saturating_add(1 << 16);
        for file in &files.file {
            let package =
                if file.package.is_empty() { String::new() } else { format!(".{}", file.package) };
            let mut pending: Vec<(String, &descriptor::Type)> =
                file.message_type.iter().map(|it| (package.clone(), it)).collect();
            while let Some((scope, it)) = pending.pop() {
                let full = format!("{scope}.{}", it.name);
                remaining_letters = remaining_letters
                    .checked_sub(full.len().saturating_mul(2))
                    .ok_or(MessageError::NamesTooLong)?;
                pending.extend(it.nested_type.iter().map(|nested| (full.clone(), nested)));
                found.push((full, it));
            }
        }
        let indices: HashMap<&str, usize> =
            found.iter().enumerate().map(|(index, (name, _))| (name.as_str(), index)).collect();
        let types = found.iter().map(|(_, it)| ProtobufType::new(it, &indices)).collect();
        let root = indices.get(format!(".{name}").as_str());
        let root = *root.ok_or_else(|| MessageError::UndefinedRoot(name.to_owned()))?;
        Ok(Self { types, root })
    }

    pub(super) fn decode<'a>(&'a self, data: &'a [u8]) -> Result<Value<'a>> {
        let mut budget = Budget::for_message(data);
        self.decode_message(self.root, data, 0, &mut budget)
    }

    fn decode_message<'a>(
        &'a self,
        index: usize,
        data: &'a [u8],
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Value<'a>> {
        if depth > MAX_DEPTH {
            return Err(MessageError::TooDeep("messages"));
        }
        let kind = &self.types[index];
        budget.spend(kind.fields.len() + 1)?;
        let mut fields: Vec<_> = kind
            .fields
            .iter()
            .map(|field| (field.name.as_str().into(), field.default_value()))
            .collect();
        let mut wire = Wire(data);
        while !wire.0.is_empty() {
            let key = wire.read_varint().ok_or(MessageError::EndsWithinField)?;
            let part = wire.read_part(key & 7)?;
            let Some(&position) = kind.by_number.get(&(key >> 3)) else { continue };
            let field = &kind.fields[position];
            let value: &mut Value<'a> = &mut fields[position].1;
            self.add_part(field, part, value, depth, budget)
                .map_err(|error| error.within(&field.name))?;
        }
        Ok(Value::Record(fields))
    }

    fn add_part<'a>(
        &'a self,
        field: &ProtobufField,
        part: Part<'a>,
        value: &mut Value<'a>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<()> {
        budget.spend(1)?;
        match (field.kind, part) {
            (Kind::Other, _) => {}
            (Kind::Message(index), Part::Bytes(bytes)) => {
                let message = self.decode_message(index, bytes, depth + 1, budget)?;
                match value {
                    Value::List(list) => list.push(message),
                    one => *one = message,
                }
            }
            (Kind::Text, Part::Bytes(bytes)) => {
                let text = Value::Text(String::from_utf8_lossy(bytes));
                match value {
                    Value::List(list) => list.push(text),
                    one => *one = text,
                }
            }
            (Kind::Bytes, Part::Bytes(bytes)) => match value {
                Value::List(list) => list.push(Value::Bytes(bytes)),
                one => *one = Value::Bytes(bytes),
            },
            // Numbers may be packed, whatever the schema says.
            (kind, Part::Bytes(bytes)) => {
                let Value::Numbers(numbers) = value else {
                    return Err(MessageError::unexpected("a number", "bytes"));
                };
                let mut packed = Wire(bytes);
                while !packed.0.is_empty() {
                    numbers.push(kind.scalar(packed.read_part(kind.wire_type())?)?.number()?);
                }
            }
            (kind, part) => {
                let number = kind.scalar(part)?;
                match value {
                    Value::Numbers(numbers) => numbers.push(number.number()?),
                    one => *one = number,
                }
            }
        }
        Ok(())
    }
}

impl ProtobufType {
    fn new(found: &descriptor::Type, indices: &HashMap<&str, usize>) -> Self {
        let kind = |field: &descriptor::Field| match field.r#type {
            1 => Kind::F64,
            2 => Kind::F32,
            3 | 4 | 5 | 8 | 13 | 14 => Kind::Varint,
            6 => Kind::Fixed64,
            7 => Kind::Fixed32,
            9 => Kind::Text,
            11 => {
                indices.get(field.type_name.as_str()).map_or(Kind::Other, |it| Kind::Message(*it))
            }
            12 => Kind::Bytes,
            15 => Kind::SignedFixed32,
            16 => Kind::SignedFixed64,
            17 | 18 => Kind::ZigZag,
            _ => Kind::Other,
        };
        let numbers = found.field.iter().enumerate();
        let by_number = numbers
            .filter_map(|(index, field)| Some((u64::try_from(field.number).ok()?, index)))
            .collect();
        let fields = found.field.iter().map(|field| ProtobufField {
            name: field.name.clone(),
            kind: kind(field),
            is_repeated: field.label == LABEL_REPEATED,
        });
        Self { fields: fields.collect(), by_number }
    }
}

impl ProtobufField {
    /// Returns the value of a field that a message does not have.
    fn default_value<'a>(&self) -> Value<'a> {
        match (self.kind, self.is_repeated) {
            (Kind::Message(_) | Kind::Text | Kind::Bytes, true) => Value::List(Vec::new()),
            (Kind::Other, _) | (Kind::Message(_), false) => Value::Missing,
            (_, true) => Value::Numbers(Vec::new()),
            (Kind::Text, false) => Value::Text("".into()),
            (Kind::Bytes, false) => Value::Bytes(&[]),
            (Kind::F32 | Kind::F64, false) => Value::Number(0.0),
            (_, false) => Value::Integer(0),
        }
    }
}

/// The content of a field in the wire format.
enum Part<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    Bytes(&'a [u8]),
}

impl Kind {
    fn wire_type(self) -> u64 {
        match self {
            Self::F64 | Self::Fixed64 | Self::SignedFixed64 => 1,
            Self::F32 | Self::Fixed32 | Self::SignedFixed32 => 5,
            Self::Varint | Self::ZigZag => 0,
            Self::Text | Self::Bytes | Self::Message(_) | Self::Other => 2,
        }
    }

    fn scalar<'a>(self, part: Part<'_>) -> Result<Value<'a>> {
        Ok(match (self, part) {
            (Self::F64, Part::Fixed64(bytes)) => Value::Number(f64::from_le_bytes(bytes)),
            (Self::F32, Part::Fixed32(bytes)) => Value::Number(f32::from_le_bytes(bytes).into()),
            (Self::Varint, Part::Varint(integer)) => Value::Integer(integer.cast_signed()),
            (Self::ZigZag, Part::Varint(integer)) => {
                Value::Integer((integer >> 1).cast_signed() ^ -(integer & 1).cast_signed())
            }
            (Self::Fixed64 | Self::SignedFixed64, Part::Fixed64(bytes)) => {
                Value::Integer(i64::from_le_bytes(bytes))
            }
            (Self::Fixed32, Part::Fixed32(bytes)) => {
                Value::Integer(u32::from_le_bytes(bytes).into())
            }
            (Self::SignedFixed32, Part::Fixed32(bytes)) => {
                Value::Integer(i32::from_le_bytes(bytes).into())
            }
            _ => return Err(MessageError::OtherType),
        })
    }
}

struct Wire<'a>(&'a [u8]);

impl<'a> Wire<'a> {
    fn read_bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn read_varint(&mut self) -> Option<u64> {
        let mut integer = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.read_bytes(1)?[0];
            integer |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(integer);
            }
        }
        None
    }

    fn read_part(&mut self, wire_type: u64) -> Result<Part<'a>> {
        let part = match wire_type {
            0 => self.read_varint().map(Part::Varint),
            1 => self.read_bytes(8).and_then(|it| it.try_into().ok()).map(Part::Fixed64),
            2 => {
                let length = self.read_varint().and_then(|length| usize::try_from(length).ok());
                length.and_then(|length| self.read_bytes(length)).map(Part::Bytes)
            }
            5 => self.read_bytes(4).and_then(|it| it.try_into().ok()).map(Part::Fixed32),
            other => {
                return Err(MessageError::unexpected("a field", format!("the wire type {other}")));
            }
        };
        part.ok_or(MessageError::EndsWithinField)
    }
}
