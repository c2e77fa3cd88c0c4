//! The keys of a track while they stay packed in a stream, so that the viewer can show the stored
//! integers and their location.

use std::sync::Arc;

use super::{Attribute, Bitstream, RawKey, Step, Stream};
use crate::{
    clip::{QuantizedKey, QuantizedKeys},
    diagnostics::SourceLocation,
};

#[derive(Clone, Debug)]
pub(super) struct StreamKeys {
    pub(super) stream: Arc<SharedStream>,
    pub(super) attribute: Attribute,
    pub(super) step: Step,
    pub(super) key_count: usize,
}

/// A copy of the stream. The tracks share the copy, because they outlive the bytes of the file.
#[derive(Debug)]
pub(super) struct SharedStream {
    offset: usize,
    words: Box<[u8]>,
    bits_per_record: u64,
}

impl SharedStream {
    pub(super) fn new(body: &Bitstream) -> Arc<Self> {
        let &Stream { offset, words, bits_per_record } = &body.stream;
        Arc::new(Self { offset, words: words.into(), bits_per_record })
    }

    fn stream(&self) -> Stream<'_> {
        let Self { offset, words, bits_per_record } = self;
        Stream { offset: *offset, words, bits_per_record: *bits_per_record }
    }
}

impl StreamKeys {
    pub(super) fn keys(&self) -> impl Iterator<Item = RawKey> {
        self.stream.stream().keys(&self.attribute).take(self.key_count)
    }
}

impl QuantizedKeys for StreamKeys {
    fn key_location(&self, index: usize) -> SourceLocation {
        let Some(record) = index.checked_sub(1) else {
            return SourceLocation::span(self.attribute.offset, Attribute::INITIAL_BYTES);
        };
        let bit = record as u64 * self.stream.bits_per_record + self.attribute.bit_in_record;
        SourceLocation::bits(self.stream.offset, bit, self.attribute.bit_count())
    }

    fn quantized_key(&self, index: usize) -> Option<QuantizedKey> {
        let key = self.keys().nth(index)?;
        Some(QuantizedKey {
            integers: key.numbers.map(i64::from).into(),
            is_negative: key.is_negative,
            max_error: self.step.deviation(key),
        })
    }
}
