"""The reference of the model file, from the comments of the module that writes it."""

from __future__ import annotations

import re

from rust_source import items_of, unlinked

MODULE = "crates/gpclass/src/classifier/file/mod.rs"


def page(root):
    source = (root / MODULE).read_text(encoding="utf-8")
    lines = [line.removeprefix("//!").removeprefix(" ") for line in source.splitlines() if line.startswith("//!")]
    text = unlinked("\n".join(lines)).split("\n", 1)[1]
    version = re.search(r"pub const FORMAT_VERSION: u32 = (\d+);", source)[1]
    header = next(item for item in items_of(root / MODULE) if item.name == "Header")
    rows = "".join(f"| `{field.written}` | {field.about or ABOUT[field.name]} |\n" for field in header.fields)
    return f"""# The model file

`gpclass fit -o model.gpc` and Python's `model.save("model.gpc")` write the same file, and each reads the other's. Version {version} is written;
all earlier ones are read ([what stays](../compatibility.md)). A model file holds its training rows, which it needs to predict.
Nothing in it is executed ([security](../security.md)).
{text}

## The header

| field | what it holds |
|---|---|
{rows}
"""


#: Fields whose name says it all in Rust.
ABOUT = {
    "rows": "How many training rows there are",
    "encoder": "How columns become numbers: names, kinds, categories, means and standard deviations",
    "classes": "Names of the classes, in their order",
    "members": "The models that predict together: name, weight, kernel, likelihood and how inference ended",
    "summary": "What was told about the fit: scores, relevances, suspects, notes",
    "provenance": "Which version wrote it, from which table",
    "spec": "What was asked for ([specifications](specification.md))",
}
