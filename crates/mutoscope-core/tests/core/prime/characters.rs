//! Compares archives with characters with the output of a second, independent program.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use mutoscope_core::{
    ReadOptions,
    clip::{self, Clip, NodeId, Owner, Pose, Transform, Value, VariantChoice, Variants},
    decode,
    diagnostics::Diagnostics,
    formats::prime::{
        archive::{
            Archive, ArchiveResources, AssetId, LooseFiles, Resource, ResourceType, Resources,
        },
        characters::{
            Animation, ChosenAnimation, FileKind, Library, MetaNode, OpenedAnimation, Playback,
            Selection, SkeletonPreference, check_archive, check_library, open,
        },
        model::{CharacterModel, Cmdl, Cskr, Material, Texture},
    },
};
use serde_json::Value as Json;

use crate::prime::find_diagnostic;
use mutoscope_testing::fixtures;

const ARCHIVES: [&str; 2] = ["warden_mp1.pak", "warden_mp2.pak"];

pub(crate) fn read_fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures::path("prime-characters").join(name)).unwrap()
}

fn expected(archive: &str) -> Json {
    fixtures::json("prime-characters/expected.json")["files"][archive].take()
}

fn items(json: &Json) -> &[Json] {
    json.as_array().unwrap()
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap()
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap()
}

fn id(text: &str) -> AssetId {
    AssetId::new(u32::from_str_radix(text, 16).unwrap()).unwrap()
}

fn decode_resource<T, E: std::fmt::Debug>(
    archive: &Archive,
    bytes: &[u8],
    (kind, id): (ResourceType, AssetId),
    decode: impl FnOnce(&[u8], &mut Diagnostics) -> Result<T, E>,
) -> T {
    let resource = archive.find(kind, id).unwrap().read(bytes);
    assert_eq!(resource.damage, None);
    let mut diagnostics = Diagnostics::new();
    let decoded = decode(&resource.bytes, &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty(), "{kind} {id}: {diagnostics:?}");
    decoded
}

#[test]
fn archive_table_lists_each_resource_with_size_and_name() {
    for name in ARCHIVES {
        let (bytes, expected) = (read_fixture(name), expected(name));
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        let rows = items(&expected["resources"]);
        assert_eq!(archive.entries.len() + archive.copies.len(), rows.len());
        let mut known = Vec::new();
        let rows = rows.iter().filter(|row| {
            let key = (text(&row["type"]).to_owned(), text(&row["id"]).to_owned());
            let is_new = !known.contains(&key);
            known.push(key);
            is_new
        });
        for (entry, row) in archive.entries.iter().zip(rows) {
            assert_eq!(entry.label(), format!("{} {}", text(&row["type"]), text(&row["id"])));
            assert_eq!(Json::from(entry.is_compressed), row["compressed"]);
            assert_eq!(Json::from(entry.stored.start), row["offset"]);
            assert_eq!(Json::from(entry.stored.end - entry.stored.start), row["stored_size"]);
            assert_eq!(entry.unpacked_size(&bytes), row["size"].as_u64(), "{}", entry.label());
            let resource = entry.read(&bytes);
            assert_eq!(resource.damage, None, "{}", entry.label());
            assert_eq!(resource.bytes.len() as u64, row["size"].as_u64().unwrap());
        }
        let names: Vec<_> = archive
            .names
            .iter()
            .map(|named| format!("{} {} {:08X}", named.name, named.kind, named.id))
            .collect();
        let expected_names = items(&expected["named"]).iter().map(|named| {
            format!("{} {} {}", text(&named["name"]), text(&named["type"]), text(&named["id"]))
        });
        assert_eq!(names, expected_names.collect::<Vec<_>>());
    }
}

#[test]
fn extracted_files_have_the_bytes_of_the_archive() {
    for (name, folder) in ARCHIVES.into_iter().zip(["loose_mp1", "loose_mp2"]) {
        let bytes = read_fixture(name);
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();

        for entry in &archive.entries {
            let file = read_fixture(&format!("{folder}/{}.{}", &entry.label()[5..], entry.kind));
            let unpacked = entry.read(&bytes).bytes.into_owned();
            let (same, padding) = unpacked.split_at(file.len().min(unpacked.len()));
            assert_eq!(same, &file[..same.len()], "{}", entry.label());
            assert!(padding.iter().chain(&file[same.len()..]).all(|byte| *byte == 0xff));
        }
    }
}

