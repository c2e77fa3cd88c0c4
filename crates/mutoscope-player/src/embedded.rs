//! A recording as a page of other content has it: a still picture, and its motion as text.

use base64::{Engine, prelude::BASE64_STANDARD};
use mutoscope_core::{
    clip::Clip,
    export::{ExportError, ExportOptions, Progress},
};

use crate::{Page, PageRecording, PageView, still};

/// A recording for a page of other content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// An SVG of one pose: what is shown where no script runs, and until it is played.
    pub picture: String,
    /// The bytes of [`Pack::to_bytes`](crate::Pack::to_bytes) in base64: `open()` of `<mutoscope-player>` takes them.
    pub pack: String,
}

impl Embedded {
    /// A recording that does not play by itself, called `title` where it has no name.
    ///
    /// # Errors
    /// If `progress` stops it, or there are too many keys.
    pub fn new(clip: &Clip, title: &str, progress: &mut Progress<'_>) -> Result<Self, ExportError> {
        let options = ExportOptions { title: title.to_owned(), ..ExportOptions::default() };
        let view = PageView { autoplay: false, ..PageView::default() };
        let page = Page { view, ..Page::new(title, vec![PageRecording::new(clip, &options)]) };
        let (pack, _) = page.pack(progress)?;
        Ok(Self { picture: still::svg(&page), pack: BASE64_STANDARD.encode(pack.to_bytes()?) })
    }

    /// How many bytes of a page it takes.
    pub fn size(&self) -> usize {
        self.picture.len() + self.pack.len()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::element_script;
    use mutoscope_core::formats::{self, DecodeRequest};

    const SWING: &str = "HIERARCHY\nROOT <b>\n{ OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
        End Site\n{ OFFSET 0 10 0\n} }\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";

    #[test]
    fn it_is_a_picture_and_a_pack_without_markup_of_names() {
        let clip = formats::decode(SWING.as_bytes(), &DecodeRequest::default()).unwrap();
        let whole = Embedded::new(&clip, "</script><img>", &mut |_| ControlFlow::Continue(()));
        let whole = whole.unwrap();
        assert!(whole.picture.starts_with("<svg ") && !whole.picture.contains("<img>"));
        let pack = BASE64_STANDARD.decode(&whole.pack).unwrap();
        assert!(pack.starts_with(b"MUTOPLAY"));
        assert_eq!(whole.size(), whole.picture.len() + whole.pack.len());
        let stopped = Embedded::new(&clip, "", &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(ExportError::Cancelled)), "{stopped:?}");
    }

    #[test]
    fn player_can_be_put_into_a_script_element_of_a_page_that_loads_nothing() {
        let script = element_script();
        for ends_it in ["</script", "<!--"] {
            assert!(!script.to_lowercase().contains(ends_it), "{ends_it}");
        }
        for loads in ["src=", " url(", "@import", "<link", "<iframe"] {
            assert!(!script.contains(loads), "{loads}");
        }
    }
}
