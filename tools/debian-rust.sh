#!/usr/bin/env bash
# Unpacks Debian's compiler, with the source of the standard library, into a folder of its own, so that other
# toolchains are not affected. Use it for targets whose standard library rustup cannot fetch. Prints nothing.
#
#   tools/debian-rust.sh DIR
#
# Exits with 3 if the packages cannot be downloaded.
set -euo pipefail
into=${1:?"usage: tools/debian-rust.sh DIR"}
[ ! -d "$into" ] || exit 0
packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev libstd-rust-web-1.96 libllvm22 libgit2-1.5
    libmbedtls14 libmbedx509-1 libmbedcrypto7 libhttp-parser2.9)
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "error: these are Debian's packages, and this is no Debian" >&2
    exit 3
fi
rm -rf "$into.part"
mkdir -p "$into.part"
if ! (cd "$into.part" && apt-get download "${packages[@]}") >&2; then
    echo "error: the packages ${packages[*]} cannot be downloaded. Try apt-get update" >&2
    exit 3
fi
for package in "$into.part"/*.deb; do
    dpkg -x "$package" "$into.part"
    rm "$package"
done
mv "$into.part" "$into"
