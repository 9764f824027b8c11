# make run    starts HeadScope from nothing: environment, weights, server, browser
# make test   checks everything from nothing: style, types, tests, the page in a real browser
# make quick  checks what needs no browser, no real weights and no other process, in a minute and a half
# make slow   checks what takes minutes each: training from scratch
# make unit K=rollout   runs the tests whose names match
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test quick slow bench examples claims runs screenshots lint types unit page clean

run: $(VENV)/.installed
	@$(BIN)/headscope serve

test: $(VENV)/.tested
	$(MAKE) lint types page unit

# One thread of torch for each process: processes with two threads each wait for one another. Three of them for two
# cores: a test with a browser waits half of its time.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest -n 3 --dist loadfile

quick: $(VENV)/.tested
	$(MAKE) lint
	$(PYTEST) -q -m "not browser and not weights and not processes and not slow"

slow: $(VENV)/.tested
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 -m slow --durations 10

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache | tail -n +11

types: $(VENV)/.tested
	$(BIN)/mypy

# Type-checks and tests the page's modules with Node.
page: $(VENV)/.tested
	$(BIN)/python tests/frontend/check.py

unit: $(VENV)/.tested
	$(BIN)/headscope models get
	$(PYTEST) --durations 15 $(if $(K),-k "$(K)")

bench: $(VENV)/.tested
	$(BIN)/python -m benchmarks

# Records the answers that the API's documentation shows, from the real server.
examples: $(VENV)/.tested
	$(BIN)/headscope models get
	$(BIN)/python -m tests.record_examples

# Writes what README and docs claim about heads, from the shipped atlases.
claims: $(VENV)/.tested
	$(BIN)/python -m tests.claims

# Trains the runs that come with HeadScope anew, and both experiments over many runs (half an hour).
runs: $(VENV)/.installed
	$(BIN)/python -m mha_core.learn.shipped_runs
	$(BIN)/python -m mha_core.learn.sweeps

# Takes the pictures of the README anew, from the page as it is.
screenshots: $(VENV)/.tested
	$(BIN)/headscope models get
	$(BIN)/python -m tests.browser.screenshots

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	$(BIN)/python tests/browser/chromium.py
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info
