//! Links with the scheme `mutoscope:`, which a browser or another program passes to the viewer:
//! `mutoscope:open?file=take.bin&at=1.2`.
//!
//! Anybody may have written such a link, so parsing is strict. A link may only have the parameters
//! of [`Link`], each of them valid. It can open only local files, and the user is asked about files
//! that were not open recently.

use std::path::PathBuf;

use super::{Link, LinkedFiles, SavedView, Settings, absolute_path};
use mutoscope_core::{
    clip::RotationRule,
    formats::FormatId,
    io::{file_name, storage},
    read::format_path,
};

const SCHEME: &str = "mutoscope:";

/// The parameters of a `mutoscope:` link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramLink {
    /// The files to open together.
    pub files: Vec<PathBuf>,
    /// The index of the embedded sample to open.
    pub sample: Option<usize>,
    /// The format that every file is read as. `None` recognises the format of each file.
    pub format: Option<FormatId>,
    /// How rotations are interpolated between keys. `None` uses the default of each format.
    pub rotation: Option<RotationRule>,
    /// The view, including the compared recordings.
    pub view: SavedView,
    /// The linked files, including comparison recordings, that the user has not opened recently.
    /// The user must confirm before they are opened.
    pub unknown: Vec<PathBuf>,
}

impl ProgramLink {
    /// Returns `true` if an argument of the command line is a link instead of a path.
    pub fn is_link(word: &str) -> bool {
        word.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
    }

    /// Parses a link. If a path is relative, this looks for a file in `recent` whose path ends with
    /// it. Otherwise the path is relative to the current folder.
    ///
    /// # Errors
    /// If any part of the link is invalid. The message is one sentence.
    pub fn parse(text: &str, recent: &[PathBuf]) -> Result<Self, String> {
        let query = text[SCHEME.len()..].strip_prefix("open?");
        let query = query.filter(|query| !query.contains('#'));
        let query =
            query.ok_or_else(|| format!("expected mutoscope:open?file=…, found {text:?}"))?;
        let (link, problems) = Link::parse(query);
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem.trim_end_matches("; skipped").to_owned());
        }
        let file = |text: &str| parse_local_file(text, recent);
        let texts = link.files.iter().chain(&link.rig);
        let files = texts.map(|text| file(text)).collect::<Result<Vec<_>, _>>()?;
        let mut view = link.view;
        for (path, _) in &mut view.compared {
            *path = file(&format_path(path))?;
        }
        if files.is_empty() && link.sample.is_none() {
            return Err("expected a file or a sample, found neither".to_owned());
        }
        if !files.is_empty() && link.sample.is_some() {
            return Err("expected a file or a sample, found both".to_owned());
        }
        let all = files.iter().chain(view.compared.iter().map(|(path, _)| path));
        let unknown = all.filter(|path| !recent.contains(path)).cloned().collect();
        let Link { sample, format, rotation, .. } = link;
        Ok(Self { files, sample, format, rotation, view, unknown })
    }

    /// Returns the arguments of `OpenLinked`: the files to open and the view to open them in.
    pub fn linked_files(self) -> LinkedFiles {
        LinkedFiles { files: self.files, unknown: self.unknown, view: self.view }
    }
}

/// Returns the recordings that were opened in earlier runs, the latest first.
pub fn recent_recordings() -> Vec<PathBuf> {
    Settings::for_user().recent().cloned().collect()
}

