"""One file per run: what a method made of a split of a problem. Written whole or not at all, and checked when read."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

FORMAT = 1


@dataclass(frozen=True, order=True)
class Key:
    """Which run a record is of. Ordered by split first, so that an unfinished series covers everything evenly."""

    split: int
    problem: str
    method: str

    def path(self, folder: Path) -> Path:
        return folder / self.problem / _file_name(self.method) / f"{self.split:03d}.json"

    def __str__(self):
        return f"{self.method} on {self.problem}, split {self.split}"


class Corrupted(Exception):
    """A record that cannot be trusted."""


def write(folder: Path, key: Key, record: dict) -> None:
    path = key.path(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    body = _text(record)
    text = json.dumps({"checksum": _checksum(body)}) + "\n" + body + "\n"
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def read(path: Path) -> dict:
    """A record, or `Corrupted` with the reason."""
    try:
        head, body, rest = path.read_text(encoding="utf-8").split("\n")
        if rest or json.loads(head)["checksum"] != _checksum(body):
            raise Corrupted("its checksum does not match")
        record = json.loads(body)
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise Corrupted("it is cut off or no record") from error
    if record.get("format") != FORMAT:
        raise Corrupted(f"it has format {record.get('format')}, but this version reads {FORMAT}")
    return record


def read_all(folder: Path) -> tuple[list[dict], list[str]]:
    """All records that can be trusted, and sentences about the others."""
    records, complaints = [], []
    for path in sorted(folder.glob("*/*/*.json")):
        try:
            records.append(read(path))
        except Corrupted as error:
            complaints.append(f"the record '{path.relative_to(folder)}' is left out: {error}; run again to redo it")
    return records, complaints


def _text(record):
    return json.dumps(record, separators=(",", ":"))


def _checksum(body):
    return hashlib.sha256(body.encode()).hexdigest()


def _file_name(method):
    """Readable, and different for different methods."""
    readable = re.sub(r"[^A-Za-z0-9.+-]+", "_", method).strip("_")
    return f"{readable}-{hashlib.sha256(method.encode()).hexdigest()[:6]}"
