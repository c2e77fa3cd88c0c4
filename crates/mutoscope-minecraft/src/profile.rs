//! The profile of a recording's player, with the skin.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::Profile;

/// The profile of a recording's player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerProfile {
    /// The player's name.
    pub name: Option<String>,
    /// The player's id, in groups of hexadecimal digits.
    pub uuid: Option<String>,
    /// The URL of the skin's image. If a scene names a file, the path of that file.
    pub skin_url: Option<String>,
    /// The name of another player whose skin a scene gives to this player. The skin itself is only
    /// on the game's servers.
    pub skin_owner: Option<String>,
    /// `true` if the arms of the skin are slim: 3 pixels wide instead of 4.
    pub slim: bool,
}

impl PlayerProfile {
    pub(super) fn new(profile: &Profile<'_>) -> Self {
        let skin = profile.skin_value.as_deref().and_then(decode_skin);
        let text = |pointer: &str| {
            skin.as_ref().and_then(|skin| skin.pointer(pointer)).and_then(Value::as_str)
        };
        Self {
            name: profile.name.as_deref().map(str::to_owned),
            uuid: profile.uuid.map(|uuid| format_uuid(&uuid)),
            skin_url: text("/url").map(str::to_owned),
            skin_owner: None,
            slim: text("/metadata/model") == Some("slim"),
        }
    }
}

fn decode_skin(value: &str) -> Option<Value> {
    let json = BASE64_STANDARD.decode(value).ok()?;
    let textures: Value = serde_json::from_slice(&json).ok()?;
    textures.pointer("/textures/SKIN").cloned()
}

fn format_uuid(uuid: &[u8; 16]) -> String {
    let digits: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
    let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| &digits[group]);
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_gives_skin_url_and_arm_width() {
        let json = r#"{"textures":{"SKIN":{"url":"http://a/b","metadata":{"model":"slim"}}}}"#;
        let profile = |value: String| Profile {
            uuid: Some([
                0x06, 0x9a, 0x79, 0xf4, 0x44, 0xe9, 0x47, 0x26, 0xa5, 0xbe, 0xfc, 0xa9, 0x0e, 0x38,
                0xaa, 0xf5,
            ]),
            skin_value: Some(value.into()),
            ..Profile::default()
        };
        let player = PlayerProfile::new(&profile(BASE64_STANDARD.encode(json)));
        assert_eq!((player.skin_url.as_deref(), player.slim), (Some("http://a/b"), true));
        assert_eq!(player.uuid.as_deref(), Some("069a79f4-44e9-4726-a5be-fca90e38aaf5"));
        for broken in ["", "%", "e30="] {
            let player = PlayerProfile::new(&profile(broken.to_owned()));
            assert_eq!((player.skin_url, player.slim), (None, false), "{broken:?}");
        }
    }
}
