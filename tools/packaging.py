#!/usr/bin/env python3
"""Writes the manifests of package managers and the AppStream metadata for this version.

Fills the templates packaging/*/*.in with the version and URL from Cargo.toml, the date of the commit (or
$SOURCE_DATE_EPOCH), and the checksums of files of a release. If a file is missing in the release, the manifests that need
its checksum are not written, and a message on standard error names them.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def output_names(app_id, version):
    """Returns the output names by the paths of the templates."""
    return {
        "linux/metainfo.xml.in": f"{app_id}.metainfo.xml",
        "flatpak/manifest.yml.in": f"{app_id}.yml",
        "winget/version.yaml.in": "Mutoscope.Mutoscope.yaml",
        "winget/locale.en-GB.yaml.in": "Mutoscope.Mutoscope.locale.en-GB.yaml",
        "winget/installer.yaml.in": "Mutoscope.Mutoscope.installer.yaml",
        "homebrew/mutoscope.rb.in": "mutoscope.rb",
        "macos/Info.plist.in": "Info.plist",
    }


def release_timestamp():
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    return int(log.stdout)


def fill_template(text, values, release):
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)

    def digest(match):
        if release is None:
            raise FileNotFoundError(match[1])
        return hashlib.sha256((release / match[1]).read_bytes()).hexdigest()

    text = re.sub(r"@SHA256 ([^@]+)@", digest, text)
    placeholder = re.search(r"@[A-Z_]+@", text)
    if placeholder:
        sys.exit(f"error: unknown placeholder {placeholder[0]}")
    return text


def main(to, release):
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    version, app_id = cargo["package"]["version"], cargo["metadata"]["packaging"]["app-id"]
    values = {
        "VERSION": version,
        "REPOSITORY": cargo["package"]["repository"],
        "APP_ID": app_id,
        "DATE": time.strftime("%Y-%m-%d", time.gmtime(release_timestamp())),
        "DESKTOP_ID": "mutoscope.desktop",
        "ICON": "mutoscope",
    }
    to.mkdir(parents=True, exist_ok=True)
    templates = {str(it.relative_to(ROOT / "packaging")) for it in (ROOT / "packaging").glob("*/*.in")}
    known = output_names(app_id, version)
    if templates != set(known):
        sys.exit(f"error: templates and output names differ: {sorted(templates ^ set(known))}")
    for template, name in known.items():
        text = (ROOT / "packaging" / template).read_text(encoding="utf-8")
        try:
            (to / name).write_text(fill_template(text, values, release), encoding="utf-8")
        except FileNotFoundError as missing:
            print(f"{name}: not written, because {missing.filename or missing} is missing in the release", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write the manifests")
    parser.add_argument("release", type=Path, nargs="?", help="the folder of a release")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.release)
