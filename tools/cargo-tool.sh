#!/usr/bin/env bash
# Installs a program of a crate into $XDG_CACHE_HOME/mutoscope/bin, unless it is there, and prints its path.
#
#   tools/cargo-tool.sh CRATE [OPTION OF CARGO INSTALL…]
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/mutoscope"
# Without optimisation, the build takes half the time, and these programs still run for only a few seconds.
[ -x "$cache/bin/$1" ] || env -u CARGO_TARGET_DIR nice cargo install --debug --locked --quiet --root "$cache" "$@" >&2
echo "$cache/bin/$1"
