"""Builds the documentation site: runs every page, makes the reference from the sources, and checks every link.

    python docs/site/build.py [--quick] [--out FOLDER]

`--quick` runs the pages on fewer rows, to see that they run; the numbers of such a site are those of fewer rows, and its pages say so.
Needs the package installed, the tool and the Rust example built (`make docs` sees to it).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import json_page
import links
import messages_page
import model_file_page
import repository_pages
import results
import spec_page
from blocks import Page, Place

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
QUICK = "\n```{admonition} A quick build\nThis page was run on fewer rows than it says, to see that it runs. `make docs` makes the true one.\n```\n"
#: The way to the page for the browser, of a site that has it, and of one that was made without it.
BROWSER = (
    '<a href="app/index.html">Open the page for your table</a>, or <a href="app/index.html#playground">the playground</a>.',
    "This copy of the site was made without the page: `make web` builds it into `dist/web/index.html`.",
)
#: Documents whose blocks run as well; they stay as they are, for they are read in the repository too.
RUN_IN_PLACE = ("docs/GUIDE.md", "README.md")


def main():
    options = arguments()
    work = Path(tempfile.mkdtemp(prefix="gpclass-site-"))
    try:
        source = work / "source"
        assemble(source, work, options)
        generate(source, options.out)
    finally:
        shutil.rmtree(work)
    add_browser_page(options.browser, options.out)
    wrong = links.faults(options.out)
    for fault in wrong:
        print(fault, file=sys.stderr)
    if wrong:
        sys.exit(f"{len(wrong)} links are wrong")
    print(f"the site is in {options.out}; open {options.out / 'index.html'}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="run the pages on fewer rows")
    parser.add_argument("--out", type=Path, default=ROOT / "dist/site", help="folder of the site")
    parser.add_argument("--tools", type=Path, default=ROOT / "target/debug", help="folder of the built tool")
    parser.add_argument("--browser", type=Path, default=ROOT / "dist/web", help="folder of the page for the browser, where it was built")
    return parser.parse_args()


def assemble(source, work, options):
    """Everything that the generator reads."""
    tools = [options.tools.resolve(), options.tools.resolve() / "examples"]

    def place(name):
        return Place(ROOT, work / "run" / name, source / "figures", tools, options.quick)

    style_figures()
    shutil.copytree(HERE / "static", source / "static")
    shutil.copy(HERE / "conf.py", source)
    for folder, target in repository_pages.PICTURES.items():
        shutil.copytree(ROOT / folder, source / target)
    for document, page in repository_pages.PAGES.items():
        write(source / page, repository_pages.page(ROOT, document))
    for path in sorted((HERE / "pages").rglob("*.md")):
        name = path.relative_to(HERE / "pages").with_suffix("").as_posix()
        write(source / f"{name}.md", timed(name, lambda: run(path, name, place(name), options)))
    for document in RUN_IN_PLACE:
        timed(document, lambda: run_in_place(document, place(document)))
    write_reference(source / "reference", place("json"))


def run(path, name, place, options):
    text = fill(path.read_text(encoding="utf-8"), options)
    page = Page(name, place)
    made = page.run(text)
    return made + QUICK if page.replaced else made


def fill(text, options):
    """What a page takes from elsewhere before it runs."""
    tables = (ROOT / "experiments/RESULTS.md").read_text(encoding="utf-8")
    while "<!-- results: " in text:
        before, _, rest = text.partition("<!-- results: ")
        heading, _, after = rest.partition(" -->")
        text = before + results.summary(tables, heading) + after
    return text.replace("<!-- browser page -->", BROWSER[0 if options.browser.is_dir() else 1])


def run_in_place(document, place):
    """Runs the blocks of a document in a folder that has the files which it names as the reader's."""
    place.folder.mkdir(parents=True)
    subprocess.run([sys.executable, HERE / "reader_files.py"], cwd=place.folder, check=True)
    Page(document, place).run((ROOT / document).read_text(encoding="utf-8"))


def write_reference(folder, place):
    from gpclass._core import options

    page = Page("json", place)
    place.folder.mkdir(parents=True)
    os.chdir(place.folder)
    write(folder / "json.md", timed("json", lambda: json_page.page(ROOT, page.shell)))
    os.chdir(ROOT)
    write(folder / "specification.md", page.run(spec_page.page(ROOT, options())))
    write(folder / "model-file.md", model_file_page.page(ROOT))
    write(folder / "messages.md", messages_page.page(ROOT))


def style_figures():
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({
        "figure.figsize": (6.2, 3.6), "svg.hashsalt": "gpclass", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif",
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3,
    })


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def timed(name, work):
    """Does the work and says how long it took."""
    wall, before = time.monotonic(), sum(os.times()[:4])
    made = work()
    print(f"{name}: {time.monotonic() - wall:.1f} s, {sum(os.times()[:4]) - before:.1f} CPU s", flush=True)
    return made


def generate(source, out):
    """Warnings are errors: a page that nothing leads to, an anchor that is not there."""
    if out.exists():
        shutil.rmtree(out)
    subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", source.parent / "trees", source, out], check=True)
    for left in (".buildinfo", "objects.inv"):
        (out / left).unlink(missing_ok=True)


def add_browser_page(built, out):
    if built.is_dir():
        shutil.copytree(built, out / "app")


if __name__ == "__main__":
    main()
