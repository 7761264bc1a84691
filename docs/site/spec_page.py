"""The reference of specifications: every key, from the structures that read them."""

from __future__ import annotations

from rust_source import items

HEAD = """# Specifications

`--spec FILE` reads everything about a fit from a TOML file; options on the command line win over it, and a key that is not known
is an error. The same keys are in every model file. This page is made from the structures that read the file.

```toml
positive = "yes"

[encoder]
missing = "auto"
keep = ["case_id"]
ordered = { size = ["S", "M", "L"] }

[fit]
kernel = "se"
lengthscales = "ard"
objective = "loo-nlp"
fixed = [["v0", 4.0]]
```

`gpclass evaluate DATA --label COLUMN --compare a.toml b.toml` puts several side by side.
"""


def page(root, options):
    """`options`: for every option that is chosen by name its choices with what they mean."""
    known = {item.name: item for item in items([root / "crates/gpclass/src"])}
    return HEAD + "".join(section(title, known[name], known, options) for title, name in tables("Spec", known))


def tables(name, known, title=""):
    """A structure and those within it that are tables of the file."""
    yield title, name
    for field in known[name].fields:
        if (inner := plain(field.type)) in known and known[inner].kind == "struct" and inner != "MissingPolicy":
            yield from tables(inner, known, f"{title}.{field.written}".lstrip("."))


def plain(type_name):
    """The type within an option."""
    return type_name.removeprefix("Option<").removesuffix(">") if type_name.startswith("Option<") else type_name


def section(title, item, known, options):
    heading = f"\n## `[{title}]`\n\n{item.about}\n" if title else "\n## At the top\n\n"
    rows = "".join(f"| `{field.written}` | {kind(field, known)} | {cell(field.about)} |\n" for field in item.fields)
    return f"{heading}\n| key | value | meaning |\n|---|---|---|\n{rows}{choices(item, options)}"


def kind(field, known):
    """What stands in the file."""
    inner = plain(field.type)
    simple = {
        "String": "text", "f64": "number", "usize": "whole number", "u64": "whole number", "bool": "true or false",
        "Vec<String>": "list of texts", "Vec<(String, f64)>": "list of pairs", "BTreeMap<String, Vec<String>>": "table of lists",
        "DecisionRule": "`{ cost = { fn = 5, fp = 1 } }`, `{ threshold = 0.3 }` or `{ errors = [{ true = \"flu\", decided = \"cold\", cost = 5 }] }`",
    }
    if inner in simple:
        return simple[inner]
    return "table" if inner in known and known[inner].kind == "struct" and inner != "MissingPolicy" else "name"


def choices(item, options):
    """What can be named for the keys of a table."""
    lines = []
    for field in item.fields:
        for name, about in options.get(field.written, []):
            lines.append(f"| `{field.written}` | `{name}` | {cell(about)} |\n")
    return f"\n| key | name | meaning |\n|---|---|---|\n{''.join(lines)}" if lines else ""


def cell(text):
    return text.replace("|", "\\|")
