//! The choice among a file's animations.

use gltf_json::{Animation, Root};

use crate::{
    clip::{UniqueNames, Variants},
    diagnostics::{Error, Notices, SourceLocation},
};

/// The animation that is read, and all that there are to choose from.
pub(super) struct Choice<'a> {
    /// Nothing if the file has none.
    pub(super) animation: Option<(usize, &'a Animation)>,
    pub(super) variants: Vec<Variants>,
}

/// The animation with this name, or the first; `notices` list the others.
///
/// # Errors
/// If none has the name.
pub(super) fn choose<'a>(
    root: &'a Root,
    name: Option<&str>,
    notices: &mut Notices,
) -> Result<Choice<'a>, Error> {
    let names = names(&root.animations);
    let current = match name {
        None => 0,
        Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
            let found = if names.is_empty() { "none".to_owned() } else { list(&names) };
            let message = format!("expected the animation {name:?}, found {found}");
            Error::unsupported(SourceLocation::File, message)
        })?,
    };
    if name.is_none() && names.len() > 1 {
        let message = format!(
            "{} animations; using the first, {:?}. Choose another with --animation: {}",
            names.len(),
            names[0],
            list(&names[1..])
        );
        notices.info(SourceLocation::File, message);
    }
    let animation = root.animations.get(current).map(|animation| (current, animation));
    let variants = if names.is_empty() {
        Vec::new()
    } else {
        vec![Variants::found(Variants::ANIMATION, names, current)]
    };
    Ok(Choice { animation, variants })
}

/// The name of each: its own, with a number where that repeats, or its index.
pub(super) fn names(animations: &[Animation]) -> Vec<String> {
    let mut names = UniqueNames::default();
    let mut name = |(index, animation): (usize, &Animation)| {
        let own = animation.name.clone().filter(|name| !name.is_empty());
        let own = own.unwrap_or_else(|| format!("animation {index}"));
        names.take(own)
    };
    animations.iter().enumerate().map(&mut name).collect()
}

/// The first of `names`, and how many more there are.
fn list(names: &[String]) -> String {
    /// How many names a message lists.
    const LISTED: usize = 20;
    let listed: Vec<_> = names.iter().take(LISTED).map(|name| format!("{name:?}")).collect();
    match names.len().saturating_sub(LISTED) {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
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
        assert_eq!(names(&animations.map(animation)), expected);
    }
}
