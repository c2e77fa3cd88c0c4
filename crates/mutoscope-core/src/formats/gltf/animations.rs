//! Chooses among the animations of a file.

use gltf_json::{Animation, Root};

use crate::{
    clip::{UniqueNames, Variants},
    diagnostics::{Diagnostics, Error, SourceLocation},
    skeleton_file::gltf::codes,
};

pub(super) struct AnimationChoice<'a> {
    pub(super) animation: Option<(usize, &'a Animation)>,
    pub(super) variants: Vec<Variants>,
}

pub(super) fn choose_animation<'a>(
    root: &'a Root,
    name: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Result<AnimationChoice<'a>, Error> {
    let names = unique_names(&root.animations);
    let current = match name {
        None => 0,
        Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
            let found = if names.is_empty() { "none".to_owned() } else { format_names(&names) };
            let message = format!("expected the animation {name:?}, found {found}");
            Error::unsupported(SourceLocation::File, message)
        })?,
    };
    if name.is_none() && names.len() > 1 {
        let message = format!(
            "{} animations; using the first, {:?}. Choose another with --animation: {}",
            names.len(),
            names[0],
            format_names(&names[1..])
        );
        diagnostics
            .info(codes::SEVERAL_ANIMATIONS, SourceLocation::File, message)
            .with("count", names.len());
    }
    let animation = root.animations.get(current).map(|animation| (current, animation));
    let variants = if names.is_empty() {
        Vec::new()
    } else {
        vec![Variants::detected(Variants::ANIMATION, names, current)]
    };
    Ok(AnimationChoice { animation, variants })
}

pub(super) fn unique_names(animations: &[Animation]) -> Vec<String> {
    let mut names = UniqueNames::default();
    let mut name = |(index, animation): (usize, &Animation)| {
        let own = animation.name.clone().filter(|name| !name.is_empty());
        let own = own.unwrap_or_else(|| format!("animation {index}"));
        names.make_unique(own)
    };
    animations.iter().enumerate().map(&mut name).collect()
}

fn format_names(names: &[String]) -> String {
    const MAX_LISTED_NAMES: usize = 20;
    let listed: Vec<_> =
        names.iter().take(MAX_LISTED_NAMES).map(|name| format!("{name:?}")).collect();
    match names.len().saturating_sub(MAX_LISTED_NAMES) {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animation_names_are_unique() {
        let animation = |name: Option<&str>| Animation {
            extensions: None,
            extras: None,
            channels: Vec::new(),
            name: name.map(str::to_owned),
            samplers: Vec::new(),
        };
        let animations =
            [Some("Walk"), None, Some(""), Some("Walk"), Some("animation 1"), Some("Walk")];
        let expected =
            ["Walk", "animation 1", "animation 2", "Walk (2)", "animation 1 (2)", "Walk (3)"];
        assert_eq!(unique_names(&animations.map(animation)), expected);
    }
}