/// Returns the tree in the form of the expected values.
fn tree_json(animation: &Animation) -> Json {
    fn node(nodes: &mut std::slice::Iter<'_, MetaNode>) -> Json {
        match nodes.next().unwrap() {
            MetaNode::Play(leaf) => serde_json::json!({
                "kind": "play",
                "anim": leaf.animation.unwrap().to_string(),
                "index": leaf.index,
                "name": leaf.name,
                "start": f64::from(leaf.start),
            }),
            both @ (MetaNode::Blend { weight } | MetaNode::PhaseBlend { weight }) => {
                let (a, b) = (node(nodes), node(nodes));
                serde_json::json!({
                    "kind": both.kind().json_name(), "a": a, "b": b, "blend": f64::from(*weight),
                })
            }
            MetaNode::Random { limits } => {
                let child =
                    |limit: &u32| serde_json::json!({"node": node(nodes), "up_to_percent": limit});
                let children: Vec<_> = limits.iter().map(child).collect();
                serde_json::json!({"kind": "random", "children": children})
            }
            MetaNode::Sequence { children } => {
                let children: Vec<_> = (0..*children).map(|_| node(nodes)).collect();
                serde_json::json!({"kind": "sequence", "children": children})
            }
        }
    }
    let mut nodes = animation.tree.nodes.iter();
    let tree = node(&mut nodes);
    assert!(nodes.next().is_none());
    tree
}

#[test]
fn characters_and_animations_match_the_reference() {
    for name in ARCHIVES {
        let (bytes, expected) = (read_fixture(name), expected(name));
        let library = Library::from_archive(&bytes).unwrap();
        assert!(library.diagnostics.is_empty(), "{:?}", library.diagnostics);
        assert_eq!(library.version(), format!("{}-pak", text(&expected["game"])));
        let [set] = &library.sets[..] else { panic!("expected one set") };
        let expected_row = &expected["set"];
        assert_eq!(set.id.unwrap().to_string(), text(&expected_row["id"]));
        assert_eq!(Json::from(set.ancs.additive.clone()), expected_row["additive"]);
        assert_eq!(set.ancs.animations.len(), items(&expected_row["animations"]).len());
        for (animation, expected_row) in
            set.ancs.animations.iter().zip(items(&expected_row["animations"]))
        {
            assert_eq!(animation.name, text(&expected_row["name"]));
            assert_eq!(tree_json(animation), expected_row["tree"], "{}", animation.name);
        }
        assert_eq!(set.ancs.characters.len(), items(&expected["characters"]).len());
        for (character, expected_row) in
            set.ancs.characters.iter().zip(items(&expected["characters"]))
        {
            let id = |id: Option<AssetId>| id.unwrap().to_string();
            assert_eq!(Json::from(character.id), expected_row["id"]);
            assert_eq!(character.name, text(&expected_row["name"]));
            assert_eq!(Json::from(character.version), expected_row["version"]);
            assert_eq!(id(character.model), text(&expected_row["cmdl"]));
            assert_eq!(id(character.skin), text(&expected_row["cskr"]));
            assert_eq!(id(character.skeleton), text(&expected_row["cinf"]));
            assert_eq!(character.animations.len(), items(&expected_row["animations"]).len());
            for (k, expected_row) in items(&expected_row["animations"]).iter().enumerate() {
                let local = &character.animations[k];
                assert_eq!(Json::from(local.local), expected_row["local"]);
                assert_eq!(local.name, text(&expected_row["name"]));
                let index = set.ancs.index_in_set(character, k).unwrap();
                assert_eq!(Json::from(index), expected_row["index_in_set"]);
                assert_eq!(
                    set.ancs.mapped_index(character, local.local),
                    Some(index),
                    "the index through the character's map is equal"
                );
                let tree = &set.ancs.animations[index].tree;
                assert_eq!(tree.kind().json_name(), text(&expected_row["kind"]));
                let first = tree.leaves().next().unwrap().animation.unwrap();
                assert_eq!(first.to_string(), text(&expected_row["first_clip"]));
            }
        }
    }
}

