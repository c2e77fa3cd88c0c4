#!/usr/bin/env bash
# Creates a Python environment with the packages of requirement files, and prints its path.
#
#   tools/python-env.sh REQUIREMENTS…
#
# Environments are kept in $XDG_CACHE_HOME/mutoscope/python, under a name that identifies the interpreter ($PYTHON, or
# python3) and the requirements, so that every run after the first works offline.
set -euo pipefail
cd "$(dirname "$0")/.."

python="${PYTHON:-python3}"
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "error: CPython 3.11 or newer is needed; PYTHON=… names one" >&2
    exit 1
fi
"$python" -c 'import ensurepip' 2>/dev/null || tools/install-packages.sh python3-venv
digest=$({ "$python" -VV; cat "$@"; } | sha256sum | cut --characters=1-16)
folder="${XDG_CACHE_HOME:-$HOME/.cache}/mutoscope/python/env-$digest"
# An environment that an interrupted run left unfinished is created again.
if [ ! -e "$folder/.complete" ]; then
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        "${@/#/--requirement=}" >&2
    touch "$folder/.complete"
fi
echo "$folder"
