//! Reads numbers from a glTF's buffers, as described by its accessors.
//!
//! Counts and offsets are checked against the bytes here. The element readers of the crate `gltf`,
//! which do not check them, then read the elements.

use gltf::accessor::{
    Item,
    util::{ItemIter, SparseIndicesIter, SparseIter},
};
use gltf_json::{
    Accessor, Index, Root,
    accessor::{ComponentType, Type, sparse::Sparse},
    buffer::View,
    validation::{Checked, USize64},
};

use super::{
    PartError,
    buffers::{Buffers, ViewBytes, usize_or_zero},
    codes,
};
use crate::diagnostics::{Code, Diagnostics, SourceLocation};

/// An accessor without a buffer view may have this many elements, in addition to one for each byte
/// of the buffers. Its elements are zeros, which take no bytes in the file, so a small file could
/// claim any number of them.
const ALWAYS_ALLOWED_ZEROS: u64 = 1 << 16;

struct Elements<'b> {
    /// The stored elements. `None` if the accessor has no buffer view. All elements that are not
    /// sparse are then zero.
    base: Option<Slice<'b>>,
    count: usize,
    component: ComponentType,
    is_normalized: bool,
    sparse: Option<SparseElements<'b>>,
}

#[derive(Clone, Copy)]
struct Slice<'b> {
    bytes: &'b [u8],
    stride: usize,
    /// The offset in the file, or `None` if the bytes are not in the file itself.
    offset: Option<usize>,
}

struct SparseElements<'b> {
    indices: Slice<'b>,
    index_type: ComponentType,
    values: Slice<'b>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementLayout {
    pub(crate) first_offset: usize,
    pub(crate) stride: usize,
}

/// Reports accessors that break a rule of glTF although their numbers can be read. Other programs
/// may read other numbers, or refuse the file.
pub(super) fn check_accessors(root: &Root, diagnostics: &mut Diagnostics) {
    for (index, accessor) in root.accessors.iter().enumerate() {
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            continue;
        };
        let view = accessor.buffer_view.and_then(|view| root.get(view));
        let offset = |offset: Option<USize64>| offset.map_or(0, |offset| offset.0);
        let component_size = component.0.size() as u64;
        let element_size = component.0.size() * kind.multiplicity();
        let mut inform = |message: String| {
            diagnostics.info(
                codes::ACCESSOR_LAYOUT,
                SourceLocation::File,
                format!("accessors[{index}]: {message}"),
            );
        };
        if let Some(view) = view {
            let start = offset(view.byte_offset).saturating_add(offset(accessor.byte_offset));
            if !start.is_multiple_of(component_size) {
                inform(format!(
                    "expected an offset that is a multiple of {component_size} bytes, found {start}"
                ));
            }
        } else if accessor.byte_offset.is_some() && accessor.buffer_view.is_none() {
            inform("expected a buffer view for its byteOffset, found none".to_owned());
        }
        let is_float = matches!(component.0, ComponentType::F32 | ComponentType::U32);
        if accessor.normalized && is_float {
            inform(format!(
                "expected normalized integers of 8 or 16 bits, found {:?}",
                component.0
            ));
        }
        let stride = view.and_then(|view| view.byte_stride);
        if let Some(stride) = stride.filter(|stride| stride.0 < element_size) {
            let message = format!(
                "accessors[{index}]: expected a byteStride of at least {element_size}, found {}; \
                 read without gaps",
                stride.0
            );
            diagnostics.warning(codes::INVALID_ACCESSOR, SourceLocation::File, message);
        }
        if let Some(sparse) = accessor.sparse.as_ref().filter(|one| one.count.0 > accessor.count.0)
        {
            let message = format!(
                "accessors[{index}]: expected at most {} sparse elements, found {}",
                accessor.count.0, sparse.count.0
            );
            diagnostics.warning(codes::INVALID_ACCESSOR, SourceLocation::File, message);
        }
    }
}