/// Opens the animation that plays only `clip` on the character of this name: once from the archive,
/// and once from the folder with the same files.
fn open_from_archive_and_folder(
    archive: &str,
    clip: &str,
    character: &str,
) -> Vec<OpenedAnimation> {
    let bytes = read_fixture(archive);
    let library = Library::from_archive(&bytes).unwrap();
    let set = &library.sets[0];
    let plays = |animation: &Animation| {
        animation.tree.nodes.len() == 1
            && animation.tree.leaves().any(|leaf| leaf.animation == Some(id(clip)))
    };
    let index = set.ancs.animations.iter().position(plays).unwrap();
    let character = set.ancs.characters.iter().find(|one| one.name == character);
    let name = &set.ancs.animations[index].name;
    let chosen = ChosenAnimation { set, character, name, index: Some(index) };
    let options = ReadOptions { with_model: true, ..ReadOptions::default() };
    let in_archive = ArchiveResources { archive: library.archive.as_ref().unwrap(), bytes: &bytes };
    let folder = if archive.contains("mp1") { "loose_mp1" } else { "loose_mp2" };
    let files = mutoscope_core::io::bytes::FolderSidecars::for_file(
        &fixtures::path("prime-characters").join(folder).join("any.ANCS"),
    );
    let in_folder = LooseFiles::new(&files);
    [&in_archive as &dyn Resources, &in_folder]
        .map(|resources| open(&chosen, resources, &options, SkeletonPreference::Given).unwrap())
        .into()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

#[test]
fn clip_lengths_and_bones_match_the_reference() {
    for archive in ARCHIVES {
        for (clip_id, expected_row) in expected(archive)["clips"].as_object().unwrap() {
            for OpenedAnimation { clip, character, .. } in
                open_from_archive_and_folder(archive, clip_id, "Warden")
            {
                assert_eq!(character.as_deref(), Some("Warden"));
                assert_eq!(
                    (clip.span.start, clip.span.duration),
                    (0.0, number(&expected_row["duration"]))
                );
                let interval = clip.rate_hz.unwrap().recip();
                assert!((interval - number(&expected_row["interval"])).abs() < 1e-9);
                assert_eq!(Json::from(clip.is_looping), expected_row["looping"]);
                assert!(clip.version.ends_with(&format!("v{}", expected_row["version"])));
                let moved = clip.tracks.iter().filter_map(|track| match track.owner {
                    Owner::Node(node) => Some(node),
                    Owner::Group(_) => None,
                });
                let mut moved: Vec<NodeId> = moved.collect();
                moved.sort();
                moved.dedup();
                assert_eq!(moved.len(), items(&expected_row["bones"]).len(), "{clip_id}");
            }
        }
    }
}

#[test]
fn events_match_the_reference() {
    for archive in ARCHIVES {
        let expected = expected(archive);
        for (clip_id, expected_row) in expected["events_of_clip"].as_object().unwrap() {
            for (character, own_id) in [("Warden", 0), ("WardenBox", 1)] {
                for OpenedAnimation { clip, .. } in
                    open_from_archive_and_folder(archive, clip_id, character)
                {
                    assert_eq!(clip.events.len(), items(expected_row).len(), "{clip_id}");
                    for (event, expected_row) in clip.events.iter().zip(items(expected_row)) {
                        let label = format!("{archive} {clip_id} {}", event.name);
                        assert_eq!(event.name, text(&expected_row["name"]), "{label}");
                        assert_eq!(event.time, number(&expected_row["time"]), "{label}");
                        let details = event.details.as_ref().unwrap();
                        let kinds = ["loop", "bool", "int", "other", "sound", "particle", "user"];
                        let kind = expected_row["type"].as_u64().unwrap() as usize;
                        let kind = kinds.get(kind).copied().unwrap_or("sound");
                        assert_eq!(details.kind, kind, "{label}");
                        let is_for =
                            [-1, own_id].contains(&expected_row["character"].as_i64().unwrap());
                        let fires = is_for && event.time <= clip.span.end();
                        assert_eq!(details.is_fired, fires, "{label}");
                        assert_value(event.value.as_deref().unwrap(), expected_row, &label);
                        let bone = match expected_row["bone_id"].as_u64() {
                            Some(3) => "Hand_LCTR",
                            Some(2) => "Arm",
                            _ => expected_row
                                .get("bone_name")
                                .or(expected_row.get("locator"))
                                .map_or("", text),
                        };
                        assert_eq!(details.node, bone, "{label}");
                    }
                }
            }
        }
    }
}

fn assert_value(value: &Value, expected_row: &Json, label: &str) {
    let value = serde_json::to_value(value).unwrap();
    let expected_row =
        ["effect", "sound", "value"].iter().find_map(|key| expected_row.get(key)).unwrap();
    assert_eq!(value, *expected_row, "{label}");
}

#[test]
fn models_match_the_reference() {
    for name in ARCHIVES {
        let (bytes, expected) = (read_fixture(name), expected(name));
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        for (model_id, expected_row) in expected["models"].as_object().unwrap() {
            let key = (ResourceType::CMDL, id(model_id));
            let model = decode_resource(&archive, &bytes, key, Cmdl::decode);
            assert_eq!(Json::from(model.flags), expected_row["flags"]);
            let bounds: Vec<_> =
                model.bounds.as_flattened().iter().map(|&n| f64::from(n)).collect();
            assert_eq!(Json::from(bounds), expected_row["box"]);
            assert_eq!(
                model.positions.len() as u64,
                expected_row["position_slots"].as_u64().unwrap()
            );
            assert!(model.uvs.len() as u64 >= expected_row["uv_count_at_least"].as_u64().unwrap());
            for rest in items(&expected_row["positions_at_rest"]) {
                let [index, expected_position @ ..] = items(rest) else {
                    panic!("expected a position")
                };
                let position = model.positions[index.as_u64().unwrap() as usize];
                assert_eq!(
                    position.map(f64::from).to_vec(),
                    expected_position.iter().map(number).collect::<Vec<_>>()
                );
            }
            assert_materials(&model, expected_row);
            assert_surfaces(&model, expected_row);
        }
    }
}

fn assert_materials(model: &Cmdl, expected_row: &Json) {
    assert_eq!(model.material_sets.len(), items(&expected_row["material_sets"]).len());
    for (set, expected_row) in model.material_sets.iter().zip(items(&expected_row["material_sets"]))
    {
        let textures: Vec<_> = set.textures.iter().map(|id| id.unwrap().to_string()).collect();
        assert_eq!(Json::from(textures), expected_row["textures"]);
        assert_eq!(set.materials.len(), items(&expected_row["materials"]).len());
        for (material, expected_row) in set.materials.iter().zip(items(&expected_row["materials"]))
        {
            let material: &Material = material.as_ref().unwrap();
            assert_eq!(Json::from(material.flags), expected_row["flags"]);
            assert_eq!(
                format!("{:08X}", material.vertex_flags),
                text(&expected_row["vertex_flags"])
            );
            assert_eq!(Json::from(material.is_drawn()), expected_row["drawn"]);
            let base = set.base_texture(material);
            assert_eq!(
                Json::from(base.map(|(id, _)| id.to_string())),
                expected_row["base_texture"]
            );
            assert_eq!(Json::from(base.map(|(_, uvs)| uvs)), expected_row["base_uv"]);
        }
    }
}

fn assert_surfaces(model: &Cmdl, expected_row: &Json) {
    let triangles: usize = model.surfaces.iter().map(|surface| surface.triangles.len()).sum();
    let drawn = items(&expected_row["surfaces"]);
    let all: u64 = drawn.iter().map(|one| one["triangles"].as_u64().unwrap()).sum();
    assert_eq!(triangles as u64, all);
    assert_eq!(model.surfaces.len(), drawn.len());
    for (surface, expected_row) in model.surfaces.iter().zip(drawn) {
        assert_eq!(Json::from(surface.material), expected_row["material"]);
        let commands: Vec<_> = surface.commands.iter().map(|one| format!("{one:02X}")).collect();
        assert_eq!(Json::from(commands), expected_row["commands"]);
        assert_eq!(surface.corners.len() as u64, expected_row["vertices"].as_u64().unwrap());
        assert_eq!(surface.triangles.len() as u64, expected_row["triangles"].as_u64().unwrap());
        for (at, expected_row) in
            surface.triangles[0].iter().zip(items(&expected_row["first_triangle"]))
        {
            let corner = &surface.corners[*at as usize];
            assert_eq!(Json::from(corner.position), expected_row["p"]);
            let index =
                |key: &str| expected_row.get(key).and_then(Json::as_u64).map(|one| one as u16);
            assert_eq!(corner.normal, index("n"));
            assert_eq!([corner.uvs[0], corner.uvs[1]], [index("t0"), index("t1")]);
        }
    }
}

#[test]
fn skin_groups_match_the_reference() {
    for name in ARCHIVES {
        let (bytes, expected) = (read_fixture(name), expected(name));
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        for (skin_id, expected_row) in expected["skins"].as_object().unwrap() {
            let key = (ResourceType::CSKR, id(skin_id));
            let skin = decode_resource(&archive, &bytes, key, Cskr::decode);
            assert_eq!(Some(skin.position_count()), expected_row["total"].as_u64());
            assert_eq!(skin.game.unwrap().version_prefix(), text(&expected["game"]));
            let groups: Vec<_> = skin
                .groups
                .iter()
                .map(|group| serde_json::json!({"weights": group.weights, "vertices": group.vertices}))
                .collect();
            assert_eq!(Json::from(groups), expected_row["groups"]);
        }
    }
}

#[test]
fn skinned_vertices_match_independent_skinning() {
    let mut compared = 0;
    for archive in ARCHIVES {
        for expected_row in items(&expected(archive)["skinned"]) {
            let (clip_id, character) =
                (text(&expected_row["clip"]), text(&expected_row["character"]));
            for OpenedAnimation { clip, model, .. } in
                open_from_archive_and_folder(archive, clip_id, character)
            {
                let pose = pose(&clip, number(&expected_row["time"]));
                compared += assert_skin(&clip, &pose, &model.unwrap(), expected_row);
            }
        }
    }
    // There are 2 archives with 24 poses of up to 20 vertices each, and each file is found in two
    // ways.
    assert!(compared > 1000, "only {compared}");
}

/// Compares posed vertices of `model` with the expected positions. Returns the number of compared
/// vertices.
fn assert_skin(clip: &Clip, pose: &Pose, model: &CharacterModel, expected_row: &Json) -> usize {
    let mut matrices = Vec::new();
    clip.nodes.fill_world_matrices(pose, &mut matrices);
    let mut position_by_vertex = std::collections::HashMap::new();
    for (piece, own) in model.model.pieces.iter().zip(&model.sources) {
        let mut positions = Vec::new();
        piece.fill_posed_positions(&matrices, &mut positions);
        position_by_vertex.extend(own.positions.iter().copied().zip(positions));
    }
    let mut compared = 0;
    for (vertex, position) in
        items(&expected_row["vertices"]).iter().zip(items(&expected_row["positions"]))
    {
        let Some(found) = position_by_vertex.get(&(vertex.as_u64().unwrap() as u16)) else {
            continue;
        };
        let [x, y, z] = [0, 1, 2].map(|axis| number(&position[axis]));
        // In the games Z is up and +Y is forward.
        let distance = found.distance(DVec3::new(x, z, -y));
        let label = format!("{} {} {vertex}", expected_row["character"], expected_row["clip"]);
        assert!(distance < 1e-5, "{label}: {distance}");
        compared += 1;
    }
    compared
}

/// Opens an animation of the character `Warden` by its name.
fn open_by_name(archive: &str, name: &str, playback: Playback) -> OpenedAnimation {
    let bytes = read_fixture(archive);
    let library = Library::from_archive(&bytes).unwrap();
    let (animation, character) = (Some(name.to_owned()), Some("Warden".to_owned()));
    let chosen = library.select(&Selection { animation, character }).unwrap();
    let mut options = ReadOptions { with_model: true, ..ReadOptions::default() };
    match playback {
        Playback::First => {}
        Playback::Named(name) => options = options.with_variant(Variants::CLIP, &name),
        Playback::All => options.plays_all_clips = true,
    }
    let files = ArchiveResources { archive: library.archive.as_ref().unwrap(), bytes: &bytes };
    open(&chosen[0], &files, &options, SkeletonPreference::Given).unwrap()
}

/// `B_combo` plays an attack, a blend as long as the idle, and then at random a gesture or the
/// attack.
#[test]
fn sequence_plays_its_clips_in_order() {
    let mut compared = 0;
    for archive in ARCHIVES {
        let OpenedAnimation { clip, model, .. } = open_by_name(archive, "B_combo", Playback::All);
        let model = model.unwrap();
        let expected = expected(archive);
        let ids: Vec<_> =
            ["attack", "idle", "gesture"].map(|name| clip_id_by_name(&expected, name)).into();
        let duration = |id: &str| number(&expected["clips"][id]["duration"]);
        let starts = [0.0, duration(&ids[0]) + duration(&ids[1])];
        assert_eq!(clip.span.duration, starts[1] + duration(&ids[2]));
        for (id, start) in [(&ids[0], starts[0]), (&ids[2], starts[1])] {
            let expected_rows = items(&expected["skinned"]).iter().filter(|expected_row| {
                text(&expected_row["clip"]) == id && text(&expected_row["character"]) == "Warden"
            });
            for expected_row in expected_rows {
                let time = number(&expected_row["time"]);
                // At the time at which a clip ends and the next one begins, the next one plays.
                if time < duration(id) {
                    let pose = pose(&clip, start + time);
                    compared += assert_skin(&clip, &pose, &model, expected_row);
                }
            }
        }
        let shown: Vec<_> =
            clip.composition.iter().filter(|part| part.is_current).map(|part| &part.name).collect();
        assert_eq!(shown, ["attack", "idle", "walk", "gesture"]);
        assert_events(&clip, &expected, &ids[0], starts[0]);
        assert_events(&clip, &expected, &ids[2], starts[1]);
    }
    assert!(compared > 60, "only {compared}");
}

fn clip_id_by_name(expected: &Json, name: &str) -> String {
    let alone = |animation: &&Json| animation["tree"]["name"] == name;
    let animation = items(&expected["set"]["animations"]).iter().find(alone).unwrap();
    text(&animation["tree"]["anim"]).to_owned()
}

/// Asserts that `clip` has the events of the clip with this id, `start` seconds later.
fn assert_events(clip: &Clip, expected: &Json, id: &str, start: f64) {
    for expected_row in items(&expected["events_of_clip"][id]) {
        let is_expected = |event: &clip::Event| {
            event.name == text(&expected_row["name"])
                && (event.time - start - number(&expected_row["time"])).abs() < 1e-9
        };
        assert!(clip.events.iter().any(is_expected), "{expected_row} {start}");
    }
}

/// Returns the blend of two local poses, by the formula of a slerp along the shorter arc.
fn blend_poses(one: &Transform, other: &Transform, weight: f64) -> (DVec3, DQuat) {
    let position = one.translation * (1.0 - weight) + other.translation * weight;
    let dot = one.rotation.dot(other.rotation);
    let to = if dot < 0.0 { -other.rotation } else { other.rotation };
    let angle = dot.abs().min(1.0).acos();
    let shares = if angle < 1e-6 {
        [1.0 - weight, weight]
    } else {
        [((1.0 - weight) * angle).sin() / angle.sin(), (weight * angle).sin() / angle.sin()]
    };
    (position, (one.rotation * shares[0] + to * shares[1]).normalize())
}

#[test]
fn blends_mix_their_clips_and_phase_blends_stretch_them_to_one_length() {
    for archive in ARCHIVES {
        let alone = |name: &str| open_by_name(archive, name, Playback::First).clip;
        let [idle, walk, attack] = ["B_idle", "B_walk", "B_attack"].map(alone);
        let drift = walk.span.duration * 0.5 + idle.span.duration * 0.5;
        let cases = [
            ("B_walk_attack", &walk, &attack, 0.25, walk.span.duration, [1.0; 2]),
            (
                "B_drift",
                &idle,
                &walk,
                0.5,
                drift,
                [&idle, &walk].map(|clip| clip.span.duration / drift),
            ),
        ];
        for (name, one, other, weight, duration, speeds) in cases {
            let clip = open_by_name(archive, name, Playback::All).clip;
            assert!((clip.span.duration - duration).abs() < 1e-12, "{name}");
            for step in 0..=40 {
                let time = duration * f64::from(step) / 40.0;
                let found = pose(&clip, time);
                let [from, to] = [(one, speeds[0]), (other, speeds[1])]
                    .map(|(clip, speed)| pose(clip, (time * speed).min(clip.span.duration)));
                for (index, node) in found.nodes.iter().enumerate() {
                    let (position, turn) =
                        blend_poses(&from.nodes[index].local, &to.nodes[index].local, weight);
                    let label = format!("{archive} {name} at {time}, node {index}");
                    assert!(node.local.translation.abs_diff_eq(position, 1e-9), "{label}");
                    assert!(node.local.rotation.dot(turn).abs() > 1.0 - 1e-9, "{label}");
                }
            }
            // The keys of both clips must be on the timeline of the blend, so the last one is near
            // its end.
            let last = clip
                .tracks
                .iter()
                .filter_map(|track| track.curve.times().as_slice().last().copied());
            let last = last.fold(f64::MIN, f64::max);
            assert!((last - duration).abs() < 0.05, "{name}: keys up to {last} of {duration}");
        }
    }
}

#[test]
fn clip_of_a_composed_animation_is_chosen_by_name() {
    let bytes = read_fixture("warden_mp1.pak");
    let read = |clip: &str| {
        let choice =
            |(label, name): (&str, &str)| VariantChoice { label: label.into(), name: name.into() };
        let choices = [("animation", "B_fidget"), (Variants::CLIP, clip)].map(choice);
        decode(&bytes, &ReadOptions { variants: choices.to_vec(), ..ReadOptions::default() })
    };
    let attack = read("attack").unwrap();
    assert!((attack.span.duration - 0.666_666_686_534_881_6).abs() < 1e-12);
    let clips = attack.variants.iter().find(|one| one.label == Variants::CLIP).unwrap();
    assert_eq!(*clips.names, ["All (approximate)", "idle", "attack"].map(str::to_owned));
    assert_eq!((clips.current, clips.is_chosen), (2, true));
    // In a random choice, "all" plays the first of its clips.
    assert_eq!(read("all").unwrap().span.duration, 2.0);
    let error = read("jump").unwrap_err();
    assert!(error.to_string().contains("\"B_fidget\" has no clip \"jump\""), "{error}");
}

/// An archive that lacks one resource.
struct ArchiveWithout<'a> {
    all: ArchiveResources<'a>,
    missing: AssetId,
}

