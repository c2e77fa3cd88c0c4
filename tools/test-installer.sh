#!/usr/bin/env bash
# Tests the Windows installer under Wine: installs silently, runs the installed program, checks the registry entries,
# uninstalls, and checks that nothing is left.
#
#   tools/test-installer.sh SETUP.exe [PROGRAM]
#
# PROGRAM is the same program for Linux. The script compares what both programs print for a sample.
set -euo pipefail
cd "$(dirname "$0")/.."
setup=${1:?"usage: tools/test-installer.sh SETUP.exe [PROGRAM]"} linux=${2:-}
# Use a separate Wine prefix, because another test may be using the shared one.
WINEPREFIX=$(mktemp -d)
export WINEPREFIX
server=$(command -v wineserver || echo /usr/lib/wine/wineserver64)
trap '{ "$server" -k; "$server" -w; } 2>/dev/null || true; rm -rf "$WINEPREFIX"' EXIT
fail() {
    echo "error: $*" >&2
    exit 1
}
key() { tools/wine.sh reg query "HKCU\\Software\\$1" >/dev/null 2>&1; }
keys=('Mutoscope' 'Classes\Mutoscope.Recording' 'Classes\mutoscope\shell\open\command' 'Classes\Applications\mutoscope.exe'
    'Microsoft\Windows\CurrentVersion\Uninstall\Mutoscope' 'Microsoft\Windows\CurrentVersion\App Paths\mutoscope.exe'
    'Classes\.bvh\OpenWithProgids')

tools/wine.sh "$setup" /S
folder=$(find "$WINEPREFIX/drive_c/users" -type d -path '*/Local/Programs/Mutoscope')
program=$folder/mutoscope.exe
[ -f "$program" ] || fail "$program was not installed"
menu=$(find "$WINEPREFIX/drive_c/users" -name Mutoscope.lnk)
[ -n "$menu" ] || fail "there is no entry in the menu"
for key in "${keys[@]}"; do key "$key" || fail "there is no key $key"; done
version=$(tools/wine.sh "$program" -V | tr -d '\r')
echo "installed: $version in $(du -sh "$folder" | cut -f1)"
if [ -n "$linux" ]; then
    [ "$version" = "$("$linux" -V)" ] || fail "it is not the version of $linux"
    # Use a recording without trigonometry, because the last bit of sin() differs between systems.
    sample=assets/mrtk/two-hands.bin
    for arguments in "info --json" "sample --fps 10"; do
        # shellcheck disable=SC2086 # They are words.
        cmp <("$linux" $arguments "$sample" 2>/dev/null) <(tools/wine.sh "$program" $arguments "$sample" 2>/dev/null) ||
            fail "$arguments is not as on Linux"
    done
fi

tools/wine.sh "$folder/uninstall.exe" /S
# The uninstaller continues in a copy of itself, so wait until the folder is gone.
for _ in $(seq 30); do
    [ -e "$folder" ] || break
    sleep 1
done
[ ! -e "$folder" ] || fail "$folder is left: $(ls "$folder")"
[ ! -e "$menu" ] || fail "the entry in the menu is left"
for key in "${keys[@]}"; do ! key "$key" || fail "the key $key is left"; done
echo "uninstalled: nothing is left"
