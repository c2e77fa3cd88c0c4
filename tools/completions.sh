#!/usr/bin/env bash
# Writes the shell completions and manual pages of a package.
#
#   tools/completions.sh PROGRAM DIR
#
# PROGRAM is mutoscope or mutoscope-cli, which must run on this machine. Writes mutoscope.bash, _mutoscope (zsh),
# mutoscope.fish, mutoscope.ps1 (PowerShell) and man/*.1 into DIR.
set -euo pipefail
program=${1:?"usage: tools/completions.sh PROGRAM DIR"} folder=${2:?"usage: tools/completions.sh PROGRAM DIR"}
mkdir -p "$folder"
"$program" completions bash >"$folder/mutoscope.bash"
"$program" completions zsh >"$folder/_mutoscope"
"$program" completions fish >"$folder/mutoscope.fish"
"$program" completions powershell >"$folder/mutoscope.ps1"
rm -rf "$folder/man"
"$program" man "$folder/man"
