//! Tests of characters in GLB: models with textures and skins, and Minecraft players. The `gltf`
//! crate reads the files, and the tests compute poses and skinning according to the specification.

use std::{collections::BTreeSet, sync::Arc};

use glam::{DAffine3, DVec3, Mat4};
use gltf::material::AlphaMode;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose, TextureImage, VariantChoice},
    decode,
    export::ExportOptions,
    io::bytes::NoSidecars,
};
use mutoscope_minecraft::{PlayerSkins, SkinImage};
use serde_json::Value;

use crate::export::{exported, exported_as, fixtures, glb::GlbFile, report_text};

pub(crate) fn load_character(archive: &str, animation: &str, character: &str) -> Clip {
    let bytes = std::fs::read(fixtures::path("prime-characters").join(archive)).unwrap();
    let choice =
        |label: &str, name: &str| VariantChoice { label: label.to_owned(), name: name.to_owned() };
    let chosen = [choice("Animation", animation), choice("Character", character)];
    decode(
        &bytes,
        &ReadOptions { variants: chosen.to_vec(), ..ReadOptions::from(mutoscope_cli::registry()) },
    )
    .unwrap()
}

fn recording(name: &str) -> Clip {
    let bytes = std::fs::read(fixtures::path("mcmocap").join(name)).unwrap();
    decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap()
}

struct Scene {
    gltf: gltf::Gltf,
    back: GlbFile,
}

impl Scene {
    fn new(bytes: &[u8]) -> Self {
        Self { gltf: gltf::Gltf::from_slice(bytes).unwrap(), back: GlbFile::new(bytes) }
    }

    fn blob(&self) -> &[u8] {
        self.gltf.blob.as_deref().unwrap()
    }

    /// Returns the world transform of each node, including scale and shear.
    fn worlds(&self, time: f64) -> Vec<DAffine3> {
        let count = self.back.rest.len();
        let mut worlds: Vec<Option<DAffine3>> = vec![None; count];
        for node in 0..count {
            self.world(node, time, &mut worlds);
        }
        worlds.into_iter().map(Option::unwrap).collect()
    }

    fn world(&self, node: usize, time: f64, worlds: &mut [Option<DAffine3>]) -> DAffine3 {
        if let Some(known) = worlds[node] {
            return known;
        }
        let local = self.back.local(node, f64::from(time as f32));
        let own = DAffine3::from_scale_rotation_translation(
            local.scale,
            local.rotation,
            local.translation,
        );
        let world = match self.back.parents[node] {
            Some(parent) => self.world(parent, time, worlds) * own,
            None => own,
        };
        worlds[node] = Some(world);
        world
    }

    /// Returns the vertex positions of each skinned mesh, in the order of the nodes.
    fn skinned(&self, time: f64) -> Vec<Vec<DVec3>> {
        let worlds = self.worlds(time);
        let mut meshes = Vec::new();
        for node in self.gltf.nodes() {
            let (Some(mesh), Some(skin)) = (node.mesh(), node.skin()) else { continue };
            let bind = skin.reader(|_| Some(self.blob())).read_inverse_bind_matrices().unwrap();
            let joints: Vec<DAffine3> = skin
                .joints()
                .zip(bind)
                .map(|(joint, bind)| {
                    let bind = Mat4::from_cols_array_2d(&bind).as_dmat4();
                    worlds[joint.index()] * DAffine3::from_mat4(bind)
                })
                .collect();
            let primitive = mesh.primitives().next().unwrap();
            let reader = primitive.reader(|_| Some(self.blob()));
            let influences = reader.read_joints(0).unwrap().into_u16();
            let weights = reader.read_weights(0).unwrap().into_f32();
            let influences = influences.zip(weights);
            let skinned_position =
                |(point, (influences, weights)): ([f32; 3], ([u16; 4], [f32; 4]))| {
                    let point = DVec3::from_array(point.map(f64::from));
                    let moved = influences.iter().zip(weights).map(|(&joint, weight)| {
                        joints[usize::from(joint)].transform_point3(point) * f64::from(weight)
                    });
                    moved.sum::<DVec3>()
                };
            meshes.push(
                reader.read_positions().unwrap().zip(influences).map(skinned_position).collect(),
            );
        }
        meshes
    }

