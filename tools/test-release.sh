#!/usr/bin/env bash
# Tests the Linux and Python packages of scripts/release on systems without our build environment.
#
#   tools/test-release.sh [FOLDER]
#
# FOLDER is release/ by default. The script checks SHA256SUMS, runs the static command line in an empty folder,
# installs the Debian package in a minimal Debian where the program decodes, writes, renders and opens its window on a
# virtual display of this machine, and installs the wheel without a compiler. $RELEASE_PICTURES names a folder for the
# screenshots. Needs root, for chroot. Installs debootstrap and xvfb. scripts/test-windows and tools/test-installer.sh
# test the Windows files, and scripts/test-page tests the page.
set -euo pipefail
cd "$(dirname "$0")/.."
release=$(realpath "${1:-release}")
[ "$(id -u)" = 0 ] || {
    echo "error: only root can chroot: sudo tools/test-release.sh" >&2
    exit 3
}
tools/install-packages.sh debootstrap xvfb xdotool python3-venv
version=$(sed -n '/^\[workspace.package\]$/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
work=$(mktemp -d)
display_process=
end() {
    [ -z "$display_process" ] || kill "$display_process"
    # Unmount /proc before the folder is deleted. Otherwise rm would descend into it.
    ! mountpoint --quiet "$work/debian/proc" || umount "$work/debian/proc"
    rm -rf --one-file-system "$work"
}
trap end EXIT
fail() {
    echo "error: $*" >&2
    exit 1
}
sample=assets/mrtk/two-hands.bin

(cd "$release" && sha256sum --check --quiet SHA256SUMS)
echo "SHA256SUMS: all hold"

# Run the static command line in a chroot that contains nothing else.
mkdir "$work/empty"
tar --extract --xz --directory "$work" --file "$release/mutoscope-cli-$version-linux-x86_64.tar.xz"
cp "$work/mutoscope-cli-$version-linux-x86_64/mutoscope" "$sample" "$work/empty"
chroot "$work/empty" /mutoscope convert --to bvh -o /hands.bvh /two-hands.bin 2>/dev/null
chroot "$work/empty" /mutoscope info --json /hands.bvh 2>/dev/null >"$work/info.json"
grep --quiet '"format":"bvh"' "$work/info.json" || fail "the static program does not read what it wrote"
echo "command line: $(chroot "$work/empty" /mutoscope -V) runs in an empty folder"

# Install the Debian package in a minimal Debian.
debian=$work/debian
debootstrap --variant=minbase bookworm "$debian" >"$work/debootstrap.log" 2>&1 || fail "$(tail -5 "$work/debootstrap.log")"
mount --types proc proc "$debian/proc"
inside() { chroot "$debian" env -u XDG_RUNTIME_DIR -u WAYLAND_DISPLAY DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
tar --extract --xz --directory "$debian/opt" --file "$release/mutoscope-$version-linux-x86_64.tar.xz"
cp "$release/mutoscope_${version}_amd64.deb" "$sample" "$debian/root"
inside apt-get install --yes --quiet=2 --no-install-recommends "/root/mutoscope_${version}_amd64.deb" mesa-vulkan-drivers \
    >"$work/apt.log" 2>&1 || fail "$(tail -5 "$work/apt.log")"
cmp "$debian/opt/mutoscope-$version-linux-x86_64/mutoscope" "$debian/usr/bin/mutoscope"
cmp <(inside mutoscope sample --fps 10 /root/two-hands.bin) <(chroot "$work/empty" /mutoscope sample --fps 10 /two-hands.bin) ||
    fail "the viewer and the command line do not sample alike"
inside mutoscope render -o /root/rendered.png /root/two-hands.bin
for file in usr/share/man/man1/mutoscope-convert.1 usr/share/bash-completion/completions/mutoscope \
    usr/share/applications/mutoscope-link.desktop usr/share/mime/packages/mutoscope.xml; do
    [ -e "$debian/$file" ] || [ -e "$debian/$file.gz" ] || fail "the package has no $file"
done
# Xvfb listens on an abstract socket, which has no path in the file system, so programs in the chroot can reach it.
Xvfb -displayfd 3 -screen 0 1280x720x24 3>"$work/display" 2>/dev/null &
display_process=$!
while [ ! -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY
(cd "$debian/root" && exec chroot "$debian" env -C /root -u WAYLAND_DISPLAY mutoscope two-hands.bin --at 1 >"$work/window.log" 2>&1) &
window=$!
for _ in $(seq 60); do
    xdotool search --name two-hands.bin windowfocus 2>/dev/null && break
    kill -0 "$window" 2>/dev/null || fail "the window: $(tail -3 "$work/window.log")"
    sleep 1
done
for _ in $(seq 10); do
    sleep 2
    xdotool key F12
    [ ! -e "$debian/root/mutoscope-1.png" ] || break
done
sleep 1
kill "$window"
[ -s "$debian/root/mutoscope-1.png" ] || fail "the window saves no screenshot: $(tail -3 "$work/window.log")"
if [ -n "${RELEASE_PICTURES:-}" ]; then
    mkdir -p "$RELEASE_PICTURES"
    cp "$debian/root"/*.png "$RELEASE_PICTURES"
fi
inside apt-get remove --yes --quiet=2 mutoscope >"$work/apt.log" 2>&1 || fail "$(tail -5 "$work/apt.log")"
[ ! -e "$debian/usr/bin/mutoscope" ] || fail "removed, the package leaves its program"
echo "package: installs in a bare Debian, samples, draws, opens its window, and is removed"

# Install the wheel in an empty environment.
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$release/mutoscope-$version"-*manylinux*.whl
"$work/venv/bin/python" -c '
import sys, mutoscope
clip = mutoscope.open(sys.argv[1])
poses = clip.sample([0.0, 0.5, 1.0])
assert poses.positions.shape[0] == 3, poses.positions.shape
' "$sample"
echo "wheel: installs without a compiler, and samples"
