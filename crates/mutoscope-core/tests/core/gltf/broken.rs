//! Truncated and corrupted files never cause a panic, and what is kept can be used.

use std::fs;

use mutoscope_core::{ReadOptions, clip::FormatId, decode};

use crate::gltf::{WALKER, pose};
use mutoscope_testing::{
    fixtures,
    property::{RandomInput, check_property_times},
};

/// Decodes `bytes` and uses the whole clip. Returns the number of tracks, or `None` if the file is
/// rejected.
fn decode_and_sample(bytes: &[u8]) -> Option<usize> {
    let clip = decode(bytes, &ReadOptions::default().with_format(FormatId::GLTF)).ok()?;
    assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0);
    for time in [-1.0, 0.0, 0.4 * clip.span.duration, clip.span.end(), 1e9] {
        let pose = pose(&clip, time);
        assert_eq!(pose.nodes.len(), clip.nodes.len());
        assert!(pose.nodes.iter().all(|node| !node.is_visible || node.world.is_finite()));
    }
    for track in &clip.tracks {
        for key in 0..track.curve.key_count() {
            track.curve.key_value(key);
            track.source.key_location(key);
        }
    }
    let model = clip.model().cloned().unwrap_or_default();
    for piece in &model.pieces {
        assert!(piece.texture.is_none_or(|texture| texture < model.textures.len()));
        assert!(piece.uvs.is_empty() || piece.uvs.len() == piece.positions.len());
        assert!(piece.node < clip.nodes.len());
    }
    Some(clip.tracks.len())
}

fn json_end(glb: &[u8]) -> usize {
    20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize
}

#[test]
fn truncated_json_is_an_error_and_truncated_data_loses_only_its_accessors() {
    let end = json_end(WALKER);
    for cut in (0..end).step_by(97) {
        let request = ReadOptions::default().with_format(FormatId::GLTF);
        let failure = decode(&WALKER[..cut], &request).unwrap_err();
        assert!(failure.error.message().contains("expected"), "{cut}: {failure}");
    }
    let whole = decode_and_sample(WALKER).unwrap();
    let mut before = 0;
    for cut in (end..WALKER.len()).step_by(1009) {
        let tracks = decode_and_sample(&WALKER[..cut]).unwrap();
        assert!(tracks >= before && tracks <= whole, "{cut}: {tracks} of {whole}");
        before = tracks;
    }
    assert!(before > 0);
}

fn corrupt(bytes: &mut [u8], json_end: usize, random: &mut RandomInput) {
    for _ in 0..1 + random.below(4) {
        let is_json = random.below(3) > 0;
        let offset =
            if is_json { 20 + random.below(json_end - 20) } else { random.below(bytes.len()) };
        // Replace digits by digits, so that most mutated files are still valid JSON.
        if bytes[offset].is_ascii_digit() {
            bytes[offset] = b'0' + random.below(10) as u8;
        } else if !is_json || random.below(8) == 0 {
            bytes[offset] = random.below(256) as u8;
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let samplers = fs::read(fixtures::path("gltf/samplers.glb")).unwrap();
    let compressed = ["ext", "khr"].map(|kind| {
        fs::read(fixtures::path(&format!("characters/boxes_meshopt_{kind}.glb"))).unwrap()
    });
    let files =
        [(&samplers[..], 2000), (WALKER, 100), (&compressed[0], 200), (&compressed[1], 200)];
    for (file, times) in files {
        let read = std::cell::Cell::new(0);
        check_property_times(times, |random| {
            let mut bytes = file.to_vec();
            corrupt(&mut bytes, json_end(file), random);
            read.set(
                read.get()
                    + usize::from(decode_and_sample(&bytes).is_some_and(|tracks| tracks > 0)),
            );
        });
        assert!(read.get() > times / 3, "{}", read.get());
    }
}
