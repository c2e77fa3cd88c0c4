//! `--full`: a recording and the whole viewer as one page.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Conversion, title, until_interrupted};
use crate::{Reading, Source, Status, compare, failure, report, tell};
use mutoscope_core::{
    export::{ExportError, Report, write_whole},
    rig::Rig,
};
use mutoscope_player::{FullPage, ViewerPage};

/// The variable that names the folder of the viewer's page.
const VARIABLE: &str = "MUTOSCOPE_PAGE";

/// Writes the recording and those of `--against` into one page with the viewer of the folder `dist`, or of the one that is
/// found.
pub(super) fn run(
    conversion: &Conversion<'_>,
    reading: &Reading,
    dist: Option<&Path>,
    out: &mut impl Write,
) -> io::Result<Status> {
    let args = conversion.args;
    if let Err(message) = usage(conversion, reading) {
        tell(format_args!("error: {message}"));
        return Ok(Status::WrongUsage);
    }
    let viewer = match viewer_page(dist) {
        Ok(viewer) => viewer,
        Err(message) => {
            tell(format_args!("error: --full: {message}"));
            return Ok(Status::Failed);
        }
    };
    let mut inputs = conversion.inputs.clone();
    let sources = || conversion.recordings();
    sources().for_each(|source| source.note_as(&mut inputs, "a recording"));
    if let Err(message) = conversion.allow(&inputs) {
        return conversion.refused(message);
    }
    // Read only for what is wrong with it, and for what else belongs to it: the page has the files as they are.
    let mut files = Files::of(args.source.path());
    let mut link = Vec::new();
    for (index, source) in sources().enumerate() {
        let input = compare::open(conversion.reader, source);
        conversion.note_sidecars(&input.sidecars, &mut inputs);
        if report(&input).is_none() {
            return Ok(failure(&input));
        }
        let word = if index == 0 { "file" } else { "against" };
        link.extend(source.path().map(|path| (word, files.add(path))));
        link.extend(input.sidecars.iter().map(|path| ("file", files.add(path))));
    }
    if let Err(message) = conversion.allow(&inputs) {
        return conversion.refused(message);
    }
    if let Some(path) = reading.rig.as_ref().and_then(Source::path) {
        link.push(("rig", files.add(path)));
        let sidecars = conversion.reader.rig_sidecars.iter();
        link.extend(sidecars.map(|path| ("file", files.add(path))));
    }
    link.extend(view(conversion, reading));
    let files = match files.read() {
        Ok(files) => files,
        Err(message) => return conversion.refused(message),
    };
    let page = FullPage { title: title(&args.source), viewer, files, link };
    if let Err(message) = page.check() {
        tell(format_args!("error: --full: {message}"));
        return Ok(Status::Failed);
    }
    let written = write(&page, &args.output, out);
    conversion.tell_written(written, out)
}

