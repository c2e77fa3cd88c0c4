//! The numbers in a glTF: its buffers, and the accessors that say what is in them.

use std::{borrow::Cow, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use gltf_json::{
    Accessor, Index, Root,
    accessor::{ComponentType, Type},
    validation::{Checked, USize64},
};
use percent_encoding::percent_decode_str;

use crate::bytes::Sidecars;

/// The buffers of a file, and why those are missing that are.
pub(super) struct Buffers<'a> {
    root: &'a Root,
    buffers: Vec<Result<Cow<'a, [u8]>, String>>,
}

/// Numbers that lie in a buffer, so many to an element.
struct Numbers<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
    component: ComponentType,
    is_normalized: bool,
}

impl<'a> Buffers<'a> {
    /// Those of `root`; `binary` is what follows the JSON in a binary container, and `sidecars` are
    /// the files that it names.
    pub(super) fn new(root: &'a Root, binary: Option<&'a [u8]>, sidecars: &dyn Sidecars) -> Self {
        let buffer = |(index, buffer): (usize, &gltf_json::Buffer)| match (&buffer.uri, binary) {
            (None, Some(binary)) if index == 0 => Ok(Cow::Borrowed(binary)),
            (None, _) => Err(format!("buffers[{index}] is not in the file")),
            (Some(uri), _) => {
                let bytes = of_uri(uri, sidecars).map(Cow::Owned);
                bytes.map_err(|why| format!("buffers[{index}]: {why}"))
            }
        };
        Self { root, buffers: root.buffers.iter().enumerate().map(buffer).collect() }
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> usize {
        self.buffers.iter().flatten().map(|buffer| buffer.len()).sum()
    }

    /// How many elements an accessor has.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn count(&self, accessor: Index<Accessor>, expected: Type) -> Result<usize, String> {
        self.numbers(accessor, expected).map(|numbers| numbers.count)
    }

    /// The elements of an accessor as `N` floats each.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn floats<const N: usize>(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<Vec<[f32; N]>, String> {
        debug_assert_eq!(expected.multiplicity(), N);
        let numbers = self.numbers(accessor, expected)?;
        let size = numbers.component.size();
        let element = |bytes: &[u8]| -> [f32; N] {
            std::array::from_fn(|part| numbers.float(&bytes[part * size..(part + 1) * size]))
        };
        Ok(numbers.elements().map(element).collect())
    }

    /// The elements of an accessor as `N` whole numbers each.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn integers<const N: usize>(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<Vec<[u32; N]>, String> {
        debug_assert_eq!(expected.multiplicity(), N);
        let numbers = self.numbers(accessor, expected)?;
        let size = numbers.component.size();
        if !matches!(numbers.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32)
        {
            return Err(format!("accessors[{accessor}]: expected whole numbers without sign"));
        }
        let element = |bytes: &[u8]| -> [u32; N] {
            std::array::from_fn(|part| unsigned(&bytes[part * size..(part + 1) * size]))
        };
        Ok(numbers.elements().map(element).collect())
    }

    fn numbers(&self, index: Index<Accessor>, expected: Type) -> Result<Numbers<'_>, String> {
        let wrong = |what: &str| format!("accessors[{index}]: {what}");
        let accessor = self.root.get(index).ok_or_else(|| wrong("there is none"))?;
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            return Err(wrong("of a type that glTF 2.0 does not know"));
        };
        if kind != expected {
            return Err(wrong(&format!("expected {expected:?}, found {kind:?}")));
        }
        if accessor.sparse.is_some() {
            return Err(wrong("sparse, which is not read"));
        }
        let view = accessor.buffer_view.and_then(|view| self.root.get(view));
        let view = view.ok_or_else(|| wrong("no buffer view: its numbers are compressed"))?;
        let buffer = self.buffers.get(view.buffer.value());
        let buffer = buffer.ok_or_else(|| wrong("there is no such buffer"))?;
        let buffer = buffer.as_ref().map_err(|why| wrong(why))?;
        let size = component.0.size() * kind.multiplicity();
        let stride = view.byte_stride.map_or(size, |stride| stride.0).max(size);
        let start = |offset: Option<USize64>| offset.map_or(0, |offset| offset.0);
        let view_start = usize::try_from(start(view.byte_offset)).ok();
        let of_view = view_start.and_then(|start| {
            let end = start.checked_add(usize::try_from(view.byte_length.0).ok()?)?;
            buffer.get(start..end)
        });
        let of_view = of_view.ok_or_else(|| wrong("its view is larger than the buffer"))?;
        let (offset, count) = (start(accessor.byte_offset), accessor.count.0);
        let bytes = usize::try_from(offset).ok().and_then(|offset| of_view.get(offset..));
        let fits = bytes.is_some_and(|bytes| {
            let fitting = bytes.len().checked_sub(size).map_or(0, |rest| rest / stride + 1);
            count <= fitting as u64
        });
        match bytes {
            Some(bytes) if fits => Ok(Numbers {
                bytes,
                stride,
                count: count as usize,
                component: component.0,
                is_normalized: accessor.normalized,
            }),
            _ => Err(wrong(&format!("{count} elements do not fit its buffer view"))),
        }
    }
}

impl Numbers<'_> {
    /// The bytes from each element on.
    fn elements(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).map(|index| &self.bytes[index * self.stride..])
    }

    fn float(&self, bytes: &[u8]) -> f32 {
        let scaled = |number: f32, most: f32| {
            if self.is_normalized { (number / most).max(-1.0) } else { number }
        };
        match (self.component, bytes) {
            (ComponentType::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (ComponentType::I8, &[a]) => scaled(f32::from(a.cast_signed()), 127.0),
            (ComponentType::I16, &[a, b]) => scaled(i16::from_le_bytes([a, b]).into(), 32_767.0),
            (ComponentType::U8, _) => scaled(unsigned(bytes) as f32, 255.0),
            (ComponentType::U16, _) => scaled(unsigned(bytes) as f32, 65_535.0),
            _ => unsigned(bytes) as f32,
        }
    }
}

/// A whole number of up to four bytes, the lowest first.
fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The bytes that an address holds itself, or those of the sidecar file that it names.
fn of_uri(uri: &str, sidecars: &dyn Sidecars) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("its data is not in base64")?;
        return BASE64_STANDARD.decode(text).map_err(|error| format!("its base64: {error}"));
    }
    let path = percent_decode_str(uri).decode_utf8().map_err(|error| error.to_string())?;
    let names_a_machine = uri.contains("://");
    if names_a_machine || Path::new(&*path).has_root() {
        return Err(format!("{uri:?} does not lie beside it: not read"));
    }
    sidecars.read(&path).map_err(|error| format!("{path:?} beside it: {error}"))
}
