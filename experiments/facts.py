"""What a reader needs to know about the machine and the software behind the results."""

from __future__ import annotations

import os
import platform
from collections import Counter
from importlib.metadata import version
from importlib.util import find_spec

from . import catalogue


def run_facts(found, size):
    failed = sum("failed" in record for record in found)
    spent = sum(record.get(part) or 0.0 for record in found for part in ("fit_seconds", "predict_seconds"))
    finished = sorted(record["finished"] for record in found if "finished" in record)
    return {
        "size": size,
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "software": f"Python {platform.python_version()}, " + ", ".join(f"{p} {version(p)}" for p in packages()),
        "first run": finished[0] if finished else "",
        "last run": finished[-1] if finished else "",
        "runs": len(found),
        "failed runs": failed,
        "processor hours": f"{spent / 3600.0:.1f}",
        "engine builds": dict(Counter(record["engine"] for record in found if record.get("engine"))),
        "commits": dict(Counter(record["commit"] for record in found if record.get("commit"))),
        "seeds": "a task's seed is the number of its split; generated data and splits are drawn from fixed seeds",
    }


PACKAGES = ("gpclass", "scikit-learn", "numpy", "scipy")


def packages():
    """What everything rests on, and what is installed of that which single methods need."""
    special = sorted({name for method in catalogue.all_methods().values() for name in method.packages})
    return (*PACKAGES, *(name for name in special if find_spec(name)))


def processor():
    """The processor's name, which `platform` does not know on Linux."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown processor"
