//! The types that most apps need.

#[cfg(feature = "stage")]
pub use crate::stage::StagePlugin;
pub use crate::{
    ClipAsset, ClipLoaderSettings, FitSetting, FollowsClock, Joint, PlaybackClock,
    PlaybackFinished, PlaybackLooped, Recording, RecordingAnimation, RecordingEvent,
    RecordingFailed, RecordingJoints, RecordingLoaded, RecordingPlayer, RecordingPlugin,
    RecordingSystems, RegisterRecordingFormats, SpawnJoints,
};
pub use mutoscope_core::{clip::NodeId, playback::Looping};
