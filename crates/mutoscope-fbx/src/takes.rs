//! Chooses one of the takes of a file.

use mutoscope_core::{
    clip::{UniqueNames, Variants},
    diagnostics::{Diagnostics, Error, SourceLocation},
};
use ufbx::{AnimStack, Scene};

pub(crate) fn take_names(scene: &Scene) -> Vec<String> {
    let mut names = UniqueNames::default();
    let mut name = |(index, stack): (usize, &ufbx::Ref<AnimStack>)| {
        let own = match stack.element.name.is_empty() {
            true => format!("take {index}"),
            false => stack.element.name.to_string(),
        };
        names.make_unique(own)
    };
    scene.anim_stacks.iter().enumerate().map(&mut name).collect()
}

/// Returns the take with this name, or the first take with keys. Without a name, the other takes
/// are listed in `diagnostics`.
///
/// # Errors
/// If no take has the name.
pub(crate) fn choose_take<'a>(
    scene: &'a Scene,
    name: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Result<(Option<&'a AnimStack>, Vec<Variants>), Error> {
    let names = take_names(scene);
    let list = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    };
    let current = match name {
        None => scene.anim_stacks.iter().position(|stack| is_keyed(stack)).unwrap_or(0),
        Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
            let found = if names.is_empty() { "none".to_owned() } else { list(&mut names.iter()) };
            let message = format!("expected the take {name:?}, found {found}");
            Error::unsupported(SourceLocation::File, message)
        })?,
    };
    if name.is_none() && names.len() > 1 {
        const MAX_LISTED_TAKES: usize = 20;
        let others = names.iter().filter(|one| **one != names[current]);
        let message = format!(
            "{} takes; using {:?}. Choose another with --animation: {}",
            names.len(),
            names[current],
            list(&mut others.take(MAX_LISTED_TAKES))
        );
        diagnostics.info(SourceLocation::File, message);
    }
    let stack = scene.anim_stacks.get(current).map(|stack| &**stack);
    let variants = match names.is_empty() {
        true => Vec::new(),
        false => vec![Variants::detected(Variants::ANIMATION, names, current)],
    };
    Ok((stack, variants))
}

fn is_keyed(stack: &AnimStack) -> bool {
    stack.layers.iter().any(|layer| !layer.anim_props.is_empty())
}
