//! Writes each animation of a file with several into a file of its own.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::Conversion;
use crate::{AnimationArgs, Source, Status};
use mutoscope_core::{export::names::UsedNames, read};

/// Returns the names of the animations if the output is a folder and the recording is a file with
/// named animations, none of which was chosen. Otherwise returns no names.
pub(super) fn names_to_write(conversion: &Conversion<'_>) -> Vec<String> {
    let args = conversion.args;
    let is_folder = args.output.path().is_some_and(Path::is_dir);
    let is_one_file = conversion.target.wants_takes(conversion.settings);
    if !is_folder || is_one_file || !args.animation.is_empty() {
        return Vec::new();
    }
    let animations = read::list_animations(&args.source, conversion.read_options);
    animations.unwrap_or_default().into_iter().map(|animation| animation.name).collect()
}

/// Writes the animations with these names into the output folder, as `NAME.animx` for AnimX.
/// Returns [`Status::Failed`] if one of them cannot be read or written.
pub(super) fn run(
    conversion: &Conversion<'_>,
    names: &[String],
    out: &mut impl Write,
) -> io::Result<Status> {
    let Conversion { args, target, .. } = conversion;
    let folder = args.output.path().map_or_else(PathBuf::new, Path::to_owned);
    let mut used = UsedNames::default();
    let mut status = Status::Done;
    for name in names {
        let stem = used.claim(to_file_name(name), '.');
        let output = Source::File(folder.join(format!("{stem}.{}", target.extension)));
        let chosen = AnimationArgs { animation: Some(name.clone()), ..AnimationArgs::default() };
        let mut read_options = conversion.read_options.clone();
        read_options.variants = chosen.to_variants();
        let of_one = Conversion { output: &output, read_options: &read_options, ..*conversion };
        if of_one.run(out)? != Status::Done {
            status = Status::Failed;
        }
    }
    Ok(status)
}

/// Replaces the characters that a file name cannot have on every system.
fn to_file_name(name: &str) -> String {
    let is_forbidden = |letter: char| letter.is_control() || r#"<>:"/\|?*"#.contains(letter);
    let safe: String =
        name.chars().map(|letter| if is_forbidden(letter) { '_' } else { letter }).collect();
    match safe.trim_matches(['.', ' ']) {
        "" => "animation".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animation_names_become_valid_file_names() {
        let cases =
            [("walk", "walk"), ("Armature|run: fast", "Armature_run_ fast"), ("..", "animation")];
        for (name, expected) in cases {
            assert_eq!(to_file_name(name), expected);
        }
    }
}
