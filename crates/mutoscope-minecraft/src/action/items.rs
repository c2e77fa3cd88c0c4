//! Reads changes of items.

use super::ItemData;
use crate::{format_diagnostics::FormatDiagnostic, reader::Reader};
use mutoscope_core::diagnostics::Error;

const LEGACY_ITEM_COUNT: usize = 6;

const SLOT_COUNT: usize = 8;

/// Reads a change of items. If the first byte is negative, it is the negated number of items.
/// Otherwise it is the type of the first of six items.
pub(super) fn read_items<'a>(reader: &mut Reader<'a>) -> Result<Vec<ItemData<'a>>, Error> {
    let start = reader.cursor.offset();
    let first = reader.cursor.u8("a change of items")? as i8;
    if first >= 0 {
        let mut items = Vec::with_capacity(LEGACY_ITEM_COUNT);
        items.push(read_item_of_kind(reader, first)?);
        for _ in 1..LEGACY_ITEM_COUNT {
            items.push(read_item(reader)?);
        }
        return Ok(items);
    }
    // Read no items if the byte is −128, because −128 has no positive counterpart in an `i8`. The
    // mod reads no items either.
    let count = usize::from(first.checked_neg().unwrap_or(0).unsigned_abs());
    if count > SLOT_COUNT {
        reader.record_diagnostic(FormatDiagnostic::TooManyItems, start);
    }
    let mut items = Vec::with_capacity(count.min(reader.cursor.remaining()));
    for _ in 0..count {
        items.push(read_item(reader)?);
    }
    items.truncate(SLOT_COUNT);
    Ok(items)
}

fn read_item<'a>(reader: &mut Reader<'a>) -> Result<ItemData<'a>, Error> {
    let kind = reader.cursor.u8("an item")? as i8;
    read_item_of_kind(reader, kind)
}

fn read_item_of_kind<'a>(reader: &mut Reader<'a>, kind: i8) -> Result<ItemData<'a>, Error> {
    if !(0..=3).contains(&kind) {
        reader.record_diagnostic(FormatDiagnostic::UnknownItemType, reader.cursor.offset() - 1);
    }
    if !(1..=3).contains(&kind) {
        return Ok(ItemData::None);
    }
    let id = reader.cursor.i32_be("the number of an item")?;
    let data = if kind > 1 { Some(reader.string("the data of an item")?) } else { None };
    Ok(ItemData::Some { id, data, is_tag: kind == 2 })
}
