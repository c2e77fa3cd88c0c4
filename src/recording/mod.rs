//! Paths of the plugin's types.
pub use bevy_mutoscope::stage::{Displacement, HiddenNodes, Overlay, RecordingSnapshot, Tint};
pub use bevy_mutoscope::{
    FollowsClock as OnClock, PlaybackClock, Recording, RecordingKey, RecordingNode,
    RecordingPlayer as PlayRecording, RecordingPlugin, RecordingSystems, Revision, SkippedGaps,
    default_looping,
};