/// The error in the arguments, if there is one.
fn usage(conversion: &Conversion<'_>, reading: &Reading) -> Result<(), String> {
    let args = conversion.args;
    if conversion.target.id != "html" {
        return Err(format!("--full is for html, not for {}", conversion.target.id));
    }
    // What the link to the viewer's page has no parameter for.
    let given = [
        ("--skin", reading.skin.is_some()),
        ("--retarget", reading.retarget.is_some()),
        (
            "a built-in character",
            conversion.reader.rig.as_ref().is_some_and(Rig::matches_by_bones_only),
        ),
        ("--columns", reading.columns.is_some()),
        ("--allow-unmatched-rig", reading.allow_unmatched_rig),
        ("--animation and --character", !args.animation.is_empty()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(format!("{option}: the viewer in a page cannot be told; leave out --full"));
    }
    for source in conversion.recordings().chain(&reading.rig) {
        match source.path() {
            Some(path) if path.is_dir() => {
                return Err(format!("{source}: it is a folder; --full takes recordings"));
            }
            Some(_) => {}
            None => return Err(format!("{source}: --full takes files, not standard input")),
        }
    }
    Ok(())
}

/// The parameters that say how the files are read and what is shown.
fn view(conversion: &Conversion<'_>, reading: &Reading) -> Vec<(&'static str, String)> {
    let args = conversion.args;
    let mut view = Vec::new();
    view.extend(reading.format.map(|format| ("as", format.word().to_owned())));
    view.extend(reading.rotation.map(|way| ("rotation", way.word().to_owned())));
    let range = args.range.as_ref();
    view.extend(range.map(|range| ("range", format!("{}..{}", range.start(), range.end()))));
    view.extend(args.offset.iter().map(|offset| ("offset", offset.to_string())));
    view.extend(args.align.then(|| ("align", String::new())));
    view
}

/// Reads the viewer's page: of the named folder, or else of the variable's, or else of the one beside the program.
fn viewer_page(dist: Option<&Path>) -> Result<ViewerPage, String> {
    let of_variable = || env::var_os(VARIABLE).filter(|it| !it.is_empty()).map(PathBuf::from);
    let named = dist.map(Path::to_owned).or_else(of_variable);
    let beside = || Some(env::current_exe().ok()?.parent()?.join("page"));
    let Some(folder) = named.or_else(beside) else {
        return Err("the viewer's page is not found. Name its folder: --full=DIST".to_owned());
    };
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|why| {
            format!(
                "the viewer's page: {} cannot be read: {why}. Name its folder: --full=DIST, or \
                 {VARIABLE}=DIST. A release has it as mutoscope-{}-page.zip, and scripts/web builds it",
                path.display(),
                env!("CARGO_PKG_VERSION"),
            )
        })
    };
    let text = |name: &str| {
        String::from_utf8(read(name)?).map_err(|_| format!("the viewer's page: {name} is not text"))
    };
    let [index, style, script, glue, wasm] = ViewerPage::FILES;
    Ok(ViewerPage {
        index: text(index)?,
        style: text(style)?,
        script: text(script)?,
        glue: text(glue)?,
        wasm: read(wasm)?,
    })
}

/// The files of the page, by the names that they have in it.
struct Files {
    /// The folder of the recording: what is below keeps its way.
    folder: Option<PathBuf>,
    files: Vec<(String, PathBuf)>,
}

impl Files {
    fn of(recording: Option<&Path>) -> Self {
        Self { folder: recording.and_then(Path::parent).map(Path::to_owned), files: Vec::new() }
    }

    /// The name of a file, which is that of no other.
    fn add(&mut self, path: &Path) -> String {
        if let Some((name, _)) = self.files.iter().find(|(_, known)| known == path) {
            return name.clone();
        }
        let below = self.folder.as_deref().and_then(|folder| path.strip_prefix(folder).ok());
        let own = || path.file_name().map_or(path, Path::new);
        let parts = below.unwrap_or_else(own).iter().map(|part| part.to_string_lossy());
        let mut name = parts.collect::<Vec<_>>().join("/");
        if self.files.iter().any(|(known, _)| *known == name) {
            name = format!("{}/{name}", self.files.len());
        }
        self.files.push((name.clone(), path.to_owned()));
        name
    }

    fn read(self) -> Result<Vec<(String, Vec<u8>)>, String> {
        let read = |(name, path): (String, PathBuf)| {
            let bytes = fs::read(&path);
            let bytes =
                bytes.map_err(|why| format!("{}: cannot be read: {why}", path.display()))?;
            Ok((name, bytes))
        };
        self.files.into_iter().map(read).collect()
    }
}

fn write(page: &FullPage, output: &Source, out: &mut impl Write) -> Result<Report, ExportError> {
    let mut progress = until_interrupted();
    let Some(path) = output.path() else { return page.write(out, &mut progress) };
    let mut html = Vec::new();
    let report = page.write(&mut html, &mut progress)?;
    write_whole(path, &html)?;
    Ok(report)
}
