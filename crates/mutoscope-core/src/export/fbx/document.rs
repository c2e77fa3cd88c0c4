//! The elements of an FBX file, without an encoding.

use std::{
    io::{self, Write},
    ops::Range,
    rc::Rc,
};

use flate2::{Compression, write::ZlibEncoder};

use crate::io::{bytes::join_arrays, spooled::SpooledBytes};

/// An element of an FBX file: a name with values, and perhaps a block of child elements.
#[derive(Clone)]
pub(super) struct Element {
    pub(super) name: &'static str,
    pub(super) values: Vec<Value>,
    /// `None` if the element has no block.
    pub(super) children: Option<Vec<Self>>,
}

/// A value of an element.
#[derive(Clone)]
pub(super) enum Value {
    Bool(bool),
    I32(i32),
    I64(i64),
    F64(f64),
    Text(String),
    /// The name of an object with the class of the object. Both encodings combine them differently.
    ObjectName {
        name: String,
        class: &'static str,
    },
    Bytes(Rc<[u8]>),
    Array(Array),
}

/// The type of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrayType {
    I32,
    I64,
    F32,
    F64,
}

/// An array of numbers. Large arrays are compressed as soon as they are created, because the
/// curves of a long recording would otherwise take gigabytes.
#[derive(Clone)]
pub(super) struct Array {
    pub(super) array_type: ArrayType,
    pub(super) len: u32,
    pub(super) is_compressed: bool,
    /// The numbers in little-endian order, compressed by zlib if `is_compressed`.
    pub(super) bytes: ArrayBytes,
}

#[derive(Clone)]
pub(super) enum ArrayBytes {
    InMemory(Rc<[u8]>),
    /// Where the bytes are in the spooled bytes of the [scene](super::scene::Scene).
    Spooled(Range<usize>),
}

impl ArrayBytes {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::InMemory(bytes) => bytes.len(),
            Self::Spooled(range) => range.len(),
        }
    }

    pub(super) fn write_to(
        &self,
        spooled: &mut SpooledBytes,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            Self::InMemory(bytes) => out.write_all(bytes),
            Self::Spooled(range) => spooled.write_range(range.clone(), out),
        }
    }
}

impl Array {
    fn new<const N: usize>(
        array_type: ArrayType,
        numbers: impl ExactSizeIterator<Item = [u8; N]>,
    ) -> Self {
        /// Smaller arrays are not compressed, as in files of other writers.
        const MAX_PLAIN_BYTES: usize = 128;
        // An array of more than 2³² numbers does not fit into memory, because curves and meshes
        // have far fewer keys and vertices.
        let len = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let bytes = join_arrays(numbers);
        let is_compressed = bytes.len() > MAX_PLAIN_BYTES;
        let bytes = if is_compressed {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            let compressed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
            compressed.expect("writing to a Vec cannot fail")
        } else {
            bytes
        };
        Self { array_type, len, is_compressed, bytes: ArrayBytes::InMemory(bytes.into()) }
    }

    pub(super) fn of_i32(numbers: &[i32]) -> Self {
        Self::new(ArrayType::I32, numbers.iter().map(|number| number.to_le_bytes()))
    }

    pub(super) fn of_i64(numbers: &[i64]) -> Self {
        Self::new(ArrayType::I64, numbers.iter().map(|number| number.to_le_bytes()))
    }

    pub(super) fn of_f32(numbers: &[f32]) -> Self {
        Self::new(ArrayType::F32, numbers.iter().map(|number| number.to_le_bytes()))
    }

    pub(super) fn of_f64(numbers: &[f64]) -> Self {
        Self::new(ArrayType::F64, numbers.iter().map(|number| number.to_le_bytes()))
    }
}

macro_rules! impl_from_for_value {
    ($($type:ty => $variant:ident),*) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

impl_from_for_value!(
    bool => Bool, i32 => I32, i64 => I64, f64 => F64, &str => Text, String => Text,
    Rc<[u8]> => Bytes, Array => Array
);

impl Element {
    /// Creates an element without a block.
    pub(super) fn new(
        name: &'static str,
        values: impl IntoIterator<Item = impl Into<Value>>,
    ) -> Self {
        Self { name, values: values.into_iter().map(Into::into).collect(), children: None }
    }

    /// Creates an element with a block and without values.
    pub(super) fn block(name: &'static str, children: Vec<Self>) -> Self {
        Self { name, values: Vec::new(), children: Some(children) }
    }

    /// Moves the bytes of arrays, also those of children, to `spooled`, so that they take no memory.
    pub(super) fn spool_arrays(&mut self, spooled: &mut SpooledBytes) -> io::Result<()> {
        for value in &mut self.values {
            if let Value::Array(array) = value
                && let ArrayBytes::InMemory(bytes) = &array.bytes
            {
                let start = spooled.len();
                spooled.write_all(bytes)?;
                array.bytes = ArrayBytes::Spooled(start..spooled.len());
            }
        }
        self.children.iter_mut().flatten().try_for_each(|child| child.spool_arrays(spooled))
    }

    /// Adds a block to the element.
    pub(super) fn with_children(self, children: Vec<Self>) -> Self {
        Self { children: Some(children), ..self }
    }
}

/// Creates an element with one value.
pub(super) fn element(name: &'static str, value: impl Into<Value>) -> Element {
    Element::new(name, [value.into()])
}

/// The block with the properties of an object.
#[derive(Default)]
pub(super) struct Properties(Vec<Element>);

impl Properties {
    /// Adds a property. `types` are its type, its label, and its flags.
    pub(super) fn add(
        &mut self,
        name: &str,
        types: [&str; 3],
        values: impl IntoIterator<Item = impl Into<Value>>,
    ) {
        let mut all: Vec<Value> = vec![name.into()];
        all.extend(types.into_iter().map(Value::from));
        all.extend(values.into_iter().map(Into::into));
        self.0.push(Element { name: "P", values: all, children: None });
    }

    pub(super) fn add_integer(&mut self, name: &str, value: i32) {
        self.add(name, ["int", "Integer", ""], [value]);
    }

    pub(super) fn add_enum(&mut self, name: &str, value: i32) {
        self.add(name, ["enum", "", ""], [value]);
    }

    pub(super) fn add_number(&mut self, name: &str, value: f64) {
        self.add(name, ["double", "Number", ""], [value]);
    }

    pub(super) fn add_time(&mut self, name: &str, ticks: i64) {
        self.add(name, ["KTime", "Time", ""], [ticks]);
    }

    pub(super) fn into_element(self) -> Element {
        Element::block("Properties70", self.0)
    }
}
