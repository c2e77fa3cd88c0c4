//! One file with the whole viewer and the files that it opens: the viewer's page with everything that it loads inside.

use std::{
    io::{self, Write},
    ops::ControlFlow,
};

use base64::{prelude::BASE64_STANDARD, write::EncoderWriter};
use flate2::{Compression, write::GzEncoder};
use mutoscope_core::export::{ExportError, Progress, Report};
use serde_json::json;

use crate::html::{escaped, hash};

/// The script before the page's own.
const SCRIPT: &str = include_str!("../full/page.js");

/// How many bytes are packed between two questions whether it is still wanted.
const PIECE: usize = 1 << 20;

/// The viewer's page, as `scripts/web` builds it: the contents of its files.
#[derive(Clone, Debug)]
pub struct ViewerPage {
    /// `index.html`
    pub index: String,
    /// `page.css`
    pub style: String,
    /// `page.js`
    pub script: String,
    /// `mutoscope.js`
    pub glue: String,
    /// `mutoscope_bg.wasm`
    pub wasm: Vec<u8>,
}

impl ViewerPage {
    /// The names of these files in their folder, in the order of the fields.
    pub const FILES: [&'static str; 5] =
        ["index.html", "page.css", "page.js", "mutoscope.js", "mutoscope_bg.wasm"];
}

/// A file with the viewer in it.
#[derive(Clone, Debug)]
pub struct FullPage {
    /// Its title.
    pub title: String,
    /// The viewer.
    pub viewer: ViewerPage,
    /// The files that it can open, each by its path relative to the page, with `/` between folders.
    pub files: Vec<(String, Vec<u8>)>,
    /// The parameters of the link that it opens, as of the viewer's page: `file`, `rig` and `against` name one of the files.
    pub link: Vec<(&'static str, String)>,
}

impl FullPage {
    /// Whether its viewer is a page of this version.
    ///
    /// # Errors
    /// If it is not: the message.
    pub fn check(&self) -> Result<(), String> {
        self.around().map(|_| ())
    }

    /// Writes the page, and reports progress to `progress`.
    ///
    /// # Errors
    /// If `progress` stops it, the viewer's page is not what is expected, or `out` cannot be written to.
    pub fn write(
        &self,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Report, ExportError> {
        let around = self.around().map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why));
        let [head, tail] = around?;
        let mut out = Counted { out, count: 0 };
        out.write_all(head.as_bytes())?;
        let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        let contents = json!({ "link": self.link, "files": names }).to_string();
        writeln!(
            out,
            "<script type=\"application/json\" id=\"mutoscope-contents\">{}</script>",
            // Names of files are text, never markup.
            contents.replace('<', "\\u003c")
        )?;
        let all = self.viewer.wasm.len() + self.files.iter().map(|(_, it)| it.len()).sum::<usize>();
        let mut done = 0;
        let mut told = |more: usize| {
            done += more;
            progress(done as f64 / all.max(1) as f64)
        };
        block(&mut out, "mutoscope-wasm", &self.viewer.wasm, &mut told)?;
        let of_viewer = out.count;
        for (index, (_, bytes)) in self.files.iter().enumerate() {
            block(&mut out, &format!("mutoscope-file-{index}"), bytes, &mut told)?;
        }
        out.write_all(tail.as_bytes())?;
        let mut report = Report::default();
        report.info(format!(
            "a page of {:.2} MB, of which {:.2} MB are the viewer; the recording is as it was",
            out.count as f64 / 1e6,
            of_viewer as f64 / 1e6
        ));
        Ok(report)
    }

    /// The page before and behind the blocks: its own, with its style, its scripts and its policy inside.
    fn around(&self) -> Result<[String; 2], String> {
        let ViewerPage { index, style, script, glue, .. } = &self.viewer;
        let glue = without(glue, "mutoscope.js", &["export { initSync, __wbg_init as default };"])?;
        let glue = format!("\n{glue}").replace("\nexport function start(", "\nfunction start(");
        let script =
            without(script, "page.js", &["import init, * as program from './mutoscope.js';"])?;
        let script = format!("{glue}\n{{\n{SCRIPT}{script}}}\n");
        if script.lines().any(|line| line.starts_with("export ") || line.starts_with("import ")) {
            return Err(other("mutoscope.js", "no other exports and imports than start"));
        }
        let policy = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {} \
             'wasm-unsafe-eval'; style-src {}; img-src data:; base-uri 'none'; form-action 'none'\">",
            hash(&script),
            hash(style),
        );
        let mut page = index.clone();
        for (begin, with) in [
            ("<meta http-equiv=\"Content-Security-Policy\"", policy),
            ("<title>", format!("<title>{}</title>", escaped(&self.title))),
            ("<link rel=\"stylesheet\"", format!("<style>{style}</style>")),
            ("<script type=\"module\" src=\"page.js\">", String::new()),
        ] {
            page = replaced(&page, begin, &with)?;
        }
        let (head, tail) =
            page.split_once("</body>").ok_or_else(|| other("index.html", "</body>"))?;
        Ok([head.to_owned(), format!("<script type=\"module\">{script}</script>\n</body>{tail}")])
    }
}

