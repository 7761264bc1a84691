"""What the packages are made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

import archive  # noqa: E402
import third_party  # noqa: E402


@pytest.fixture(scope="module")
def known():
    return third_party.metadata()


def test_linked_are_those_below_and_no_others(known):
    names = {package["name"] for package in third_party.linked(known, ["gpclass-cli"])}
    assert {"gpclass", "gpclass-linalg", "faer", "clap", "toml"} <= names
    # Only tests need these, only macros are compiled from that, and only Python's module has the last.
    assert not names & {"proptest", "clap_mangen", "serde_derive", "pyo3"}


def test_every_package_has_a_licence_that_is_told(known):
    packages = third_party.linked(known, ["gpclass-cli", "gpclass-python"])
    text = third_party.licences(packages)
    for package in packages:
        assert (f"  {package['name']} {package['version']}: " in text) == (package["source"] is not None)
    assert "Apache License" in text and "Permission is hereby granted" in text
    assert "subset of Roboto, Copyright 2015 Google Inc." in text


def test_every_crate_to_publish_carries_its_licences(known):
    ours = [package["name"] for package in known["packages"] if package["source"] is None and package["publish"] != []]
    assert {"gpclass", "gpclass-cli", "gpclass-table"} <= set(ours)
    for crate in ours:
        command = ["cargo", "package", "--list", "--allow-dirty", "--locked", "-p", crate]
        files = subprocess.run(command, cwd=third_party.ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        assert {"LICENSE-MIT", "LICENSE-APACHE", "README.md"} <= set(files), crate


def test_what_is_linked_depends_on_the_platform():
    names = [{p["name"] for p in third_party.linked(third_party.metadata(platform), ["gpclass-wasm"])} for platform in ("wasm32-unknown-unknown", None)]
    assert "wasm-bindgen" in names[0] and names[0] <= names[1]


def test_the_bill_of_materials_hangs_together(known):
    bill = json.loads(json.dumps(third_party.materials(known, "gpclass-cli")))
    names = {component["bom-ref"] for component in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    assert all(set(each["dependsOn"]) <= names and each["ref"] in names for each in bill["dependencies"])
    foreign = [each for each in bill["components"] if not each["name"].startswith("gpclass")]
    assert all(len(each["hashes"][0]["content"]) == 64 for each in foreign)
    assert all("/" not in each["licenses"][0]["expression"] for each in bill["components"])


def test_an_archive_of_the_same_files_is_the_same(tmp_path):
    files = {"gpclass": b"tool", "man/gpclass.1": b".TH"}
    for name in ("a.tar.gz", "b.tar.gz"):
        archive.write_archive(tmp_path / name, "gpclass-1", files)
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "b.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "a.tar.gz") as packed:
        assert packed.getmember("gpclass-1/gpclass").mode & 0o111
        assert packed.getnames() == ["gpclass-1/gpclass", "gpclass-1/man/gpclass.1"]
    archive.write_sums(tmp_path)
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)


def test_man_pages_tell_every_command(tmp_path):
    made = third_party.ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug/examples/man_pages"
    assert made.is_file(), "build it first: make test-docs, or cargo build --workspace --example man_pages"
    subprocess.run([made, tmp_path], check=True)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"gpclass.1", "gpclass-fit.1", "gpclass-audit.1"} <= names
    assert "\\-\\-report" in (tmp_path / "gpclass-fit.1").read_text()