impl Resources for ArchiveWithout<'_> {
    fn resource(&self, kind: ResourceType, id: AssetId) -> Option<Resource<'_>> {
        if id == self.missing { None } else { self.all.resource(kind, id) }
    }

    fn has(&self, kind: ResourceType, id: AssetId) -> bool {
        id != self.missing && self.all.has(kind, id)
    }
}

#[test]
fn composed_animation_plays_without_missing_clips() {
    let bytes = read_fixture("warden_mp1.pak");
    let library = Library::from_archive(&bytes).unwrap();
    let attack = id(&clip_id_by_name(&expected("warden_mp1.pak"), "attack"));
    let chosen = library
        .select(&Selection { animation: Some("B_combo".to_owned()), character: None })
        .unwrap();
    let options = ReadOptions { plays_all_clips: true, ..ReadOptions::default() };
    let all = ArchiveResources { archive: library.archive.as_ref().unwrap(), bytes: &bytes };
    let files = ArchiveWithout { all, missing: attack };
    let OpenedAnimation { clip, .. } =
        open(&chosen[0], &files, &options, SkeletonPreference::Given).unwrap();
    let gesture = number(&expected("warden_mp1.pak")["clips"]["903DCA51"]["duration"]);
    assert_eq!(clip.span.duration, 2.0 + gesture);
    let skipped =
        clip.diagnostics.iter().filter(|one| one.code.as_str() == "prime/animation-skipped");
    let skipped: Vec<_> = skipped.map(|diagnostic| diagnostic.value("animation")).collect();
    assert_eq!(skipped, [Some(&"attack".into()); 2]);
}

