#!/usr/bin/env bash
# Prints compiler flags that replace the folders of this machine in published programs. Paths in panic messages then
# begin with mutoscope/ or cargo/.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "--remap-path-prefix=$PWD=mutoscope --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
