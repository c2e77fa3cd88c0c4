//! Encoding a decoded file gives the same bytes, so the decoder loses nothing.

use mutoscope_core::formats::mrtk;

use mutoscope_testing::{
    fixtures,
    recording::{Keys, Recording},
};

#[test]
fn every_file_round_trips_byte_for_byte() {
    for (name, bytes) in fixtures::mrtk_files() {
        let document = mrtk::decode(&bytes).unwrap();
        assert!(document.encode().unwrap() == bytes, "{name}");
    }
}

#[test]
fn a_version_1_0_file_without_keys_has_the_size_of_a_real_one() {
    let bytes = Recording::v1_0().encode();
    assert_eq!(bytes.len(), 4688);
    assert_eq!(mrtk::decode(&bytes).unwrap().curves().count(), 389);
}

#[test]
fn files_of_the_test_writer_are_read() {
    let mut recording = Recording::with_gaze(Default::default());
    recording.gaze.as_mut().unwrap()[2] = Keys::simple(&[(0.5, -1.0), (1.5, f32::NAN)]);
    recording.markers = Some(vec![(0.25, "é".into()), (1.0, vec![b'x'; 300])]);
    let bytes = recording.encode();
    let document = mrtk::decode(&bytes).unwrap();
    let curves: Vec<_> = document.curves().collect();
    assert_eq!(curves.iter().map(|curve| curve.len()).collect::<Vec<_>>(), [0, 0, 2, 0, 0, 0]);
    assert_eq!(document.markers.as_ref().unwrap()[1].name.len(), 300);
    assert_eq!(document.encode().unwrap(), bytes);
}