#[test]
fn triangles_face_along_their_normals() {
    for archive in ARCHIVES {
        let clips = expected(archive)["clips"].as_object().unwrap().clone();
        let clip_id = clips.keys().next().unwrap();
        for character in ["Warden", "WardenBox"] {
            let model =
                open_from_archive_and_folder(archive, clip_id, character).remove(0).model.unwrap();
            for piece in &model.model.pieces {
                let mut outward = 0;
                let triangles = piece.triangles.as_chunks::<3>().0;
                for triangle in triangles {
                    let corner =
                        |at: usize| glam::Vec3::from(piece.positions[triangle[at] as usize]);
                    let face_normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
                    let normal = glam::Vec3::from(piece.normals[triangle[0] as usize]);
                    outward += usize::from(face_normal.dot(normal) > 0.0);
                }
                assert!(outward * 10 >= triangles.len() * 9, "{outward} of {}", triangles.len());
            }
        }
    }
}

#[test]
fn texture_pixels_match_the_reference() {
    for name in ARCHIVES {
        let (bytes, expected) = (read_fixture(name), expected(name));
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        for (texture_id, expected_row) in expected["textures"].as_object().unwrap() {
            let key = (ResourceType::TXTR, id(texture_id));
            let texture = decode_resource(&archive, &bytes, key, Texture::decode);
            assert_eq!(
                format!("{:?}", texture.format).to_uppercase(),
                text(&expected_row["format"])
            );
            let size = [texture.width, texture.height, texture.levels];
            assert_eq!(
                size.map(Json::from),
                ["width", "height", "mips"].map(|key| expected_row[key].clone())
            );
            for pixel in items(&expected_row["pixels"]) {
                let pixel: Vec<i32> = serde_json::from_value(pixel.clone()).unwrap();
                let &[x, y, ref color @ .., tolerance] = &pixel[..] else {
                    panic!("expected a pixel")
                };
                let found = texture.pixel(x as u32, y as u32).unwrap();
                // Alpha is exact. Only colours have a tolerance, because decoders mix transparent
                // pixels differently.
                assert_eq!(i32::from(found[3]), color[3], "{texture_id} {x} {y}");
                for (found, expected) in found.iter().zip(color) {
                    assert!(
                        (i32::from(*found) - expected).abs() <= tolerance,
                        "{texture_id} {x} {y}"
                    );
                }
            }
        }
    }
}

