//! Checks the data of open recordings.

use std::{path::PathBuf, sync::Arc};

use bevy::prelude::*;

use super::{FileFailure, Files, Source, display_name};
use crate::session::{
    history::{Document, EditHistory},
    jobs::{Job, Jobs, Progress},
};
use bevy_mutoscope::{Recording, Revision};
use mutoscope_core::{
    clip::Clip,
    io::{cooperative::yield_now, storage},
    measure::checks::{self, ClipDiagnostic},
    read::Message,
};
use mutoscope_study::verdict::{ClipRun, Profile, Verdict, check_all};

/// The diagnostics on the data of a recording. A component on the entity of the [`Recording`].
///
/// At first there are only the decoder's diagnostics. The diagnostics of the checks follow when
/// they are done.
#[derive(Component, Debug, Default)]
pub struct RecordingDiagnostics {
    checked_revision: Option<Revision>,
    profile: Arc<Profile>,
    profile_bytes: Option<Vec<u8>>,
    all: Arc<[ClipDiagnostic]>,
    verdict: Option<Verdict>,
    checking: Job<(), Arc<[ClipDiagnostic]>>,
}

impl RecordingDiagnostics {
    /// Returns the diagnostics of `clip`. Runs all checks immediately.
    pub fn check_immediately(clip: &Clip) -> Self {
        let mut diagnostics = Self::default();
        let all = check_all(clip, &diagnostics.profile).diagnostics.into();
        diagnostics.set_checked(clip, all);
        diagnostics
    }

    /// Returns the diagnostics in order of time. Diagnostics without a time come first.
    pub fn all(&self) -> &[ClipDiagnostic] {
        &self.all
    }

    /// Returns the verdict. `None` until the checks are done.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// Returns the profile of the checks: the default, or the file next to the recording, with the
    /// edits of the user.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the bytes of the profile's file when it was read or written last.
    pub(in crate::session) fn profile_bytes(&self) -> Option<&[u8]> {
        self.profile_bytes.as_deref()
    }

    pub(in crate::session) fn set_profile_bytes(&mut self, bytes: Vec<u8>) {
        self.profile_bytes = Some(bytes);
    }

    /// Sets the profile. Diagnostics that it turns off disappear immediately, and the checks run
    /// again.
    pub(in crate::session) fn set_profile(
        &mut self,
        profile: Profile,
        clip: Arc<Clip>,
        jobs: &Jobs,
    ) {
        self.profile = Arc::new(profile);
        let kept = self.profile.apply_to_clip(self.all.to_vec()).into();
        self.set_checked(&clip, kept);
        self.start_checks(clip, jobs);
    }

    fn set_checked(&mut self, clip: &Clip, all: Arc<[ClipDiagnostic]>) {
        let messages: Vec<_> =
            all.iter().map(|one| Message::from_clip_diagnostic("", clip, one)).collect();
        self.verdict = Some(Verdict::from_messages(&self.profile, &messages));
        self.all = all;
    }

    fn start_checks(&mut self, clip: Arc<Clip>, jobs: &Jobs) {
        let profile = self.profile.clone();
        let work = async move |progress: Progress| {
            let mut run = ClipRun::new(&clip, &profile);
            while !progress.is_cancelled() && run.step().is_continue() {
                yield_now().await;
            }
            run.finish().diagnostics.into()
        };
        self.checking.start_cooperative(jobs, (), Progress::default(), work);
    }

    /// Returns `true` while checks are running.
    pub fn is_checking(&self) -> bool {
        self.checking.is_running()
    }
}

pub(in crate::session) fn check_recordings(
    mut recordings: Query<(Entity, &Recording, &Source, &mut RecordingDiagnostics)>,
    history: Res<EditHistory>,
    mut files: ResMut<Files>,
    jobs: Res<Jobs>,
) {
    for (entity, recording, source, mut diagnostics) in &mut recordings {
        let revision = Some(recording.revision());
        if diagnostics.checked_revision != revision {
            let clip = recording.clip().clone();
            let all = checks::decoder_diagnostics(&clip).into();
            let mut checked =
                RecordingDiagnostics { checked_revision: revision, all, ..Default::default() };
            if history.is_unsaved(Document::Checks(entity)) {
                checked.profile = diagnostics.profile.clone();
                checked.profile_bytes = diagnostics.profile_bytes.take();
            } else if let Some(file) = read_profile_beside(source) {
                match file {
                    Ok((profile, bytes)) => {
                        checked.profile = Arc::new(profile);
                        checked.profile_bytes = Some(bytes);
                    }
                    Err(failure) => files.failure = Some(failure),
                }
            }
            *diagnostics = checked;
            diagnostics.start_checks(clip, &jobs);
        }
        // Bypass change detection, because polling a running job is not a change of the component.
        match diagnostics.bypass_change_detection().checking.poll() {
            None => {}
            Some((_, Ok(all))) => diagnostics.set_checked(recording.clip(), all),
            // The checks crashed, so keep the diagnostics from the decoder.
            Some((_, Err(crashed))) => error!("checking the recording: {crashed}"),
        }
    }
}

/// The maximum size of a profile. No person writes a profile that is larger.
const MAX_PROFILE_BYTES: u64 = 1 << 20;

/// Returns the path of the profile of a recording: `take.checks.toml` for `take.bin`.
pub(in crate::session) fn profile_path(source: &Source) -> PathBuf {
    source.sidecar_path(".checks.toml")
}

/// Reads the profile next to a recording. Returns `None` if there is none.
///
/// # Errors
/// Returns the reason why the file cannot be read, or is no profile.
pub(super) fn read_profile_beside(
    source: &Source,
) -> Option<Result<(Profile, Vec<u8>), FileFailure>> {
    let Source::File(_) = source else { return None };
    let path = profile_path(source);
    let metadata = storage::metadata(&path).ok()?;
    let name = display_name(&path);
    let read = || -> Result<(Profile, Vec<u8>), String> {
        if metadata.size > MAX_PROFILE_BYTES {
            return Err(format!(
                "expected at most {MAX_PROFILE_BYTES} bytes, found {}",
                metadata.size
            ));
        }
        let bytes = storage::read(&path).map_err(|error| format!("cannot be read: {error}"))?;
        let profile =
            Profile::parse(&name, &String::from_utf8_lossy(&bytes), crate::registry().codes())?;
        Ok((profile, bytes.to_vec()))
    };
    Some(read().map_err(|message| FileFailure { name: name.clone(), message }))
}
