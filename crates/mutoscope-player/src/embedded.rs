//! Packs a recording for embedding in another page: a still image, and the motion as text.

use base64::{Engine, prelude::BASE64_STANDARD};
use mutoscope_core::{
    clip::Clip,
    export::{ExportError, ExportOptions, Progress},
};

use crate::{Page, PageRecording, PageView, still};

/// A recording for embedding in another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// An SVG image of one pose. A page shows it until the recording is played. Without scripts,
    /// the image stays.
    pub svg: String,
    /// The bytes of [`Pack::to_bytes`](crate::Pack::to_bytes) in base64, for `open()` of
    /// `<mutoscope-player>`.
    pub pack: String,
}

impl Embedded {
    /// Packs a recording that does not start to play by itself. `title` is used if the recording
    /// has no name.
    ///
    /// # Errors
    /// Returns an error if `progress` cancels, or if there are too many keys.
    pub fn new(clip: &Clip, title: &str, progress: &mut Progress<'_>) -> Result<Self, ExportError> {
        let options = ExportOptions { title: title.to_owned(), ..ExportOptions::default() };
        let view = PageView { autoplay: false, ..PageView::default() };
        let page = Page { view, ..Page::new(title, vec![PageRecording::new(clip, &options)]) };
        let (pack, _) = page.pack(progress)?;
        Ok(Self { svg: still::render_svg(&page), pack: BASE64_STANDARD.encode(pack.to_bytes()?) })
    }

    /// Returns the number of bytes that the recording takes in a page.
    pub fn size(&self) -> usize {
        self.svg.len() + self.pack.len()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::element_script;
    use mutoscope_core::{ReadOptions, decode};

    const SWING: &str = "HIERARCHY\nROOT <b>\n{ OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
        End Site\n{ OFFSET 0 10 0\n} }\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";

    #[test]
    fn embedded_recording_contains_no_markup_from_names() {
        let clip = decode(SWING.as_bytes(), &ReadOptions::default()).unwrap();
        let whole = Embedded::new(&clip, "</script><img>", &mut Progress::default());
        let whole = whole.unwrap();
        assert!(whole.svg.starts_with("<svg ") && !whole.svg.contains("<img>"));
        let pack = BASE64_STANDARD.decode(&whole.pack).unwrap();
        assert!(pack.starts_with(b"MUTOPLAY"));
        assert_eq!(whole.size(), whole.svg.len() + whole.pack.len());
        let stopped = Embedded::new(&clip, "", &mut Progress::new(|_| ControlFlow::Break(())));
        assert!(matches!(stopped, Err(ExportError::Cancelled(_))), "{stopped:?}");
    }

    #[test]
    fn element_script_is_embeddable_and_loads_nothing() {
        let script = element_script();
        for ends_it in ["</script", "<!--"] {
            assert!(!script.to_lowercase().contains(ends_it), "{ends_it}");
        }
        for loads in ["src=", " url(", "@import", "<link", "<iframe"] {
            assert!(!script.contains(loads), "{loads}");
        }
    }
}