    fn find_node(&self, name: &str) -> gltf::Node<'_> {
        self.gltf.nodes().find(|node| node.name() == Some(name)).unwrap()
    }
}

/// An independent program computed the expected positions from the games' files. Some bones have
/// scales, which their children do not inherit.
#[test]
fn vertices_match_independent_skinning() {
    let all = fixtures::json("prime-characters/expected.json");
    let mut compared = 0;
    for archive in ["warden_mp1.pak", "warden_mp2.pak"] {
        let expected = &all["files"][archive];
        for pose in expected["skinned"].as_array().unwrap() {
            let clip_id = pose["clip"].as_str().unwrap();
            let character = pose["character"].as_str().unwrap();
            let set = expected["set"]["animations"].as_array().unwrap();
            let is_played = |one: &&Value| {
                (&one["tree"]["kind"], &one["tree"]["anim"]) == (&"play".into(), &clip_id.into())
            };
            let name = set.iter().find(is_played).unwrap()["name"].as_str().unwrap();
            let clip = load_character(archive, name, character);
            let scene = Scene::new(&exported(&clip, "glb").0);
            let time = pose["time"].as_f64().unwrap() - clip.span.start;
            let found: Vec<DVec3> = scene.skinned(time).concat();
            let mut missing = BTreeSet::new();
            let positions = pose["positions"].as_array().unwrap();
            for (vertex, position) in pose["vertices"].as_array().unwrap().iter().zip(positions) {
                let [x, y, z] = [0, 1, 2].map(|axis| position[axis].as_f64().unwrap());
                // The games use Z up and +Y forward.
                let position = DVec3::new(x, z, -y);
                let nearest =
                    found.iter().map(|vertex| vertex.distance(position)).reduce(f64::min).unwrap();
                if nearest < 2e-5 {
                    compared += 1;
                } else {
                    missing.insert(vertex.as_u64().unwrap());
                }
            }
            assert!(missing.is_empty(), "{archive} {character} {name} at {time} s: {missing:?}");
        }
    }
    assert_eq!(compared, 672, "24 poses for each archive, of 8 or 20 vertices");
}

#[test]
fn textures_match_the_model_pixel_by_pixel() {
    for (archive, animation) in [("warden_mp1.pak", "B_walk"), ("warden_mp2.pak", "B_attack")] {
        let clip = load_character(archive, animation, "Warden");
        let (bytes, report) = exported(&clip, "glb");
        assert!(report_text(&report).contains("base colour only"), "{}", report_text(&report));
        let scene = Scene::new(&bytes);
        let model = clip.model().unwrap();
        assert_eq!(scene.gltf.images().len(), model.textures.len());
        assert!(!model.textures.is_empty());
        for (texture, own) in scene.gltf.textures().zip(&model.textures) {
            let TextureImage::Rgba8 { width, height, pixels } = &own.image else { panic!() };
            let gltf::image::Source::View { view, mime_type } = texture.source().source() else {
                panic!()
            };
            assert_eq!((mime_type, view.offset() % 4), ("image/png", 0));
            let file = &scene.blob()[view.offset()..view.offset() + view.length()];
            let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
            assert_eq!((reader.info().width, reader.info().height), (*width, *height));
            let mut found = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut found).unwrap();
            assert_eq!(found, pixels[..], "{archive} {}", own.name);
        }
        let meshes: Vec<_> = scene.gltf.meshes().collect();
        assert_eq!(meshes.len(), model.pieces.len());
        for (mesh, piece) in meshes.iter().zip(&model.pieces) {
            let primitive = mesh.primitives().next().unwrap();
            let reader = primitive.reader(|_| Some(scene.blob()));
            let uvs: Vec<_> = reader.read_tex_coords(0).unwrap().into_f32().collect();
            assert_eq!(uvs, piece.uvs);
            let paint = primitive.material().pbr_metallic_roughness();
            let texture = paint.base_color_texture().unwrap().texture();
            assert_eq!(Some(texture.index()), piece.texture);
            // In the model of the first game, the second material is masked with a cutoff of 0.25.
            let cutoff = primitive.material().alpha_cutoff();
            assert_eq!(cutoff, piece.alpha_cutoff);
            assert!(cutoff.is_none_or(|cutoff| cutoff == 0.25));
            let is_masked = primitive.material().alpha_mode() == AlphaMode::Mask;
            assert_eq!(is_masked, cutoff.is_some());
        }
    }
}

