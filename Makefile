# `make play` and `make test` need nothing but Python 3.11 or newer, make, and a package index that pip can reach.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# One more than two cores, because tests wait for programs and sockets, too.
WORKERS ?= 3

.PHONY: play test quick quick-here lint bench texts pictures wheel compiled clean

play: $(VENV)/.installed  ## a table against bots in this terminal
	$(BIN)/citadels-lan play

test: $(VENV)/.installed-dev  ## the whole suite
	$(BIN)/python -m pytest -n $(WORKERS)

quick:  ## one of each kind, about a minute on two cores; PYTHON=/path/to/python3.X runs it on that one, in an environment of its own
ifeq ($(origin PYTHON),command line)
	@version=$$($(PYTHON) -c 'import sys; print(".".join(map(str, sys.version_info[:3])))') && \
	$(MAKE) --no-print-directory quick-here VENV=.venvs/$$version
else
	@$(MAKE) --no-print-directory quick-here
endif

quick-here: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

texts: $(VENV)/.installed-dev  ## new texts into the catalogues of all languages; says what is not translated yet
	$(BIN)/python -m citadels_lan.texts.update

pictures: $(VENV)/.installed-dev  ## the pictures and the film in docs/, drawn anew
	$(BIN)/python -m tests.ui.docs_pictures

wheel: $(BIN)/python  ## dist/citadels_lan-….whl, to hand to friends
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist/*.whl

# Built in a copy: mypyc leaves its libraries beside the sources, where they would be imported instead of them.
compiled: $(BIN)/python  ## a wheel with the engine compiled, for this Python and this kind of system alone; needs a C compiler
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	cp -R citadels_lan hatch_build.py pyproject.toml README.md LICENSE .gitignore "$$copy" && \
	$(BIN)/python native_data.py "$$copy/citadels_lan/engine" && \
	$(BIN)/python native_once.py "$$copy/citadels_lan/engine/edition_value.py" "$$copy/citadels_lan/bots/thumb" && \
	HATCH_BUILD_HOOK_ENABLE_MYPYC=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist "$$copy"
	@ls dist/*.whl

clean:
	rm -rf $(VENV) .venvs .pytest_cache .mypy_cache .ruff_cache .hypothesis dist \
		citadels_lan/texts/languages/*/texts.mo

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11 says which." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "python3 cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

# The stamps make a second call quick; a changed pyproject.toml installs again.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.installed $@
