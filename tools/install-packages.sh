#!/usr/bin/env bash
# Installs the Debian packages that are missing, or prints which packages to install.
#
#   tools/install-packages.sh PACKAGE...
#
# Exits with 0 if all packages are installed in the end.
set -euo pipefail

missing=()
for package in "$@"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "Mutoscope needs the equivalents of these Debian packages; please install them:" >&2
    echo "    ${missing[*]}" >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        echo "Mutoscope needs some packages that only root can install. Please run:" >&2
        echo "    sudo apt-get update && sudo apt-get install --yes ${missing[*]}" >&2
        exit 1
    fi
fi

# Lock the script, because apt fails while another apt runs.
exec 9<"$0"
flock 9
echo "Installing ${missing[*]} …" >&2
"${as_root[@]}" apt-get update --quiet --quiet >&2 9<&-
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet --quiet --no-install-recommends "${missing[@]}" >&2 9<&-
