//! Tests that the number of threads changes no byte.

use std::num::NonZero;

use mutoscope_core::{
    ReadOptions, clip::Clip, decode, export::ExportOptions, io::parallel::set_thread_count,
};
use mutoscope_testing::minute_mrtk::{Keyed, recording};

use crate::export::{characters, exported_as, fixtures, targets_for_any_node};

fn minute(keyed: Keyed) -> Clip {
    let bytes = recording(keyed).encode();
    decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap()
}

#[test]
fn exports_are_equal_with_any_number_of_threads() {
    let maya = &fixtures::maya_files()[0].1;
    let maya = decode(maya, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let day = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec");
    let day = decode(day, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let clips = [
        ("keys in every frame", minute(Keyed::EveryFrame)),
        ("keys of each joint", minute(Keyed::Merged)),
        ("Maya", maya),
        ("procedural motion", day),
        ("character", characters::load_character("warden_mp1.pak", "B_walk", "Warden")),
    ];
    // A few seconds, because the test writes every target three times.
    let options = ExportOptions { range: Some(0.0..=4.0), ..ExportOptions::default() };
    let files = |clip: &Clip| -> Vec<_> {
        targets_for_any_node()
            .map(|target| {
                let (bytes, report) = exported_as(clip, target.id, &options);
                (target.id, bytes, report.remarks().to_vec())
            })
            .collect()
    };
    for (name, clip) in clips {
        let [one, two, seven] = [1, 2, 7].map(|threads| {
            set_thread_count(NonZero::new(threads).unwrap());
            files(&clip)
        });
        for other in [two, seven] {
            for (expected, found) in one.iter().zip(&other) {
                assert!(expected.1 == found.1, "{name}: {}", found.0);
                assert_eq!(expected.2, found.2, "{name}: {}", found.0);
            }
        }
    }
}