#[test]
fn models_show_the_base_texture_of_drawn_materials_only() {
    for (archive, clip) in ARCHIVES.into_iter().zip(["B6D38CBB", "4B09143B"]) {
        let OpenedAnimation { clip, model, .. } =
            open_from_archive_and_folder(archive, clip, "Warden").remove(0);
        let sources = model.unwrap().sources;
        let model = clip.model().unwrap();
        // The third material is not drawn. It only hides what is behind it.
        assert_eq!((model.pieces.len(), sources.len()), (2, 2));
        let expected = expected(archive);
        let model_id = text(&expected["characters"][0]["cmdl"]);
        let materials = items(&expected["models"][model_id]["material_sets"][0]["materials"]);
        for (piece, expected_row) in model.pieces.iter().zip(materials) {
            let texture = &model.textures[piece.texture.unwrap()];
            let flags = expected_row["flags"].as_u64().unwrap();
            let expected_row = text(&expected_row["base_texture"]);
            assert_eq!(texture.name, format!("TXTR {expected_row}"));
            // Alpha is meaningful only if the games test it. Other textures may hold any alpha.
            let is_masked = flags & 0x20 != 0;
            assert_eq!(piece.alpha_cutoff, is_masked.then_some(0.25));
            assert_pixels(texture, &expected["textures"][expected_row], !is_masked);
            assert_eq!(piece.uvs.len(), piece.positions.len());
            let is_inside = |uv: &[f32; 2]| uv.iter().all(|one| (-4.0..=4.0).contains(one));
            assert!(piece.uvs.iter().all(is_inside) && piece.uvs.iter().any(|uv| uv[0] != 0.0));
        }
    }
}

