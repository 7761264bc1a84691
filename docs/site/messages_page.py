"""Every sentence that an error can be, from the sources."""

from __future__ import annotations

import re

from rust_source import items

CRATES = ("gpclass", "gpclass-table", "gpclass-host", "gpclass-report")
SENTENCE = re.compile(r'#\[error\("((?:[^"\\]|\\.)*)"')

HEAD = """# Messages

Errors end a command or raise an exception; [questions and answers](../faq.md) says what to do about the frequent ones. What stands in braces is filled
in when it happens. Notes do not stop anything: the tool prints them, Python warns of them and keeps them in `notes_`, the report shows them.
This page is made from the sources.

## Errors
"""


def page(root):
    found = items([root / "crates" / crate / "src" for crate in CRATES])
    errors = "".join(error_section(item) for item in found if item.kind == "enum")
    notes = "".join(note_section(item) for item in found if item.name in ("DataNote", "FitNote", "TableNote"))
    return f"{HEAD}{errors}\n## Notes\n{notes}"


def error_section(item):
    rows = [match[1] for field in item.fields for match in [SENTENCE.search(" ".join(field.attributes))] if match]
    listed = "".join(f"| {said(row)} |\n" for row in rows)
    return f"\n### {spaced(item.name)}\n\n{item.about}\n\n| sentence |\n|---|\n{listed}" if rows else ""


def note_section(item):
    rows = "".join(f"| `{snake(field.name)}` | {field.about} |\n" for field in item.fields)
    return f"\n### {spaced(item.name)}\n\n| kind | when |\n|---|---|\n{rows}"


def said(sentence):
    """A sentence with its gaps as code, quotes as they are printed."""
    plain = sentence.replace('\\"', '"').replace("\\n", " ").replace("|", "\\|")
    return re.sub(r"\{\{|\}\}|\{([^{}]*)\}", lambda m: f"`{{{gap(m[1])}}}`" if m[1] is not None else m[0][0], plain)


def gap(inside):
    """What fills a gap, without how it is formatted or reached."""
    return inside.split(":")[0].strip(".") or "..."


def spaced(name):
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", name)
    return words[0] + words[1:].lower()


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
