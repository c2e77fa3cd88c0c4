//! Writes a single file that contains the whole viewer and the files that it opens.

use std::io::{self, Write};

use base64::{prelude::BASE64_STANDARD, write::EncoderWriter};
use flate2::{Compression, write::GzEncoder};
use mutoscope_core::export::{Cancelled, ExportError, Progress, Report};
use serde_json::json;

use crate::html::{csp_hash, escape_html};

const LOADER_SCRIPT: &str = include_str!("../full/page.js");

const PROGRESS_STEP_BYTES: usize = 1 << 20;

/// The files of the viewer's page, as `scripts/web` builds it.
#[derive(Clone, Debug)]
pub struct ViewerPage {
    /// The contents of `index.html`.
    pub index: String,
    /// The contents of `page.css`.
    pub style: String,
    /// The contents of `page.js`.
    pub script: String,
    /// The contents of `mutoscope.js`.
    pub glue: String,
    /// The contents of `mutoscope_bg.wasm`.
    pub wasm: Vec<u8>,
}

impl ViewerPage {
    /// The names of the files that `scripts/web` builds, in the order of the fields.
    pub const FILES: [&'static str; 5] =
        ["index.html", "page.css", "page.js", "mutoscope.js", "mutoscope_bg.wasm"];
}

/// A page that contains the whole viewer.
#[derive(Clone, Debug)]
pub struct FullPage {
    /// The title of the page.
    pub title: String,
    /// The viewer to embed.
    pub viewer: ViewerPage,
    /// The files that the page can open, each with its path relative to the page. Folders are
    /// separated by `/`.
    pub files: Vec<(String, Vec<u8>)>,
    /// The parameters of the link that the page opens. The viewer's own page accepts the same
    /// parameters. `file`, `rig` and `against` must name one of [`Self::files`].
    pub link: Vec<(&'static str, String)>,
}

impl FullPage {
    /// Checks that [`Self::viewer`] is a page of this version.
    ///
    /// # Errors
    /// Returns a message that names the first difference.
    pub fn check(&self) -> Result<(), String> {
        self.split_template().map(|_| ())
    }

    /// Writes the page and reports progress to `progress`.
    ///
    /// # Errors
    /// Returns an error if `progress` cancels, if the viewer's page is of another version, or if
    /// writing to `out` fails.
    pub fn write(
        &self,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let template =
            self.split_template().map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why));
        let [head, tail] = template?;
        let mut out = CountingWriter { out, count: 0 };
        out.write_all(head.as_bytes())?;
        let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        let contents = json!({ "link": self.link, "files": names }).to_string();
        writeln!(
            out,
            "<script type=\"application/json\" id=\"mutoscope-contents\">{}</script>",
            // Escape `<`, so that no file name can close the script element.
            contents.replace('<', "\\u003c")
        )?;
        let total =
            self.viewer.wasm.len() + self.files.iter().map(|(_, it)| it.len()).sum::<usize>();
        let mut done = 0;
        progress.begin_phase(1.0);
        let mut report_progress = |more: usize| {
            done += more;
            progress.report_progress(done, total)
        };
        write_block(&mut out, "mutoscope-wasm", &self.viewer.wasm, &mut report_progress)?;
        let viewer_size = out.count;
        for (index, (_, bytes)) in self.files.iter().enumerate() {
            write_block(&mut out, &format!("mutoscope-file-{index}"), bytes, &mut report_progress)?;
        }
        out.write_all(tail.as_bytes())?;
        let mut report = Report::default();
        report.info(format!(
            "a page of {:.2} MB, including {:.2} MB for the viewer; the recording is embedded unchanged",
            out.count as f64 / 1e6,
            viewer_size as f64 / 1e6
        ));
        Ok(report)
    }

    /// Returns the page before and after the blocks with the program and the files.
    fn split_template(&self) -> Result<[String; 2], String> {
        let ViewerPage { index, style, script, glue, .. } = &self.viewer;
        let [start, rest] = split_at_part(index, "head")?;
        let [middle, end] = split_at_part(rest, "scripts")?;
        let scripts = [glue, LOADER_SCRIPT, script];
        let hashes = scripts.map(csp_hash).join(" ");
        let head = format!(
            "{start}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {hashes} \
             'wasm-unsafe-eval'; style-src {}; img-src data:; base-uri 'none'; form-action 'none'\">\n\
             <title>{}</title>\n<style>{style}</style>{middle}",
            csp_hash(style),
            escape_html(&self.title),
        );
        let tail = format!(
            "<script>{glue}</script>\n<script type=\"module\">{LOADER_SCRIPT}</script>\n\
             <script type=\"module\">{script}</script>{end}"
        );
        Ok([head, tail])
    }
}

