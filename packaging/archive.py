"""Puts the static tool, its completions, man pages, licences and bill of materials into an archive, and sums up all packages.

    python packaging/archive.py TARGET_FOLDER PLATFORM PACKAGES
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import third_party

ROOT = third_party.ROOT
#: Shells, and what their completions are called where they are looked for.
COMPLETIONS = {"bash": "gpclass.bash", "zsh": "_gpclass", "fish": "gpclass.fish", "elvish": "gpclass.elv", "powershell": "_gpclass.ps1"}
BESIDE = ("README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY")


def main():
    target, platform, packages = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    version = re.search(r'^version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    name = f"gpclass-{version}-{platform}"
    files = contents(target / platform / "release/gpclass", target / "debug/examples/man_pages", platform)
    write_archive(packages / f"{name}.tar.gz", name, files)
    for crate in ("gpclass-cli", "gpclass-python"):
        materials = json.dumps(third_party.materials(third_party.metadata(), crate), indent=1)
        (packages / f"{crate}-{version}.cdx.json").write_text(materials, encoding="utf-8")
    write_sums(packages)


def contents(tool, man_pages, platform):
    """From names in the archive to bytes."""
    files = {name: (ROOT / name).read_bytes() for name in BESIDE}
    files["gpclass"] = tool.read_bytes()
    files["gpclass.cdx.json"] = json.dumps(third_party.materials(third_party.metadata(platform), "gpclass-cli"), indent=1).encode()
    for shell, name in COMPLETIONS.items():
        files[f"completions/{name}"] = subprocess.run([tool, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([man_pages, folder], check=True)
        files |= {f"man/{page.name}": page.read_bytes() for page in sorted(Path(folder).iterdir())}
    return files


def write_archive(path, top, files):
    """Neither times nor owners are kept, so that the same files give the same archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode = len(content), 0o755 if name == "gpclass" else 0o644
            archive.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def write_sums(packages):
    """What `sha256sum --check` reads."""
    others = sorted(path for path in packages.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in others]
    (packages / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
