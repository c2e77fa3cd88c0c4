//! Tests damaged files, and files that were never valid.

use std::fs;

use mutoscope_core::decode;
use mutoscope_core::diagnostics::{Diagnostics, Severity};

use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Writer},
};

/// Each row has a file name, whether the file can be read, the severity of its worst diagnostic,
/// and that diagnostic's code. For a file that cannot be read, a part of the error's message.
const HOSTILE: [(&str, bool, Severity, &str); 14] = [
    ("bad_bool.ok.mcmocap_rec", true, Severity::Warning, "minecraft/unusual-encoding"),
    ("bad_item_type.ok.mcmocap_rec", true, Severity::Warning, "minecraft/unknown-value"),
    ("bad_opcode.error.mcmocap_rec", true, Severity::Error, "minecraft/stopped"),
    ("bad_pose.ok.mcmocap_rec", true, Severity::Warning, "minecraft/unknown-value"),
    ("empty.error.mcmocap_rec", false, Severity::Error, "the version"),
    ("header_only.ok.mcmocap_rec", true, Severity::Warning, "minecraft/no-ticks"),
    ("huge_map_size.error.mcmocap_rec", false, Severity::Error, "2147483647 items"),
    ("item_id_out_of_map.ok.mcmocap_rec", true, Severity::Warning, "minecraft/unknown-id"),
    ("neg_string.error.mcmocap_rec", true, Severity::Error, "minecraft/stopped"),
    ("nested_deep.error.mcmocap_rec", true, Severity::Error, "minecraft/stopped"),
    ("noncanonical_packed.ok.mcmocap_rec", true, Severity::Warning, "minecraft/unusual-encoding"),
    ("truncated_header.error.mcmocap_rec", false, Severity::Error, "the position at the start"),
    ("version0.ok.mcmocap_rec", true, Severity::Info, "minecraft/unknown-version"),
    ("version6.error.mcmocap_rec", false, Severity::Error, "found version 6"),
];

#[test]
fn hostile_files_report_their_defect() {
    let mut names: Vec<_> = fs::read_dir(fixtures::path("mcmocap/bad"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, HOSTILE.map(|hostile| hostile.0));
    for (name, can_be_read, worst, text) in HOSTILE {
        let bytes = fs::read(fixtures::path("mcmocap/bad").join(name)).unwrap();
        match decode(&bytes, &crate::options().with_format(mutoscope_minecraft::FORMAT_ID)) {
            Err(failure) => {
                assert!(!can_be_read, "{name}: {failure}");
                assert!(failure.error.message().contains(text), "{name}: {failure}");
            }
            Ok(clip) => {
                assert!(can_be_read, "{name}");
                assert_eq!(clip.diagnostics.worst_severity(), Some(worst), "{name}");
                let mut worst_diagnostics =
                    clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity == worst);
                assert!(
                    worst_diagnostics.any(|diagnostic| diagnostic.code.as_str() == text),
                    "{name}"
                );
                if name != "header_only.ok.mcmocap_rec" {
                    assert_eq!(
                        clip.span.duration,
                        261.0 / 20.0,
                        "{name}: every tick before the damage plays"
                    );
                }
            }
        }
    }
}

#[test]
fn entity_count_is_limited() {
    let read = |count: i32| {
        let mut writer = Writer::new(&Header::default());
        (0..count).for_each(|entity| writer.add_entity(entity, "", [0.5, 64.0, 0.5]));
        writer.tick();
        let request = crate::options().with_format(mutoscope_minecraft::FORMAT_ID);
        let clip = decode(&writer.bytes, &request).unwrap();
        let entities = clip.nodes.iter().filter(|node| node.name.starts_with("entity/"));
        let mut codes = clip.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str());
        let is_reported = codes.any(|code| code == "minecraft/too-many-entities");
        (entities.filter(|node| !node.name[7..].contains('/')).count(), is_reported)
    };
    assert_eq!(read(10_000), (10_000, false));
    assert_eq!(read(10_001), (10_000, true));
}

/// Three years of ticks fit into a small file, because 256 ticks take two bytes.
#[test]
fn tick_count_is_limited() {
    let mut writer = Writer::new(&Header::default());
    writer.bytes.extend([22, 255].repeat((1 << 23) + (1 << 16)));
    let document = mutoscope_minecraft::decode(&writer.bytes, &mut Diagnostics::new()).unwrap();
    let stopped = document.stopped.expect("decoding must stop at the limit").to_string();
    assert!(stopped.contains("at most 2147483648 ticks"), "{stopped}");
}
