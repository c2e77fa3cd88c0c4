//! The skins of Minecraft players, as the stage has them.

use mutoscope_cli::tell;
use mutoscope_minecraft::{PlayerSkins, SkinPicture};

use crate::stage::{PlayerSkin, Skin};

/// The same skins, as the stage has them; what is none is reported on standard error.
pub(super) fn on_stage(skins: &PlayerSkins) -> PlayerSkin {
    let skin = |picture: &SkinPicture| {
        let read = Skin::decode(picture.png());
        read.inspect_err(|error| tell(format_args!("warning: as a skin: {error}; skipped"))).ok()
    };
    let mut worn = PlayerSkin {
        everybody: skins.everybody.as_ref().and_then(skin).map(Into::into),
        ..Default::default()
    };
    for (name, picture) in &skins.by_name {
        worn.by_name.extend(skin(picture).map(|skin| (name.clone(), skin.into())));
    }
    worn
}