/// The page with another line in place of the one that begins so.
fn replaced(page: &str, begin: &str, with: &str) -> Result<String, String> {
    let mut found = 0;
    let lines = page.lines().map(|line| {
        let is_it = line.starts_with(begin);
        found += usize::from(is_it);
        if is_it { with } else { line }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    if found == 1 { Ok(text + "\n") } else { Err(other("index.html", begin)) }
}

/// A script without these lines, each of which it has once.
fn without(script: &str, name: &str, gone: &[&str]) -> Result<String, String> {
    for line in gone {
        if script.lines().filter(|one| one == line).count() != 1 {
            return Err(other(name, line));
        }
    }
    Ok(script.lines().filter(|line| !gone.contains(line)).map(|line| format!("{line}\n")).collect())
}

/// The message about a page that another version of `scripts/web` has built.
fn other(name: &str, expected: &str) -> String {
    format!(
        "{name}: expected one line {expected:?}; it is of another version. Build it: scripts/web"
    )
}

/// Writes bytes as an element of the page, compressed.
fn block(
    out: &mut dyn Write,
    id: &str,
    bytes: &[u8],
    told: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<(), ExportError> {
    write!(out, "<script type=\"text/plain\" id=\"{id}\">")?;
    let mut gzip =
        GzEncoder::new(EncoderWriter::new(&mut *out, &BASE64_STANDARD), Compression::best());
    for piece in bytes.chunks(PIECE) {
        gzip.write_all(piece)?;
        if told(piece.len()).is_break() {
            return Err(ExportError::Cancelled);
        }
    }
    gzip.finish()?.finish()?;
    Ok(out.write_all(b"</script>\n")?)
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    count: usize,
}

impl Write for Counted<'_> {
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
    use std::io::Read;

    use base64::Engine;
    use flate2::read::GzDecoder;

    use super::*;

    fn viewer() -> ViewerPage {
        ViewerPage {
            index: include_str!("../../../web/index.html").to_owned(),
            style: include_str!("../../../web/page.css").to_owned(),
            script: include_str!("../../../web/page.js").to_owned(),
            glue: "let wasm;\nexport function start() {\n}\nexport { initSync, __wbg_init as default };\n".to_owned(),
            wasm: b"\0asm\x01\0\0\0".repeat(1000),
        }
    }

    fn page(title: &str, name: &str) -> FullPage {
        let files = vec![(name.to_owned(), b"content".to_vec())];
        FullPage {
            title: title.to_owned(),
            viewer: viewer(),
            files,
            link: vec![("file", name.to_owned())],
        }
    }

    fn written(page: &FullPage) -> Result<String, ExportError> {
        let mut out = Vec::new();
        page.write(&mut out, &mut |_| ControlFlow::Continue(()))?;
        Ok(String::from_utf8(out).expect("a page is text"))
    }

    fn unpacked(page: &str, id: &str) -> Vec<u8> {
        let begin = format!("<script type=\"text/plain\" id=\"{id}\">");
        let text = page.split_once(&begin).expect("a block").1.split_once('<').expect("its end").0;
        let mut bytes = Vec::new();
        let packed = BASE64_STANDARD.decode(text).expect("base64");
        GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
        bytes
    }

    #[test]
    fn page_loads_nothing_and_has_everything() {
        let page = written(&page("take", "take.bin")).unwrap();
        assert_eq!(unpacked(&page, "mutoscope-wasm"), viewer().wasm);
        assert_eq!(unpacked(&page, "mutoscope-file-0"), b"content");
        assert!(!page.contains("src=\"") && !page.contains("href=\"page.css\""));
        assert!(page.contains("<canvas id=\"mutoscope\"") && page.ends_with("</body>\n</html>\n"));
        let script = page
            .rsplit_once("<script type=\"module\">")
            .unwrap()
            .1
            .split_once("</script>")
            .unwrap()
            .0;
        assert!(page.contains(&hash(script)) && page.contains("default-src 'none'"));
        assert!(
            !script.lines().any(|line| line.starts_with("import ") || line.starts_with("export "))
        );
    }

    #[test]
    fn names_are_text() {
        let page = written(&page("</title><img>", "</script><img>.bin")).unwrap();
        assert!(!page.contains("<img>"), "{page}");
    }

    #[test]
    fn pages_of_other_versions_are_refused_with_what_is_missing() {
        let mut page = page("take", "take.bin");
        page.viewer.glue = "export { other as default };\n".to_owned();
        let why = page.check().unwrap_err();
        assert!(why.contains("mutoscope.js") && why.contains("scripts/web"), "{why}");
        page.viewer = ViewerPage { index: "<html></html>".to_owned(), ..viewer() };
        assert!(page.check().unwrap_err().contains("index.html"));
        assert!(written(&page).is_err());
    }

    #[test]
    fn writing_stops_on_request() {
        let result =
            page("take", "take.bin").write(&mut Vec::new(), &mut |_| ControlFlow::Break(()));
        assert!(matches!(result, Err(ExportError::Cancelled)), "{result:?}");
    }
}
