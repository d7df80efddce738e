# make lab · make test: what most people need. Each target installs exactly what it needs into .venv.
PYTHON ?= python3
BIN := .venv/bin
# Two workers suit two cores.
WORKERS ?= 2
# Reports what it installs; the second time there is nothing to do (tools/environment.py).
NEED := @$(PYTHON) tools/environment.py
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile
# Tests of code that the engine takes over if the core is missing, with questions small enough for it.
WITHOUT_NATIVE := tests/native tests/charts tests/bots/test_bots.py tests/study/test_commands.py tests/study/test_rounds.py \
	tests/study/test_simulate.py tests/solver/test_deals.py tests/solver/test_matrix.py \
	tests/solver/test_without_core.py nimmt_lab/native nimmt_lab/study/by_engine.py nimmt_lab/study/rounds.py \
	nimmt_lab/study/simulate.py

.PHONY: lab test test-all test-rest test-slow fuzz bench check format lock compiler native check-native without-native \
	wheel site docs clean

# Home in the browser, with JupyterLab; your folder is ~/nimmt-lab. More options: make lab ARGS="--lang pl --port 9999"
lab:
	$(NEED) lab
	@$(BIN)/python nimmt_lab/native/build.py --quiet
	$(BIN)/python tools/lab.py $(ARGS)

# The inner ring: style, types, every rule, all tests below a second, doctests, one browser test of each screen.
test: check
	@$(BIN)/python nimmt_lab/native/build.py --quiet
	@$(BIN)/python tools/ensure_chromium.py
	$(PYTEST) --ring inner

# The inner and middle rings: all walks and notebooks, documentation, wheels, wasm, the web page, sanitizers.
test-all: test test-rest

# Only what `make test-all` adds to `make test`.
test-rest: check-native without-native
	@$(BIN)/python tools/ensure_chromium.py
	$(PYTEST) --ring middle

# The outer ring: hours rather than minutes; by hand and at night.
test-slow:
	$(NEED) all
	@$(BIN)/python tools/ensure_chromium.py
	$(BIN)/python -m pytest --ring outer

# Broken input for every reader and for the server: make fuzz (two minutes), make fuzz SECONDS=3600, make fuzz INPUTS=200000.
# Findings are saved in tests/fuzz/cases, and tests repeat them from then on.
fuzz:
	$(NEED) test
	$(BIN)/python tools/fuzz.py $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SECONDS),--seconds $(SECONDS)) $(ARGS)
	$(BIN)/python tools/fuzz_routes.py $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SECONDS),--seconds $(SECONDS))

# Style and types of everything: Python, C, JavaScript.
check:
	$(NEED) test
	@$(BIN)/python tools/check.py

# Run the formatters.
format:
	$(NEED) test
	@$(BIN)/python tools/check.py --format

# Pin exact versions and hashes of what these targets install, after changing pyproject.toml. Needs a network.
lock:
	$(NEED) wheel
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/lock.py $(ARGS)

# Run every benchmark, one after the other: two at once would distort each other's ratios.
bench:
	$(NEED) all
	@set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do echo "== $$script"; $(BIN)/python $$script; done

# Install a C compiler into .venv if the system has none, then compile the core.
compiler:
	$(NEED) compiler
	$(BIN)/python nimmt_lab/native/build.py

# Compile the core of this checkout. Without a compiler it says so: everything works, but more slowly, and bots search less.
native:
	$(NEED) lab
	@$(BIN)/python nimmt_lab/native/build.py

# Compile the C code with more warnings, all of them errors; run its tests and fuzzing under address and undefined-behaviour sanitizers.
check-native:
	$(NEED) all
	$(BIN)/python tools/check_native.py

# The tests that use the core, with the core switched off: the engine must give the same results.
without-native:
	$(NEED) all
	NIMMT_NATIVE=off $(PYTEST) -q $(WITHOUT_NATIVE)

# One wheel for every platform in dist/, with all compiled cores and the wasm. The first time takes minutes.
wheel:
	$(NEED) wheel
	NIMMT_PLATFORMS=all $(BIN)/python -m build --wheel --no-isolation

# The lab as a web page in build/site/, and as one file in build/nimmt-lab.html: no installation, no network.
site:
	$(NEED) site
	$(BIN)/nimmt-lab site build/site
	$(BIN)/nimmt-lab site build/nimmt-lab.html --one-file

# The documentation in build/docs/. With more: make docs ARGS="--execute --live" (figures of the studies, lessons in the pages).
docs:
	$(NEED) docs
	$(BIN)/python tools/docs.py $(ARGS)

# Remove everything that these targets have made.
clean:
	rm -rf .venv build dist *.egg-info node_modules nimmt_lab/native/_build .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find nimmt_lab tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

.PHONY: release licences badges

# Make a release on this machine: make release VERSION=1.2.0 (ARGS=--dry-run tries everything and changes nothing).
release:
	$(NEED) wheel
	$(BIN)/python tools/release.py $(VERSION) $(ARGS)

# List the licences of all dependencies, by extra: make licences ARGS="--markdown lab rl"
licences:
	$(NEED) all
	@$(BIN)/python tools/licences.py $(ARGS)

# Draw the README's badges, after changing the facts they state.
badges:
	$(PYTHON) tools/badges.py
