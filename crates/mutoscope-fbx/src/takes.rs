//! The choice among the takes of a file.

use mutoscope_core::{
    clip::{UniqueNames, Variants},
    diagnostics::{Error, Notices, SourceLocation},
};
use ufbx::{AnimStack, Scene};

/// The name of each take: its own, with a number where that repeats.
pub(crate) fn names(scene: &Scene) -> Vec<String> {
    let mut names = UniqueNames::default();
    let mut name = |(index, stack): (usize, &ufbx::Ref<AnimStack>)| {
        let own = match stack.element.name.is_empty() {
            true => format!("take {index}"),
            false => stack.element.name.to_string(),
        };
        names.take(own)
    };
    scene.anim_stacks.iter().enumerate().map(&mut name).collect()
}

/// The take with this name, or the first in which anything is keyed; `notices` list the others.
///
/// # Errors
/// If none has the name.
pub(crate) fn choose<'a>(
    scene: &'a Scene,
    name: Option<&str>,
    notices: &mut Notices,
) -> Result<(Option<&'a AnimStack>, Vec<Variants>), Error> {
    let names = names(scene);
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
        /// How many names a message lists.
        const LISTED: usize = 20;
        let others = names.iter().filter(|one| **one != names[current]);
        let message = format!(
            "{} takes; using {:?}. Choose another with --animation: {}",
            names.len(),
            names[current],
            list(&mut others.take(LISTED))
        );
        notices.info(SourceLocation::File, message);
    }
    let stack = scene.anim_stacks.get(current).map(|stack| &**stack);
    let variants = match names.is_empty() {
        true => Vec::new(),
        false => vec![Variants::found(Variants::ANIMATION, names, current)],
    };
    Ok((stack, variants))
}

fn is_keyed(stack: &AnimStack) -> bool {
    stack.layers.iter().any(|layer| !layer.anim_props.is_empty())
}
