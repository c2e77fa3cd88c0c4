//! Where the labels of each recording are.

use std::path::Path;

use crate::{ReportArgs, Status, labels, path_text, tell};
use mutoscope_core::{clip::Clip, export::InputFiles};
use mutoscope_study::labels::{
    Label, LabelFormat, Labels, find_sidecar, labels_of_markers, sidecar_paths,
};

/// The word for the markers of a recording in the place of a file.
const MARKERS: &str = "markers";

/// Where labels are from.
pub(super) enum LabelSource {
    None,
    Markers,
    /// The labels of a file that was named.
    File(Vec<Label>),
    /// The files beside each recording.
    Sidecars,
}

impl LabelSource {
    /// The source that the arguments name; what a file holds is read. Else, how the program ends.
    pub(super) fn of(args: &ReportArgs, inputs: &mut InputFiles) -> Result<Self, Status> {
        if args.no_labels {
            return Ok(Self::None);
        }
        let Some(path) = &args.labels else { return Ok(Self::Sidecars) };
        if path.as_os_str() == MARKERS {
            return Ok(Self::Markers);
        }
        let is_one =
            matches!(&args.sources[..], [one] if one.path().is_none_or(|path| !path.is_dir()));
        let name = path_text(path);
        if !is_one {
            tell(format_args!(
                "error: {name}: --labels names the labels of one recording; several have theirs beside them, such as \
                 take.labels.csv"
            ));
            return Err(Status::WrongUsage);
        }
        let Some(format) = LabelFormat::of_path(path) else {
            tell(format_args!("error: {name}: its extension is none of csv, eaf, TextGrid"));
            return Err(Status::WrongUsage);
        };
        inputs.add(path, "the labels");
        let Labels { labels, notices } = labels::read(path, format).map_err(|message| {
            tell(message);
            Status::Failed
        })?;
        notices.iter().for_each(|notice| tell(labels::of_notice(&name, format, notice)));
        Ok(Self::File(labels))
    }

    /// The labels of the recording at `path`. Messages go to `lines`.
    ///
    /// # Errors
    /// If they cannot be read: the message.
    pub(super) fn labels(
        &self,
        clip: &Clip,
        path: Option<&Path>,
        lines: &mut Vec<String>,
    ) -> Result<Vec<Label>, String> {
        let path = match (self, path) {
            (Self::None, _) | (Self::Sidecars, None) => return Ok(Vec::new()),
            (Self::Markers, _) => return Ok(labels_of_markers(clip)),
            (Self::File(labels), _) => return Ok(labels.clone()),
            (Self::Sidecars, Some(path)) => path,
        };
        let Some((path, format)) = find_sidecar(path) else { return Ok(Vec::new()) };
        let Labels { labels, notices } = labels::read(&path, format)?;
        let name = path_text(&path);
        let line = |notice| labels::of_notice(&name, format, notice).to_string();
        lines.extend(notices.iter().map(line));
        Ok(labels)
    }

    /// Notes the label files beside the recording at `path` as read.
    pub(super) fn note(&self, path: &Path, inputs: &mut InputFiles) {
        if let Self::Sidecars = self {
            sidecar_paths(path)
                .iter()
                .for_each(|path| inputs.add(path, "the labels of a recording"));
        }
    }
}