#[test]
fn events_and_composition_are_exported() {
    let clip = load_character("warden_mp1.pak", "B_combo", "Warden");
    assert_eq!(clip.composition[0].kind.as_str(), "sequence");
    let extras = animation_extras(&clip);
    let composition = extras["composition"].as_array().unwrap();
    let clips = composition.iter().filter(|part| part["kind"] == "clip");
    assert_eq!(clips.count(), 5, "`info --json` lists five clips");
    assert_eq!(composition.iter().filter(|part| part["shown"] == true).count(), 1);

    let walk = animation_extras(&load_character("warden_mp1.pak", "B_walk", "Warden"));
    assert!(walk.get("composition").is_none());
    let event_members = |key: &str| -> Vec<Value> {
        walk["events"].as_array().unwrap().iter().map(|event| event[key].clone()).collect()
    };
    assert_eq!(event_members("kind"), ["loop", "user", "particle", "user", "sound", "particle"]);
    assert_eq!(event_members("node"), ["", "root", "Hand_LCTR", "root", "", "Arm"]);
    // The games define user event 12 as a landing.
    assert_eq!(event_members("effect")[1], "landing");
    assert!(event_members("fires").iter().all(|fires| fires.is_boolean()));
}

fn animation_extras(clip: &Clip) -> Value {
    let scene = Scene::new(&exported(clip, "glb").0);
    let extras = scene.gltf.animations().next().unwrap().extras().clone();
    serde_json::from_str(extras.unwrap().get()).unwrap()
}

#[test]
fn player_is_a_skinned_figure_with_held_items_and_a_camera() {
    let clip = recording("walk_v5.mcmocap_rec");
    let (bytes, report) = exported(&clip, "glb");
    assert!(report_text(&report).contains("1 camera"), "{}", report_text(&report));
    let scene = Scene::new(&bytes);
    assert_eq!((scene.gltf.cameras().len(), scene.gltf.images().len()), (1, 1));
    for (part, boxes) in [("head", 2), ("body", 2), ("right_arm", 3), ("left_leg", 2)] {
        let node = scene.find_node(&format!("player/{part}"));
        assert_eq!(
            node.children().count(),
            boxes,
            "a part has two layers, and an arm also has a hand: {part}"
        );
        for child in node.children().filter(|child| child.mesh().is_some()) {
            let primitive = child.mesh().unwrap().primitives().next().unwrap();
            let material = primitive.material();
            assert!(material.pbr_metallic_roughness().base_color_texture().is_some());
            let is_outer = material.alpha_mode() == AlphaMode::Mask;
            assert_eq!(material.alpha_cutoff(), is_outer.then_some(0.1));
        }
    }
    let sampler = scene.gltf.textures().next().unwrap().sampler();
    assert_eq!(sampler.mag_filter(), Some(gltf::texture::MagFilter::Nearest));
    let hand = scene.find_node("player/right_hand").index();
    assert_eq!(scene.back.parents[hand], Some(scene.find_node("player/right_arm").index()));
}

