# Entry points. Everything works from a fresh clone with a Rust toolchain from rustup, a linker and Python.
#
#   make test     every check: format, lints, dependencies, documentation, feature sets, WebAssembly, doctests, tests
#   make bench    the engine's cost in multiples of one Cholesky factorisation (minutes)
#   make docs     the documentation site, in dist/site
#   make dist     everything to hand out: wheel, source, static tool with man pages, checksums, in dist/packages
#   make wheel    the Python package as a wheel, in dist/
#   make web      the page that fits tables in a browser, one file in dist/web
#   make experiments DATA=folder    the papers' tables, about an hour

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
WASM := wasm32-unknown-unknown
TARGET := $(or $(CARGO_TARGET_DIR),target)

.PHONY: help
help: ## Show these entry points
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'

# The tests come last, so that the closing lines are the test runner's. Order matters: no -j here.
.PHONY: test
test: ## Every check, from a fresh clone
	@$(MAKE) --no-print-directory format-check
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory deny
	@$(MAKE) --no-print-directory doc
	@$(MAKE) --no-print-directory features
	@$(MAKE) --no-print-directory test-doc
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-docs
	@$(MAKE) --no-print-directory test-web
	@$(MAKE) --no-print-directory experiments-quick
	@$(MAKE) --no-print-directory test-rust

.PHONY: format
format: ## Rewrite the sources in the house style
	$(CARGO) fmt --all

.PHONY: format-check
format-check: ## Fail where `make format` would change something
	$(CARGO) fmt --all -- --check

.PHONY: lint
lint: ## Clippy on every target, warnings are errors
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# Known faults are looked up in a database that is fetched, which a machine without a network cannot do.
.PHONY: deny
deny: ## Licences, versions, sources and known faults of the dependencies, where cargo-deny is installed
	@if ! $(CARGO) deny --version >/dev/null 2>&1; then \
	  echo "skipped: cargo-deny is not installed (cargo install cargo-deny --locked)"; \
	  exit 0; \
	fi; \
	(set -x; $(CARGO) deny --locked check licenses bans sources); \
	if timeout 120 $(CARGO) deny --locked fetch db >/dev/null 2>&1; then \
	  (set -x; $(CARGO) deny --locked check advisories); \
	else \
	  echo "skipped: the database of known faults could not be reached"; \
	fi

# Libraries only: the tool's binary has the library's name and would overwrite its pages.
.PHONY: doc
doc: ## The API documentation, warnings are errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --lib --no-deps --locked

.PHONY: features
features: ## The library without threads, tables without Parquet
	$(CARGO) clippy -p gpclass -p gpclass-table --no-default-features --locked -- -D warnings

.PHONY: test-doc
test-doc: ## The examples in the documentation
	$(CARGO) test --workspace --doc --locked

# The Python package lives in an environment of its own, made on first use and again when the requirements change.
PYTHON ?= python3
VENV := .venv
ENVIRONMENT := $(VENV)/ready

$(ENVIRONMENT): pyproject.toml
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip 'maturin>=1.9,<2' tomli
	$(VENV)/bin/python -c 'import tomli; p = tomli.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*p["dependencies"], *p["optional-dependencies"]["test"], sep="\n")' > $(VENV)/requirements.txt
	$(VENV)/bin/python -m pip install --quiet -r $(VENV)/requirements.txt
	touch $@

.PHONY: python
python: $(ENVIRONMENT) ## The Python package, built in place into .venv
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --locked --quiet

# Some tests compare the package with the command-line tool. It is built as the Rust tests are, with the same features of the
# dependencies, so that these are compiled once for both.
.PHONY: test-python
test-python: python ## The Python package's tests
	$(CARGO) build --workspace --bins --tests --locked
	GPCLASS_BIN=$(abspath $(TARGET))/debug/gpclass $(VENV)/bin/python -m pytest

