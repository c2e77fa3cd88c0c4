//! Resolves the ids of items and blocks to names.

use std::{collections::HashMap, sync::Arc};

use super::{BlockState, Header};

#[derive(Debug)]
pub(super) struct Ids {
    items: NameTable,
    blocks: NameTable,
}

#[derive(Debug)]
struct NameTable {
    /// The names from the file. The name of id 1 is at index 0. `None` if the file has no names and
    /// uses the game's own ids.
    listed: Option<Vec<Arc<str>>>,
    numbered: HashMap<i32, Arc<str>>,
    air: Arc<str>,
}

/// The name for an id. `is_known` is `false` if the file has a list of names without this id. It is
/// always `true` if the file has no list.
pub(super) struct Name {
    pub(super) text: Arc<str>,
    pub(super) is_known: bool,
}

impl Ids {
    pub(super) fn new(header: &Header<'_>) -> Self {
        let ids = header.ids.as_ref();
        Self {
            items: NameTable::new(
                ids.map(|ids| ids.items.iter().map(|id| with_namespace(id)).collect()),
            ),
            blocks: NameTable::new(
                ids.map(|ids| ids.blocks.iter().map(block_state_name).collect()),
            ),
        }
    }

    pub(super) fn item_name(&mut self, id: i32) -> Option<Name> {
        if id == 0 { None } else { Some(self.items.name(id)) }
    }

    pub(super) fn block_name(&mut self, id: i32) -> Name {
        self.blocks.name(id)
    }
}

impl NameTable {
    fn new(listed: Option<Vec<String>>) -> Self {
        let listed = listed.map(|names| names.into_iter().map(Arc::from).collect());
        Self { listed, numbered: HashMap::new(), air: "minecraft:air".into() }
    }

    fn name(&mut self, id: i32) -> Name {
        if id == 0 {
            return Name { text: self.air.clone(), is_known: true };
        }
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let listed = self.listed.as_ref().zip(index).and_then(|(names, index)| names.get(index));
        match listed {
            Some(name) => Name { text: name.clone(), is_known: true },
            None => {
                let numbered = self.numbered.entry(id);
                let text = numbered.or_insert_with(|| format!("#{id}").into()).clone();
                Name { text, is_known: self.listed.is_none() }
            }
        }
    }
}

/// Returns a name without the namespace `minecraft:` and without properties, such as `oak_log`. The
/// namespaces of mods and numeric ids such as `#836` are kept.
pub fn short_name(id: &str) -> &str {
    let name = id.strip_prefix("minecraft:").unwrap_or(id);
    name.split_once('[').map_or(name, |(name, _)| name)
}

fn with_namespace(id: &str) -> String {
    if id.contains(':') { id.to_owned() } else { format!("minecraft:{id}") }
}

/// Formats a block as in the game's commands: `minecraft:oak_log[axis=y]`.
fn block_state_name(block: &BlockState<'_>) -> String {
    let mut name = with_namespace(&block.id);
    if !block.properties.is_empty() {
        let properties: Vec<_> =
            block.properties.iter().map(|(name, value)| format!("{name}={value}")).collect();
        name += &format!("[{}]", properties.join(","));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened() {
        let cases = [
            ("minecraft:oak_log[axis=y]", "oak_log"),
            ("#836", "#836"),
            ("create:cogwheel", "create:cogwheel"),
        ];
        for (id, expected) in cases {
            assert_eq!(short_name(id), expected);
        }
    }
}