/// The camera is at the eyes, 1.62 m above the feet of a standing player, and looks where the head
/// looks.
#[test]
fn camera_follows_the_head() {
    for name in ["walk_v5.mcmocap_rec", "full_v5.mcmocap_rec", "walk_v1.mcmocap_rec"] {
        let clip = recording(name);
        let scene = Scene::new(&exported(&clip, "glb").0);
        let camera = scene.find_node("player/eyes");
        assert!(camera.camera().is_some());
        let node = |name: &str| {
            let mut nodes = clip.nodes.with_ids();
            nodes.find(|(_, node)| node.name == name).unwrap().0.index()
        };
        let (player, head) = (node("player"), node("player/head"));
        let mut pose = Pose::default();
        let mut standing = 0;
        for step in 0..=100 {
            // Sample between ticks, because rounding of times would matter where something changes.
            let part = (f64::from(step) + 0.37) / 102.0;
            let time = clip.span.start + clip.span.duration * part;
            clip.sample(time, &mut pose);
            let eyes = scene.worlds(time - clip.span.start)[camera.index()];
            let ahead = eyes.transform_vector3(DVec3::NEG_Z);
            let looks = pose.nodes[head].world.rotation * DVec3::NEG_Z;
            assert!(ahead.angle_between(looks) < 2e-3, "{name} {time}: {ahead} {looks}");
            let off = eyes.translation - pose.nodes[player].world.translation;
            assert!(off.x.hypot(off.z) < 2e-4, "{name} {time}: {off}");
            let known = [1.62, 1.27, 0.4, 0.2];
            assert!(known.iter().any(|height| (off.y - height).abs() < 2e-4), "{name}: {off}");
            standing += usize::from((off.y - 1.62).abs() < 2e-4);
        }
        assert!(standing > 20, "{name}: {standing}");
    }
}

#[test]
fn players_wear_the_given_skin() {
    let skin = |slim: bool| {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 64, 64);
        encoder.set_color(png::ColorType::Rgba);
        let is_clear = |at: usize| slim && (54..56).contains(&(at % 64)) && at / 64 >= 16;
        let pixel = |at: usize| [200, 40, 40, if is_clear(at) { 0 } else { 255 }];
        let pixels: Vec<u8> = (0..64 * 64).flat_map(pixel).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        file
    };
    for slim in [false, true] {
        let png = skin(slim);
        let picture = SkinImage::decode(Arc::from(&png[..])).unwrap();
        let skins = PlayerSkins { fallback: Some(picture), ..PlayerSkins::default() };
        let mut clip = recording("walk_v5.mcmocap_rec");
        skins.apply_to(&mut clip);
        let scene = Scene::new(&exported(&clip, "glb").0);
        let gltf::image::Source::View { view, .. } = scene.gltf.images().next().unwrap().source()
        else {
            panic!()
        };
        let file = &scene.blob()[view.offset()..view.offset() + view.length()];
        assert_eq!(file, png, "the exported picture must be the given file");
        let arm = scene.find_node("player/right_arm");
        let inner = arm.children().next().unwrap().mesh().unwrap();
        let bounds = inner.primitives().next().unwrap().bounding_box();
        let width = (bounds.max[0] - bounds.min[0]) * 16.0 / 0.9375;
        assert!((width - if slim { 3.0 } else { 4.0 }).abs() < 1e-4, "{width}");
    }
}

#[test]
fn damaged_archives_are_exported_as_far_as_possible() {
    let folder = fixtures::path("prime-characters").join("bad");
    let mut exports = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pak") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let Ok(clip) = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())) else {
            continue;
        };
        let (bytes, _) = exported_as(&clip, "glb", &ExportOptions::default());
        let rig =
            mutoscope_cli::registry().decode_skeleton(&bytes, "back.glb", &NoSidecars).unwrap();
        assert!(rig.nodes.len() > clip.nodes.len());
        exports += 1;
    }
    assert!(exports > 5, "{exports}");
}

#[test]
fn camera_stays_at_its_player_far_from_the_origin() {
    for one in fixtures::mcmocap_fixtures() {
        let clip = decode(&one.bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        let scene = Scene::new(&exported(&clip, "glb").0);
        let mut pose = Pose::default();
        clip.sample(clip.span.start, &mut pose);
        let player = pose.nodes[0].world.translation;
        let camera = scene.worlds(0.0)[scene.find_node("player/eyes").index()].translation;
        let is_near = camera.distance(player) < 1.63 + 1e-6 * player.length();
        assert!(is_near, "{}: {camera} {player}", one.name);
    }
}
