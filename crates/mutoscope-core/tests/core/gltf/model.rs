//! Tests meshes, skins and textures of a recording.

use std::fs;

use glam::Vec3;
use mutoscope_core::clip::{ImageFormat, NodeId, TextureImage, TextureWrap};

use crate::gltf::{WALKER, decode, index};
use mutoscope_testing::fixtures;

#[test]
fn character_has_its_mesh_skin_and_texture() {
    let clip = decode(WALKER, None);
    let model = &clip.model().unwrap();
    let [body] = &model.pieces[..] else { panic!("{} pieces", model.pieces.len()) };
    assert_eq!(body.node, index(&clip, "Body"));
    assert_eq!((body.triangles.len(), body.texture), (17 * 12 * 3, Some(0)));
    assert_eq!(body.uvs.len(), body.positions.len());
    assert!(body.uvs.iter().flatten().all(|part| (0.0..=1.0).contains(part)));
    // The texture has four stripes. The head uses the first one, the feet the last one.
    for (vertex, uv) in body.uvs.iter().enumerate() {
        let height = Vec3::from(body.positions[vertex]).y;
        assert!(height < 1.6 || uv[0] < 0.25, "{height} {uv:?}");
        assert!(height > 0.02 || uv[0] > 0.75, "{height} {uv:?}");
    }
    let skin = body.skin.as_ref().unwrap();
    let names: Vec<_> =
        skin.joints.iter().map(|&node| clip.nodes[NodeId::new(node)].name.as_str()).collect();
    assert_eq!((names.len(), names.contains(&"LeftHand")), (17, true));
    let [texture] = &model.textures[..] else { panic!("expected one texture") };
    assert_eq!((texture.name.as_str(), texture.is_pixelated), ("Cloth", true));
    assert_eq!(texture.wrap, [TextureWrap::Repeat; 2]);
    let TextureImage::Encoded { format: ImageFormat::Png, bytes } = &texture.image else {
        panic!("expected a PNG")
    };
    // A PNG begins with an 8-byte signature and the 8-byte head of IHDR, followed by width and
    // height.
    assert_eq!(bytes[16..24], [0, 0, 0, 32, 0, 0, 0, 8]);
}

#[test]
fn untextured_mesh_has_no_textures() {
    let bytes = fs::read(fixtures::path("gltf/samplers.glb")).unwrap();
    let clip = decode(&bytes, None);
    assert_eq!(clip.model().unwrap().pieces.len(), 1);
    assert!(clip.model().unwrap().textures.is_empty());
}