/// Removes the part of `index.html` between the comments `embed NAME` and `/embed NAME`. Returns
/// what is before it and what is after it.
fn split_at_part<'a>(index: &'a str, name: &str) -> Result<[&'a str; 2], String> {
    let [begin, end] = ["", "/"].map(|slash| format!("<!-- {slash}embed {name} -->"));
    let split = || {
        let (before, rest) = index.split_once(&begin)?;
        let (_, after) = rest.split_once(&end)?;
        Some([before, after])
    };
    split().ok_or_else(|| {
        format!(
            "index.html: expected {begin} and {end}; the page is of another version. Rebuild it with scripts/web"
        )
    })
}

fn write_block(
    out: &mut dyn Write,
    id: &str,
    bytes: &[u8],
    report_progress: &mut dyn FnMut(usize) -> Result<(), Cancelled>,
) -> Result<(), ExportError> {
    write!(out, "<script type=\"text/plain\" id=\"{id}\">")?;
    let mut gzip =
        GzEncoder::new(EncoderWriter::new(&mut *out, &BASE64_STANDARD), Compression::best());
    for piece in bytes.chunks(PROGRESS_STEP_BYTES) {
        gzip.write_all(piece)?;
        report_progress(piece.len())?;
    }
    gzip.finish()?.finish()?;
    Ok(out.write_all(b"</script>\n")?)
}

struct CountingWriter<'a> {
    out: &'a mut dyn Write,
    count: usize,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.count += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Read, ops::ControlFlow};

    use base64::Engine;
    use flate2::read::GzDecoder;

    use super::*;

    fn test_viewer() -> ViewerPage {
        ViewerPage {
            index: include_str!("../../../web/index.html").to_owned(),
            style: include_str!("../../../web/page.css").to_owned(),
            script: include_str!("../../../web/page.js").to_owned(),
            glue: "let wasm_bindgen = (function() {})();\n".to_owned(),
            wasm: b"\0asm\x01\0\0\0".repeat(1000),
        }
    }

    fn page(title: &str, name: &str) -> FullPage {
        let files = vec![(name.to_owned(), b"content".to_vec())];
        FullPage {
            title: title.to_owned(),
            viewer: test_viewer(),
            files,
            link: vec![("file", name.to_owned())],
        }
    }

    fn write_page(page: &FullPage) -> Result<String, ExportError> {
        let mut out = Vec::new();
        page.write(&mut out, &mut Progress::default())?;
        Ok(String::from_utf8(out).expect("a page is text"))
    }

    fn unpack_block(page: &str, id: &str) -> Vec<u8> {
        let begin = format!("<script type=\"text/plain\" id=\"{id}\">");
        let text = page.split_once(&begin).expect("a block").1.split_once('<').expect("its end").0;
        let mut bytes = Vec::new();
        let packed = BASE64_STANDARD.decode(text).expect("base64");
        GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
        bytes
    }

    #[test]
    fn page_embeds_everything_and_loads_nothing() {
        let page = write_page(&page("take", "take.bin")).unwrap();
        assert_eq!(unpack_block(&page, "mutoscope-wasm"), test_viewer().wasm);
        assert_eq!(unpack_block(&page, "mutoscope-file-0"), b"content");
        assert!(!page.contains("src=\"") && !page.contains("href=\"page.css\""));
        assert!(page.contains("<title>take</title>") && page.contains("<canvas id=\"mutoscope\""));
        assert!(page.contains("default-src 'none'") && page.ends_with("</body>\n</html>\n"));
        // The scripts are embedded unchanged, and the policy allows each of them.
        let ViewerPage { script, glue, style, .. } = test_viewer();
        for (element, content) in [
            ("<script>", &*glue),
            ("<script type=\"module\">", LOADER_SCRIPT),
            ("<script type=\"module\">", &*script),
            ("<style>", &*style),
        ] {
            assert!(page.contains(&format!("{element}{content}</")), "{content}");
            assert!(page.contains(&csp_hash(content)), "{content}");
        }
    }

    #[test]
    fn names_are_escaped() {
        let page = write_page(&page("</title><img>", "</script><img>.bin")).unwrap();
        assert!(!page.contains("<img>"), "{page}");
    }

    #[test]
    fn pages_of_other_versions_are_rejected_with_the_missing_comment() {
        let mut page = page("take", "take.bin");
        for part in ["head", "scripts"] {
            page.viewer.index = test_viewer().index.replace(&format!("/embed {part}"), "other");
            let why = page.check().unwrap_err();
            assert!(
                why.contains(&format!("/embed {part}")) && why.contains("scripts/web"),
                "{why}"
            );
            assert!(write_page(&page).is_err());
        }
    }

    #[test]
    fn writing_can_be_cancelled() {
        let result = page("take", "take.bin")
            .write(&mut Vec::new(), &mut Progress::new(|_| ControlFlow::Break(())));
        assert!(matches!(result, Err(ExportError::Cancelled(_))), "{result:?}");
    }
}
