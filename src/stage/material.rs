//! The material of everything on the stage.
//!
//! Bevy's own material simulates light as if the stage were a film set. Where there is no graphics
//! card, that takes most of a second for each frame of two hands; this takes a fraction of it.

use bevy::{
    asset::embedded_asset, prelude::*, reflect::TypePath, render::render_resource::AsBindGroup,
    shader::ShaderRef,
};

/// A color in soft light that goes with the camera.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(super) struct Paint {
    /// The color; transparent if its alpha is less than 1, or if the mesh has colors of its own.
    #[uniform(0)]
    pub(super) color: LinearRgba,
    /// 1 in the light, 0 if the color is its own light.
    #[uniform(0)]
    pub(super) lit: f32,
    /// How strong the highlight is.
    #[uniform(0)]
    pub(super) gloss: f32,
    /// The opacity below which nothing is drawn; 0 where all is.
    #[uniform(0)]
    pub(super) cutoff: f32,
    /// The texture that the colour is multiplied with where the mesh has texture coordinates; white if there
    /// is none.
    #[texture(1)]
    #[sampler(2)]
    pub(super) texture: Option<Handle<Image>>,
    /// Whether what is behind it shows through.
    pub(super) transparent: bool,
}

impl Paint {
    /// A surface of one color in the light, without highlights.
    pub(super) fn matte(color: Color) -> Self {
        Self {
            color: color.to_linear(),
            lit: 1.0,
            gloss: 0.0,
            cutoff: 0.0,
            texture: None,
            transparent: false,
        }
    }
}

impl Material for Paint {
    fn fragment_shader() -> ShaderRef {
        "embedded://mutoscope/stage/paint.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        match self.transparent {
            true => AlphaMode::Blend,
            false if self.cutoff > 0.0 => AlphaMode::Mask(self.cutoff),
            false => AlphaMode::Opaque,
        }
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// Makes the material known to the app.
pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "paint.wgsl");
    app.add_plugins(MaterialPlugin::<Paint>::default());
}
