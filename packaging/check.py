"""Installs what `make dist` made into empty environments, tries it, and measures sizes and starts against their limits.

    python packaging/check.py [PACKAGES]
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

import third_party

HERE = Path(__file__).resolve().parent
#: The oldest that the package allows and that has wheels for the Python in use, and whatever is newest.
ENVIRONMENTS = {
    "oldest": ["numpy==1.23.5", "scikit-learn==1.6.0", "scipy==1.11.4"],
    "newest": ["numpy", "scikit-learn"],
}
MEGABYTE = 1_000_000
TRIES = 15


def main():
    dist = Path(sys.argv[1] if len(sys.argv) > 1 else "dist/packages").resolve()
    wheel, archive, source = only(dist, "*.whl"), only(dist, "gpclass-*-linux-musl.tar.gz"), only(dist, "gpclass-?.*[0-9].tar.gz")
    print(f"{wheel.name}\n{archive.name}\n{source.name}")
    with tempfile.TemporaryDirectory() as work:
        tool = unpack(archive, Path(work) / "tool")
        measured = {**tool_measured(tool, Path(work)), "wheel, MB": (wheel.stat().st_size / MEGABYTE, 5)}
        for name, packages in ENVIRONMENTS.items():
            python = environment(Path(work) / name, [*packages, str(wheel)])
            run([python, HERE / "smoke.py", tool.parent / "model.gpc"], cwd=tool.parent)
            measured[f"import gpclass beyond scikit-learn ({name}), s"] = (import_seconds(python), 0.3)
        check_wheel(wheel)
        check_source(source)
    report(measured)


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{folder} holds {len(found)} files {pattern}; run 'make dist' in an empty one")
    return found[0]


def run(command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def unpack(archive, folder):
    """The tool from its archive, which must hold everything that goes with it."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    top = next(folder.iterdir())
    wanted = (
        "gpclass", "LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY", "README.md", "gpclass.cdx.json",
        "completions/gpclass.bash", "completions/_gpclass", "completions/gpclass.fish", "man/gpclass.1", "man/gpclass-fit.1",
    )
    missing = [name for name in wanted if not (top / name).is_file()]
    if missing:
        sys.exit(f"{archive.name} lacks {', '.join(missing)}")
    return top / "gpclass"


def tool_measured(tool, work):
    """Runs the tool with nothing around it: no variables, no path, an empty folder."""
    bare = {"env": {}, "cwd": tool.parent}
    run([tool, "demo", "--quiet"], **bare, stdout=subprocess.DEVNULL)
    run([tool, "fit", "demo.csv", "--label", "class", "-o", "model.gpc", "--report", "report.html", "--quiet"], **bare, stdout=subprocess.DEVNULL)
    run([tool, "predict", "model.gpc", "demo.csv", "-o", "predictions.csv", "--quiet"], **bare)
    if shutil.which("readelf"):
        headers = run(["readelf", "--program-headers", tool], stdout=subprocess.PIPE, text=True).stdout
        if "INTERP" in headers:
            sys.exit("the tool asks for a dynamic loader; it should be static")
    return {
        "tool, MB": (tool.stat().st_size / MEGABYTE, 15),
        "gpclass --version, ms": (1000 * seconds([tool, "--version"]), 20),
    }


def environment(folder, packages):
    """An empty environment with these packages, from wheels alone."""
    run([sys.executable, "-m", "venv", folder])
    python = folder / "bin/python"
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", *packages])
    return python


def seconds(command):
    """The median time of a command."""
    times = []
    for _ in range(TRIES):
        start = time.perf_counter()
        run(command, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def import_seconds(python):
    """What the package adds to the import of what every user of scikit-learn's estimators has loaded."""
    code = "import sklearn.base, sklearn.utils.validation, sklearn.utils, time; a = time.perf_counter(); import gpclass; print(time.perf_counter() - a)"
    told = [run([python, "-c", code], stdout=subprocess.PIPE, text=True).stdout for _ in range(TRIES)]
    return statistics.median(map(float, told))


def check_wheel(wheel):
    """Its licences, and that one wheel serves every Python."""
    names = run([sys.executable, "-m", "zipfile", "-l", wheel], stdout=subprocess.PIPE, text=True).stdout
    for name in ("licenses/LICENSE-MIT", "licenses/LICENSE-APACHE", "licenses/LICENSE-THIRD-PARTY", "_core.pyi", "py.typed"):
        if name not in names:
            sys.exit(f"{wheel.name} lacks {name}")
    if "-abi3-" not in wheel.name:
        sys.exit(f"{wheel.name} is for one Python only")


def check_source(source):
    """What is needed to build from it is in it: Cargo can resolve it, to the versions that were tested."""
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(source) as packed:
            packed.extractall(work, filter="data")
        top = next(Path(work).iterdir())
        # Not --locked: the source has fewer crates than the workspace, so that Cargo shortens the lock file.
        told = run(["cargo", "metadata", "--format-version", "1", "--manifest-path", top / "Cargo.toml"], stdout=subprocess.PIPE).stdout
        locked = set(third_party.checksums())
        foreign = {(p["name"], p["version"]) for p in json.loads(told)["packages"] if p["source"]}
        if not foreign <= locked:
            sys.exit(f"{source.name} resolves to other versions than were tested: {sorted(foreign - locked)}")
        for name in ("LICENSE-MIT", "LICENSE-THIRD-PARTY", "pyproject.toml", "README.md", "Cargo.lock"):
            if not list(top.rglob(name)):
                sys.exit(f"{source.name} lacks {name}")


def report(measured):
    too_much = False
    for name, (value, limit) in measured.items():
        too_much |= value >= limit
        print(f"{name:52} {value:8.3f}  (limit {limit})" + ("  TOO MUCH" if value >= limit else ""))
    sys.exit(1 if too_much else 0)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    main()
