# `make play` and `make test` need nothing but Python 3.11 or newer, make, and a package index that pip can reach.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# One more than two cores, because tests wait for programs and sockets, too.
WORKERS ?= 3
# Licences of dependencies that would bind this program, too.
COPYLEFT := GPLv2;GPLv3;AGPLv3;GNU General Public License v3 (GPLv3);GNU Affero General Public License v3

.PHONY: help play test quick quick-here lint bench texts goldens pictures site wheel compiled dist dist-test film audit workflows clean

play: $(VENV)/.installed  ## install into .venv and play against bots
	@echo 'Starting $(BIN)/citadels-lan play'
	@$(BIN)/citadels-lan play

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

lint: $(VENV)/.installed-dev site  ## ruff, mypy --strict, import-linter and the documentation site
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed-dev  ## measure speed
	$(BIN)/python -m benchmarks

texts: $(VENV)/.installed-dev  ## collect new texts for translation
	$(BIN)/python -m tools.texts

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

compiled: $(BIN)/python  ## build a wheel with a compiled engine for this Python and system; needs a C compiler
	$(BIN)/python -m tools.release native build/native
	HATCH_BUILD_HOOK_ENABLE_MYPYC=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist build/native
	@ls dist/*.whl

dist: $(VENV)/.installed-release  ## build wheel, sdist, archive and single file; RELEASE=1 for publishing
	$(BIN)/python -m tools.release dist dist

dist-test: $(VENV)/.installed-dev  ## start each file of make dist and play with it: some minutes
	$(BIN)/python -m tools.release check dist

film: $(VENV)/.installed-dev  ## record 40 seconds of a game on the network: docs/film.cast
	$(BIN)/python -m tools.release film docs/film.cast

site: $(VENV)/.installed-site  ## build the documentation site in site/, without warnings and dead links
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo 'site/index.html; see it with: $(BIN)/python -m mkdocs serve'

audit: $(VENV)/.installed-release  ## licences of the dependencies, the list of all parts, and known vulnerabilities
	@rm -rf build/base && mkdir -p build dist && $(BIN)/python -m venv build/base
	build/base/bin/pip install --quiet --disable-pip-version-check '.[web]'
	$(BIN)/pip-licenses --python build/base/bin/python --ignore-packages citadels-lan pip setuptools \
		--fail-on '$(COPYLEFT)' --format markdown --with-urls --output-file dist/licences.md
	$(BIN)/cyclonedx-py environment --output-reproducible --output-file dist/sbom.json build/base/bin/python
	@ls dist/licences.md dist/sbom.json
	build/base/bin/pip freeze --exclude citadels-lan > build/requirements.txt
	$(BIN)/pip-audit --strict --disable-pip --no-deps --requirement build/requirements.txt

workflows: $(VENV)/.installed-release  ## look for mistakes in .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/zizmor --offline --quiet .github

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile

clean:  ## delete everything that make creates
	rm -rf $(VENV) .venvs .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist site \
		citadels_lan/texts/languages/*/LC_MESSAGES/texts.mo

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11 says which." if sys.version_info < (3, 11) else 0)'
	@echo "Step 1 of 2: creating a virtual environment in $(VENV) with $$($(PYTHON) --version)…"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "python3 cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

# The stamps make a second call quick; a changed pyproject.toml installs again.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check

$(VENV)/.installed: pyproject.toml $(wildcard citadels_lan/texts/languages/*/texts.po) | $(BIN)/python
	@echo 'Step 2 of 2: installing citadels-lan and what it needs into $(VENV) (about 50 MB)…'
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo 'Installing citadels-lan and the tools of its developers into $(VENV)…'
	@$(INSTALL) --quiet --editable '.[dev]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-release $(VENV)/.installed-site: $(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	@echo 'Installing the tools for: $*…'
	@$(INSTALL) --quiet --editable '.[dev,$*]'
	@touch $@
