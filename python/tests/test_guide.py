"""The guide's Python runs."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "GUIDE.md"


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
def test_the_guide_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)  # noqa: S102 - our own text
    assert (tmp_path / "circle.gpc").exists()
