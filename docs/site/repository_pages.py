"""Documents of the repository as pages of the site, with their links led to where the documents are there."""

from __future__ import annotations

import posixpath
import re

#: From files of the repository to pages of the site.
PAGES = {
    "docs/INSTALL.md": "start.md",
    "docs/GUIDE.md": "guide.md",
    "docs/OPTIONS.md": "reference/command-line.md",
    "docs/NOTATION.md": "notation.md",
    "docs/REFERENCES.md": "references.md",
    "docs/COMPATIBILITY.md": "compatibility.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "experiments/RESULTS.md": "results.md",
}
#: Folders of pictures that these show.
PICTURES = {"docs/images": "images", "experiments/figures": "figures/results"}
LINK = re.compile(r"(?P<shown>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^()\s]+)\)")


def page(root, document):
    """The text of a document with links as the site has them."""
    text = (root / document).read_text(encoding="utf-8")
    return LINK.sub(lambda link: led(link, document), text)


def led(link, document):
    """A link of a document as a link of its page; to what the site does not have, only its words."""
    path, anchor, fragment = link["target"].partition("#")
    if not path or "://" in path:
        return link[0]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    if target in PAGES:
        here = posixpath.dirname(PAGES[document]) or "."
        return f"{link['shown']}({posixpath.relpath(PAGES[target], here)}{anchor}{fragment})"
    folder, name = posixpath.split(target)
    if folder in PICTURES:
        return f"{link['shown']}(/{PICTURES[folder]}/{name})"
    return link["shown"].removeprefix("[").removesuffix("]")
