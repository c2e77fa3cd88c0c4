//! Decodes messages in the serialisations of ROS 1 and ROS 2.

use super::{
    error::{MessageError, Result},
    ros_types::{Count, RosField, RosKind, RosType, RosTypes},
    value::{Budget, MAX_DEPTH, Value},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RosVersion {
    /// ROS 1, whose fields are packed.
    One,
    /// ROS 2 with CDR, whose fields are aligned.
    Two,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    version: RosVersion,
    is_big_endian: bool,
    types: &'a RosTypes,
    budget: Budget,
}

pub(super) fn decode<'a>(
    version: RosVersion,
    types: &'a RosTypes,
    data: &'a [u8],
) -> Result<Value<'a>> {
    let (bytes, is_big_endian) = match version {
        RosVersion::One => (data, false),
        RosVersion::Two => {
            // Alignment is relative to the byte after the encapsulation header.
            let (header, rest) = data.split_at_checked(4).ok_or(MessageError::TooShort)?;
            match header[..2] {
                [0, 0] => (rest, true),
                [0, 1] => (rest, false),
                [high, low] => {
                    let found = format!("the encapsulation {high:02x}{low:02x}");
                    return Err(MessageError::unexpected("plain CDR", found));
                }
                _ => return Err(MessageError::TooShort),
            }
        }
    };
    let budget = Budget::for_message(data);
    let mut reader = Reader { bytes, at: 0, version, is_big_endian, types, budget };
    let message = reader.read_message(types.root(), 0)?;
    // Some writers pad messages to a multiple of 4 or 8 bytes.
    let rest = bytes.len().saturating_sub(reader.at);
    if rest >= 8 {
        return Err(MessageError::TooLong(rest));
    }
    Ok(message)
}

impl<'a> Reader<'a> {
    fn read_bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).ok_or(MessageError::TooShort)?;
        let bytes = self.bytes.get(self.at..end).ok_or(MessageError::TooShort)?;
        self.at = end;
        Ok(bytes)
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        if self.version == RosVersion::Two {
            self.at = self.at.next_multiple_of(N);
        }
        let mut array: [u8; N] =
            self.read_bytes(N)?.try_into().map_err(|_| MessageError::TooShort)?;
        if self.is_big_endian {
            array.reverse();
        }
        Ok(array)
    }

    fn read_u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.read_array()?))
    }

    fn read_message(&mut self, kind: &'a RosType, depth: usize) -> Result<Value<'a>> {
        if depth > MAX_DEPTH {
            return Err(MessageError::TooDeep("messages"));
        }
        if kind.fields.is_empty() && self.version == RosVersion::Two {
            // The IDL of a message without fields has a dummy field of one byte.
            self.read_bytes(1)?;
        }
        self.budget.spend(kind.fields.len() + 1)?;
        let mut fields = Vec::with_capacity(kind.fields.len());
        for field in &kind.fields {
            let value = self.read_field(field, depth).map_err(|error| error.within(&field.name))?;
            fields.push((field.name.as_str().into(), value));
        }
        Ok(Value::Record(fields))
    }

    fn read_field(&mut self, field: &'a RosField, depth: usize) -> Result<Value<'a>> {
        let count = match field.count {
            Count::One => return self.read_value(field.kind, depth),
            Count::Fixed(count) => count,
            Count::Dynamic => self.read_u32()? as usize,
        };
        let rest = self.bytes.len().saturating_sub(self.at);
        match field.kind {
            RosKind::Bool | RosKind::I8 | RosKind::U8 => Ok(Value::Bytes(self.read_bytes(count)?)),
            RosKind::String
            | RosKind::WideString
            | RosKind::Message(_)
            | RosKind::Time
            | RosKind::Duration => {
                if count > rest {
                    let expected = format!("{count} elements");
                    return Err(MessageError::unexpected(expected, format!("{rest} bytes")));
                }
                self.budget.spend(count)?;
                let values = (0..count).map(|_| self.read_value(field.kind, depth));
                Ok(Value::List(values.collect::<Result<_>>()?))
            }
            _ => {
                if count > rest / 2 {
                    let expected = format!("{count} numbers");
                    return Err(MessageError::unexpected(expected, format!("{rest} bytes")));
                }
                let numbers = (0..count).map(|_| self.read_value(field.kind, depth)?.number());
                Ok(Value::Numbers(numbers.collect::<Result<_>>()?))
            }
        }
    }

    fn read_value(&mut self, kind: RosKind, depth: usize) -> Result<Value<'a>> {
        Ok(match kind {
            RosKind::Bool | RosKind::U8 => Value::Integer(self.read_array::<1>()?[0].into()),
            RosKind::I8 => Value::Integer(i8::from_le_bytes(self.read_array()?).into()),
            RosKind::I16 => Value::Integer(i16::from_le_bytes(self.read_array()?).into()),
            RosKind::U16 => Value::Integer(u16::from_le_bytes(self.read_array()?).into()),
            RosKind::I32 => Value::Integer(i32::from_le_bytes(self.read_array()?).into()),
            RosKind::U32 => Value::Integer(self.read_u32()?.into()),
            RosKind::I64 => Value::Integer(i64::from_le_bytes(self.read_array()?)),
            RosKind::U64 => {
                let integer = u64::from_le_bytes(self.read_array()?);
                Value::Integer(i64::try_from(integer).unwrap_or(i64::MAX))
            }
            RosKind::F32 => Value::Number(f32::from_le_bytes(self.read_array()?).into()),
            RosKind::F64 => Value::Number(f64::from_le_bytes(self.read_array()?)),
            RosKind::String => {
                let length = self.read_u32()? as usize;
                let text = self.read_bytes(length)?;
                let text = match self.version {
                    RosVersion::One => text,
                    RosVersion::Two => text.strip_suffix(&[0]).unwrap_or(text),
                };
                Value::Text(String::from_utf8_lossy(text))
            }
            // The implementations of ROS 2 disagree about the size of a letter.
            RosKind::WideString => return Err(MessageError::WideString),
            RosKind::Time | RosKind::Duration => {
                self.budget.spend(2)?;
                let seconds = self.read_u32()?;
                // A time has unsigned seconds, and a duration has signed ones.
                let seconds = match kind {
                    RosKind::Time => i64::from(seconds),
                    _ => i64::from(seconds.cast_signed()),
                };
                let nanoseconds = i64::from(self.read_u32()?);
                Value::Record(vec![
                    ("sec".into(), Value::Integer(seconds)),
                    ("nsec".into(), Value::Integer(nanoseconds)),
                ])
            }
            RosKind::Message(index) => self.read_message(self.types.get(index), depth + 1)?,
        })
    }
}
