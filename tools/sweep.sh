#!/usr/bin/env bash
# Frees space in the target folder when the disk is nearly full, because a build that runs out of space fails in a
# different place each time. Removes our own crates and tests, which accumulate for every checkout and feature set,
# and are rebuilt in minutes. Keeps the engine and all other dependencies. Does nothing if CARGO_TARGET_DIR names
# another folder, or while cargo builds in the folder.
#
#   tools/sweep.sh [GIGABYTES]     does nothing if GIGABYTES are free; the default is 20
set -euo pipefail

target=${XDG_CACHE_HOME:-$HOME/.cache}/mutoscope/target
[ "${CARGO_TARGET_DIR:-$target}" = "$target" ] && [ -d "$target/debug/deps" ] || exit 0
free() { df -Pk "$target" | awk 'NR == 2 { print int($4 / 1048576) }'; }
before=$(free)
[ "$before" -lt "${1:-20}" ] || exit 0

sweep() {
    rm -rf incremental examples .fingerprint/mutoscope*
    # Programs, tests and benches have no extension.
    find deps -maxdepth 1 -type f \( -name '*mutoscope*' -o ! -name '*.*' \) -delete
}
cd "$target/debug"
exec 9>>.cargo-lock
if command -v flock >/dev/null && ! flock --nonblock 9; then
    echo "the disk has only $before GB free, but cargo builds in $target" >&2
    exit 0
fi
sweep
echo "the disk had $before GB free: our own crates and tests were removed from $target, now $(free) GB are" >&2
