# make lab · make test: what most people need. Each target makes .venv the first time and whenever the pins change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Two workers suit two cores; a file stays on one worker, so a notebook keeps its kernel and a browser its pages.
WORKERS ?= 2

.PHONY: lab test test-slow fuzz bench check chromium clean

# The tutorials in JupyterLab, as copies in ~/nimmt-lab. Further options: make lab ARGS="--lang pl --port 9999"
lab: $(STAMP)
	$(BIN)/python tools/lab.py $(ARGS)

# Everything: style, types, tests, doctests, notebooks. The last line is pytest's.
test: check chromium
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

# What takes minutes and is therefore left out of `make test`.
test-slow: $(STAMP) chromium
	$(BIN)/python -m pytest -m slow

# Broken input for every reader: make fuzz (a minute), make fuzz SECONDS=3600, make fuzz INPUTS=200000. What it finds
# is kept in tests/fuzz/cases and runs with the tests from then on.
fuzz: $(STAMP)
	$(BIN)/python tools/fuzz.py $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SECONDS),--seconds $(SECONDS)) $(ARGS)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy --strict nimmt_lab

# Every benchmark, one after the other: two at once would spoil each other's ratios.
bench: $(STAMP)
	@set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do echo "== $$script"; $(BIN)/python $$script; done

chromium: $(STAMP)
	$(BIN)/python tools/ensure_chromium.py

$(STAMP): pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nimmt_lab needs Python 3.11 or newer; try: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --no-build-isolation -c constraints.txt -e '.[lab,cluster,dev]'
	@touch $@

# Removes all that these targets have made.
clean:
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find nimmt_lab tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
