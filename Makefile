# `make play` and `make test` need nothing but Python 3.11 or newer, make, and a package index that pip can reach.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# One more than two cores, because tests wait for programs and sockets, too.
WORKERS ?= 3

.PHONY: help play test quick quick-here lint bench texts goldens pictures wheel compiled clean

play: $(VENV)/.installed  ## install into .venv and play against bots
	$(BIN)/citadels-lan play

test: $(VENV)/.installed-dev  ## all tests: about eight minutes on two cores
	$(BIN)/python -m pytest -n $(WORKERS)

quick:  ## the quick tests: about a minute; PYTHON=/path/to/python3.X tests another Python
ifeq ($(origin PYTHON),command line)
	@version=$$($(PYTHON) -c 'import sys; print(".".join(map(str, sys.version_info[:3])))') && \
	$(MAKE) --no-print-directory quick-here VENV=.venvs/$$version
else
	@$(MAKE) --no-print-directory quick-here
endif

quick-here: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

lint: $(VENV)/.installed-dev  ## ruff, mypy --strict and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev  ## measure speed
	$(BIN)/python -m benchmarks

texts: $(VENV)/.installed-dev  ## collect new texts for translation
	$(BIN)/python -m citadels_lan.texts.update

# A screen that changes is rewritten by its test; errors of other tests do not hide the difference.
goldens: $(VENV)/.installed-dev  ## rewrite golden games, screens and rules digests after an intended change, and show it
	$(BIN)/python -m tests.engine.goldens
	$(BIN)/python -m tests.bots.goldens
	$(BIN)/python -m tests.play.through
	-UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q -n $(WORKERS) $$(grep -l pictures tests/ui/test_*.py)
	@git --no-pager diff -- tests/play/golden tests/ui/golden
	@git --no-pager diff --stat -- tests citadels_lan/engine/rules_digests.py

pictures: $(VENV)/.installed-dev  ## redraw the pictures in docs/: look at them
	$(BIN)/python -m tools.docs_pictures

wheel: $(BIN)/python  ## build dist/citadels_lan-….whl
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist/*.whl

# Built in a copy: mypyc leaves its libraries beside the sources, where they would be imported instead of them.
compiled: $(BIN)/python  ## build a wheel with a compiled engine for this Python and system; needs a C compiler
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	cp -R citadels_lan hatch_build.py pyproject.toml README.md LICENSE .gitignore "$$copy" && \
	$(BIN)/python native_data.py "$$copy/citadels_lan/engine" && \
	$(BIN)/python native_once.py "$$copy/citadels_lan/engine/edition.py" "$$copy/citadels_lan/bots/heuristics" && \
	HATCH_BUILD_HOOK_ENABLE_MYPYC=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist "$$copy"
	@ls dist/*.whl

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

clean:  ## delete everything that make creates
	rm -rf $(VENV) .venvs .pytest_cache .mypy_cache .ruff_cache .hypothesis dist \
		citadels_lan/texts/languages/*/LC_MESSAGES/texts.mo

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11 says which." if sys.version_info < (3, 11) else 0)'
	@echo 'Creating $(VENV)…'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "python3 cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

# The stamps make a second call quick; a changed pyproject.toml installs again.
$(VENV)/.installed: pyproject.toml $(wildcard citadels_lan/texts/languages/*/texts.po) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.installed $@
