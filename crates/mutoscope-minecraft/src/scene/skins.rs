//! Loads the skins that a scene names: an image, or a list of skins from which one is drawn.

use std::{collections::HashMap, sync::Arc};

use super::{
    codes,
    file::Skin,
    sidecar::{SidecarError, read_from_folders, read_skin},
};
use mutoscope_core::{
    diagnostics::{Diagnostics, SourceLocation},
    io::bytes::Sidecars,
};

#[derive(Default)]
pub(super) struct SkinCache {
    /// The images by path. `None` marks an image that could not be read. Its problem is then
    /// reported only once.
    images: HashMap<String, Option<Arc<[u8]>>>,
    resolved: HashMap<String, Skin>,
}

const LIST_PREFIX: &str = "list/";

const MAX_LIST_DEPTH: usize = 16;

impl SkinCache {
    /// Returns `skin`, or the first skin of the list if `skin` names a list. The mod chooses a
    /// random skin of the list.
    pub(super) fn resolve_list(
        &mut self,
        skin: &Skin,
        sidecars: &dyn Sidecars,
        diagnostics: &mut Diagnostics,
    ) -> Skin {
        let mut skin = skin.clone();
        let Some(name) = list_name(&skin).map(str::to_owned) else { return skin };
        if let Some(resolved) = self.resolved.get(&name) {
            return resolved.clone();
        }
        for _ in 0..MAX_LIST_DEPTH {
            let Some(list) = list_name(&skin) else {
                let message = format!(
                    "the skins of {LIST_PREFIX}{name}: the mod draws one at random; using the first"
                );
                diagnostics.info(codes::SKIN_DRAWN, SourceLocation::File, message);
                self.resolved.insert(name, skin.clone());
                return skin;
            };
            skin = match read_first_skin(list, sidecars) {
                Ok(first) => first,
                Err(error) => return self.use_recorded(name, &error, diagnostics),
            };
        }
        let error = SidecarError::ListCycle(name.clone());
        self.use_recorded(name, &error, diagnostics)
    }

    fn use_recorded(
        &mut self,
        name: String,
        error: &SidecarError,
        diagnostics: &mut Diagnostics,
    ) -> Skin {
        let message = format!("{error}; using the recording's skin");
        diagnostics
            .warning(codes::SKIN_LIST_UNREADABLE, SourceLocation::File, message)
            .with("name", name.as_str());
        self.resolved.insert(name, Skin::Recorded);
        Skin::Recorded
    }

    pub(super) fn load_image(
        &mut self,
        skin: &Skin,
        sidecars: &dyn Sidecars,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<[u8]>> {
        let Skin::File(path) = skin else { return None };
        if let Some(known) = self.images.get(path) {
            return known.clone();
        }
        let image = read_skin(sidecars, path).map_err(|error| {
            let message = format!("{error}; using the default skin");
            diagnostics
                .warning(codes::SKIN_UNREADABLE, SourceLocation::File, message)
                .with("name", path.as_str());
        });
        let image: Option<Arc<[u8]>> = image.ok().map(Arc::from);
        self.images.insert(path.clone(), image.clone());
        image
    }
}

fn list_name(skin: &Skin) -> Option<&str> {
    match skin {
        Skin::File(path) => path.strip_prefix(LIST_PREFIX),
        _ => None,
    }
}

/// Returns the first skin of a list. Each line has a source and a path, separated by one space.
fn read_first_skin(name: &str, sidecars: &dyn Sidecars) -> Result<Skin, SidecarError> {
    let folders = ["../skins/list/", "list/", "skins/list/"];
    let bytes = read_from_folders(sidecars, "list of skins", name, folders, "txt")?;
    let text = String::from_utf8_lossy(&bytes);
    let mut first = None;
    for line in text.lines().map(|line| line.trim_end_matches('\r')) {
        if line.is_empty() {
            continue;
        }
        let fields: Vec<_> = line.split(' ').collect();
        let &[source, path] = &fields[..] else {
            return Err(SidecarError::InvalidListLine {
                list: name.to_owned(),
                line: line.to_owned(),
            });
        };
        let path = path.to_owned();
        let skin = match source.to_uppercase().as_str() {
            "DEFAULT" => Skin::Recorded,
            _ if path == "null" => Skin::Recorded,
            "FROM_PLAYER" => Skin::Player(path),
            "FROM_FILE" => Skin::File(path),
            "FROM_MINESKIN" => Skin::Mineskin(path),
            // The mod skips lines with an unknown source.
            _ => continue,
        };
        first.get_or_insert(skin);
    }
    first.ok_or_else(|| SidecarError::EmptyList(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn list_uses_its_first_skin_and_may_name_other_lists() {
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
        let mut skins = SkinCache::default();
        let mut resolved = |name: &str| {
            let mut diagnostics = Diagnostics::new();
            let skin =
                skins.resolve_list(&Skin::File(format!("list/{name}")), &read, &mut diagnostics);
            (skin, diagnostics.len())
        };
        assert_eq!(resolved("all"), (Skin::File("slim/tom".to_owned()), 1));
        assert_eq!(resolved("all").1, 0, "reported once");
        for broken in ["round", "wrong", "empty", "missing"] {
            assert_eq!(resolved(broken), (Skin::Recorded, 1), "{broken}");
        }
    }
}
