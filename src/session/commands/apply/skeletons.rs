//! The skeleton that the recording is put on, and how.

use std::{io::Write as _, path::PathBuf};

use super::Targets;
use crate::session::{
    FailedLoading, FilePurpose, RigFile, SkeletonCommand, Source,
    files::{folder::folder_of, open_request::SkeletonSource, open_request::name_of},
};
use mutoscope_core::{
    clip::Clip,
    io::{atomic_file, storage},
    read::Retarget,
    retarget::{BoneMap, Retargeting, bone_map},
};

impl Targets<'_, '_> {
    pub(super) fn skeleton(&mut self, command: SkeletonCommand) {
        match command {
            SkeletonCommand::Choose => self.choose_files(FilePurpose::Skeleton),
            SkeletonCommand::Attach(path) => self.put_on(SkeletonSource::File(path)),
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

    fn retarget(&mut self, retarget: Option<Retarget>) {
        self.files.retarget = retarget;
        let on = match &self.files.rig {
            // As if it was attached anew: what does not fit is reported.
            Some(RigFile { path: Some(path), .. }) => SkeletonSource::File(path.clone()),
            Some(file) => SkeletonSource::Attached(file.clone()),
            None => return,
        };
        self.put_on(on);
    }

    fn save_map(&mut self) {
        let map = self.open.reference_clip().and_then(map_of);
        let (Some(map), Some(source)) = (map, &self.files.current) else { return };
        let path = map_path(source);
        let written = atomic_file::begin(&path, ".part").and_then(|mut file| {
            file.as_file_mut().write_all(map.to_json().as_bytes())?;
            atomic_file::finish(file, &path)
        });
        let name = name_of(&path);
        match written {
            Ok(()) => self.files.say(format!("Wrote {name}")),
            Err(error) => {
                let message = format!("cannot be written: {error}");
                self.files.failed = Some(FailedLoading { name, message });
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
    let (folder, name) = match source {
        Source::File(path) => (folder_of(path).to_owned(), PathBuf::from(name_of(path))),
        Source::Sample(_) | Source::Stdin => (PathBuf::new(), PathBuf::from(source.name())),
    };
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let names = (1..).map(|number: u32| match number {
        1 => format!("{stem}.bones.json"),
        number => format!("{stem}-{number}.bones.json"),
    });
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| !path.exists()).expect("there are more numbers than files")
}

fn map_in(path: &std::path::Path) -> Result<BoneMap, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| format!("expected a map of bones as JSON: {error}"))?;
    BoneMap::parse(text)
}
