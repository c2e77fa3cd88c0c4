//! Checks the page headers of a Parquet column before the pages are unpacked. The crate `parquet`
//! allocates as many bytes and values as the headers state.

use std::io::{self, Read};

use mutoscope_core::diagnostics::Error;
use parquet::basic::Compression;

use super::{batches::BatchFormat, limits::Budget};

/// The facts about the pages of a column that decide how it can be read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageSummary {
    /// The unpacked size in bytes of the largest page in which a string states only how it differs
    /// from the previous one. Any string of such a page can be as long as the page.
    pub(super) largest_delta_page: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PageHeader {
    packed: usize,
    unpacked: usize,
    values: usize,
    is_dictionary: bool,
    is_packed: bool,
    has_delta_strings: bool,
    /// The bytes of the levels, which are not packed in a page of version 2.
    level_bytes: usize,
}

/// The part of a column that lies in one row group.
#[derive(Clone, Copy)]
pub(super) struct ColumnChunk<'a> {
    pub(super) bytes: &'a [u8],
    /// The position in the file.
    pub(super) offset: usize,
    pub(super) compression: Compression,
    /// `true` if a row may have several values.
    pub(super) is_list: bool,
}

impl ColumnChunk<'_> {
    /// Checks all pages.
    ///
    /// # Errors
    /// If a header is broken, or if a page states or has more content than a file of this size may
    /// have.
    pub(super) fn check_pages(
        self,
        budget: &Budget,
        summary: &mut PageSummary,
    ) -> Result<(), Error> {
        let mut at = 0;
        while at < self.bytes.len() {
            let broken = |found: &str| {
                let found = format_args!("{found} at byte {}", self.offset + at);
                BatchFormat::Parquet.broken_error(found)
            };
            let (page, length) = parse_header(&self.bytes[at..])
                .ok_or_else(|| broken("an unreadable page header"))?;
            let body = at + length;
            let end = body.checked_add(page.packed);
            let content = end.and_then(|end| self.bytes.get(body..end));
            let content = content.ok_or_else(|| broken("a page that is longer than its column"))?;
            budget.add_bytes(page.unpacked as u64)?;
            // The reader allocates memory for all values of a dictionary, and each value takes at least
            // one byte.
            if page.is_dictionary && page.values > page.unpacked {
                return Err(broken("a dictionary with more values than bytes"));
            }
            if !page.is_dictionary {
                budget.add_cells(page.values as u64)?;
            }
            if page.has_delta_strings {
                summary.largest_delta_page = summary.largest_delta_page.max(page.unpacked);
                // A batch has at least one row, and a row may have all values of the page.
                if self.is_list {
                    budget.add_bytes(page.values as u64 * page.unpacked as u64)?;
                }
            }
            let packed = content.get(page.level_bytes..).unwrap_or_default();
            if page.is_packed && unpacks_to_more(packed, self.compression, page.unpacked, budget) {
                return Err(broken("a page that unpacks to more bytes than it states"));
            }
            at = body + page.packed;
        }
        Ok(())
    }
}

/// Returns `true` if a page unpacks to more bytes than its header states. We count the bytes only
/// for compressions that the crate `parquet` unpacks without a limit, and only if they could exceed
/// the budget.
fn unpacks_to_more(
    packed: &[u8],
    compression: Compression,
    unpacked: usize,
    budget: &Budget,
) -> bool {
    /// Deflate stores at most 258 bytes in 2 bits.
    const MAX_GZIP_RATIO: u64 = 1032;
    let exceeds = |mut reader: Box<dyn Read + '_>| {
        let read = io::copy(&mut reader.by_ref().take(unpacked as u64 + 1), &mut io::sink());
        // The crate reports broken pages when it reads them.
        read.is_ok_and(|bytes| bytes > unpacked as u64)
    };
    match compression {
        Compression::GZIP(_) if packed.len() as u64 * MAX_GZIP_RATIO > budget.max_bytes() => {
            exceeds(Box::new(flate2::read::MultiGzDecoder::new(packed)))
        }
        #[cfg(not(target_family = "wasm"))]
        Compression::BROTLI(_) => {
            exceeds(Box::new(brotli_decompressor::Decompressor::new(packed, 1 << 12)))
        }
        _ => false,
    }
}

/// Parses a page header, and returns it with its length in bytes. Returns `None` if it is broken.
fn parse_header(bytes: &[u8]) -> Option<(PageHeader, usize)> {
    /// The encoding `DELTA_BYTE_ARRAY`.
    const DELTA_STRINGS: i64 = 7;
    // The ids of the fields in `parquet.thrift`. The first id is that of the enclosing struct.
    const PAGE_TYPE: (i64, i64) = (0, 1);
    const UNPACKED_BYTES: (i64, i64) = (0, 2);
    const PACKED_BYTES: (i64, i64) = (0, 3);
    const DATA_VALUES: (i64, i64) = (5, 1);
    const DATA_ENCODING: (i64, i64) = (5, 2);
    const DICTIONARY_VALUES: (i64, i64) = (7, 1);
    const DATA2_VALUES: (i64, i64) = (8, 1);
    const DATA2_ENCODING: (i64, i64) = (8, 4);
    const DATA2_DEFINITION_BYTES: (i64, i64) = (8, 5);
    const DATA2_REPETITION_BYTES: (i64, i64) = (8, 6);
    const DATA2_IS_PACKED: (i64, i64) = (8, 7);
    /// The value of `PAGE_TYPE` for a dictionary.
    const DICTIONARY_PAGE: usize = 2;
    let mut reader = CompactReader { bytes };
    let mut page = PageHeader { is_packed: true, ..PageHeader::default() };
    let mut is_valid = true;
    reader.read_struct(0, &mut |parent, field, value| {
        let mut size = || {
            let size = usize::try_from(value).ok().filter(|size| *size <= i32::MAX as usize);
            is_valid &= size.is_some();
            size.unwrap_or(0)
        };
        match (parent, field) {
            PAGE_TYPE => page.is_dictionary = size() == DICTIONARY_PAGE,
            UNPACKED_BYTES => page.unpacked = size(),
            PACKED_BYTES => page.packed = size(),
            DATA_VALUES | DICTIONARY_VALUES | DATA2_VALUES => page.values = page.values.max(size()),
            DATA_ENCODING | DATA2_ENCODING => page.has_delta_strings |= value == DELTA_STRINGS,
            DATA2_DEFINITION_BYTES | DATA2_REPETITION_BYTES => page.level_bytes += size(),
            DATA2_IS_PACKED => page.is_packed = value != 0,
            _ => {}
        }
    })?;
    is_valid.then_some((page, bytes.len() - reader.bytes.len()))
}

