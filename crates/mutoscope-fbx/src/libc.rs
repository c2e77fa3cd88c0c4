//! The C functions that ufbx calls, for browsers, which have no C library.
//!
//! `scripts/web` compiles ufbx with `UFBX_NO_LIBC`, which prefixes all of these names. A missing
//! function would not fail the build. It would become an import of the WebAssembly module, and the
//! page would not start.

use std::{
    alloc::{Layout, alloc, dealloc, realloc},
    ffi::{c_char, c_int, c_void},
    ptr, slice,
};

/// The alignment of allocated memory, in bytes: that of C's largest number type.
const ALIGNMENT: usize = 16;

/// Returns `None` if `size` exceeds the address space.
fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), ALIGNMENT).ok()
}

#[unsafe(no_mangle)]
extern "C" fn ufbx_malloc(size: usize) -> *mut c_void {
    // SAFETY: the layout has a size of at least one byte.
    layout(size).map_or(ptr::null_mut(), |layout| unsafe { alloc(layout) }.cast())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_realloc(block: *mut c_void, old: usize, new: usize) -> *mut c_void {
    if block.is_null() {
        return ufbx_malloc(new);
    }
    match (layout(old), layout(new)) {
        // SAFETY: the caller passes a block of `ufbx_malloc` and its size.
        (Some(old), Some(new)) => unsafe { realloc(block.cast(), old, new.size()) }.cast(),
        _ => ptr::null_mut(),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_free(block: *mut c_void, size: usize) {
    if let Some(layout) = layout(size).filter(|_| !block.is_null()) {
        // SAFETY: the caller passes a block of `ufbx_malloc` and its size.
        unsafe { dealloc(block.cast(), layout) };
    }
}

/// Returns the `count` bytes at `start`.
///
/// # Safety
/// `start` points to `count` readable bytes.
unsafe fn bytes<'a>(start: *const c_void, count: usize) -> &'a [u8] {
    match count {
        // `start` may be null if `count` is 0, but a slice must not begin at a null pointer.
        0 => &[],
        // SAFETY: the caller guarantees `count` readable bytes.
        _ => unsafe { slice::from_raw_parts(start.cast(), count) },
    }
}

/// Returns the bytes of a C string without the terminating zero, at most `limit` bytes.
///
/// # Safety
/// `text` ends with a zero, or has `limit` readable bytes.
unsafe fn text<'a>(text: *const c_char, limit: usize) -> &'a [u8] {
    let bytes: *const u8 = text.cast();
    // SAFETY: the loop stops at the zero, so it never reads a byte after it.
    unsafe {
        let length = (0..limit).find(|&at| bytes.add(at).read() == 0).unwrap_or(limit);
        self::bytes(bytes.cast(), length)
    }
}

/// Returns a negative number, 0 or a positive number, like `strcmp`.
fn compared(one: &[u8], other: &[u8]) -> c_int {
    one.cmp(other) as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strlen(string: *const c_char) -> usize {
    // SAFETY: the caller passes a C string.
    unsafe { text(string, usize::MAX) }.len()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strcmp(one: *const c_char, other: *const c_char) -> c_int {
    // SAFETY: the caller passes C strings.
    unsafe { compared(text(one, usize::MAX), text(other, usize::MAX)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strncmp(one: *const c_char, other: *const c_char, n: usize) -> c_int {
    // SAFETY: the caller passes C strings, or blocks of `n` bytes.
    unsafe { compared(text(one, n), text(other, n)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memcmp(one: *const c_void, other: *const c_void, n: usize) -> c_int {
    // SAFETY: the caller passes blocks of `n` bytes.
    unsafe { compared(bytes(one, n), bytes(other, n)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memchr(block: *const c_void, byte: c_int, n: usize) -> *const c_void {
    // C compares only the lowest eight bits of `byte`.
    let wanted = byte as u8;
    // SAFETY: the caller passes a block of `n` bytes, and the result points into it.
    unsafe {
        let found = bytes(block, n).iter().position(|&byte| byte == wanted);
        found.map_or(ptr::null(), |at| block.cast::<u8>().add(at).cast())
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memcpy(to: *mut c_void, from: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller passes blocks of `n` bytes that do not overlap.
    unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), n) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memmove(to: *mut c_void, from: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller passes blocks of `n` bytes.
    unsafe { ptr::copy(from.cast::<u8>(), to.cast(), n) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memset(block: *mut c_void, byte: c_int, n: usize) -> *mut c_void {
    // SAFETY: the caller passes a block of `n` bytes.
    unsafe { ptr::write_bytes(block.cast::<u8>(), byte as u8, n) };
    block
}

/// Defines C functions with one `f64` parameter. Each calls a Rust function.
macro_rules! of_one_number {
    ($($name:ident: $function:expr;)+) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(x: f64) -> f64 {
            $function(x)
        }
    )+};
}

of_one_number! {
    ufbx_sqrt: f64::sqrt;
    ufbx_sin: f64::sin;
    ufbx_cos: f64::cos;
    ufbx_tan: f64::tan;
    ufbx_asin: f64::asin;
    ufbx_acos: f64::acos;
    ufbx_atan: f64::atan;
    ufbx_fabs: f64::abs;
    ufbx_rint: f64::round_ties_even;
    ufbx_floor: f64::floor;
    ufbx_ceil: f64::ceil;
}

/// Defines C functions with two `f64` parameters. Each calls a Rust function.
macro_rules! of_two_numbers {
    ($($name:ident: $function:expr;)+) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(x: f64, y: f64) -> f64 {
            $function(x, y)
        }
    )+};
}

of_two_numbers! {
    ufbx_atan2: f64::atan2;
    ufbx_pow: f64::powf;
    ufbx_fmin: f64::min;
    ufbx_fmax: f64::max;
    ufbx_copysign: f64::copysign;
    ufbx_nextafter: next_after;
}

#[unsafe(no_mangle)]
extern "C" fn ufbx_isnan(x: f64) -> c_int {
    x.is_nan().into()
}

fn next_after(x: f64, y: f64) -> f64 {
    match x.partial_cmp(&y) {
        Some(std::cmp::Ordering::Less) => x.next_up(),
        Some(std::cmp::Ordering::Greater) => x.next_down(),
        Some(std::cmp::Ordering::Equal) => y,
        None => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_compared_as_in_c() {
        let cases = [
            (c"hips", c"hips", 0),
            (c"hip", c"hips", -1),
            (c"spine", c"hips", 1),
            (c"\xff", c"a", 1),
            (c"", c"", 0),
        ];
        for (one, other, expected) in cases {
            // SAFETY: both strings end with a zero.
            let found = unsafe { ufbx_strcmp(one.as_ptr(), other.as_ptr()) };
            assert_eq!(found.signum(), expected, "{one:?} {other:?}");
        }
        // SAFETY: all strings end with a zero.
        unsafe {
            assert_eq!(ufbx_strlen(c"Hips".as_ptr()), 4);
            assert_eq!(ufbx_strncmp(c"Hips.L".as_ptr(), c"Hips.R".as_ptr(), 5), 0);
            assert!(ufbx_strncmp(c"Hips.L".as_ptr(), c"Hips.R".as_ptr(), 6) < 0);
        }
    }

    #[test]
    fn blocks_are_searched_copied_and_filled() {
        let mut block = *b"abcdef";
        let start: *mut c_void = block.as_mut_ptr().cast();
        // SAFETY: all lengths are within the block.
        unsafe {
            assert_eq!(ufbx_memchr(start, b'c'.into(), 6), start.byte_add(2).cast_const());
            assert!(ufbx_memchr(start, b'c'.into(), 2).is_null());
            assert_eq!(ufbx_memcmp(start, b"abcdeg".as_ptr().cast(), 5), 0);
            ufbx_memmove(start.byte_add(1), start, 5);
            ufbx_memset(start.byte_add(4), i32::from(b'z') + 256, 2);
            ufbx_memcpy(start, b"xy".as_ptr().cast(), 2);
        }
        assert_eq!(&block, b"xybczz");
    }

    #[test]
    fn blocks_keep_their_bytes_when_they_grow() {
        // SAFETY: the sizes are those of the blocks.
        unsafe {
            let block = ufbx_realloc(ptr::null_mut(), 0, 3);
            ufbx_memset(block, 7, 3);
            let block = ufbx_realloc(block, 3, 4096);
            assert_eq!(bytes(block, 3), [7; 3]);
            assert_eq!(block.addr() % ALIGNMENT, 0);
            ufbx_free(block, 4096);
            ufbx_free(ptr::null_mut(), 0);
            assert!(ufbx_malloc(usize::MAX).is_null());
        }
    }

    #[test]
    fn numbers_are_rounded_and_stepped_as_in_c() {
        assert_eq!([0.5, 1.5, -2.5].map(|x| ufbx_rint(x)), [0.0, 2.0, -2.0]);
        assert_eq!(ufbx_nextafter(1.0, 2.0), 1.0 + f64::EPSILON);
        assert_eq!(ufbx_nextafter(0.0, -1.0), -f64::from_bits(1));
        assert!(ufbx_nextafter(f64::NAN, 1.0).is_nan());
        assert_eq!(ufbx_fmin(f64::NAN, 1.0), 1.0);
        assert_eq!((ufbx_isnan(f64::NAN), ufbx_isnan(1.0)), (1, 0));
    }
}
