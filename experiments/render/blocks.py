"""What a page is made of, whatever it is written in."""

from __future__ import annotations

from dataclasses import dataclass

#: Shown where there is nothing to show.
NOTHING = "–"
#: Marks of verdicts that a reader must see.
MARKS = {"worse": "▼", "differs": "≠"}


@dataclass(frozen=True)
class Heading:
    text: str
    level: int


@dataclass(frozen=True)
class Text:
    """Markdown: paragraphs and lists with `code`, **strong** and *emphasised* words and [links](address)."""

    markdown: str


@dataclass(frozen=True)
class Number:
    """One cell of a table of results."""

    ours: str
    published: str = ""
    z: str = ""
    verdict: str = ""
    #: Best of its group.
    best: bool = False
    #: Says that runs are missing.
    footnote: str = ""

    @property
    def mark(self) -> str:
        return MARKS.get(self.verdict, "")


@dataclass(frozen=True)
class Grid:
    """A table; cells are plain text or numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | Number, ...], ...]
    #: Leading columns, which are repeated where a table is too wide for a line.
    fixed: int = 1


@dataclass(frozen=True)
class Picture:
    """A file in the folder `figures`."""

    file: str
    title: str


Block = Heading | Text | Grid | Picture
