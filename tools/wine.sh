#!/usr/bin/env bash
# Runs a Windows program under Wine, by hand or as cargo's runner.
#
#   tools/wine.sh PROGRAM.exe [ARGUMENT…]
#
# Uses a Wine prefix of its own in $XDG_CACHE_HOME/mutoscope/wine. The script adds a bcryptprimitives.dll there,
# because Rust's standard library calls it and Wine 8 lacks it. The DLL is for tests only and is not part of any
# package.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export WINEPREFIX="${WINEPREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/mutoscope/wine}"
# Do not install .NET or a browser, and do not add menu entries to this desktop.
export WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe="
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)
system="$WINEPREFIX/drive_c/windows/system32"
if [ ! -e "$system/bcryptprimitives.dll" ]; then
    "$here/install-packages.sh" wine64 gcc-mingw-w64-x86-64 >&2
    wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)
    mkdir -p "$WINEPREFIX"
    "$wine" wineboot --init >/dev/null 2>&1
    x86_64-w64-mingw32-gcc -shared -O1 -nostartfiles -x c - -o "$system/bcryptprimitives.dll.part" -ladvapi32 <<'DLL'
#include <stddef.h>
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
int __stdcall DllMainCRTStartup(void *library, unsigned long reason, void *reserved) { return 1; }
__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t count) { return SystemFunction036(bytes, count); }
DLL
    mv "$system/bcryptprimitives.dll.part" "$system/bcryptprimitives.dll"
fi
# winit requires a refresh rate, which the modes of the virtual display lack. Wine's own single mode has one.
if [ ! -e "$WINEPREFIX/one-mode" ]; then
    for way in UseXRandR UseXVidMode; do
        "$wine" reg add 'HKCU\Software\Wine\X11 Driver' /v "$way" /d N /f >/dev/null 2>&1 ||
            echo "Wine's registry cannot be changed: no window will open" >&2
    done
    touch "$WINEPREFIX/one-mode"
fi
exec "$wine" "$@"
