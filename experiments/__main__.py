"""Command line: `python -m experiments run --data FOLDER` does the runs and renders the results."""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
from pathlib import Path

from . import catalogue, records
from .plan import plan
from .spec import SIZES

HERE = Path(__file__).parent


def main(arguments=None) -> int:
    options = parser().parse_args(arguments)
    try:
        catalogue.check()
        return options.command(options)
    except KeyboardInterrupt:
        print("interrupted: finished runs are kept, and the same command goes on from there", file=sys.stderr)
        return 130
    except (UserError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


class UserError(Exception):
    """Something that the caller can mend."""


def parser():
    top = argparse.ArgumentParser(prog="python -m experiments", description=__doc__.split(": ", 1)[1])
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, command, text in (
        ("run", run_command, "do the runs that are not done yet, then render"),
        ("render", render_command, "render the records that exist"),
        ("list", list_command, "list studies, tables, problems and methods"),
    ):
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(command=command)
        if name != "list":
            _add_options(made, name)
    return top


def _add_options(made, name):
    size = made.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", help="minutes, on generated data only")
    size.add_argument("--full", dest="size", action="store_const", const="full", help="every split")
    made.set_defaults(size="default")
    made.add_argument("--out", type=Path, default=HERE / "out", help="folder of the records [experiments/out]")
    made.add_argument("--results", type=Path, help="folder of the results [experiments; OUT/quick for --quick]")
    doing = "studies to run and to render" if name == "run" else "studies to render"
    made.add_argument("--only", nargs="+", default=[], metavar="NAME", help=f"{doing}; the rest of the page stays as it is")
    if name == "run":
        made.add_argument("--data", type=Path, help="folder of the data files (experiments/README.md says how to get them)")
        made.add_argument("--methods", nargs="+", default=[], metavar="NAME", help="methods to run [all of the studies]")
        made.add_argument("--redo", nargs="+", default=[], metavar="NAME", help="methods or problems to run again")
        made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel runs [all cores]")


def run_command(options) -> int:
    from .runner import run

    if options.jobs < 1:
        raise UserError(f"--jobs is {options.jobs}; it must be at least 1")
    if options.data is None and options.size != "quick":
        raise UserError("no data folder is given; add --data FOLDER (experiments/README.md says how to fill it) or --quick")
    if options.data is not None and not options.data.is_dir():
        raise UserError(f"the data folder '{options.data}' does not exist; correct --data")
    folder = records_folder(options)
    folder.mkdir(parents=True, exist_ok=True)
    with Lock(folder):
        methods, problems = catalogue.all_methods(), catalogue.all_problems()
        redo = _known("method or problem", options.redo, methods | problems)
        chosen = {"redo": redo, "methods": _known("method", options.methods, methods)}
        made = plan(_studies(options.only), options.size, options.data, folder, **chosen)
        for sentence in (*made.complaints, *_missing(made, options.data)):
            print(sentence, file=sys.stderr)
        print(f"{len(made.wanted)} runs, of which {len(made.wanted) - len(made.runs)} are done", file=sys.stderr)
        failed = run(made, options.data, folder, options.jobs)
    for sentence in failed[:20]:
        print(f"failed: {sentence}", file=sys.stderr)
    render_command(options)
    return 1 if failed else 0


def render_command(options) -> int:
    from .facts import run_facts
    from .render.page import render
    from .render.part import render_part

    found, complaints = records.read_all(records_folder(options))
    for sentence in complaints:
        print(sentence, file=sys.stderr)
    studies = _studies(options.only)
    if options.only:
        found = [r for r in found if any(study.covers(r["problem"], r["method"]) for study in studies)]
    if not found:
        raise UserError("there are no records yet; do the runs first: python -m experiments run")
    folder = options.results or (options.out / "quick" if options.size == "quick" else HERE)
    if options.only:
        render_part(found, run_facts(found, options.size), folder, studies)
    else:
        render(found, run_facts(found, options.size), folder)
    print(f"wrote {folder / 'RESULTS.md'}")
    return 0


def list_command(_) -> int:
    kinds = {
        "studies": catalogue.all_studies(),
        "tables": catalogue.all_tables(),
        "figures": catalogue.all_figures(),
        "problems": catalogue.all_problems(),
        "methods": catalogue.all_methods(),
    }
    for kind, items in kinds.items():
        print(f"{kind}:")
        for item in items.values():
            print(f"  {item.name:28}  {getattr(item, 'title', '')}".rstrip())
    return 0


def records_folder(options) -> Path:
    """Quick runs have records of their own, so that they never count as results."""
    return options.out / ("quick-records" if options.size == "quick" else "records")


def _studies(names):
    known = catalogue.all_studies()
    for name in names:
        if name not in known:
            raise UserError(f"there is no study '{name}'; the studies are {', '.join(known)}")
    return [known[name] for name in names] if names else list(known.values())


def _known(kind, names, known):
    for name in names:
        if name not in known:
            raise UserError(f"there is no {kind} '{name}'; see: python -m experiments list")
    return names


def _missing(made, data):
    for name, files in made.missing.items():
        yield (
            f"the problem '{name}' is left out: {', '.join(files)} is not in '{data}'; "
            "experiments/README.md says where to get it"
        )
    for name, packages in made.lacking.items():
        yield f"the method '{name}' is left out: pip install {' '.join(packages)}"
    for name, abilities in made.unable.items():
        yield f"the method '{name}' is left out: this build of gpclass has no {' and no '.join(abilities)}"


class Lock:
    """Keeps two runs out of one folder."""

    def __init__(self, folder):
        self.path = folder / ".lock"

    def __enter__(self):
        self.file = open(self.path, "w", encoding="utf-8")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.close()
            raise UserError(f"another run is using '{self.path.parent}'; wait for it or give another --out") from None

    def __exit__(self, *_):
        self.file.close()


if __name__ == "__main__":
    sys.exit(main())
