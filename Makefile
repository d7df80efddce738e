# make lab · make test: what most people need. Each target makes .venv the first time and whenever the pins change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Two workers suit two cores; a file stays on one worker, so a notebook keeps its kernel and a browser its pages.
WORKERS ?= 2
# Where the compiled core does work that the engine does if it is missing, and questions small enough for that.
WITHOUT_NATIVE := tests/native tests/charts tests/bots/test_bots.py tests/study/test_commands.py tests/study/test_rounds.py \
	tests/study/test_simulate.py tests/solver/test_deals.py tests/solver/test_matrix.py \
	tests/solver/test_without_core.py nimmt_lab/native nimmt_lab/study/by_engine.py nimmt_lab/study/rounds.py \
	nimmt_lab/study/simulate.py

.PHONY: lab test test-slow fuzz bench check native check-native without-native wheel site docs chromium clean

# The tutorials in JupyterLab, as copies in ~/nimmt-lab. Further options: make lab ARGS="--lang pl --port 9999"
lab: native
	$(BIN)/python tools/lab.py $(ARGS)

# Everything: style, types, the compiled core under sanitizers, tests with and without it, doctests, notebooks. The last
# line is pytest's, unless a browser's test needed a second try.
test: check chromium check-native without-native
	$(BIN)/python tools/run_tests.py -n $(WORKERS) --dist loadfile

# What takes minutes and is therefore left out of `make test`.
test-slow: native chromium
	$(BIN)/python -m pytest -m slow

# Broken input for every reader and for the server: make fuzz (two minutes), make fuzz SECONDS=3600, make fuzz INPUTS=200000. What it finds
# is kept in tests/fuzz/cases and runs with the tests from then on.
fuzz: $(STAMP)
	$(BIN)/python tools/fuzz.py $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SECONDS),--seconds $(SECONDS)) $(ARGS)
	$(BIN)/python tools/fuzz_routes.py $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SECONDS),--seconds $(SECONDS))

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy --strict nimmt_lab

# Every benchmark, one after the other: two at once would spoil each other's ratios.
bench: native
	@set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do echo "== $$script"; $(BIN)/python $$script; done

# The compiled core of this checkout, unless it is there already. Without a compiler it is said, and all works, slower.
native: $(STAMP)
	@$(BIN)/python nimmt_lab/native/build.py

# The core's C with more warnings, all of them errors; its tests and its fuzzing under the address and undefined sanitizers.
check-native: $(STAMP)
	$(BIN)/python tools/check_native.py

# What uses the core, tested without it: the engine must do the same.
without-native: $(STAMP)
	NIMMT_NATIVE=off $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile $(WITHOUT_NATIVE)

# One wheel for everybody in dist/: it carries the core for every platform, and the wasm. The first time takes minutes.
wheel: $(STAMP)
	NIMMT_PLATFORMS=all $(BIN)/python -m build --wheel --no-isolation

# The lab as a web page in build/site/, and as one file in build/nimmt-lab.html: no install, no network.
site: $(STAMP)
	$(BIN)/nimmt-lab site build/site
	$(BIN)/nimmt-lab site build/nimmt-lab.html --one-file

# The documentation in build/docs/. More of it: make docs ARGS="--execute --live" (figures of the studies, lessons in the pages).
docs: native
	$(BIN)/python tools/docs.py $(ARGS)

chromium: $(STAMP)
	$(BIN)/python tools/ensure_chromium.py

$(STAMP): pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nimmt_lab needs Python 3.11 or newer; try: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --no-build-isolation -c constraints.txt -e '.[lab,cluster,rl,site,lite,docs,dev]'
	@touch $@

# Removes all that these targets have made.
clean:
	rm -rf $(VENV) build dist *.egg-info nimmt_lab/native/_build .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find nimmt_lab tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