/// Asserts that a model's texture has the listed pixels, in stored order: v increases with the
/// rows.
fn assert_pixels(texture: &clip::Texture, expected_row: &Json, is_opaque: bool) {
    let clip::TextureImage::Rgba8 { width, height, pixels } = &texture.image else { panic!() };
    assert_eq!(
        [width, height].map(|&side| Json::from(side)),
        [expected_row["width"].clone(), expected_row["height"].clone()]
    );
    for pixel in items(&expected_row["pixels"]) {
        let pixel: Vec<i32> = serde_json::from_value(pixel.clone()).unwrap();
        let &[x, y, ref color @ .., tolerance] = &pixel[..] else { panic!("expected a pixel") };
        let start = 4 * (y as usize * *width as usize + x as usize);
        for (found, expected) in pixels[start..start + 3].iter().zip(color) {
            assert!((i32::from(*found) - expected).abs() <= tolerance, "{} {x} {y}", texture.name);
        }
        let alpha = if is_opaque { 255 } else { color[3] };
        assert_eq!(i32::from(pixels[start + 3]), alpha, "{} {x} {y}", texture.name);
    }
}

#[test]
fn pieces_use_the_texture_coordinates_of_the_base_texture() {
    for (archive, clip_id) in ARCHIVES.into_iter().zip(["B6D38CBB", "4B09143B"]) {
        let bytes = read_fixture(archive);
        let table = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        let expected = expected(archive);
        let model_id = text(&expected["characters"][0]["cmdl"]);
        let key = (ResourceType::CMDL, id(model_id));
        let cmdl = decode_resource(&table, &bytes, key, Cmdl::decode);
        let OpenedAnimation { clip, model, .. } =
            open_from_archive_and_folder(archive, clip_id, "Warden").remove(0);
        let (sources, model) = (model.unwrap().sources, Arc::clone(clip.model().unwrap()));
        let expected_row = &expected["models"][model_id];
        for surface in items(&expected_row["surfaces"]) {
            let material = surface["material"].as_u64().unwrap() as usize;
            let Some(piece) = model.pieces.get(material) else { continue };
            let set = expected_row["material_sets"][0]["materials"][material]["base_uv"].as_u64();
            for corner in items(&surface["first_triangle"]) {
                let position = corner["p"].as_u64().unwrap() as u16;
                let uv = cmdl.uvs[corner[format!("t{}", set.unwrap())].as_u64().unwrap() as usize];
                let pairs = sources[material].positions.iter().zip(&piece.uvs);
                let mut found = pairs.filter(|(at, _)| **at == position);
                assert!(found.any(|(_, found)| *found == uv), "{archive} {position}: {uv:?}");
            }
        }
    }
}

