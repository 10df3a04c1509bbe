# Everything sets itself up in .venv with plain python3 (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help setup run test check lint types imports tests bench docs lock clean

help:  ## Show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/'

setup: $(READY)  ## Make .venv with everything in it

$(READY): pyproject.toml requirements.lock $(wildcard packages/*/pyproject.toml)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tacit needs Python 3.11 or newer; set PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--editable packages/tacit-minilm --editable packages/tacit-o200k \
		--editable packages/tacit-judge --editable .
	@touch $(READY)

run: $(READY)  ## What a first session knows of REPO=path; without one, of this checkout, and then a tour
	@$(BIN)/python examples/first_session.py $(or $(REPO),.)
	@$(if $(REPO),,$(BIN)/python examples/tour.py)

check: lint types imports tests  ## All that is checked: style, types, layers, tests, coverage

test: check  ## Set up and run every check

lint: $(READY)
	$(BIN)/ruff check src tests examples packages docs tools
	$(BIN)/ruff format --check src tests examples packages docs tools

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

tests: $(READY)
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile --cov --cov-report=term --durations=10

bench: $(READY)  ## Every benchmark whose data is there; results in bench-results/
	$(BIN)/tacit bench all --output bench-results

docs: $(READY)  ## Write docs/reference from the code
	$(BIN)/python docs/make_reference.py

lock: $(READY)  ## Write requirements.lock from what is installed
	$(BIN)/python -m pip freeze --exclude-editable --exclude tacit-minilm --exclude tacit-o200k --exclude tacit > requirements.lock

clean:  ## Remove what was made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage bench-results
