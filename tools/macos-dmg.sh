#!/usr/bin/env bash
# Packs the macOS program as an app in a disk image. Runs only on macOS and has not been tested on a real Mac. The app
# is not signed, so users must open it the first time with "Open" in its context menu.
#
#   tools/macos-dmg.sh PROGRAM OUT.dmg
set -euo pipefail
program=${1:?"usage: tools/macos-dmg.sh PROGRAM OUT.dmg"} out=${2:?"usage: tools/macos-dmg.sh PROGRAM OUT.dmg"}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
app=$work/image/Mutoscope.app/Contents
mkdir -p "$app/MacOS" "$app/Resources" "$work/mutoscope.iconset"
cp "$program" "$app/MacOS/mutoscope"
"$root/tools/packaging.py" "$work/manifests" 2>/dev/null
cp "$work/manifests/Info.plist" "$app"
# Take the largest image of the Windows icon and scale it to the sizes that macOS needs.
sips -s format png "$root/packaging/windows/mutoscope.ico" --out "$work/icon.png" >/dev/null
for size in 16 32 128 256; do
    sips -z "$size" "$size" "$work/icon.png" --out "$work/mutoscope.iconset/icon_${size}x$size.png" >/dev/null
done
iconutil --convert icns "$work/mutoscope.iconset" --output "$app/Resources/mutoscope.icns"
cp "$root/README.md" "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$work/image"
ln -s /Applications "$work/image/Applications"
codesign --force --sign - "$work/image/Mutoscope.app"
hdiutil create -volname Mutoscope -srcfolder "$work/image" -format UDZO "$out"
