"""Runs the code blocks of a page and puts what they print and draw below them, so that a page cannot say what is not so.

What stands after the language of a fence says what becomes of it:

    ```python                   run in the names of the page; what it prints follows
    ```python figure="..."      it also draws one figure, which follows with this description
    ```sh                       run by bash in the folder of the page, with the tool on the path
    ```sh head=12               the same, of what it prints only the first lines
    ```sh fails                 the same, and it must fail
    ```sh image="a.svg" figure="..."   the same, and this file that it writes follows with this description
    ```sh not-run               shown only: installs something, or names files of the reader's
    ```toml                     must be a specification that the tool reads
    ```text                     output or a picture of something; never run

`silent` leaves out what a block prints, `hidden` the block itself. `{{ expression }}` in the text is evaluated in the names
of the page at that point. Fences in braces are the generator's. `<!-- quick: long -> short -->` replaces a text in all blocks below it when the site is tried out quickly, and
`<!-- source: path -->` becomes a block with that file of the repository.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import warnings
from dataclasses import dataclass, field
from pathlib import Path

PIECE = re.compile(
    r"^```(?P<info>[^\n`{][^\n`]*|)\n(?P<code>.*?)^```[ \t]*$"
    r"|<!-- quick: (?P<long>.*?) -> (?P<short>.*?) -->\n?"
    r"|<!-- source: (?P<source>\S+) -->"
    r"|\{\{ (?P<expression>.*?) \}\}",
    re.MULTILINE | re.DOTALL,
)
SHOWN_ONLY = {"text", "json"}
MARKS = {
    "python": {"figure", "silent", "hidden"},
    "sh": {"head", "fails", "silent", "hidden", "not-run", "image", "figure"},
    "toml": set(),
    "text": set(),
    "json": set(),
}


class PageError(Exception):
    """A block did not do what the page says."""


@dataclass
class Place:
    """Where a page is run."""

    root: Path
    folder: Path
    figures: Path
    tools: list[Path]
    quick: bool = False


@dataclass
class Page:
    """A page that is being run: its names, its figures, what is replaced in it."""

    name: str
    place: Place
    names: dict = field(default_factory=dict)
    drawn: int = 0
    replaced: list = field(default_factory=list)

    def __post_init__(self):
        # Objects that are drawn or saved by name look for their module, as they would in a script.
        self.names["__name__"] = "__main__"

    def run(self, text):
        """The page with everything filled in."""
        self.place.folder.mkdir(parents=True, exist_ok=True)
        with contextlib.chdir(self.place.folder):
            return PIECE.sub(self.piece, text)

    def piece(self, match):
        if match["long"] is not None:
            if self.place.quick:
                self.replaced.append((match["long"], match["short"]))
            return ""
        if match["source"] is not None:
            path = self.place.root / match["source"]
            return fence(path.suffix.lstrip(".").replace("rs", "rust"), path.read_text(encoding="utf-8"))
        if match["expression"] is not None:
            return str(eval(match["expression"], self.names))  # noqa: S307 - our own text
        try:
            return self.block(match["info"], match["code"])
        except Exception as error:
            raise PageError(f"{self.name}: {error}\n{match['code']}") from error

    def block(self, info, code):
        language, marks = read_info(info)
        shown = "" if "hidden" in marks else fence(language, code)
        for long, short in self.replaced:
            code = code.replace(long, short)
        if language in SHOWN_ONLY or "not-run" in marks:
            return shown
        if language == "toml":
            self.check_specification(code)
            return shown
        said = self.python(code) if language == "python" else self.shell(code, "fails" in marks)
        if "head" in marks:
            said = first_lines(said, int(marks["head"]))
        output = "" if "silent" in marks or not said.strip() else "\n" + fence("text", said, "output")
        return shown + output + self.picture(language, marks)

    def python(self, code):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.formatwarning = lambda message, category, *_: f"{category.__name__}: {message}\n"
            exec(compile(code, self.name, "exec"), self.names)  # noqa: S102 - our own text
        return said.getvalue()

    def shell(self, code, fails=False):
        path = os.pathsep.join([*map(str, self.place.tools), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", code], env={**os.environ, "PATH": path, "COLUMNS": "100"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
        if (done.returncode != 0) != fails:
            raise PageError(f"a block ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def check_specification(self, code):
        Path("specification.toml").write_text(code, encoding="utf-8")
        Path("two.csv").write_text("case_id,ward,size,y\n" + "".join(f"{i},a,{'SML'[i % 3]},{'yes' if i % 2 else 'no'}\n" for i in range(12)))
        self.shell("gpclass fit two.csv --label y --spec specification.toml --time 1 -q")

    def picture(self, language, marks):
        """What a block drew, with its description."""
        import matplotlib.pyplot as plt

        if len(plt.get_fignums()) != (language == "python" and "figure" in marks):
            raise PageError(f"it draws {len(plt.get_fignums())} figures; one that draws one describes it by figure=\"...\"")
        if "figure" not in marks:
            return ""
        self.drawn += 1
        self.place.figures.mkdir(parents=True, exist_ok=True)
        target = self.place.figures / f"{self.name.replace('/', '-')}-{self.drawn}.svg"
        if language == "sh":
            shutil.copy(marks["image"], target)
        else:
            plt.savefig(target, bbox_inches="tight", metadata={"Date": None})
            plt.close("all")
        return f"\n\n![{marks['figure']}](/figures/{target.name})\n"


def read_info(info):
    """The language of a fence, and its marks with their values."""
    language, *words = shlex.split(info) or [""]
    if language not in MARKS:
        raise PageError(f"a block of {language or 'no language'!r}; mark what is not run as text")
    marks = dict(word.partition("=")[::2] for word in words)
    unknown = set(marks) - MARKS[language]
    if unknown:
        raise PageError(f"a block of {language} has the mark {', '.join(sorted(unknown))}")
    return language, marks


def fence(language, code, name=""):
    """A block for the generator, longer than any fence within it."""
    options = f":class: {name}\n" if name else ""
    return f"````{{code-block}} {language}\n{options}\n{code.rstrip()}\n````"


def first_lines(text, count):
    lines = text.splitlines()
    return text if len(lines) <= count else "\n".join([*lines[:count], "..."])