# Vector instructions are in every browser since 2023; a stack of 8 MB is what native threads have.
WEB_FLAGS := -C target-feature=+simd128 -C link-arg=-zstack-size=8388608
WEB_PROFILE ?= web
WEB_OUT ?= dist/web
WEB_PARTS = $(TARGET)/$(WEB_PROFILE)-parts
.PHONY: web
web: ## The page that fits tables in a browser, one file in dist/web
	CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$(WEB_FLAGS)" \
	  $(CARGO) build -p gpclass-wasm --lib --target $(WASM) --profile $(WEB_PROFILE) --locked
	$(CARGO) build --manifest-path web/bindgen/Cargo.toml --locked --target-dir $(TARGET)/bindgen
	$(TARGET)/bindgen/debug/bindgen $(TARGET)/$(WASM)/$(WEB_PROFILE)/gpclass_wasm.wasm $(WEB_PARTS)
	$(PYTHON) packaging/third_party.py licences gpclass-wasm --platform $(WASM) > $(WEB_PARTS)/licences.txt
	$(PYTHON) web/build.py --parts $(WEB_PARTS) --out $(WEB_OUT)

# The page as the tests open it: the same sources, compiled with less care.
WEB_PAGE := $(TARGET)/web-page
.PHONY: web-page
web-page:
	@if rustup target list --installed 2>/dev/null | grep -qx $(WASM); then \
	  $(MAKE) --no-print-directory web WEB_PROFILE=web-test WEB_OUT=$(WEB_PAGE); \
	else \
	  rm -rf $(WEB_PAGE); \
	  echo "skipped: the $(WASM) target is not installed (rustup target add $(WASM))"; \
	fi

# The browser is driven by a package of its own; it brings no browser along. The tool, beside whose numbers the page's are held, is built
# with an example for the same reason as for the site.
.PHONY: test-web
test-web: $(ENVIRONMENT) web-page ## The page and the site in a real browser, where Chromium and the WebAssembly target are installed
	@if ! test -d $(WEB_PAGE); then \
	  echo "skipped: there is no page to open"; \
	elif ! command -v chromium >/dev/null; then \
	  echo "skipped: chromium is not installed"; \
	else \
	  set -x; $(CARGO) build --workspace --bins --example fit_a_table --locked; \
	  $(VENV)/bin/python -m pip install --quiet 'playwright>=1.50,<2' 'cbor2>=5.6,<7'; \
	  GPCLASS_BIN=$(abspath $(TARGET))/debug/gpclass GPCLASS_PAGE=$(abspath $(WEB_PAGE)) GPCLASS_SITE=$(abspath $(TARGET))/site \
	    $(VENV)/bin/python -m pytest web/tests; \
	fi

# The site needs packages of its own, pinned as the extra `docs`.
SITE_ENVIRONMENT := $(VENV)/ready-site

$(SITE_ENVIRONMENT): $(ENVIRONMENT)
	$(VENV)/bin/python -c 'import tomli; p = tomli.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*p["optional-dependencies"]["docs"], sep="\n")' > $(VENV)/requirements-site.txt
	$(VENV)/bin/python -m pip install --quiet -r $(VENV)/requirements-site.txt
	touch $@

SITE = $(VENV)/bin/python docs/site/build.py --tools $(abspath $(TARGET))/debug

# An example and not the bins alone, so that the dependencies have the features that the tests need.
.PHONY: site-tools
site-tools: python $(SITE_ENVIRONMENT)
	$(CARGO) build --workspace --bins --example fit_a_table --example man_pages --locked

.PHONY: docs
docs: site-tools web ## The documentation site, in dist/site: every page run, every link checked
	$(SITE) --browser dist/web

.PHONY: test-docs
test-docs: $(ENVIRONMENT) ## That every page of the site runs, on fewer rows; that packages can be described
	@if $(VENV)/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	  $(MAKE) --no-print-directory site-quick; \
	else \
	  echo "skipped: the site needs Python 3.11 or later"; \
	fi

.PHONY: site-quick
site-quick: site-tools web-page
	$(VENV)/bin/python -m pytest docs/site/tests packaging/tests
	$(SITE) --quick --browser $(WEB_PAGE) --out $(TARGET)/site

# What is handed out. zig, from PyPI, links against old C libraries, so that the wheel and the tool run on old systems too.
PACKAGES := dist/packages
MUSL := x86_64-unknown-linux-musl
PACKAGING := 'ziglang==0.15.2' 'cargo-zigbuild==0.24.0' 'twine==7.0.0'

