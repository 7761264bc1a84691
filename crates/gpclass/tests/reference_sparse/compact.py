#!/usr/bin/env python3
"""Makes the compact reference files for inducing rows beside this script.

usage: compact.py SOURCE

SOURCE holds one JSON file per case (see README.md). Each becomes a file of the same name here with the fields that the tests read.
Numbers keep every digit of the source.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ["name", "kernel", "encoded_groups", "likelihood", "X_encoded", "y", "Z_encoded", "Xtest_encoded", "log_evidence"]
FIELDS += ["gradient", "sites_on_projection", "residual_variance_D", "projection", "latent", "cavity_of_latent", "prediction", "refined"]

for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    full = json.loads(path.read_text())
    small = {name: full[name] for name in FIELDS}
    del small["gradient"]["Z_encoded"]
    (HERE / path.name).write_text(json.dumps(small, separators=(",", ":")) + "\n")
