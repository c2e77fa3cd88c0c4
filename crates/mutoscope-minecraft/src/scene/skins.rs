//! Skins that a scene names: an image, or a list of skins of which one is drawn.

use std::{collections::HashMap, sync::Arc};

use super::{
    file::Skin,
    sidecar::{find, skin_file},
};
use mutoscope_core::{
    diagnostics::{Notices, SourceLocation},
    io::bytes::Sidecars,
};

/// The skins that were asked for so far.
#[derive(Default)]
pub(super) struct Skins {
    /// By path; nothing if they could not be read, which is reported once.
    pictures: HashMap<String, Option<Arc<[u8]>>>,
    /// The skins drawn of lists, by the list's name.
    drawn: HashMap<String, Skin>,
}

/// The prefix of lists' names.
const LIST: &str = "list/";

/// Lists name lists no more often than this.
const DEEPEST: usize = 16;

impl Skins {
    /// The skin itself if it is a list of skins: its first, of which the mod draws one at random.
    pub(super) fn drawn(
        &mut self,
        skin: &Skin,
        sidecars: &dyn Sidecars,
        notices: &mut Notices,
    ) -> Skin {
        let mut skin = skin.clone();
        let Some(name) = list_of(&skin).map(str::to_owned) else { return skin };
        if let Some(drawn) = self.drawn.get(&name) {
            return drawn.clone();
        }
        for _ in 0..DEEPEST {
            let Some(list) = list_of(&skin) else {
                let message = format!(
                    "the skins of {LIST}{name}: the mod draws one at random; using the first"
                );
                notices.info(SourceLocation::File, message);
                self.drawn.insert(name, skin.clone());
                return skin;
            };
            skin = match first(list, sidecars) {
                Ok(first) => first,
                Err(message) => return self.lose(name, &message, notices),
            };
        }
        let message = format!("the lists of skins from {name:?} on name each other");
        self.lose(name, &message, notices)
    }

    fn lose(&mut self, name: String, message: &str, notices: &mut Notices) -> Skin {
        notices.warning(SourceLocation::File, format!("{message}; using the recording's skin"));
        self.drawn.insert(name, Skin::Recorded);
        Skin::Recorded
    }

    /// The image of a skin, if that is in a file. Without it, the player has a plain figure.
    pub(super) fn picture(
        &mut self,
        skin: &Skin,
        sidecars: &dyn Sidecars,
        notices: &mut Notices,
    ) -> Option<Arc<[u8]>> {
        let Skin::File(path) = skin else { return None };
        if let Some(known) = self.pictures.get(path) {
            return known.clone();
        }
        let picture = skin_file(sidecars, path).map_err(|message| {
            notices.warning(SourceLocation::File, format!("{message}; drawn without"))
        });
        let picture: Option<Arc<[u8]>> = picture.ok().map(Arc::from);
        self.pictures.insert(path.clone(), picture.clone());
        picture
    }
}

/// The name of the list that a skin is.
fn list_of(skin: &Skin) -> Option<&str> {
    match skin {
        Skin::File(path) => path.strip_prefix(LIST),
        _ => None,
    }
}

/// The first skin of a list: lines of a source and a path with one space between.
fn first(name: &str, sidecars: &dyn Sidecars) -> Result<Skin, String> {
    let folders = ["../skins/list/", "list/", "skins/list/"];
    let bytes = find(sidecars, "list of skins", name, folders, "txt")?;
    let text = String::from_utf8_lossy(&bytes);
    let mut first = None;
    for line in text.lines().map(|line| line.trim_end_matches('\r')) {
        if line.is_empty() {
            continue;
        }
        let fields: Vec<_> = line.split(' ').collect();
        let &[source, path] = &fields[..] else {
            return Err(format!(
                "the list of skins {name:?}: expected lines of a source and a path, found {line:?}"
            ));
        };
        let path = path.to_owned();
        let skin = match source.to_uppercase().as_str() {
            "DEFAULT" => Skin::Recorded,
            _ if path == "null" => Skin::Recorded,
            "FROM_PLAYER" => Skin::Player(path),
            "FROM_FILE" => Skin::File(path),
            "FROM_MINESKIN" => Skin::Mineskin(path),
            // Unknown sources are skipped.
            _ => continue,
        };
        first.get_or_insert(skin);
    }
    first.ok_or_else(|| format!("the list of skins {name:?} is empty"))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn the_first_skin_of_a_list_is_used_and_lists_may_name_lists() {
        let read = |path: &str| -> io::Result<Vec<u8>> {
            Ok(match path {
                "../skins/list/all.txt" => "\nodd x\nfrom_file list/boys\nFROM_PLAYER Alex\n",
                "../skins/list/boys.txt" => "from_file slim/tom\r\n",
                "../skins/list/round.txt" => "from_file list/round\n",
                "../skins/list/wrong.txt" => "from_file a\nfrom_file b c\n",
                "../skins/list/empty.txt" => "\n",
                _ => return Err(io::ErrorKind::NotFound.into()),
            }
            .as_bytes()
            .to_vec())
        };
        let mut skins = Skins::default();
        let mut drawn = |name: &str| {
            let mut notices = Notices::new();
            let skin = skins.drawn(&Skin::File(format!("list/{name}")), &read, &mut notices);
            (skin, notices.len())
        };
        assert_eq!(drawn("all"), (Skin::File("slim/tom".to_owned()), 1));
        assert_eq!(drawn("all").1, 0, "said once");
        for broken in ["round", "wrong", "empty", "missing"] {
            assert_eq!(drawn(broken), (Skin::Recorded, 1), "{broken}");
        }
    }
}
