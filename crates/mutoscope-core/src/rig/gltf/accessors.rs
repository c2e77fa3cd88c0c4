//! The numbers in a glTF's buffers, as its accessors describe them.
//!
//! Counts and offsets are checked against the bytes here; the element readers of the crate `gltf`,
//! which trust theirs, then read what is there.

use gltf::accessor::{
    Item,
    util::{ItemIter, SparseIndicesIter, SparseIter},
};
use gltf_json::{
    Accessor, Index,
    accessor::{ComponentType, Type, sparse::Sparse},
    buffer::View,
    validation::{Checked, USize64},
};

use super::buffers::{Buffers, ViewBytes, usize_or_zero};

/// Where an accessor has its elements, which are all there.
struct Elements<'b> {
    /// Nothing where they begin as zeros.
    base: Option<Slice<'b>>,
    count: usize,
    component: ComponentType,
    is_normalized: bool,
    /// The elements that differ from the base.
    sparse: Option<SparseElements<'b>>,
}

/// This many elements in bytes, and how far apart they are.
#[derive(Clone, Copy)]
struct Slice<'b> {
    bytes: &'b [u8],
    stride: usize,
    /// Where it begins in the file, if it is in the file itself.
    offset: Option<usize>,
}

struct SparseElements<'b> {
    indices: Slice<'b>,
    index_type: ComponentType,
    values: Slice<'b>,
}

/// Where the elements of an accessor are in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementPlaces {
    /// The offset of the first byte of the first element.
    pub(crate) first: usize,
    /// How many bytes there are from one element to the next.
    pub(crate) stride: usize,
}

impl Buffers<'_> {
    /// How many elements an accessor has.
    ///
    /// # Errors
    /// With a description of the issue.
    pub(crate) fn count(&self, accessor: Index<Accessor>, expected: Type) -> Result<usize, String> {
        self.elements(accessor, expected).map(|elements| elements.count)
    }

    /// Where the elements of an accessor are in the file; nothing if they are not in the file itself,
    /// or not one after the other.
    pub(crate) fn places(&self, accessor: Index<Accessor>, kind: Type) -> Option<ElementPlaces> {
        let elements = self.elements(accessor, kind).ok()?;
        let base = elements.base.filter(|_| elements.sparse.is_none())?;
        Some(ElementPlaces { first: base.offset?, stride: base.stride })
    }

    /// The elements of an accessor as `N` floats each.
    ///
    /// # Errors
    /// With a description of the issue.
    pub(crate) fn floats<const N: usize>(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<Vec<[f32; N]>, String> {
        debug_assert_eq!(expected.multiplicity(), N);
        let elements = self.elements(accessor, expected)?;
        let read = match elements.component {
            ComponentType::I8 => elements.floats::<i8, N>(),
            ComponentType::U8 => elements.floats::<u8, N>(),
            ComponentType::I16 => elements.floats::<i16, N>(),
            ComponentType::U16 => elements.floats::<u16, N>(),
            ComponentType::U32 => elements.floats::<u32, N>(),
            ComponentType::F32 => elements.floats::<f32, N>(),
        };
        read.map_err(|what| wrong(accessor, what))
    }

    /// The elements of an accessor as `N` whole numbers each.
    ///
    /// # Errors
    /// With a description of the issue.
    pub(crate) fn integers<const N: usize>(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<Vec<[u32; N]>, String> {
        debug_assert_eq!(expected.multiplicity(), N);
        let elements = self.elements(accessor, expected)?;
        let read = match elements.component {
            ComponentType::U8 => elements.read::<u8, N>().map(widened),
            ComponentType::U16 => elements.read::<u16, N>().map(widened),
            ComponentType::U32 => elements.read::<u32, N>(),
            _ => Err("expected whole numbers without sign"),
        };
        read.map_err(|what| wrong(accessor, what))
    }

    fn elements(&self, index: Index<Accessor>, expected: Type) -> Result<Elements<'_>, String> {
        let wrong = |what: &str| wrong(index, what);
        let accessor = self.root.get(index).ok_or_else(|| wrong("there is none"))?;
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            return Err(wrong("of a type that glTF 2.0 does not know"));
        };
        if kind != expected {
            return Err(wrong(&format!("expected {expected:?}, found {kind:?}")));
        }
        let (size, count) = (component.0.size() * kind.multiplicity(), accessor.count.0);
        let slice = |view, offset, count| self.slice(view, offset, count, size);
        let base = accessor.buffer_view.map(|view| slice(view, accessor.byte_offset, count));
        let base = base.transpose().map_err(|what| wrong(&what))?;
        let sparse = accessor.sparse.as_ref().map(|sparse| self.sparse(sparse, size));
        let sparse = sparse.transpose().map_err(|what| wrong(&format!("sparse: {what}")))?;
        if base.is_none() && sparse.is_none() {
            return Err(wrong(&self.lacks_numbers()));
        }
        // Zeros take no bytes: files that have a use for them have as many of something else.
        if count > self.len() as u64 {
            return Err(wrong(&format!("{count} elements are more than the buffers have bytes")));
        }
        Ok(Elements {
            base,
            count: count as usize,
            component: component.0,
            is_normalized: accessor.normalized,
            sparse,
        })
    }

    /// Why an accessor has no numbers.
    fn lacks_numbers(&self) -> String {
        const DRACO: &str = "KHR_draco_mesh_compression";
        let used = self.root.extensions_used.iter().chain(&self.root.extensions_required);
        let by = match { used }.any(|name| name == DRACO) {
            true => format!("by {DRACO}, which is not read"),
            false => "by an extension that is not read".to_owned(),
        };
        format!("no buffer view: its numbers are compressed {by}")
    }

    fn sparse(&self, sparse: &Sparse, size: usize) -> Result<SparseElements<'_>, String> {
        let Checked::Valid(index_type) = sparse.indices.component_type else {
            return Err("its indices are of a type that glTF 2.0 does not know".to_owned());
        };
        let (indices, values, count) = (&sparse.indices, &sparse.values, sparse.count.0);
        let offset = Some(indices.byte_offset);
        Ok(SparseElements {
            indices: self.slice(indices.buffer_view, offset, count, index_type.0.size())?,
            index_type: index_type.0,
            values: self.slice(values.buffer_view, Some(values.byte_offset), count, size)?,
        })
    }

    /// This many elements of this many bytes each, from an offset in a view on.
    fn slice(
        &self,
        view: Index<View>,
        offset: Option<USize64>,
        count: u64,
        size: usize,
    ) -> Result<Slice<'_>, String> {
        let ViewBytes { bytes, stride, offset: in_file } = self.view(view)?;
        let stride = stride.map_or(size, |stride| stride.max(size));
        let start = usize_or_zero(offset);
        let taken = start.and_then(|start| {
            let count = usize::try_from(count).ok()?;
            let length = match count.checked_sub(1) {
                Some(gaps) => gaps.checked_mul(stride)?.checked_add(size)?,
                None => 0,
            };
            Some((start, bytes.get(start..)?.get(..length)?))
        });
        let (start, bytes) =
            taken.ok_or_else(|| format!("{count} elements do not fit its buffer view"))?;
        Ok(Slice { bytes, stride, offset: in_file.map(|offset| offset + start) })
    }
}

