#!/usr/bin/env bash
# Installs the Khronos glTF validator where the tests look for it, and prints its path. Without npm or a network the
# script fails, and the tests that need the validator report that they are skipped.
set -euo pipefail

version=2.0.0-dev.3.10
folder="${XDG_CACHE_HOME:-$HOME/.cache}/mutoscope/gltf-validator"
module="$folder/node_modules/gltf-validator"
if ! grep --quiet "\"version\": \"$version\"" "$module/package.json" 2>/dev/null; then
    mkdir -p "$folder"
    npm install --no-audit --no-fund --silent --prefix "$folder" "gltf-validator@$version" >&2
fi
echo "$module"
