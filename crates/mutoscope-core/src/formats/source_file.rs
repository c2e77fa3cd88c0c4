//! A file as decoders receive it.

use crate::io::bytes::{Content, NoSidecars, Sidecars};

/// A file whose content was read: its name, its content and the files around it.
#[derive(Clone, Copy)]
pub struct SourceFile<'a> {
    /// The name of the file. The extension breaks ties if several formats recognise the content
    /// equally well, and the name locates the files that belong to the file. Empty if the file has
    /// no name.
    pub name: &'a str,
    /// The whole content.
    pub content: Content<'a>,
    /// The source of the files that the recording refers to, such as skeletons and textures.
    pub sidecars: &'a dyn Sidecars,
}

impl<'a> SourceFile<'a> {
    /// Creates a file without sidecar files.
    pub fn new(name: &'a str, content: impl Into<Content<'a>>) -> Self {
        Self { name, content: content.into(), sidecars: &NoSidecars }
    }

    /// Sets the source of the files that the recording refers to.
    #[must_use]
    pub fn with_sidecars(self, sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, ..self }
    }

    /// Returns the extension of the name, in any case and without its dot.
    pub fn extension(&self) -> Option<&'a str> {
        extension_of(self.name)
    }
}

impl<'a, C: Into<Content<'a>>> From<C> for SourceFile<'a> {
    fn from(content: C) -> Self {
        Self::new("", content)
    }
}

/// Returns the part of a file's name after the last dot, or `None` if the name has no dot or ends
/// with it.
pub fn extension_of(name: &str) -> Option<&str> {
    let name = name.rsplit(['/', '\\']).next()?;
    name.rsplit_once('.').map(|(_, extension)| extension).filter(|extension| !extension.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_follows_the_last_dot() {
        let cases = [
            ("take.ANIM", Some("ANIM")),
            ("a.b/take", None),
            ("a\\take.tar.gz", Some("gz")),
            ("-", None),
            ("take.", None),
        ];
        for (name, expected) in cases {
            assert_eq!(extension_of(name), expected, "{name}");
        }
    }
}