/// Reads the compact protocol of Thrift.
struct CompactReader<'a> {
    bytes: &'a [u8],
}

/// Receives the id of the enclosing struct, the id of a field, and its integer or boolean.
type EachField<'f> = &'f mut dyn FnMut(i64, i64, i64);

impl CompactReader<'_> {
    const TRUE: u8 = 1;
    const FALSE: u8 = 2;
    const STRUCT: u8 = 12;
    /// Page headers nest three structs.
    const MAX_DEPTH: usize = 8;

    fn read_byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn read_varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.read_byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn read_integer(&mut self) -> Option<i64> {
        let zigzag = self.read_varint()?;
        Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    fn skip_bytes(&mut self, count: u64) -> Option<()> {
        self.bytes = self.bytes.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn read_struct(&mut self, id: i64, each: EachField<'_>) -> Option<()> {
        self.read_nested_struct(id, Self::MAX_DEPTH, each)
    }

    fn read_nested_struct(&mut self, id: i64, depth: usize, each: EachField<'_>) -> Option<()> {
        let mut field = 0_i64;
        loop {
            let head = self.read_byte()?;
            if head == 0 {
                return Some(());
            }
            field = match head >> 4 {
                0 => self.read_integer()?,
                delta => field.checked_add(delta.into())?,
            };
            match head & 15 {
                Self::TRUE => each(id, field, 1),
                Self::FALSE => each(id, field, 0),
                4..=6 => each(id, field, self.read_integer()?),
                Self::STRUCT => {
                    // The ids of structs in structs are of no interest. A negative id cannot be
                    // confused with the id of another struct.
                    let inner = if id == 0 { field } else { -1 };
                    self.read_nested_struct(inner, depth.checked_sub(1)?, each)?;
                }
                kind => self.skip_value(kind, depth)?,
            }
        }
    }

    fn skip_value(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            Self::TRUE..=3 => self.skip_bytes(1),
            4..=6 => self.read_varint().map(drop),
            7 => self.skip_bytes(8),
            8 => {
                let length = self.read_varint()?;
                self.skip_bytes(length)
            }
            9 | 10 => {
                let head = self.read_byte()?;
                let count = match head >> 4 {
                    15 => self.read_varint()?,
                    count => count.into(),
                };
                (0..count).try_for_each(|_| self.skip_value(head & 15, depth.checked_sub(1)?))
            }
            11 => {
                let count = self.read_varint()?;
                let kinds = if count == 0 { 0 } else { self.read_byte()? };
                (0..count).try_for_each(|_| {
                    self.skip_value(kinds >> 4, depth.checked_sub(1)?)?;
                    self.skip_value(kinds & 15, depth.checked_sub(1)?)
                })
            }
            Self::STRUCT => self.read_nested_struct(-1, depth.checked_sub(1)?, &mut |_, _, _| {}),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of version 1: 100 values, 800 bytes, packed to 20 bytes, with statistics.
    const HEADER: [u8; 23] = [
        0x15, 0, 0x15, 0xc0, 0x0c, 0x15, 40, 0x2c, 0x15, 0xc8, 0x01, 0x15, 0, 0x15, 6, 0x15, 6,
        0x1c, 0x18, 1, 9, 0, 0,
    ];

    #[test]
    fn page_headers_are_parsed() {
        let mut bytes = HEADER.to_vec();
        bytes.extend([0, 7, 7]);
        let expected = PageHeader {
            packed: 20,
            unpacked: 800,
            values: 100,
            is_packed: true,
            ..PageHeader::default()
        };
        assert_eq!(parse_header(&bytes), Some((expected, HEADER.len() + 1)));
        for length in 0..=HEADER.len() {
            assert_eq!(parse_header(&HEADER[..length]), None, "{length}");
        }
    }

    #[test]
    fn broken_page_headers_are_rejected() {
        // A negative size, a list of 2⁶³ items, and structs without end.
        let mut list = vec![0x19, 0xf5];
        list.extend([0xff; 9]);
        assert_eq!(parse_header(&[0x25, 1, 0]), None);
        assert_eq!(parse_header(&list), None);
        assert_eq!(parse_header(&[0x1c; 100_000]), None);
    }

    #[test]
    fn pages_that_unpack_to_more_than_stated_are_found() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let zeros = vec![0; 1 << 20];
        for _ in 0..300 {
            std::io::Write::write_all(&mut packed, &zeros).unwrap();
        }
        let packed = packed.finish().unwrap();
        let budget = Budget::for_file(packed.len());
        let gzip = Compression::GZIP(Default::default());
        assert!(unpacks_to_more(&packed, gzip, 1000, &budget));
        assert!(!unpacks_to_more(&packed, gzip, 300 << 20, &budget));
    }
}
