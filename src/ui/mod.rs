//! Panels: functions that read the model and return commands.
