"""What a reader should know about single tables, above all why numbers of ours are worse than those published."""

from __future__ import annotations

#: Markdown by name of table, and by `figure NAME` for figures. A table with a flagged number and no remark says so on the page.
REMARKS: dict[str, str] = {}
