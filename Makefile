# equiglot: `make demo` runs the main job on bundled data, `make test` passes all tests; each sets up what it needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
DEMO := demo-report

.PHONY: demo test lint bench clean

demo: $(VENV)/.demo
	$(BIN)/equiglot demo --output $(DEMO)

test: $(VENV)/.dev
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(DEMO) dist

# constraints.txt pins the versions that were tested together; torch goes first so that a CPU build is taken where there is one.
$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "equiglot needs Python 3.11 or newer; say PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.demo: $(VENV)/.python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[embedded]'
	touch $@

$(VENV)/.dev: $(VENV)/.demo
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@
