//! The web page that the viewer runs in, and links to it.

use std::{collections::HashMap, path::PathBuf};

use bevy::prelude::*;

use crate::session::{Files, Link, SavedView, Source};

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
    /// Returns the address that restores `view` of `files`, and whether the link contains all
    /// files. Dropped files have no address.
    pub fn link_to(&self, view: &SavedView, files: &Files) -> (String, LinkCoverage) {
        let address_of = |path: &PathBuf| self.fetched.get(path).cloned();
        let mut link = Link {
            view: SavedView { compared: Vec::new(), footage: None, ..view.clone() },
            format: self.link.format,
            rotation: self.link.rotation,
            ..Link::default()
        };
        let mut all_there = true;
        match &files.current {
            Some(Source::Sample(index)) => link.sample = Some(*index),
            Some(Source::File(path)) => match address_of(path) {
                Some(address) => link.files = self.with_sidecars(address),
                None => all_there = false,
            },
            Some(Source::Stdin) | None => all_there = false,
        }
        if let Some(path) = files.skeleton.as_ref().and_then(|rig| rig.path.as_ref()) {
            link.rig = address_of(path);
            all_there &= link.rig.is_some();
        }
        for (path, options) in &view.compared {
            match address_of(path) {
                Some(address) => link.view.compared.push((address.into(), *options)),
                None => all_there = false,
            }
        }
        let linked = if all_there { LinkCoverage::All } else { LinkCoverage::Partial };
        (format!("{}?{}", self.address, link.to_query()), linked)
    }

    /// Returns `address`. If `address` is part of the link that opened the page, also returns the
    /// other files of this link, because they may be sidecar files.
    fn with_sidecars(&self, address: String) -> Vec<String> {
        let mut addresses = vec![address];
        if self.link.files.contains(&addresses[0]) {
            let others = self.link.files.iter().filter(|other| **other != addresses[0]);
            addresses.extend(others.cloned().collect::<Vec<_>>());
        }
        addresses
    }
}

/// Which of the open files a link contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkCoverage {
    /// All open files.
    All,
    /// Only some files. The user of the link must drop the others on the page.
    Partial,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::measure::compare::CompareOptions;

    fn page() -> Page {
        let (requested, _) = Link::parse("file=takes/a.bin&file=takes/a.png&as=mrtk");
        let fetched = ["takes/a.bin", "takes/a.png", "b.bin"];
        let fetched = fetched.map(|address| (format!("link/{address}").into(), address.to_owned()));
        Page {
            address: "https://example.org/".to_owned(),
            fetched: fetched.into(),
            link: requested,
        }
    }

    #[test]
    fn link_has_fetched_files_and_the_view() {
        let view = SavedView {
            at: Some(1.5),
            compared: vec![("link/b.bin".into(), CompareOptions::default())],
            ..SavedView::default()
        };
        let current = Some(Source::File("link/takes/a.bin".into()));
        let files = Files { current, ..Files::default() };
        let expected = "https://example.org/?file=takes/a.bin&file=takes/a.png&as=mrtk&at=1.5\
                        &against=b.bin";
        assert_eq!(page().link_to(&view, &files), (expected.to_owned(), LinkCoverage::All));
    }

    #[test]
    fn link_has_samples_but_no_dropped_files() {
        let view = SavedView { at: Some(1.5), ..SavedView::default() };
        let sample = Files { current: Some(Source::Sample(0)), ..Files::default() };
        let page = Page { address: "https://example.org/".to_owned(), ..Page::default() };
        let expected = "https://example.org/?sample=two-hands-head-and-gaze&at=1.5";
        assert_eq!(page.link_to(&view, &sample), (expected.to_owned(), LinkCoverage::All));
        let dropped = Files { current: Some(Source::File("1/a.bin".into())), ..Files::default() };
        let expected = "https://example.org/?at=1.5";
        assert_eq!(page.link_to(&view, &dropped), (expected.to_owned(), LinkCoverage::Partial));
    }
}
