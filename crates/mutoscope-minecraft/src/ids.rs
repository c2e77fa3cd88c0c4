//! The names of items and blocks.

use std::{collections::HashMap, sync::Arc};

use super::{BlockState, Header};

/// The names of items and blocks by the numbers that actions have for them. Each name is made once.
#[derive(Debug)]
pub(super) struct Ids {
    items: Names,
    blocks: Names,
}

#[derive(Debug)]
struct Names {
    /// By number, from 1 on; nothing if the file has no list and numbers are the game's own.
    listed: Option<Vec<Arc<str>>>,
    /// Names of numbers that have no id in the file: `#836`.
    numbered: HashMap<i32, Arc<str>>,
    air: Arc<str>,
}

/// The name of a number, and whether the file's list, if there is one, has it.
pub(super) struct Name {
    pub(super) text: Arc<str>,
    pub(super) is_known: bool,
}

impl Ids {
    pub(super) fn new(header: &Header<'_>) -> Self {
        let ids = header.ids.as_ref();
        Self {
            items: Names::new(
                ids.map(|ids| ids.items.iter().map(|id| with_namespace(id)).collect()),
            ),
            blocks: Names::new(ids.map(|ids| ids.blocks.iter().map(block_name).collect())),
        }
    }

    /// The name of an item; nothing for air, which is no item.
    pub(super) fn item(&mut self, id: i32) -> Option<Name> {
        if id == 0 { None } else { Some(self.items.of(id)) }
    }

    /// The name of a block, with its properties.
    pub(super) fn block(&mut self, id: i32) -> Name {
        self.blocks.of(id)
    }
}

impl Names {
    fn new(listed: Option<Vec<String>>) -> Self {
        let listed = listed.map(|names| names.into_iter().map(Arc::from).collect());
        Self { listed, numbered: HashMap::new(), air: "minecraft:air".into() }
    }

    fn of(&mut self, id: i32) -> Name {
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

/// A name as people say it, without the game's own namespace and without properties: `oak_log`.
/// Namespaces of mods stay, and so do numbers: `#836`.
pub fn short(id: &str) -> &str {
    let name = id.strip_prefix("minecraft:").unwrap_or(id);
    name.split_once('[').map_or(name, |(name, _)| name)
}

fn with_namespace(id: &str) -> String {
    if id.contains(':') { id.to_owned() } else { format!("minecraft:{id}") }
}

/// As the game's own commands write it: `minecraft:oak_log[axis=y]`.
fn block_name(block: &BlockState<'_>) -> String {
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
            assert_eq!(short(id), expected);
        }
    }
}
