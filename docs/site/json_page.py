"""The reference of JSON outputs: every field of what the tool prints, from real runs, with the comments of the structures."""

from __future__ import annotations

import json

from rust_source import items

CRATES = ("gpclass", "gpclass-cli", "gpclass-report")

HEAD = """# JSON outputs

With `--json` every command prints JSON. The fields below are those of real runs on the tool's own example (`gpclass demo`), made when this
page was; fields that only other data have (several classes, groups) are not among them. Fields may be added in
later versions, and those that are there keep their meaning ([what stays](../compatibility.md)). `[]` stands for every element of a list, `*` for a name that the table gives.
"""

#: Objects whose keys are names from the data.
BY_NAME = ("probabilities", "predicted", "values")


def page(root, run):
    """`run` prints what a command of the tool prints."""
    found = items([root / "crates" / crate / "src" for crate in CRATES])
    known = [item for item in found if item.kind == "struct" and "args" not in item.path.parts]
    run("gpclass demo -q")
    sections = [section(command, json_values(run(f"{command} | cat")), known) for command in COMMANDS]
    return HEAD + "".join(sections)


COMMANDS = (
    "gpclass fit demo.csv --label class --kernel se --cost fn=5,fp=1 --json -q -o model.gpc",
    "gpclass predict model.gpc demo.csv --json -q --explain --decide",
    "gpclass explain model.gpc --json -q",
    "gpclass audit demo.csv --label class --kernel se --json -q",
    "gpclass evaluate demo.csv --label class --kernel se --folds 2 --repeats 1 --json -q",
    "gpclass infer demo.csv --label class --fix v0=1,l=0.5 --json -q",
)


def json_values(text):
    """The objects that were printed, on a line each or one alone."""
    decoder, at, values = json.JSONDecoder(), 0, []
    while (text := text[at:].lstrip()):
        value, at = decoder.raw_decode(text)
        values.append(value)
    return values


def section(command, values, known):
    rows = {}
    for value in values[:50]:
        walk(value, "", known, rows)
    listed = "".join(f"| `{path}` | {kind} | {about} |\n" for path, (kind, about) in rows.items())
    return f"\n## `{' '.join(command.split()[:2])}`\n\n`{command}`\n\n| field | value | meaning |\n|---|---|---|\n{listed}"


def walk(value, path, known, rows):
    """Adds every field below a value, once."""
    if isinstance(value, list):
        for element in value[:50]:
            walk(element, f"{path}[]", known, rows)
    elif isinstance(value, dict):
        comments = comments_for(value, known)
        for key, inner in value.items():
            shown = "*" if path.rsplit(".", 1)[-1] in BY_NAME else key
            at = f"{path}.{shown}".lstrip(".")
            note = (kind(inner), comments.get(key, ""))
            rows[at] = max(rows.get(at, note), note, key=lambda each: (each[0] != "nothing", each[1]))
            walk(inner, at, known, rows)


def comments_for(value, known):
    """The comments of the structure whose fields are most like the keys of an object."""
    def alike(item):
        names = {field.written for field in item.fields}
        return len(names & set(value)) / max(1, len(names | set(value)))

    best = max(known, key=alike)
    return {field.written: field.about.replace("|", "\\|") for field in best.fields} if alike(best) > 0.4 else {}


def kind(value):
    names = {bool: "true or false", int: "number", float: "number", str: "text", list: "list", dict: "object", type(None): "nothing"}
    return names[type(value)]
