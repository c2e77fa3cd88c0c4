#!/usr/bin/env python3
"""Lists every dependency of the released programs.

Writes THIRD-PARTY-LICENSES.txt, which contains the licences of all crates with their texts, and mutoscope.cdx.json, a
bill of materials in CycloneDX 1.5. Both list the dependencies of the viewer on Linux, Windows and macOS, which include all crates of the command line and of the Python package. A crate without a licence is an error.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ["x86_64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc", "aarch64-apple-darwin"]
# The file names with which crates state their licences: LICENSE-MIT, COPYING, NOTICE, OFL.txt, UFL.txt.
LICENCE_FILE = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense|ofl|ufl)", re.I)


def read_metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def collect_packages():
    """Returns the packages of the program by id, and the ids of the dependencies of each package."""
    packages: dict[str, dict] = {}
    uses: dict[str, set[str]] = {}
    for target in TARGETS:
        answer = read_metadata(target)
        by_id = {package["id"]: package for package in answer["packages"]}
        nodes = {node["id"]: node for node in answer["resolve"]["nodes"]}
        pending = [answer["resolve"]["root"]]
        visited = set()
        while pending:
            package_id = pending.pop()
            if package_id in visited:
                continue
            visited.add(package_id)
            packages[package_id] = by_id[package_id]
            dependencies = [
                dep["pkg"]
                for dep in nodes[package_id]["deps"]
                # Skip dependencies of builds and tests, because programs do not contain them.
                if any(kind["kind"] is None for kind in dep["dep_kinds"])
            ]
            uses.setdefault(package_id, set()).update(dependencies)
            pending += dependencies
    return packages, uses


def read_checksums():
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    return {(it["name"], it["version"]): it.get("checksum") for it in lock["package"]}


def read_licence_texts(package):
    """Reads the licence texts of a package. Returns them by their paths in the package."""
    folder = Path(package["manifest_path"]).parent
    texts = {}
    for path in sorted(folder.rglob("*")):
        depth = len(path.relative_to(folder).parts)
        if depth <= 3 and path.is_file() and LICENCE_FILE.match(path.name) and path.stat().st_size < 200_000:
            texts[str(path.relative_to(folder))] = path.read_text(encoding="utf-8", errors="replace").strip()
    return texts


def licence_expression(package):
    # A slash is an obsolete way to write OR.
    return (package["license"] or "").replace("/", " OR ").replace("  ", " ")


def format_licences(packages):
    """Formats the licence file: a list of crates, then each text once, with the names of its crates."""
    lines = ["Mutoscope is licensed as MIT or Apache-2.0. It is built from these crates, each under its licence:", ""]
    by_text: dict[str, list[str]] = {}
    missing = []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        lines.append(f"  {name}: {licence_expression(package) or 'see its text'}")
        texts = read_licence_texts(package)
        if not texts and not package["license"]:
            missing.append(name)
        for path, text in texts.items():
            by_text.setdefault(text, []).append(f"{name} ({path})")
    if missing:
        sys.exit(f"error: crates without a licence: {', '.join(missing)}")
    for text, names in sorted(by_text.items(), key=lambda item: item[1]):
        lines += ["", "=" * 100, *names, "-" * 100, "", text]
    return "\n".join(lines) + "\n"


def package_url(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def to_component(package, checksum):
    component = {
        "type": "library",
        "bom-ref": package_url(package),
        "name": package["name"],
        "version": package["version"],
        "purl": package_url(package),
        "scope": "required",
    }
    if package["license"]:
        component["licenses"] = [{"expression": licence_expression(package)}]
    if package["description"]:
        component["description"] = " ".join(package["description"].split())
    if checksum:
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        component["externalReferences"] = [{"type": "vcs", "url": package["repository"].strip()}]
    return component


def create_bill(root, packages, uses, by_id):
    """Creates a bill of materials. It is reproducible for a lock file and a commit."""
    checksums_by_package = read_checksums()
    timestamp = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    lock = hashlib.sha256((ROOT / "Cargo.lock").read_bytes()).hexdigest()
    program = to_component(root, None) | {"type": "application"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, lock + root['version'])}",
        "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(timestamp)), "component": program},
        "components": [to_component(it, checksums_by_package.get((it["name"], it["version"]))) for it in packages],
        "dependencies": [
            {
                "ref": package_url(by_id[package_id]),
                "dependsOn": sorted({package_url(by_id[it]) for it in uses[package_id]}),
            }
            for package_id in sorted(uses, key=lambda package_id: package_url(by_id[package_id]))
        ],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write both files")
    to = parser.parse_args().folder
    to.mkdir(parents=True, exist_ok=True)
    by_id, uses = collect_packages()
    root = next(it for it in by_id.values() if it["name"] == "mutoscope")
    packages = sorted((it for it in by_id.values() if it is not root), key=lambda it: (it["name"], it["version"]))
    third_party = [it for it in packages if it["source"]]
    (to / "THIRD-PARTY-LICENSES.txt").write_text(format_licences(third_party), encoding="utf-8")
    text = json.dumps(create_bill(root, packages, uses, by_id), indent=1, ensure_ascii=False)
    (to / "mutoscope.cdx.json").write_text(text + "\n", encoding="utf-8")
    print(f"   {len(third_party)} third-party crates: {to}/THIRD-PARTY-LICENSES.txt, {to}/mutoscope.cdx.json")
