"""Puts the page together: one file, with the script, the style, the worker and the engine inside.

    python web/build.py --parts FOLDER --out dist/web

FOLDER holds what bindgen made, gpclass_wasm.js and gpclass_wasm_bg.wasm, and licences.txt, those of the packages in it. The sources under web/src are modules of the language; here they
are joined into one script, because browsers load no modules from a file that was saved. Nothing else is changed in them.
"""

import argparse
import base64
import gzip
import hashlib
import re
import sys
from pathlib import Path

WEB = Path(__file__).parent
# Everything compressed, in bytes.
MOST_BYTES = 3_000_000

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
POLICY = (
    "default-src 'none'",
    "connect-src 'none'",
    "script-src 'sha256-{hash}' 'wasm-unsafe-eval'",
    "worker-src blob:",
    # The report, which is shown in a frame, brings its style along.
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
)


def source(name):
    return (WEB / "src" / f"{name}.js").read_text()


def in_order(name, before=()):
    """The modules that a module needs, each after those that it needs itself."""
    if name in before:
        sys.exit(f"{name}.js imports itself by way of {', '.join(before)}")
    found = []
    for _, other in IMPORT.findall(source(name)):
        found += [module for module in in_order(other, (*before, name)) if module not in found]
    return [*found, name]


def as_function(name):
    """A module as a constant that holds what it exports."""
    text = source(name)
    exported = ", ".join(own for _, own in EXPORT.findall(text))
    body = EXPORT.sub(r"\1", IMPORT.sub(r"const \1 = from_\2;", text))
    if re.search("^(import|export) ", body, re.MULTILINE):
        sys.exit(f"{name}.js imports or exports in a way that is not known here")
    return f"const from_{name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def script():
    """The modules in one script."""
    return '"use strict";\n' + "".join(map(as_function, in_order("main")))


def packed(content):
    """Compressed, so that the page is small where no server compresses it."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def licences(of_others):
    """Those of the page itself, and of all that it contains."""
    own = "".join((WEB.parent / f"LICENSE-{name}").read_text() + "\n" for name in ("MIT", "APACHE"))
    return f"gpclass: MIT OR Apache-2.0\n\n{own}\n{of_others}".encode()


def page(folder):
    """The page as text."""
    code = script()
    hash_of_code = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    parts = {
        "POLICY": "; ".join(POLICY).format(hash=hash_of_code),
        "STYLE": (WEB / "style.css").read_text(),
        "VERSION": re.search('^version = "(.*)"', (WEB.parent / "Cargo.toml").read_text(), re.MULTILINE)[1],
        "WORKER": (folder / "gpclass_wasm.js").read_text() + "\n" + (WEB / "src" / "worker.js").read_text(),
        "ENGINE": packed((folder / "gpclass_wasm_bg.wasm").read_bytes()),
        "LICENCES": packed(licences((folder / "licences.txt").read_text())),
        "SCRIPT": code,
    }
    for name in ("WORKER", "SCRIPT"):
        if "</script" in parts[name].lower() or "<!--" in parts[name]:
            sys.exit(f"the {name.lower()} would end the element that holds it")
    return re.sub("%([A-Z]+)%", lambda match: parts[match[1]], (WEB / "index.html").read_text())


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--parts", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    asked = arguments.parse_args()
    text = page(asked.parts).encode()
    small = len(gzip.compress(text, 9))
    if small > MOST_BYTES:
        sys.exit(f"the page has {small} bytes compressed; it may have {MOST_BYTES}")
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "index.html").write_bytes(text)
    print(f"{asked.out / 'index.html'}: {len(text)} bytes, {small} compressed")


if __name__ == "__main__":
    main()
