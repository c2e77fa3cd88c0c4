//! The material of everything on the stage.
//!
//! Bevy's own material simulates physically based light. Without a graphics card, that takes most
//! of a second for a single frame of two hands. This material takes a fraction of that.

use bevy::{
    asset::embedded_asset, prelude::*, reflect::TypePath, render::render_resource::AsBindGroup,
    shader::ShaderRef,
};

#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(super) struct Paint {
    /// The colour. If `transparent` is `true`, the alpha of this colour or of the vertex colours
    /// makes the material translucent.
    #[uniform(0)]
    pub(super) color: LinearRgba,
    /// The fraction of the shading that is applied, from 0 (the plain colour) to 1 (full light and
    /// shade).
    #[uniform(0)]
    pub(super) lit: f32,
    #[uniform(0)]
    pub(super) gloss: f32,
    /// Pixels with a lower opacity are not drawn. 0 draws all of them.
    #[uniform(0)]
    pub(super) cutoff: f32,
    /// The texture that the colour is multiplied with if the mesh has texture coordinates. `None`
    /// is white.
    #[texture(1)]
    #[sampler(2)]
    pub(super) texture: Option<Handle<Image>>,
    pub(super) transparent: bool,
}

impl Paint {
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
        "embedded://bevy_mutoscope/stage/paint.wgsl".into()
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

pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "paint.wgsl");
    app.add_plugins(MaterialPlugin::<Paint>::default());
}
