//! Attaches skeletons to the recording, and chooses how their bones are matched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::CommandContext;
use crate::session::{
    FileFailure, FilePurpose, SkeletonCommand, Source,
    files::open_job::{SkeletonOrigin, display_name},
    files::writing::write_complete_file,
};
use mutoscope_core::{
    clip::Clip,
    formats::Fit,
    io::storage,
    read::format_path,
    retarget::{BoneMap, Retargeting, bone_map},
};

impl CommandContext<'_, '_> {
    pub(super) fn apply_skeleton_command(&mut self, command: SkeletonCommand) {
        match command {
            SkeletonCommand::Choose => self.choose_files(FilePurpose::Skeleton),
            SkeletonCommand::Attach(path) => self.attach_skeleton(SkeletonOrigin::File(path)),
            SkeletonCommand::AttachBuiltIn(name) => {
                self.attach_skeleton(SkeletonOrigin::File(name.into()))
            }
            SkeletonCommand::Detach => {
                self.files.skeleton = None;
                self.files.detached_folder = self.files.folder();
                self.attach_skeleton(SkeletonOrigin::None);
            }
            SkeletonCommand::Retarget(fit) => self.retarget(fit),
            SkeletonCommand::ChooseMap => self.choose_files(FilePurpose::BoneMap),
            SkeletonCommand::OpenMap(path) => match read_bone_map(&path) {
                Ok(map) => self.retarget(Fit::Map(map)),
                Err(message) => {
                    self.files.failure = Some(FileFailure { name: display_name(&path), message });
                }
            },
            SkeletonCommand::SaveMap => self.save_map(),
        }
    }

    fn save_map(&mut self) {
        let map = self.open.reference_clip().and_then(bone_map_of);
        let (Some(map), Some(source)) = (map, &self.files.current) else { return };
        let path = unused_map_path(source);
        match write_complete_file(&path, map.to_json().as_bytes()) {
            Ok(()) => self.files.notify(format!("Wrote {}", format_path(&path))),
            Err(error) => {
                let message = format!("cannot be written: {error}");
                self.files.write_failure = Some(FileFailure { name: display_name(&path), message });
            }
        }
    }
}

fn bone_map_of(clip: &Clip) -> Option<BoneMap> {
    let retargeting: &Retargeting = clip.procedural_as()?;
    Some(bone_map(retargeting, &clip.nodes))
}

fn unused_map_path(source: &Source) -> PathBuf {
    let base = source.output_base_path();
    let stem = base.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (1..).map(|number: u32| match number {
        1 => format!("{stem}.bones.json"),
        number => format!("{stem}-{number}.bones.json"),
    });
    let mut paths = names.map(|name| base.with_file_name(name));
    // Do not follow links. Otherwise the name of a dangling link would look free.
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    paths.find(is_free).expect("there are more numbers than files")
}

fn read_bone_map(path: &Path) -> Result<BoneMap, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| format!("expected a bone map as JSON: {error}"))?;
    BoneMap::parse(text).map_err(|error| error.to_string())
}
