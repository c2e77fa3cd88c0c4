//! The options that only some targets of `convert` have, as the registry of targets lists them.

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, builder::PossibleValuesParser,
};
use mutoscope_core::export::{ExportTarget, OptionKind, OptionValue, TargetOption, TargetSettings};

use super::{ReadArgs, targets};

/// The values of the options that only some targets have.
#[derive(Clone, Debug, Default)]
pub struct TargetOptionArgs(Vec<(&'static TargetOption, OptionValue)>);

impl TargetOptionArgs {
    /// Returns the settings for `target`. The skeleton of a target is the file of `--rig`.
    ///
    /// # Errors
    /// Fails if an option of another target was given, or if the skeleton cannot be read.
    pub(crate) fn settings(
        &self,
        target: &ExportTarget,
        read_args: &ReadArgs,
    ) -> Result<TargetSettings, SettingsError> {
        let mut settings = TargetSettings::default();
        for (option, value) in &self.0 {
            if target.option(option.name).is_none() {
                return Err(SettingsError::WrongUsage(describe_misplaced(option, target)));
            }
            settings.set(option, Some(value.clone()));
        }
        if let Some(option) = target.skeleton_option()
            && let Some(rig) = &read_args.rig
        {
            let bytes = rig.read().map_err(|error| {
                SettingsError::Unreadable(rig.to_string(), format!("cannot be read: {error}"))
            })?;
            settings.set(option, Some(OptionValue::File(bytes.into())));
        }
        Ok(settings)
    }
}

/// The reason why the options of a target cannot be used.
pub(crate) enum SettingsError {
    /// The command line is wrong.
    WrongUsage(String),
    /// A file cannot be read: its name and the reason.
    Unreadable(String, String),
}

fn describe_misplaced(option: &TargetOption, target: &ExportTarget) -> String {
    let owners = targets().iter().filter(|target| target.option(option.name).is_some());
    let owners: Vec<_> = owners.map(|target| target.id).collect();
    format!("--{} is for {}, not for {}", option.name, owners.join(" and "), target.id)
}

/// Calls `add` with each option that has an argument of its own, and with its target. Several
/// targets may have the same option.
fn each_option(mut add: impl FnMut(&'static TargetOption, &'static ExportTarget)) {
    let mut known = Vec::new();
    for target in targets().iter() {
        for option in target.options {
            let is_read_option = matches!(option.kind, OptionKind::Skeleton { .. });
            if !is_read_option && !known.contains(&option.name) {
                known.push(option.name);
                add(option, target);
            }
        }
    }
}

impl Args for TargetOptionArgs {
    fn augment_args(mut command: Command) -> Command {
        each_option(|option, target| {
            let arg = Arg::new(option.name).long(option.name).help(option.help);
            let arg = match option.kind {
                OptionKind::Choice { values, .. } => {
                    arg.value_name("CHOICE").value_parser(PossibleValuesParser::new(values))
                }
                OptionKind::Bounds => arg.value_name("MM,DEG"),
                OptionKind::Flag | OptionKind::Takes | OptionKind::Skeleton { .. } => {
                    arg.action(ArgAction::SetTrue)
                }
            };
            let owners = targets().iter().filter(|target| target.option(option.name).is_some());
            let heading = if owners.count() > 1 { "Several targets" } else { target.name };
            command = std::mem::take(&mut command).arg(arg.help_heading(heading));
        });
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TargetOptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        each_option(|option, _| {
            let value = match option.kind {
                OptionKind::Choice { .. } | OptionKind::Bounds => {
                    matches.get_one::<String>(option.name).cloned().map(OptionValue::Choice)
                }
                OptionKind::Flag | OptionKind::Takes | OptionKind::Skeleton { .. } => {
                    matches.get_flag(option.name).then_some(OptionValue::Flag)
                }
            };
            given.extend(value.map(|value| (option, value)));
        });
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
