//! Decodes FlatBuffers by the binary schema (`reflection.fbs`) that the file holds.

use super::{
    error::{MessageError, Result},
    value::{Budget, MAX_DEPTH, Value},
};

#[derive(Clone, Copy)]
struct Buffer<'a>(&'a [u8]);

/// A FlatBuffers table at byte `at`. Its vtable lists the fields.
#[derive(Clone, Copy)]
struct Table<'a> {
    buffer: Buffer<'a>,
    at: usize,
}

impl<'a> Buffer<'a> {
    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    /// Returns the position to which the offset at `at` refers.
    fn follow(self, at: usize) -> Option<usize> {
        at.checked_add(u32::from_le_bytes(self.array(at)?) as usize)
    }

    /// Returns the position and the number of the elements of the vector at `at`, of `size` bytes
    /// each.
    fn vector(self, at: usize, size: usize) -> Option<(usize, usize)> {
        let count = u32::from_le_bytes(self.array(at)?) as usize;
        let start = at + 4;
        let end = start.checked_add(count.checked_mul(size)?)?;
        (end <= self.0.len()).then_some((start, count))
    }

    fn text(self, at: usize) -> Option<&'a [u8]> {
        let (start, count) = self.vector(at, 1)?;
        self.0.get(start..start + count)
    }

    fn root(self) -> Option<Table<'a>> {
        Some(Table { buffer: self, at: self.follow(0)? })
    }
}

impl<'a> Table<'a> {
    /// Returns the position of the field whose entry is at `entry` in the vtable, or `None` if the
    /// table does not have the field.
    fn field(self, entry: usize) -> Result<Option<usize>> {
        let position = || {
            let back = i32::from_le_bytes(self.buffer.array(self.at)?);
            let vtable = usize::try_from((self.at as i64).checked_sub(i64::from(back))?).ok()?;
            let size = usize::from(u16::from_le_bytes(self.buffer.array(vtable)?));
            if entry + 2 > size {
                return Some(0);
            }
            let offset = self.buffer.array(vtable.checked_add(entry)?)?;
            Some(usize::from(u16::from_le_bytes(offset)))
        };
        let offset = position().ok_or(MessageError::OffsetOutside)?;
        Ok((offset != 0).then_some(self.at + offset))
    }

    /// Returns the position of the field with this id of a schema's own tables.
    fn by_id(self, id: usize) -> Option<usize> {
        self.field(4 + 2 * id).ok()?
    }

    fn table(self, id: usize) -> Option<Table<'a>> {
        Some(Self { buffer: self.buffer, at: self.buffer.follow(self.by_id(id)?)? })
    }

    fn tables(self, id: usize) -> Option<Vec<Table<'a>>> {
        let (start, count) = self.buffer.vector(self.buffer.follow(self.by_id(id)?)?, 4)?;
        (0..count)
            .map(|index| {
                Some(Self { buffer: self.buffer, at: self.buffer.follow(start + 4 * index)? })
            })
            .collect()
    }

    fn name(self) -> Option<String> {
        let text = self.buffer.text(self.buffer.follow(self.by_id(0)?)?)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn scalar<const N: usize>(self, id: usize) -> [u8; N] {
        self.by_id(id).and_then(|at| self.buffer.array(at)).unwrap_or([0; N])
    }
}

/// The tables and structs of a schema.
pub(super) struct FlatTypes {
    objects: Vec<Object>,
    root: usize,
}

struct Object {
    fields: Vec<Field>,
    is_struct: bool,
    size: usize,
}

struct Field {
    name: String,
    kind: Kind,
    /// The position of a table's entry in the vtable, or of a struct's field in the struct.
    offset: usize,
    default_integer: i64,
    default_number: f64,
}

#[derive(Clone, Copy)]
enum Kind {
    One(Element),
    Vector(Element),
    Array(Element, usize),
}

/// The type of a value or of the elements of an array. The numbers are those of
/// `reflection.BaseType`.
#[derive(Clone, Copy, PartialEq)]
enum Element {
    Scalar(u8),
    Text,
    Object(usize),
    /// A union, or a vector of another kind. Its values are skipped.
    Other,
}