/// Returns the local file that a link names. Refuses network paths, other addresses, devices and
/// folders.
fn parse_local_file(text: &str, recent: &[PathBuf]) -> Result<PathBuf, String> {
    let refused = |what: &str| Err(format!("file: expected a local file, found {what} {text:?}"));
    if text.is_empty() {
        return Err("file: expected a path, found nothing".to_owned());
    }
    if text.contains(char::is_control) {
        return refused("a control character in");
    }
    if text.starts_with(['/', '\\']) && text[1..].starts_with(['/', '\\']) {
        return refused("the network path");
    }
    // A scheme of one letter is a drive of Windows.
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_of_scheme = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
    if scheme.len() > 1 && scheme.chars().all(is_of_scheme) {
        return refused("the address");
    }
    let path = PathBuf::from(text);
    let known = recent.iter().find(|known| path.is_relative() && known.ends_with(&path));
    let path = known.cloned().unwrap_or_else(|| absolute_path(&path));
    if file_name::check_output_name(&path).is_err()
        || storage::metadata(&path).is_ok_and(|about| !about.is_file)
    {
        return refused("a folder or a device:");
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn parse(text: &str) -> Result<ProgramLink, String> {
        ProgramLink::parse(text, &[])
    }

    #[test]
    fn report_links_are_parsed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it's <é>&+ 50%.bin");
        fs::write(&path, "").unwrap();
        let escaped = percent_encoding::utf8_percent_encode(
            path.to_str().unwrap(),
            percent_encoding::NON_ALPHANUMERIC,
        );
        let text = format!(
            "mutoscope:open?file={escaped}&at=1.2346&range=1.0000..2.5000&select=right/Wrist"
        );
        assert!(ProgramLink::is_link(&text) && ProgramLink::is_link("MUTOSCOPE:x"));
        assert!(!ProgramLink::is_link("mutoscope") && !ProgramLink::is_link("mutoscopé:"));
        let expected = ProgramLink {
            files: vec![path.clone()],
            view: SavedView {
                at: Some(1.2346),
                range: Some((1.0, 2.5)),
                select: Some("right/Wrist".to_owned()),
                ..SavedView::default()
            },
            unknown: vec![path.clone()],
            ..ProgramLink::default()
        };
        assert_eq!(parse(&text), Ok(expected.clone()));
        let known = ProgramLink { unknown: vec![], ..expected };
        assert_eq!(ProgramLink::parse(&text, &[path]), Ok(known));
        let sample = parse("mutoscope:open?sample=two-hands-head-and-gaze&at=1").unwrap();
        assert_eq!((sample.sample, sample.unknown), (Some(0), vec![]));
    }

    #[test]
    fn relative_paths_match_recent_recordings() {
        let recent = ["/data/a/takes/1.bin", "/data/b/takes/1.bin"].map(PathBuf::from);
        let link = |path: &str| {
            let text = format!("mutoscope:open?file={path}");
            ProgramLink::parse(&text, &recent).unwrap()
        };
        assert_eq!(link("takes/1.bin").files, recent[..1]);
        assert_eq!(link("b/takes/1.bin").files, recent[1..]);
        assert!(link("b/takes/1.bin").unknown.is_empty());
        let below = absolute_path(Path::new("akes/1.bin"));
        assert_eq!(
            (link("akes/1.bin").files, link("akes/1.bin").unknown),
            (vec![below.clone()], vec![below])
        );
    }

    #[test]
    fn compared_recordings_and_skeletons_can_be_unknown() {
        let link = parse("mutoscope:open?file=/a/1.bin&rig=/a/rig.glb&against=/a/2.bin").unwrap();
        let paths =
            ["/a/1.bin", "/a/rig.glb", "/a/2.bin"].map(|path| absolute_path(Path::new(path)));
        assert_eq!((&link.files[..], &link.unknown[..]), (&paths[..2], &paths[..]));
    }

    #[test]
    fn hostile_links_are_refused_in_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let folder = percent_encoding::utf8_percent_encode(
            folder.path().to_str().unwrap(),
            percent_encoding::NON_ALPHANUMERIC,
        );
        for (rest, expected) in [
            ("", "expected mutoscope:open?"),
            ("open", "expected mutoscope:open?"),
            ("//open?file=a.bin", "expected mutoscope:open?"),
            ("run?file=a.bin", "expected mutoscope:open?"),
            ("open?file=a.bin#b", "expected mutoscope:open?"),
            ("open?", "found neither"),
            ("open?at=1", "found neither"),
            ("open?file=", "found nothing"),
            ("open?file=https://example.org/a.bin", "found the address"),
            ("open?file=FILE:///etc/passwd", "found the address"),
            ("open?file=%68ttp%3A%2F%2Fexample.org%2Fa.bin", "found the address"),
            ("open?file=//host/share/a.bin", "found the network path"),
            ("open?file=%5C%5Chost%5Cshare%5Ca.bin", "found the network path"),
            ("open?file=%2F%5Chost/share/a.bin", "found the network path"),
            ("open?file=%5C%5C.%5Cpipe%5Ca", "found the network path"),
            ("open?file=a.bin&rig=//host/rig.glb", "found the network path"),
            ("open?file=a.bin&against=//host/b.bin", "found the network path"),
            ("open?file=a%00.bin", "found a control character in"),
            ("open?file=a%0A.bin", "found a control character in"),
            ("open?file=a.bin&at=soon", "at: "),
            ("open?file=a.bin&range=2..1", "range: "),
            ("open?file=a.bin&output=b.glb", "output: unknown parameter"),
            ("open?file=a.bin&reference=a.mp4", "reference: "),
            ("open?file=a.bin&sample=two-hands-head-and-gaze", "found both"),
            (&format!("open?file={folder}"), "found a folder or a device"),
        ] {
            let why = parse(&format!("mutoscope:{rest}")).unwrap_err();
            assert!(why.contains(expected), "{rest}: {why}");
            assert!(!why.contains(['\n', '\0', ';']), "{why:?}");
        }
        #[cfg(unix)]
        assert!(parse("mutoscope:open?file=/dev/zero").is_err());
    }
}
