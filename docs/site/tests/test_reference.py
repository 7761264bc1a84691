"""The reference is complete."""

from __future__ import annotations

import sys
from pathlib import Path

import gpclass

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import json_page  # noqa: E402
import messages_page  # noqa: E402
import model_file_page  # noqa: E402
import spec_page  # noqa: E402
from rust_source import items_of  # noqa: E402

RUST = '''
/// A thing, see [`Other`].
#[derive(Clone)]
pub struct Thing {
    /// How many
    /// there are.
    #[serde(rename = "number")]
    pub count: usize,
    name: Option<String>,
}

pub enum Trouble {
    /// Bad.
    #[error("row {row} of '{0}' is bad; \\
             mend it")]
    Bad { row: usize },
    Worse,
}

#[cfg(test)]
mod tests {
    struct Hidden {
        x: f64,
    }
}
'''


def test_structures_are_read_with_their_comments(tmp_path):
    path = tmp_path / "thing.rs"
    path.write_text(RUST)
    thing, trouble = items_of(path)
    assert (thing.name, thing.about) == ("Thing", "A thing, see `Other`.")
    assert [(field.written, field.type, field.about) for field in thing.fields] == [
        ("number", "usize", "How many there are."), ("name", "Option<String>", ""),
    ]
    assert [field.name for field in trouble.fields] == ["Bad", "Worse"]
    assert "| row `{row}` of '`{0}`' is bad; mend it |" in messages_page.error_section(trouble)


def test_every_choice_and_key_is_on_the_page_of_specifications():
    from gpclass._core import options

    page = spec_page.page(ROOT, options())
    for key in ("positive", "decision", "standardise", "leave_out_ids", "inference", "time_budget", "inducing", "max_iterations"):
        assert f"| `{key}` |" in page, key
    # How missing values are treated is one name in files, too; every other choice is a key of its own name.
    for option, choices in options().items():
        assert all(f"| `{option}` | `{name}` |" in page for name, _ in choices), option


def test_errors_notes_and_sections_of_files_are_listed():
    page = messages_page.page(ROOT)
    assert page.count("\n### ") > 10 and "`at_bound`" in page and "`few_integers`" in page
    assert "SHA-256" in model_file_page.page(ROOT) and "| `inputs` |" in model_file_page.page(ROOT)


def test_fields_get_the_comments_of_the_structure_they_are_like(tmp_path):
    path = tmp_path / "thing.rs"
    path.write_text(RUST)
    rows = {}
    json_page.walk({"things": [{"number": 3, "name": None}, {"number": 4, "name": "b"}]}, "", items_of(path), rows)
    assert rows == {"things": ("list", ""), "things[].number": ("number", "How many there are."), "things[].name": ("text", "")}


def test_every_public_name_of_python_is_documented():
    pages = "".join(path.read_text(encoding="utf-8") for path in (HERE / "pages/reference").glob("python-*.md"))
    modules = {"compare", "kernels", "plot"}
    named = [name for name in gpclass.__all__ if name not in modules and not name.startswith("_")]
    of_kernels = [name for name in named if getattr(gpclass, name).__module__ == "gpclass.kernels"]
    assert not [name for name in named if name not in of_kernels and f":: {name}\n" not in pages]
    assert all(f"automodule:: gpclass.{module}\n" in pages for module in modules)
    assert all(getattr(gpclass, name).__doc__ for name in named)
