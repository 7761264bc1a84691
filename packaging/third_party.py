"""What the packages are made of, from Cargo's own account: the licences of all crates that are linked in, and a bill of materials.

    python packaging/third_party.py licences CRATE... [--platform PLATFORM]    licence texts, equal ones once
    python packaging/third_party.py materials CRATE [--platform PLATFORM]      CycloneDX 1.6 as JSON
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LICENCE_FILE = re.compile(r"^(un)?licen[cs]e|^copying|^notice|^copyright", re.IGNORECASE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["licences", "materials"])
    parser.add_argument("crates", nargs="+", metavar="CRATE")
    parser.add_argument("--platform", help="what is linked in on that one only")
    options = parser.parse_args()
    known = metadata(options.platform)
    if options.what == "licences":
        sys.stdout.write(licences(linked(known, options.crates)))
    else:
        json.dump(materials(known, *options.crates), sys.stdout, indent=1)


def metadata(platform=None):
    """Cargo's account of all packages and how they depend on each other."""
    only = ["--filter-platform", platform] if platform else []
    command = ["cargo", "metadata", "--format-version", "1", "--locked", *only]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def edges(known):
    """From every package to those that are linked into it: neither tests, nor build scripts, nor macros."""
    packages = {package["id"]: package for package in known["packages"]}

    def is_linked(dependency):
        macro = any("proc-macro" in target["kind"] for target in packages[dependency["pkg"]]["targets"])
        return not macro and any(kind["kind"] is None for kind in dependency["dep_kinds"])

    nodes = known["resolve"]["nodes"]
    return {node["id"]: [each["pkg"] for each in node["deps"] if is_linked(each)] for node in nodes}


def linked(known, crates):
    """The packages that are linked into some crates of ours, with those, in order of their names."""
    below = edges(known)
    waiting = [package["id"] for package in known["packages"] if package["name"] in crates and package["source"] is None]
    if len(waiting) != len(crates):
        raise SystemExit(f"not all of {', '.join(crates)} are crates of this workspace")
    reached = set()
    while waiting:
        package = waiting.pop()
        if package not in reached:
            reached.add(package)
            waiting.extend(below[package])
    return sorted((p for p in known["packages"] if p["id"] in reached), key=lambda p: (p["name"], p["version"]))


def licences(packages):
    """All licence texts of packages that are not ours, each with the packages that it is of."""
    foreign = [package for package in packages if package["source"] is not None]
    owners, wording, without = defaultdict(list), {}, []
    for package in foreign:
        texts = licence_texts(package)
        for text in texts:
            # Many differ only in where their lines break.
            words = " ".join(text.split())
            wording.setdefault(words, text)
            owners[words].append(f"{package['name']} {package['version']}")
        if not texts:
            without.append(package)
    for package in packages:
        # Works of others that lie in our own packages, as a font.
        notice = Path(package["manifest_path"]).parent / "NOTICE"
        if package["source"] is None and notice.is_file():
            text = notice.read_text(encoding="utf-8").strip()
            wording[text], owners[text] = text, [f"in {package['name']} {package['version']}"]
    listed = "".join(f"  {p['name']} {p['version']}: {p['license']}\n" for p in foreign)
    head = f"gpclass contains these packages of others, under the licences named. The texts follow.\n\n{listed}\n"
    if without:
        names = "".join(f"  {p['name']} {p['version']}: {p['license']}, by {', '.join(p['authors']) or 'its authors'}\n" for p in without)
        head += f"Without a text of their own in the package (LICENSE-MIT and LICENSE-APACHE of gpclass hold the usual ones):\n\n{names}\n"
    line = "-" * 100
    return head + "".join(f"{line}\n{', '.join(names)}\n{line}\n\n{wording[words]}\n\n" for words, names in owners.items())


def licence_texts(package):
    """The licence files of a package; one without a file must at least name its licence."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and LICENCE_FILE.match(path.name) and path.suffix != ".rs")
    if not files and not package["license"]:
        raise SystemExit(f"{package['name']} has neither a licence file nor the name of its licence")
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def materials(known, crate):
    """A bill of materials with no time and no serial number in it, so that the same sources give the same file."""
    packages = linked(known, [crate])
    below, inside = edges(known), {package["id"] for package in packages}
    top = next(package for package in packages if package["name"] == crate)
    names = {package["id"]: reference(package) for package in packages}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component(top, {}), "type": "application"}},
        "components": [component(package, checksums()) for package in packages if package is not top],
        "dependencies": [
            {"ref": names[package["id"]], "dependsOn": sorted(names[each] for each in set(below[package["id"]]) & inside)}
            for package in packages
        ],
    }


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, hashes):
    checksum = hashes.get((package["name"], package["version"]))
    return {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
        "licenses": [{"expression": expression(package["license"])}] if package["license"] else [],
        **({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {}),
    }


def expression(licence):
    """A licence as SPDX writes it; older packages have a slash for OR."""
    return " OR ".join(part.strip() for part in licence.split("/"))


def checksums():
    """What the lock file says of the bytes of every package."""
    pattern = r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]+)"'
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    return {(name, version): checksum for name, version, checksum in re.findall(pattern, lock)}


if __name__ == "__main__":
    main()
