//! The web page that the viewer runs in, and the files that it fetched.

use std::{collections::HashMap, path::PathBuf};

use bevy::prelude::*;

use super::Link;

/// The web page that the viewer runs in. The resource is missing on the desktop.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The address of the page, without the query.
    pub address: String,
    /// The addresses of fetched files, by their paths in memory.
    pub fetched: HashMap<PathBuf, String>,
    /// The link that the page was opened with.
    pub link: Link,
}

impl Page {
    /// Returns `address`. If `address` is part of the link that opened the page, also returns the
    /// other files of this link, because they may be sidecar files.
    pub(in crate::session) fn with_sidecars(&self, address: String) -> Vec<String> {
        let mut addresses = vec![address];
        if self.link.files.contains(&addresses[0]) {
            let others = self.link.files.iter().filter(|other| **other != addresses[0]);
            addresses.extend(others.cloned().collect::<Vec<_>>());
        }
        addresses
    }
}