impl FlatTypes {
    /// # Errors
    /// If the schema is broken, or does not have the table `name`.
    pub(super) fn parse(name: &str, schema: &[u8]) -> Result<Self> {
        let no_schema = || MessageError::unexpected("a binary FlatBuffers schema", "other bytes");
        if schema.get(4..8) != Some(b"BFBS") {
            return Err(no_schema());
        }
        let parse = || {
            let tables = Buffer(schema).root()?.tables(0)?;
            // Objects may share their vectors of fields, so the fields could be many more than the
            // bytes.
            let mut remaining_fields = schema.len();
            let mut names = Vec::new();
            let mut objects = Vec::new();
            for table in &tables {
                let fields = table.tables(1).unwrap_or_default();
                remaining_fields = remaining_fields.checked_sub(fields.len())?;
                names.push(table.name()?);
                objects.push(Object {
                    fields: fields
                        .into_iter()
                        .map(|field| Field::parse(field, tables.len()))
                        .collect::<Option<_>>()?,
                    is_struct: table.scalar(2) != [0],
                    size: usize::try_from(i32::from_le_bytes(table.scalar(4))).ok()?,
                });
            }
            Some((names, objects))
        };
        let (names, objects) = parse().ok_or_else(no_schema)?;
        let root = names.iter().position(|it| it == name);
        let root = root.ok_or_else(|| MessageError::UndefinedRoot(name.to_owned()))?;
        Ok(Self { objects, root })
    }

    pub(super) fn decode<'a>(&'a self, data: &'a [u8]) -> Result<Value<'a>> {
        let buffer = Buffer(data);
        let at = buffer.follow(0).ok_or(MessageError::OffsetOutside)?;
        let mut reader = Reader { types: self, buffer, budget: Budget::for_message(data) };
        reader.read_object(self.root, at, 0)
    }
}

impl Field {
    fn parse(table: Table<'_>, objects: usize) -> Option<Self> {
        const VECTOR: u8 = 14;
        const ARRAY: u8 = 17;
        let kind = table.table(1)?;
        let index = usize::try_from(i32::from_le_bytes(match kind.by_id(2) {
            Some(at) => kind.buffer.array(at)?,
            None => [0xff; 4],
        }));
        let index = index.ok().filter(|index| *index < objects);
        let element = |base: u8| match base {
            1..=12 => Element::Scalar(base),
            13 => Element::Text,
            15 => index.map_or(Element::Other, Element::Object),
            _ => Element::Other,
        };
        let [base] = kind.scalar(0);
        let [of_elements] = kind.scalar(1);
        let kind = match base {
            VECTOR => Kind::Vector(element(of_elements)),
            ARRAY => Kind::Array(element(of_elements), u16::from_le_bytes(kind.scalar(3)).into()),
            base => Kind::One(element(base)),
        };
        Some(Self {
            name: table.name()?,
            kind,
            offset: u16::from_le_bytes(table.scalar(3)).into(),
            default_integer: i64::from_le_bytes(table.scalar(4)),
            default_number: f64::from_le_bytes(table.scalar(5)),
        })
    }

    /// Returns the value of a field that a table does not have.
    fn default_value<'a>(&self) -> Value<'a> {
        match self.kind {
            Kind::One(Element::Scalar(11 | 12)) => Value::Number(self.default_number),
            Kind::One(Element::Scalar(_)) => Value::Integer(self.default_integer),
            _ => Value::Missing,
        }
    }
}

struct Reader<'a> {
    types: &'a FlatTypes,
    buffer: Buffer<'a>,
    budget: Budget,
}

