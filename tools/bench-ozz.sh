#!/usr/bin/env bash
# Benchmarks poses of both hands against the runtime ozz-animation-rs, with the separate package benches/ozz.
#
# ozz needs unstable features. If there is no nightly toolchain, the stable one is used with RUSTC_BOOTSTRAP. ozz 0.11
# calls `to_int` of the portable SIMD library, which current compilers call `to_simd`, so the script builds a copy of
# the source with that name replaced.
set -euo pipefail
cd "$(dirname "$0")/.."

manifest=benches/ozz/Cargo.toml
manifest_of_ozz=$(cargo metadata --locked --manifest-path "$manifest" --format-version 1 |
    grep --only-matching '"[^"]*ozz-animation-rs-[^"]*/Cargo.toml"' | head -n 1 | tr --delete '"')
copy=$(mktemp --directory)
cp "${manifest%.toml}.lock" "$copy/Cargo.lock.before"
# Restore the lock file, because cargo writes the path of the copy into it.
trap 'cp "$copy/Cargo.lock.before" "${manifest%.toml}.lock"; rm -r "$copy"' EXIT
cp --recursive "$(dirname "$manifest_of_ozz")" "$copy/ozz"
chmod --recursive u+w "$copy/ozz"
sed --in-place 's/\.to_int()/.to_simd()/' "$copy/ozz/src/math.rs"
cargo=(cargo +nightly)
"${cargo[@]}" --version >/dev/null 2>&1 || cargo=(env RUSTC_BOOTSTRAP=1 cargo)
"${cargo[@]}" bench --manifest-path "$manifest" --config "patch.crates-io.ozz-animation-rs.path='$copy/ozz'"
