//! Loads the images of the gallery.

use bevy::{
    asset::RenderAssetUsages,
    image::{CompressedImageFormats, ImageSampler, ImageType},
    prelude::*,
};
use bevy_egui::{EguiTextureHandle, EguiUserTextures};

use crate::{
    session::SAMPLES,
    ui::{SampleCard, Samples},
};

pub(super) fn load_sample_cards(
    mut images: ResMut<Assets<Image>>,
    mut textures: ResMut<EguiUserTextures>,
    mut cards: ResMut<Samples>,
) {
    cards.0 = SAMPLES
        .iter()
        .map(|sample| {
            let picture = decode_png(sample.picture).map(|image| {
                let handle = images.add(image);
                textures.add_image(EguiTextureHandle::Strong(handle))
            });
            SampleCard {
                name: sample.name.to_owned(),
                format: crate::registry().format_name(sample.format).to_owned(),
                description: sample.summary.to_owned(),
                texture: picture,
            }
        })
        .collect();
}

fn decode_png(bytes: &[u8]) -> Option<Image> {
    Image::from_buffer(
        bytes,
        ImageType::Extension("png"),
        CompressedImageFormats::NONE,
        true,
        ImageSampler::linear(),
        RenderAssetUsages::RENDER_WORLD,
    )
    .ok()
}