.PHONY: packaging-environment
packaging-environment: $(ENVIRONMENT)
	$(VENV)/bin/python -m pip install --quiet $(PACKAGING)
	rustup target add $(MUSL)

LICENSE-THIRD-PARTY: Cargo.lock packaging/third_party.py
	$(VENV)/bin/python packaging/third_party.py licences gpclass-cli gpclass-python > $@.new
	mv $@.new $@

.PHONY: dist
dist: packaging-environment LICENSE-THIRD-PARTY ## Wheel, source and static tool to hand out, in dist/packages (many minutes)
	rm -rf $(PACKAGES)
	$(VENV)/bin/maturin sdist --out $(PACKAGES)
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(VENV)/bin/maturin build --release --locked --zig --compatibility manylinux_2_17 --out $(PACKAGES)
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(CARGO) zigbuild --release --locked -p gpclass-cli --target $(MUSL)
	$(CARGO) build --workspace --example man_pages --locked
	$(VENV)/bin/python packaging/archive.py $(abspath $(TARGET)) $(MUSL) $(PACKAGES)

.PHONY: dist-check
dist-check: packaging-environment ## Installs what `make dist` made into empty environments, tries and measures it
	$(VENV)/bin/python -m twine check --strict $(PACKAGES)/*.whl $(PACKAGES)/gpclass-*[0-9].tar.gz
	cd $(PACKAGES) && sha256sum --check --quiet SHA256SUMS
	$(VENV)/bin/python packaging/check.py $(PACKAGES)
	$(CARGO) publish --workspace --dry-run --no-verify --locked --allow-dirty

.PHONY: wheel
wheel: $(ENVIRONMENT) LICENSE-THIRD-PARTY ## The Python package as a wheel, in dist/
	$(VENV)/bin/maturin build --release --locked --out dist

.PHONY: bench-python
bench-python: $(ENVIRONMENT) ## Side by side with scikit-learn's classifier; BENCH_ARGS="200 500" for other sizes
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --release --locked --quiet
	$(VENV)/bin/python benches/python_vs_sklearn.py $(BENCH_ARGS)

.PHONY: bench-catboost
bench-catboost: $(ENVIRONMENT) ## The default fit beside CatBoost's, where that is installed; BENCH_ARGS="200 500" for other sizes
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --release --locked --quiet
	$(VENV)/bin/python benches/default_vs_catboost.py $(BENCH_ARGS)

.PHONY: bench-large
bench-large: $(ENVIRONMENT) ## Fits of 100,000 to a million rows beside LightGBM's; BENCH_ARGS="2000000" for other sizes (half an hour)
	$(CARGO) build -p gpclass-cli --release --locked
	$(VENV)/bin/python -m pip install --quiet 'lightgbm>=4'
	$(VENV)/bin/python benches/large.py $(abspath $(TARGET))/release/gpclass $(BENCH_ARGS)

# EXPERIMENTS_ARGS=--full for every split; experiments/README.md says how to fill the data folder.
DATA ?= experiments/data
.PHONY: experiments
experiments: $(ENVIRONMENT) ## The papers' tables and today's alternatives; DATA=folder of the data files
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --release --locked --quiet
	$(VENV)/bin/python -m experiments run --data $(DATA) $(EXPERIMENTS_ARGS)

.PHONY: experiments-quick
experiments-quick: python ## Every experiment on small generated data, in minutes
	$(VENV)/bin/python -m experiments run --quick

.PHONY: test-rust
test-rust: ## Unit and integration tests, by cargo-nextest where it is installed
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  set -x; $(CARGO) nextest run --workspace --locked --no-fail-fast; \
	else \
	  set -x; $(CARGO) test --workspace --lib --bins --tests --locked --no-fail-fast; \
	fi

.PHONY: bench
bench: ## The engine's cost in multiples of one Cholesky; BENCH_ARGS=--quick for a smoke run
	$(CARGO) bench -p gpclass --bench engine --locked -- $(BENCH_ARGS)
