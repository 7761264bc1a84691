"""Checks what a built site refers to: pages, anchors and files that are there, and nothing that is fetched from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: What a browser fetches by itself.
FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}
FETCHED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload"}


@dataclass
class Found(HTMLParser):
    """The anchors of a page, where it leads and what it fetches."""

    anchors: set = field(default_factory=set)
    leads: list = field(default_factory=list)
    fetches: list = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        for name, value in attrs.items():
            fetched_link = tag == "link" and name == "href" and FETCHED_LINKS & set((attrs.get("rel") or "").split())
            if value and ((tag, name) in FETCHED or fetched_link):
                self.fetches.append(value)
            elif value and tag == "a" and name == "href":
                self.leads.append(value)


def faults(site):
    """One sentence for everything that is wrong."""
    pages = {path.resolve(): read(path) for path in sorted(Path(site).rglob("*.html"))}
    return [fault for path, page in pages.items() for fault in page_faults(path, page, pages, Path(site).resolve())]


def read(path):
    found = Found()
    found.feed(path.read_text(encoding="utf-8"))
    return found


def page_faults(path, page, pages, site):
    name = path.relative_to(site)
    for address in page.fetches:
        if urlsplit(address).netloc:
            yield f"{name} fetches {address} from elsewhere"
    for address in [*page.fetches, *page.leads]:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file():
            yield f"{name} leads to {address}, which is not there"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{name} leads to {address}, which has no such anchor"
