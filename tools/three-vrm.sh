#!/usr/bin/env bash
# Installs three-vrm where the tests look for it, and prints its path. Without npm or a network the script fails, and
# the tests that need three-vrm are ignored.
set -euo pipefail

version=3.5.5
folder="${XDG_CACHE_HOME:-$HOME/.cache}/mutoscope/three-vrm"
modules="$folder/node_modules"
if ! grep --quiet "\"version\": \"$version\"" "$modules/@pixiv/three-vrm-animation/package.json" 2>/dev/null; then
    mkdir -p "$folder"
    npm install --no-audit --no-fund --silent --prefix "$folder" \
        "@pixiv/three-vrm@$version" "@pixiv/three-vrm-animation@$version" three@0.187.0 >&2
fi
echo "$modules"
