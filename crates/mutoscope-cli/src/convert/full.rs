//! `--full`: writes a recording and the whole viewer as one page.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Conversion, default_title};
use crate::{
    Interrupt, ReadArgs, Source, Status, compare, failure_status, print_message, report_input,
};
use mutoscope_core::{
    export::{ExportError, MotionOptions, Report, write_atomically},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_player::{FullPage, ViewerPage};

const PAGE_VARIABLE: &str = "MUTOSCOPE_PAGE";

/// Writes the recording and those of `--against` into one page with the viewer. `dist` is the
/// folder of the viewer's page; `None` searches for it.
pub(super) fn run(
    conversion: &Conversion<'_>,
    read_args: &ReadArgs,
    dist: Option<&Path>,
    out: &mut impl Write,
) -> io::Result<Status> {
    let args = conversion.args;
    if let Err(message) = check_usage(conversion, read_args) {
        print_message(format_args!("error: {message}"));
        return Ok(Status::WrongUsage);
    }
    let viewer = match read_viewer_page(dist) {
        Ok(viewer) => viewer,
        Err(message) => {
            print_message(format_args!("error: --full: {message}"));
            return Ok(Status::Failed);
        }
    };
    let mut inputs = conversion.inputs.clone();
    let sources = || conversion.recordings();
    sources().for_each(|source| source.add_to_inputs(&mut inputs, "a recording"));
    if let Err(message) = conversion.check_outputs(&inputs) {
        return conversion.print_refusal(message);
    }
    // Open the recordings only to report their problems and to find their sidecar files. The page
    // contains the files unchanged.
    let mut files = PageFiles::for_recording(args.source.path());
    let mut link = Vec::new();
    for (index, source) in sources().enumerate() {
        let input = compare::open_recording(conversion.read_options, source);
        conversion.add_sidecars(input.sidecars(), &mut inputs);
        if report_input(&input).is_none() {
            return Ok(failure_status(&input));
        }
        let parameter = if index == 0 { "file" } else { "against" };
        link.extend(source.path().map(|path| (parameter, files.add(path))));
        link.extend(input.sidecars().iter().map(|path| ("file", files.add(path))));
    }
    if let Err(message) = conversion.check_outputs(&inputs) {
        return conversion.print_refusal(message);
    }
    if let Some(path) = read_args.rig.as_ref().and_then(Source::path) {
        link.push(("rig", files.add(path)));
        let sidecars =
            conversion.read_options.given_skeleton().into_iter().flat_map(|rig| &rig.sidecars);
        link.extend(sidecars.map(|path| ("file", files.add(path))));
    }
    link.extend(link_parameters(conversion, read_args));
    let files = match files.read_all() {
        Ok(files) => files,
        Err(message) => return conversion.print_refusal(message),
    };
    let page = FullPage { title: default_title(&args.source), viewer, files, link };
    if let Err(message) = page.check() {
        print_message(format_args!("error: --full: {message}"));
        return Ok(Status::Failed);
    }
    let written = write_page(&page, &args.output, out);
    conversion.print_result(written, out)
}

fn check_usage(conversion: &Conversion<'_>, read_args: &ReadArgs) -> Result<(), String> {
    let args = conversion.args;
    if conversion.target.id != "html" {
        return Err(format!("--full is for html, not for {}", conversion.target.id));
    }
    // Refuse these options, because the link to the viewer's page has no parameters for them.
    let given = [
        ("--skin", read_args.skin.is_some()),
        ("--retarget", read_args.retarget.is_some()),
        (
            "a built-in character",
            conversion
                .read_options
                .given_skeleton()
                .is_some_and(LoadedSkeleton::matches_by_bones_only),
        ),
        ("--columns", read_args.columns.is_some()),
        ("--rate", read_args.frame_rate.is_some()),
        ("--allow-unmatched-rig", read_args.allow_unmatched_rig),
        ("--animation and --character", !args.animation.is_empty()),
        (
            "--in-place, --up, --forward, --rest, --scale or --speed",
            args.motion_options() != MotionOptions::default(),
        ),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(format!("--full cannot be combined with {option}"));
    }
    for source in conversion.recordings().chain(&read_args.rig) {
        match source.path() {
            Some(path) if path.is_dir() => {
                return Err(format!("{source}: expected a recording for --full, found a folder"));
            }
            Some(_) => {}
            None => {
                return Err(format!("{source}: expected a file for --full, found standard input"));
            }
        }
    }
    Ok(())
}

fn link_parameters(
    conversion: &Conversion<'_>,
    read_args: &ReadArgs,
) -> Vec<(&'static str, String)> {
    let args = conversion.args;
    let mut parameters = Vec::new();
    parameters.extend(read_args.format.map(|format| ("as", format.as_str().to_owned())));
    parameters.extend(read_args.rotation.map(|mode| ("rotation", mode.as_str().to_owned())));
    let range = args.range.as_ref();
    parameters.extend(range.map(|range| ("range", format!("{}..{}", range.start(), range.end()))));
    parameters.extend(args.offset.iter().map(|offset| ("offset", offset.to_string())));
    parameters.extend(args.align.then(|| ("align", String::new())));
    parameters
}

fn read_viewer_page(dist: Option<&Path>) -> Result<ViewerPage, String> {
    let from_variable =
        || env::var_os(PAGE_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let named = dist.map(Path::to_owned).or_else(from_variable);
    let next_to_program = || Some(env::current_exe().ok()?.parent()?.join("page"));
    let Some(folder) = named.or_else(next_to_program) else {
        return Err("the viewer's page was not found. Pass its folder as --full=DIST".to_owned());
    };
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|why| {
            format!(
                "cannot read the viewer's page: {}: {why}. Pass its folder as --full=DIST or in \
                 {PAGE_VARIABLE}. A release contains it as mutoscope-{}-page.zip, and scripts/web builds it",
                path.display(),
                env!("CARGO_PKG_VERSION"),
            )
        })
    };
    let text = |name: &str| {
        String::from_utf8(read(name)?)
            .map_err(|_| format!("the viewer's page: {name} is not UTF-8"))
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

struct PageFiles {
    folder: Option<PathBuf>,
    files: Vec<(String, PathBuf)>,
}

impl PageFiles {
    fn for_recording(recording: Option<&Path>) -> Self {
        Self { folder: recording.and_then(Path::parent).map(Path::to_owned), files: Vec::new() }
    }

    fn add(&mut self, path: &Path) -> String {
        if let Some((name, _)) = self.files.iter().find(|(_, known)| known == path) {
            return name.clone();
        }
        let below = self.folder.as_deref().and_then(|folder| path.strip_prefix(folder).ok());
        let file_name = || path.file_name().map_or(path, Path::new);
        let parts = below.unwrap_or_else(file_name).iter().map(|part| part.to_string_lossy());
        let mut name = parts.collect::<Vec<_>>().join("/");
        if self.files.iter().any(|(known, _)| *known == name) {
            name = format!("{}/{name}", self.files.len());
        }
        self.files.push((name.clone(), path.to_owned()));
        name
    }

    fn read_all(self) -> Result<Vec<(String, Vec<u8>)>, String> {
        let read = |(name, path): (String, PathBuf)| {
            let bytes = fs::read(&path);
            let bytes =
                bytes.map_err(|why| format!("{}: cannot be read: {why}", path.display()))?;
            Ok((name, bytes))
        };
        self.files.into_iter().map(read).collect()
    }
}

fn write_page(
    page: &FullPage,
    output: &Source,
    out: &mut impl Write,
) -> Result<Report, ExportError> {
    let mut progress = Interrupt::listen().progress();
    let Some(path) = output.path() else { return page.write(out, &mut progress) };
    let mut html = Vec::new();
    let report = page.write(&mut html, &mut progress)?;
    write_atomically(path, &html)?;
    Ok(report)
}