impl Buffers<'_> {
    pub(crate) fn accessor(&self, index: Index<Accessor>) -> Option<&Accessor> {
        self.root.get(index)
    }

    /// Returns `true` if the buffer view of an accessor states the distance between its elements.
    pub(crate) fn has_stride(&self, accessor: &Accessor) -> bool {
        let view = accessor.buffer_view.and_then(|view| self.root.get(view));
        view.is_some_and(|view| view.byte_stride.is_some())
    }

    pub(crate) fn element_count(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<usize, PartError> {
        self.checked_elements(accessor, expected).map(|elements| elements.count)
    }

    pub(crate) fn element_layout(
        &self,
        accessor: Index<Accessor>,
        kind: Type,
    ) -> Option<ElementLayout> {
        let elements = self.checked_elements(accessor, kind).ok()?;
        let base = elements.base.filter(|_| elements.sparse.is_none())?;
        Some(ElementLayout { first_offset: base.offset?, stride: base.stride })
    }

    pub(crate) fn read_floats<const N: usize>(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<Vec<[f32; N]>, PartError> {
        debug_assert_eq!(expected.multiplicity(), N);
        let elements = self.checked_elements(accessor, expected)?;
        let read = match elements.component {
            ComponentType::I8 => elements.to_floats::<i8, N>(),
            ComponentType::U8 => elements.to_floats::<u8, N>(),
            ComponentType::I16 => elements.to_floats::<i16, N>(),
            ComponentType::U16 => elements.to_floats::<u16, N>(),
            ComponentType::U32 => elements.to_floats::<u32, N>(),
            ComponentType::F32 => elements.to_floats::<f32, N>(),
        };
        read.map_err(|problem| accessor_error(accessor, codes::INVALID_ACCESSOR, problem))
    }

    pub(crate) fn read_integers<const N: usize>(
        &self,
        accessor: Index<Accessor>,
        expected: Type,
    ) -> Result<Vec<[u32; N]>, PartError> {
        debug_assert_eq!(expected.multiplicity(), N);
        let elements = self.checked_elements(accessor, expected)?;
        let read = match elements.component {
            ComponentType::U8 => elements.read_elements::<u8, N>().map(widen),
            ComponentType::U16 => elements.read_elements::<u16, N>().map(widen),
            ComponentType::U32 => elements.read_elements::<u32, N>(),
            _ => Err("expected unsigned integers"),
        };
        read.map_err(|problem| accessor_error(accessor, codes::INVALID_ACCESSOR, problem))
    }

    fn checked_elements(
        &self,
        index: Index<Accessor>,
        expected: Type,
    ) -> Result<Elements<'_>, PartError> {
        let wrong = |problem: &str| accessor_error(index, codes::INVALID_ACCESSOR, problem);
        let accessor = self
            .root
            .get(index)
            .ok_or_else(|| accessor_error(index, codes::MISSING_REFERENCE, "it does not exist"))?;
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            return Err(wrong("its type is not one of glTF 2.0"));
        };
        if kind != expected {
            return Err(wrong(&format!("expected {expected:?}, found {kind:?}")));
        }
        let (size, count) = (component.0.size() * kind.multiplicity(), accessor.count.0);
        let slice = |view, offset, count| self.slice(view, offset, count, size);
        let base = accessor.buffer_view.map(|view| slice(view, accessor.byte_offset, count));
        let within = |error: PartError| error.within(format_args!("accessors[{index}]"));
        let base = base.transpose().map_err(within)?;
        let sparse = accessor.sparse.as_ref().map(|sparse| self.sparse_elements(sparse, size));
        let sparse = sparse.transpose().map_err(|error| within(error.within("sparse")))?;
        if base.is_none() {
            if let Some(extension) = self.compressed_accessors.get(&index.value()) {
                let message =
                    format!("its numbers are compressed by {extension}, which is not read");
                return Err(accessor_error(index, codes::UNSUPPORTED_EXTENSION, message));
            }
            let max_zeros = ALWAYS_ALLOWED_ZEROS.saturating_add(self.len() as u64);
            if count > max_zeros {
                let message = format!("expected at most {max_zeros} elements, found {count}");
                return Err(accessor_error(index, codes::TOO_LARGE, message));
            }
        }
        Ok(Elements {
            base,
            count: count as usize,
            component: component.0,
            is_normalized: accessor.normalized,
            sparse,
        })
    }

    fn sparse_elements(
        &self,
        sparse: &Sparse,
        size: usize,
    ) -> Result<SparseElements<'_>, PartError> {
        let Checked::Valid(index_type) = sparse.indices.component_type else {
            let message = "the type of its indices is not one of glTF 2.0";
            return Err(PartError::new(codes::INVALID_ACCESSOR, message));
        };
        let (indices, values, count) = (&sparse.indices, &sparse.values, sparse.count.0);
        let offset = Some(indices.byte_offset);
        Ok(SparseElements {
            indices: self.slice(indices.buffer_view, offset, count, index_type.0.size())?,
            index_type: index_type.0,
            values: self.slice(values.buffer_view, Some(values.byte_offset), count, size)?,
        })
    }

    fn slice(
        &self,
        view: Index<View>,
        offset: Option<USize64>,
        count: u64,
        size: usize,
    ) -> Result<Slice<'_>, PartError> {
        let ViewBytes { bytes, stride, offset: in_file } = self.view_bytes(view)?;
        let stride = stride.map_or(size, |stride| stride.max(size));
        let start = usize_or_zero(offset);
        let found = start.and_then(|start| {
            let count = usize::try_from(count).ok()?;
            let length = match count.checked_sub(1) {
                Some(gaps) => gaps.checked_mul(stride)?.checked_add(size)?,
                None => 0,
            };
            Some((start, bytes.get(start..)?.get(..length)?))
        });
        let (start, bytes) = found.ok_or_else(|| {
            let message = format!("{count} elements do not fit its buffer view");
            PartError::new(codes::INVALID_ACCESSOR, message)
        })?;
        Ok(Slice { bytes, stride, offset: in_file.map(|offset| offset + start) })
    }
}

