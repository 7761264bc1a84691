"""What the Rust sources say of themselves: structures and enumerations with their fields and comments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

HEAD = re.compile(r"^(?P<indent> *)(?:pub(?:\([^)]*\))? )?(?P<kind>struct|enum) (?P<name>\w+)(?:<[^>]*>)? \{")
MEMBER = re.compile(r"^ *(?:pub(?:\([^)]*\))? )?(?P<name>\w+): (?P<type>.+?),?$")
VARIANT = re.compile(r"^ *(?P<name>[A-Z]\w*)\b(?P<rest>.*)$")
RENAME = re.compile(r'rename = "([^"]+)"')


@dataclass
class Field:
    """A field of a structure or a case of an enumeration."""

    name: str
    type: str
    about: str
    attributes: list = field(default_factory=list)

    @property
    def written(self):
        """Its name in files."""
        renamed = RENAME.search(" ".join(self.attributes))
        return renamed[1] if renamed else self.name


@dataclass
class Item:
    """A structure or an enumeration."""

    kind: str
    name: str
    about: str
    path: Path
    fields: list = field(default_factory=list)


def items(folders):
    """All items below some folders, in the order of their files."""
    paths = [path for folder in folders for path in sorted(Path(folder).rglob("*.rs"))]
    return [item for path in paths for item in items_of(path)]


def items_of(path):
    """The items of one file, without those of its tests."""
    lines = path.read_text(encoding="utf-8").split("#[cfg(test)]\nmod tests {")[0].splitlines()
    found, about, at = [], [], 0
    while at < len(lines):
        head = HEAD.match(lines[at])
        if head:
            item = Item(head["kind"], head["name"], comment(about), path)
            end = lines.index(head["indent"] + "}", at)
            item.fields = fields(lines[at + 1 : end], head["kind"])
            found.append(item)
            at = end
        about = [*about, lines[at]] if is_comment(lines[at]) or is_attribute(lines[at]) else []
        at += 1
    return found


def fields(lines, kind):
    """The members between the braces of an item; what stands deeper is not looked at."""
    depth, about, attributes, found = 0, [], [], []
    for line in joined(lines):
        if depth == 0 and is_comment(line):
            about.append(line)
        elif depth == 0 and is_attribute(line):
            attributes.append(line.strip())
        elif depth == 0 and (match := (MEMBER if kind == "struct" else VARIANT).match(line)):
            found.append(Field(match["name"], match.groupdict().get("type", ""), comment(about), attributes))
            about, attributes = [], []
        depth += line.count("{") - line.count("}") if not is_comment(line) and not is_attribute(line) else 0
    return found


def joined(lines):
    """Attributes over several lines as one."""
    pending = ""
    for line in lines:
        # A text that goes on in the next line ends with a backslash.
        pending = f"{pending.removesuffix(chr(92))}{line.strip()}" if pending else line
        if is_attribute(pending) and not pending.rstrip().endswith("]"):
            continue
        yield pending
        pending = ""


def is_comment(line):
    return line.lstrip().startswith("///")


def is_attribute(line):
    return line.lstrip().startswith("#[")


def comment(lines):
    """The text of a comment without links to Rust items."""
    text = " ".join(line.strip().removeprefix("///").strip() for line in lines if is_comment(line))
    return unlinked(text)


def unlinked(text):
    """Rust's links to items as plain code."""
    return re.sub(r"\[(`[^`]+`)\](?:\([^)]*\))?", r"\1", text)
