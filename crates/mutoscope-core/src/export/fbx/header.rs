//! The parts of a file around its objects: header, settings, definitions and takes.

use super::{
    VERSION,
    binary::FILE_ID,
    document::{Element, Properties, Value, element},
    scene::{SCENE_ROOT, Scene},
    ticks,
};
use crate::export::Job;

/// The stated time of creation. All files have the same, so that exports are reproducible.
pub(super) const CREATION_TIME: &str = "1970-01-01 10:00:00:000";

const CREATOR: &str = concat!("Mutoscope ", env!("CARGO_PKG_VERSION"));

/// The frame rates that FBX has numbers for.
const TIME_MODES: [(f64, i32); 15] = [
    (120.0, 1),
    (100.0, 2),
    (60.0, 3),
    (50.0, 4),
    (48.0, 5),
    (30.0, 6),
    (30.0 / 1.001, 9),
    (25.0, 10),
    (24.0, 11),
    (1000.0, 12),
    (24.0 / 1.001, 13),
    (96.0, 15),
    (72.0, 16),
    (60.0 / 1.001, 17),
    (120.0 / 1.001, 18),
];

const CUSTOM_TIME_MODE: i32 = 14;

/// The frame rate of recordings that declare none, in Hz.
const DEFAULT_RATE_HZ: f64 = 60.0;

/// The lowest frame rate, in Hz. Lower rates are multiplied, so that keys still fall on frames.
/// Blender merges keys that are closer than a hundredth of a frame, and inserted keys are closer
/// than that at lower rates.
const MIN_RATE_HZ: f64 = 20.0;

/// The name and the end of a take of a file.
pub(super) struct Take {
    pub(super) name: String,
    /// The end, in ticks. The start is 0.
    pub(super) stop: i64,
}

/// Returns all elements of a file. Programs show the first of `takes` when they open the file.
pub(super) fn document(
    job: &Job<'_>,
    takes: &[Take],
    scene: Scene,
    document_id: i64,
) -> Vec<Element> {
    let counts = scene.counts();
    let first = &takes[0];
    vec![
        header_extension(job),
        element("FileId", Value::Bytes(FILE_ID.to_vec().into())),
        element("CreationTime", CREATION_TIME),
        element("Creator", CREATOR),
        global_settings(job, first),
        Element::block(
            "Documents",
            vec![
                element("Count", 1),
                Element::new("Document", [document_id.into(), "".into(), Value::from("Scene")])
                    .with_children(vec![
                        document_properties(first),
                        element("RootNode", SCENE_ROOT),
                    ]),
            ],
        ),
        Element::block("References", Vec::new()),
        definitions(&counts),
        Element::block("Objects", scene.objects),
        Element::block("Connections", scene.connections),
        list_takes(takes),
    ]
}

fn header_extension(job: &Job<'_>) -> Element {
    let numbers = [
        ("Version", 1000),
        ("Year", 1970),
        ("Month", 1),
        ("Day", 1),
        ("Hour", 10),
        ("Minute", 0),
        ("Second", 0),
        ("Millisecond", 0),
    ];
    let time_stamp = numbers.into_iter().map(|(name, number)| element(name, number)).collect();
    let metadata = [
        ("Version", Value::from(100)),
        ("Title", job.title.into()),
        ("Subject", job.clip.subject.as_str().into()),
        ("Author", "".into()),
        ("Keywords", "".into()),
        ("Revision", "".into()),
        ("Comment", format!("from {} ({})", job.source, job.clip.format.as_str()).into()),
    ];
    let metadata = metadata.into_iter().map(|(name, value)| element(name, value)).collect();
    let name = Value::ObjectName { name: "GlobalInfo".to_owned(), class: "SceneInfo" };
    let scene_info = Element::new("SceneInfo", [name, "UserData".into()]).with_children(vec![
        element("Type", "UserData"),
        element("Version", 100),
        Element::block("MetaData", metadata),
    ]);
    Element::block(
        "FBXHeaderExtension",
        vec![
            element("FBXHeaderVersion", 1003),
            element("FBXVersion", VERSION as i32),
            element("EncryptionType", 0),
            Element::block("CreationTimeStamp", time_stamp),
            element("Creator", CREATOR),
            scene_info,
        ],
    )
}

fn global_settings(job: &Job<'_>, take: &Take) -> Element {
    let rate = job.rate.or(job.clip.rate_hz).filter(|rate| (1e-3..1e6).contains(rate));
    let rate = rate.unwrap_or(DEFAULT_RATE_HZ);
    let rate = rate * (MIN_RATE_HZ / rate).ceil().max(1.0);
    let is_equal = |(known, _): &&(f64, i32)| (known - rate).abs() < 1e-3 * known.min(1.0);
    let time_mode = TIME_MODES.iter().find(is_equal).map_or(CUSTOM_TIME_MODE, |(_, mode)| *mode);
    let mut properties = Properties::default();
    let axes = [("UpAxis", 1), ("FrontAxis", 2), ("CoordAxis", 0), ("OriginalUpAxis", -1)];
    for (name, axis) in axes {
        properties.add_integer(name, axis);
        properties.add_integer(&format!("{name}Sign"), 1);
    }
    properties.add_number("UnitScaleFactor", 1.0);
    properties.add_number("OriginalUnitScaleFactor", 1.0);
    properties.add("AmbientColor", ["ColorRGB", "Color", ""], [0.0; 3]);
    properties.add("DefaultCamera", ["KString", "", ""], ["Producer Perspective"]);
    properties.add_enum("TimeMode", time_mode);
    properties.add_time("TimeSpanStart", 0);
    properties.add_time("TimeSpanStop", take.stop);
    properties.add_number("CustomFrameRate", rate);
    Element::block("GlobalSettings", vec![element("Version", 1000), properties.into_element()])
}

fn document_properties(take: &Take) -> Element {
    let mut properties = Properties::default();
    let nothing: [Value; 0] = [];
    properties.add("SourceObject", ["object", "", ""], nothing);
    properties.add("ActiveAnimStackName", ["KString", "", ""], [take.name.as_str()]);
    properties.into_element()
}

fn definitions(counts: &std::collections::BTreeMap<&'static str, i32>) -> Element {
    let object_type = |name: &str, count: i32| {
        Element::new("ObjectType", [name]).with_children(vec![element("Count", count)])
    };
    let total = 1 + counts.values().sum::<i32>();
    let mut children =
        vec![element("Version", 100), element("Count", total), object_type("GlobalSettings", 1)];
    children.extend(counts.iter().map(|(name, count)| object_type(name, *count)));
    Element::block("Definitions", children)
}

fn list_takes(takes: &[Take]) -> Element {
    let mut children = vec![element("Current", takes[0].name.as_str())];
    children.extend(takes.iter().map(|Take { name, stop }| {
        let times = |of| Element::new(of, [0, *stop]);
        Element::new("Take", [name.as_str()]).with_children(vec![
            element("FileName", format!("{name}.tak")),
            times("LocalTime"),
            times("ReferenceTime"),
        ])
    }));
    Element::block("Takes", children)
}

/// Returns the properties of the time range of a take.
pub(super) fn take_properties(stop: i64) -> Element {
    let mut properties = Properties::default();
    for (name, time) in
        [("LocalStart", 0), ("LocalStop", stop), ("ReferenceStart", 0), ("ReferenceStop", stop)]
    {
        properties.add_time(name, time);
    }
    properties.into_element()
}

/// Returns the duration of `job` in ticks.
pub(super) fn duration_ticks(job: &Job<'_>) -> i64 {
    ticks(job.to - job.from)
}