impl<'a> Reader<'a> {
    fn read_object(&mut self, index: usize, at: usize, depth: usize) -> Result<Value<'a>> {
        if depth > MAX_DEPTH {
            return Err(MessageError::TooDeep("tables"));
        }
        let types = self.types;
        let object = &types.objects[index];
        self.budget.spend(object.fields.len() + 1)?;
        let table = Table { buffer: self.buffer, at };
        let mut fields = Vec::with_capacity(object.fields.len());
        for field in &object.fields {
            let at = match object.is_struct {
                true => Some(at.checked_add(field.offset).ok_or(MessageError::OffsetOutside)?),
                false => table.field(field.offset)?,
            };
            let value = match at {
                None => field.default_value(),
                Some(at) => self
                    .read_field(field.kind, at, depth)
                    .map_err(|error| error.within(&field.name))?,
            };
            fields.push((field.name.as_str().into(), value));
        }
        Ok(Value::Record(fields))
    }

    fn read_field(&mut self, kind: Kind, at: usize, depth: usize) -> Result<Value<'a>> {
        match kind {
            Kind::One(element) => self.read_value(element, at, depth),
            Kind::Vector(Element::Other) | Kind::Array(Element::Other, _) => Ok(Value::Missing),
            Kind::Vector(element) => {
                let at = self.buffer.follow(at).ok_or(MessageError::OffsetOutside)?;
                let vector = self.buffer.vector(at, self.element_size(element));
                let (start, count) = vector.ok_or(MessageError::OffsetOutside)?;
                self.read_elements(element, start, count, depth)
            }
            Kind::Array(element, count) => self.read_elements(element, at, count, depth),
        }
    }

    fn read_elements(
        &mut self,
        element: Element,
        start: usize,
        count: usize,
        depth: usize,
    ) -> Result<Value<'a>> {
        let size = self.element_size(element);
        let end = count
            .checked_mul(size)
            .and_then(|bytes| start.checked_add(bytes))
            .ok_or(MessageError::OffsetOutside)?;
        let bytes = self.buffer.0.get(start..end).ok_or(MessageError::OffsetOutside)?;
        // Several vectors may share their bytes.
        self.budget.spend(count)?;
        if let Element::Scalar(1..=4) = element {
            return Ok(Value::Bytes(bytes));
        }
        let positions = (0..count).map(|index| start + index * size);
        if let Element::Scalar(_) = element {
            let numbers = positions.map(|at| self.read_value(element, at, depth)?.number());
            return Ok(Value::Numbers(numbers.collect::<Result<_>>()?));
        }
        let values = positions.map(|at| self.read_value(element, at, depth));
        Ok(Value::List(values.collect::<Result<_>>()?))
    }

    fn element_size(&self, element: Element) -> usize {
        match element {
            Element::Scalar(1..=4) => 1,
            Element::Scalar(5 | 6) => 2,
            Element::Scalar(9 | 10 | 12) => 8,
            Element::Object(index) if self.types.objects[index].is_struct => {
                self.types.objects[index].size
            }
            _ => 4,
        }
    }

    fn read_value(&mut self, element: Element, at: usize, depth: usize) -> Result<Value<'a>> {
        let buffer = self.buffer;
        let value = match element {
            Element::Other => Some(Value::Missing),
            Element::Object(index) => {
                let at = match self.types.objects[index].is_struct {
                    true => at,
                    false => buffer.follow(at).ok_or(MessageError::OffsetOutside)?,
                };
                return self.read_object(index, at, depth + 1);
            }
            Element::Text => buffer
                .follow(at)
                .and_then(|at| buffer.text(at))
                .map(|text| Value::Text(String::from_utf8_lossy(text))),
            Element::Scalar(base) => match base {
                1 | 2 | 4 => buffer.array(at).map(|[byte]: [u8; 1]| Value::Integer(byte.into())),
                3 => buffer.array(at).map(|it| Value::Integer(i8::from_le_bytes(it).into())),
                5 => buffer.array(at).map(|it| Value::Integer(i16::from_le_bytes(it).into())),
                6 => buffer.array(at).map(|it| Value::Integer(u16::from_le_bytes(it).into())),
                7 => buffer.array(at).map(|it| Value::Integer(i32::from_le_bytes(it).into())),
                8 => buffer.array(at).map(|it| Value::Integer(u32::from_le_bytes(it).into())),
                9 => buffer.array(at).map(|it| Value::Integer(i64::from_le_bytes(it))),
                10 => buffer.array(at).map(|it| {
                    Value::Integer(i64::try_from(u64::from_le_bytes(it)).unwrap_or(i64::MAX))
                }),
                11 => buffer.array(at).map(|it| Value::Number(f32::from_le_bytes(it).into())),
                _ => buffer.array(at).map(|it| Value::Number(f64::from_le_bytes(it))),
            },
        };
        value.ok_or(MessageError::OffsetOutside)
    }
}
