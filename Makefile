# make run   starts HeadScope from nothing: environment, weights, server, browser
# make test  checks everything from nothing: style, types, tests, the page in a real browser
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test bench screenshots lint types unit page clean

run: $(VENV)/.installed
	@$(BIN)/headscope serve

test: $(VENV)/.tested
	$(MAKE) lint types page unit

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

# Type-checks and tests the page's modules with Node.
page: $(VENV)/.tested
	$(BIN)/python tests/frontend/check.py

# One thread of torch for each process: two processes with two threads each wait for one another.
unit: $(VENV)/.tested
	$(BIN)/headscope models get
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile --durations 15

bench: $(VENV)/.tested
	$(BIN)/python -m benchmarks

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
