//! Reading changes of items.

use super::ItemData;
use crate::{issues::Issue, reader::Reader};
use mutoscope_core::diagnostics::Error;

/// How many items a change has whose first byte is the first item's own.
const LEGACY_COUNT: usize = 6;

/// How many slots there are.
const SLOTS: usize = 8;

/// The first byte is minus the count, or already that of the first item.
pub(super) fn items<'a>(reader: &mut Reader<'a>) -> Result<Vec<ItemData<'a>>, Error> {
    let start = reader.cursor.offset();
    let first = reader.cursor.u8("a change of items")? as i8;
    if first >= 0 {
        let mut items = Vec::with_capacity(LEGACY_COUNT);
        items.push(item_of_kind(reader, first)?);
        for _ in 1..LEGACY_COUNT {
            items.push(item(reader)?);
        }
        return Ok(items);
    }
    // The negative of −128 is no byte: it stands for none.
    let count = usize::from(first.checked_neg().unwrap_or(0).unsigned_abs());
    if count > SLOTS {
        reader.note(Issue::Slots, start);
    }
    let mut items = Vec::with_capacity(count.min(reader.cursor.left()));
    for _ in 0..count {
        items.push(item(reader)?);
    }
    items.truncate(SLOTS);
    Ok(items)
}

fn item<'a>(reader: &mut Reader<'a>) -> Result<ItemData<'a>, Error> {
    let kind = reader.cursor.u8("an item")? as i8;
    item_of_kind(reader, kind)
}

fn item_of_kind<'a>(reader: &mut Reader<'a>, kind: i8) -> Result<ItemData<'a>, Error> {
    if !(0..=3).contains(&kind) {
        reader.note(Issue::ItemType, reader.cursor.offset() - 1);
    }
    if !(1..=3).contains(&kind) {
        return Ok(ItemData::None);
    }
    let id = reader.cursor.i32_be("the number of an item")?;
    let data = if kind > 1 { Some(reader.string("the data of an item")?) } else { None };
    Ok(ItemData::Some { id, data, is_tag: kind == 2 })
}