fn wrong(accessor: Index<Accessor>, what: impl std::fmt::Display) -> String {
    format!("accessors[{accessor}]: {what}")
}

impl Elements<'_> {
    fn floats<T: Component, const N: usize>(&self) -> Result<Vec<[f32; N]>, &'static str> {
        let is_normalized = self.is_normalized;
        let float = |component: T| component.float(is_normalized);
        Ok(self.read::<T, N>()?.into_iter().map(|element| element.map(float)).collect())
    }

    fn read<T: Item + Copy, const N: usize>(&self) -> Result<Vec<[T; N]>, &'static str> {
        let base = self.base.map(|base| ItemIter::new(base.bytes, base.stride));
        let elements: Vec<Element<T, N>> = match &self.sparse {
            None => base.into_iter().flatten().collect(),
            Some(sparse) => {
                sparse.check(self.count)?;
                let values = ItemIter::new(sparse.values.bytes, sparse.values.stride);
                SparseIter::with_base_count(base, self.count, sparse.indices(), values).collect()
            }
        };
        Ok(elements.into_iter().map(|Element(numbers)| numbers).collect())
    }
}

impl SparseElements<'_> {
    fn indices(&self) -> SparseIndicesIter<'_> {
        let Slice { bytes, stride, .. } = self.indices;
        match self.index_type {
            ComponentType::U8 => SparseIndicesIter::U8(ItemIter::new(bytes, stride)),
            ComponentType::U16 => SparseIndicesIter::U16(ItemIter::new(bytes, stride)),
            _ => SparseIndicesIter::U32(ItemIter::new(bytes, stride)),
        }
    }

    /// Whether its indices are ascending and below `count`, as it takes to put them into place.
    fn check(&self, count: usize) -> Result<(), &'static str> {
        let mut before = None;
        for index in self.indices() {
            if before.is_some_and(|before| index <= before) {
                return Err("its sparse indices are not ascending");
            }
            before = Some(index);
        }
        match before {
            Some(last) if last as usize >= count => {
                Err("its sparse indices are beyond its elements")
            }
            _ => Ok(()),
        }
    }
}

/// An element of `N` components, for the readers of the crate `gltf`, which know up to four.
#[derive(Clone, Copy)]
struct Element<T, const N: usize>([T; N]);

impl<T: Item + Copy, const N: usize> Item for Element<T, N> {
    fn from_slice(slice: &[u8]) -> Self {
        Self(std::array::from_fn(|index| T::from_slice(&slice[index * size_of::<T>()..])))
    }

    fn zero() -> Self {
        Self([T::zero(); N])
    }
}

/// A component as a float: of whole numbers that stand for 0..=1 or −1..=1, what they stand for.
trait Component: Item + Copy {
    fn float(self, is_normalized: bool) -> f32;
}

impl Component for f32 {
    fn float(self, _: bool) -> f32 {
        self
    }
}

/// Floats of whole numbers, of which `most` stands for 1.
macro_rules! component {
    ($type:ty, $most:expr) => {
        impl Component for $type {
            fn float(self, is_normalized: bool) -> f32 {
                let number = self as f32;
                if is_normalized { (number / $most).max(-1.0) } else { number }
            }
        }
    };
}

component!(i8, 127.0);
component!(u8, 255.0);
component!(i16, 32_767.0);
component!(u16, 65_535.0);
component!(u32, 4_294_967_295.0);

fn widened<T: Into<u32>, const N: usize>(elements: Vec<[T; N]>) -> Vec<[u32; N]> {
    elements.into_iter().map(|element| element.map(Into::into)).collect()
}