/// A character of an archive or of a set serves as the skeleton of a loose ANIM.
#[test]
fn characters_serve_as_skeletons_for_loose_animations() {
    for (archive, folder, anim) in
        [("warden_mp1.pak", "loose_mp1", "C427935B"), ("warden_mp2.pak", "loose_mp2", "9B8F1516")]
    {
        let archive_clip = open_from_archive_and_folder(archive, anim, "Warden").remove(0).clip;
        let set = text(&expected(archive)["set"]["id"]).to_owned();
        let ancs = format!("{folder}/{set}.ANCS");
        let anim = read_fixture(&format!("{folder}/{anim}.ANIM"));
        for name in [archive, &ancs] {
            let path = fixtures::path("prime-characters").join(name);
            let sidecars = mutoscope_core::io::bytes::FolderSidecars::for_file(&path);
            let rig = mutoscope_core::Registry::default()
                .decode_skeleton(&read_fixture(name), name, &sidecars)
                .unwrap();
            assert_eq!(rig.kind, mutoscope_core::skeleton_file::SkeletonKind::CINF);
            let chosen = find_diagnostic(&rig.diagnostics, "prime/character-chosen").unwrap();
            assert_eq!(chosen.value("character"), Some(&"Warden".into()));
            let request = ReadOptions::default()
                .with_format(clip::FormatId::PRIME)
                .with_skeleton(rig.clone());
            let loose = decode(&anim, &request).unwrap();
            let (one, other) = (loose.model().unwrap(), archive_clip.model().unwrap());
            assert_eq!(one, other, "{name}");
            for time in [0.0, 0.25, 0.5] {
                let (one, other) = (pose(&loose, time), pose(&archive_clip, time));
                assert_eq!(one.nodes, other.nodes, "{name} at {time} s");
            }
        }
    }
}

#[test]
fn archives_without_characters_are_rejected_as_skeletons() {
    for name in ["bad/mp1_cut_in_table.pak", "bad/mp1_no_rig.pak", "bad/mp1_cut.ANCS"] {
        let bytes = read_fixture(name);
        let rig = mutoscope_core::Registry::default().decode_skeleton(
            &bytes,
            name,
            &mutoscope_core::io::bytes::NoSidecars,
        );
        assert!(rig.is_err(), "{name}");
    }
    // An archive is primarily a recording, so it is not recognised as a skeleton.
    assert_eq!(
        mutoscope_core::Registry::default().recognise_skeleton(&read_fixture("warden_mp1.pak")),
        None
    );
}

#[test]
fn valid_archive_has_no_warnings() {
    for (name, folder) in ARCHIVES.into_iter().zip(["loose_mp1", "loose_mp2"]) {
        let bytes = read_fixture(name);
        let library = Library::from_archive(&bytes).unwrap();
        let diagnostics = check_archive(&library, &bytes);
        assert!(
            diagnostics.worst_severity() <= Some(mutoscope_core::diagnostics::Severity::Info),
            "{diagnostics:?}"
        );
        let set = library.sets[0].id.unwrap();
        let path = fixtures::path("prime-characters").join(folder).join(format!("{set}.ANCS"));
        let ancs = std::fs::read(&path).unwrap();
        let alone = Library::decode(&ancs, FileKind::Characters, &format!("{set}.ANCS")).unwrap();
        assert_eq!(alone.sets[0].id, Some(set));
        let sidecars = mutoscope_core::io::bytes::FolderSidecars::for_file(&path);
        let diagnostics =
            alone.with_resources(&ancs, &sidecars, |files| check_library(&alone, files));
        assert!(
            diagnostics.worst_severity() <= Some(mutoscope_core::diagnostics::Severity::Info),
            "{diagnostics:?}"
        );
    }
}
