//! The skeleton that the recording is put on, and how.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::Targets;
use crate::session::{
    FailedLoading, FilePurpose, SkeletonCommand, Source,
    files::open_request::{SkeletonSource, name_of},
    files::writing::write_whole,
};
use mutoscope_core::{
    clip::Clip,
    io::storage,
    read::{Retarget, path_text},
    retarget::{BoneMap, Retargeting, bone_map},
};

impl Targets<'_, '_> {
    pub(super) fn skeleton(&mut self, command: SkeletonCommand) {
        match command {
            SkeletonCommand::Choose => self.choose_files(FilePurpose::Skeleton),
            SkeletonCommand::Attach(path) => self.put_on(SkeletonSource::File(path)),
            SkeletonCommand::AttachBuiltIn(word) => self.put_on(SkeletonSource::File(word.into())),
            SkeletonCommand::Detach => {
                self.files.rig = None;
                self.files.alone_in = self.files.folder();
                self.put_on(SkeletonSource::None);
            }
            SkeletonCommand::Retarget(retarget) => self.retarget(retarget),
            SkeletonCommand::ChooseMap => self.choose_files(FilePurpose::BoneMap),
            SkeletonCommand::OpenMap(path) => match map_in(&path) {
                Ok(map) => self.retarget(Some(Retarget::Map(map))),
                Err(message) => {
                    self.files.failed = Some(FailedLoading { name: name_of(&path), message });
                }
            },
            SkeletonCommand::SaveMap => self.save_map(),
        }
    }

    fn save_map(&mut self) {
        let map = self.open.reference_clip().and_then(map_of);
        let (Some(map), Some(source)) = (map, &self.files.current) else { return };
        let path = map_path(source);
        match write_whole(&path, map.to_json().as_bytes()) {
            Ok(()) => self.files.say(format!("Wrote {}", path_text(&path))),
            Err(error) => {
                let message = format!("cannot be written: {error}");
                self.files.unwritten = Some(FailedLoading { name: name_of(&path), message });
            }
        }
    }
}

/// The map of the bones by which a clip plays on its skeleton, if it does so by bones.
fn map_of(clip: &Clip) -> Option<BoneMap> {
    let retargeting: &Retargeting = clip.procedural_as()?;
    Some(bone_map(retargeting, &clip.nodes))
}

/// Where the map for a recording goes: beside it, under a name that no file has yet.
fn map_path(source: &Source) -> PathBuf {
    let beside = source.path_for_others();
    let stem = beside.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (1..).map(|number: u32| match number {
        1 => format!("{stem}.bones.json"),
        number => format!("{stem}-{number}.bones.json"),
    });
    let mut paths = names.map(|name| beside.with_file_name(name));
    // Where a link leads does not matter.
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    paths.find(is_free).expect("there are more numbers than files")
}

fn map_in(path: &Path) -> Result<BoneMap, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| format!("expected a map of bones as JSON: {error}"))?;
    BoneMap::parse(text)
}
