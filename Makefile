# Every target sets up .venv by itself: all it needs is make and Python 3.11 or newer.
#
#   make demo                      see it work
#   make test                      lint, type-check and test
#   make test PYTHON=python3.12    with a Python of your choice (before there is a .venv)

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-pythons lint soak package bench docs clean

help:
	@echo "make demo    optimise a simulated reaction and save a figure"
	@echo "make test    lint, type-check, and run every test"
	@echo "make test-pythons  the same tests on every CPython from 3.11 to 3.14 that is installed (TESTS=tests/gp for some)"
	@echo "make package build, check, install into a clean environment and run what would be uploaded"
	@echo "make soak    use it by chance for an hour: studies, killed workers, damaged files (MINUTES=6 for less)"
	@echo "make lint    ruff, mypy and the import arrows only"
	@echo "make bench   measure pathmax beside its peers (about ten minutes; every figure of the pages, in hours: make bench FULL=1)"
	@echo "make docs    build the documentation into site/"
	@echo "make clean   remove .venv and everything that was built"

demo: $(VENV)/.installed-demo
	@$(BIN)/python examples/demo.py

# Two workers on one core each: BLAS threads would only get in each other's way.
test: export OMP_NUM_THREADS ?= 1
test: export OPENBLAS_NUM_THREADS ?= 1
# Many tests start processes: each of them would compile every module where bytecode is not kept.
test: export PYTHONDONTWRITEBYTECODE =
test: lint
	$(BIN)/python tests/web/find_browser.py
	$(BIN)/python -m pytest -q -n 2

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test-pythons: export OMP_NUM_THREADS ?= 1
test-pythons: export OPENBLAS_NUM_THREADS ?= 1
test-pythons: $(VENV)/bin/python
	$(BIN)/python tests/web/find_browser.py
	$(BIN)/python -m tests.packaging.pythons $(TESTS)

package: $(VENV)/.installed-dev
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/python -m tests.packaging.clean_environment dist/*.whl

soak: export OMP_NUM_THREADS ?= 1
soak: export OPENBLAS_NUM_THREADS ?= 1
soak: $(VENV)/.installed-dev
	$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),60) $(if $(SEED),--seed $(SEED))

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks$(if $(FULL),.final_run)

docs: export NO_MKDOCS_2_WARNING = 1
docs: $(VENV)/.installed-dev
	$(BIN)/mkdocs build --strict
	@echo "Open site/index.html"

clean:
	rm -rf $(VENV) .venv-3.* site dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# A stamp per set of packages: installed anew whenever pyproject.toml changes.
$(VENV)/.installed-demo: pyproject.toml | $(VENV)/bin/python
	@echo "Installing pathmax and matplotlib into $(VENV) ..."
	@$(PIP) --editable ".[plot]"
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing pathmax and everything the tests need into $(VENV) (some minutes the first time) ..."
	@$(PIP) --editable ".[dev]"
	@touch $@

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "pathmax needs Python 3.11 or newer, and there is no '$(PYTHON)' here."; \
	  echo "Install one, or name yours: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "pathmax needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)."; \
	  echo "Name a newer one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12"; exit 1; }
	@echo "Making a virtual environment in $(VENV) with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "'$(PYTHON) -m venv' failed; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