fn accessor_error(
    accessor: Index<Accessor>,
    code: Code,
    problem: impl std::fmt::Display,
) -> PartError {
    PartError::new(code, format!("accessors[{accessor}]: {problem}"))
}

impl Elements<'_> {
    fn to_floats<T: Component, const N: usize>(&self) -> Result<Vec<[f32; N]>, &'static str> {
        let is_normalized = self.is_normalized;
        let float = |component: T| component.to_f32(is_normalized);
        Ok(self.read_elements::<T, N>()?.into_iter().map(|element| element.map(float)).collect())
    }

    fn read_elements<T: Item + Copy, const N: usize>(&self) -> Result<Vec<[T; N]>, &'static str> {
        let base = self.base.map(|base| ItemIter::new(base.bytes, base.stride));
        let elements: Vec<Element<T, N>> = match &self.sparse {
            None => match base {
                Some(base) => base.collect(),
                None => vec![Element::zero(); self.count],
            },
            Some(sparse) => {
                sparse.check_indices(self.count)?;
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

    /// Checks that the sparse indices ascend and are below `count`, because the readers of the
    /// crate `gltf` rely on that.
    fn check_indices(&self, count: usize) -> Result<(), &'static str> {
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

/// An element of `N` components. The readers of the crate `gltf` support only four.
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

/// A component that can be converted to a float. Normalised integers are mapped to 0..=1 or −1..=1.
trait Component: Item + Copy {
    fn to_f32(self, is_normalized: bool) -> f32;
}

impl Component for f32 {
    fn to_f32(self, _: bool) -> f32 {
        self
    }
}

/// Implements `Component` for an integer type, whose value `$max` is normalised to 1.
macro_rules! component {
    ($type:ty, $max:expr) => {
        impl Component for $type {
            fn to_f32(self, is_normalized: bool) -> f32 {
                let number = self as f32;
                if is_normalized { (number / $max).max(-1.0) } else { number }
            }
        }
    };
}

component!(i8, 127.0);
component!(u8, 255.0);
component!(i16, 32_767.0);
component!(u16, 65_535.0);
component!(u32, 4_294_967_295.0);

fn widen<T: Into<u32>, const N: usize>(elements: Vec<[T; N]>) -> Vec<[u32; N]> {
    elements.into_iter().map(|element| element.map(Into::into)).collect()
}
