# `make count` and `make test` are all a newcomer needs; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SATCAL := $(BIN)/satcal
BOARDS := $(basename $(notdir $(wildcard satcal/puzzle/library/*.toml)))
WHOLE := a-puzzle-a-day jarring-words crea-makerspace tetromino rhombus weekday # all their rows by sat, too
# a date with few tilings of each board of the library, and two that are often published
ASKED := a-puzzle-a-day:Oct,6 a-puzzle-a-day:Dec,25 jarring-words:Apr,6 crea-makerspace:Dec,3 tetromino:Oct,30 \
	rhombus:Thu,Sep,6 sh1ura-9:Sep,14 weekday:Mon,Apr,6 weekday-monday:Mon,Apr,6 pentomino-3x20:
ASK := clasp,clasp-opb,clingo,picosat,cryptominisat,cadical,minisat,d4,xcover,exact-cover,pyxcc,miniexact,cp-sat
AGREE := $(SATCAL) verify --methods diagram,sat,search --format csv --board

.PHONY: help count test test-long theorem theorem-long lint site browser results golden gallery claims bench wheel clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(VENV)/.satcal: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "satcal needs Python 3.11 or later; try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.satcal
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

count: $(VENV)/.satcal ## count the tilings of every date of 2025 on the rhombus
	$(SATCAL) count --board rhombus --year 2025
	@echo
	@echo 'satcal is $(CURDIR)/$(SATCAL); to find it in this shell:'
	@echo '    export PATH="$(CURDIR)/$(BIN):$$PATH"'
	@echo 'and for good: pipx install . or uv tool install .'

# Measured where everything runs that can: it takes as long again as half the tests. What the
# processes of `satcal serve` run is tested from outside, and not counted as covered.
COVERAGE = $(if $(SATCAL_TEST_ALL),--cov --cov-report=term:skip-covered --cov-fail-under=92)
test: export COVERAGE_FILE = $(CURDIR)/.coverage# not in the folders of tests that start processes
test: $(VENV)/.dev ## run the tests (what CI runs)
	$(BIN)/python -m pytest -n auto -m "not long and not browser" $(COVERAGE)

test-long: $(VENV)/.dev ## run the long tests: large tables, fuzzers, soak
	$(BIN)/python -m pytest -m long

theorem: ## compile the proofs in Coq, print what they rest on, build satcal-verified
	@command -v coqc ocamlopt coqchk >/dev/null || \
		{ echo "Coq is missing; apt-get install coq ocaml-nox libcoq-stdlib" >&2; exit 4; }
	$(MAKE) --no-print-directory -C theorem all numbers

theorem-long: theorem ## let Coq compute the large tables again (see theorem/results)
	$(MAKE) --no-print-directory -C theorem long

lint: $(VENV)/.dev ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm >/dev/null || [ -n "$(SATCAL_TEST_ALL)" ]; then \
		$(MAKE) --no-print-directory node_modules/.satcal && node_modules/.bin/tsc -p jsconfig.json; \
	else echo "npm is missing: the types of the page's JavaScript are not checked"; fi

node_modules/.satcal: package.json
	npm install --silent --no-audit --no-fund --no-package-lock
	@touch $@

SITE ?= site
site: $(VENV)/.satcal ## write the page as plain files into the folder SITE, for any web server
	$(SATCAL) site $(SITE) --force

browser: $(VENV)/.dev ## let a browser count every reveal of every calendar, and measure it
	$(BIN)/python -m pytest -m browser

$(VENV)/.bench: $(VENV)/.satcal
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

bench: $(VENV)/.bench ## measure satcal beside its peers (hours; not in CI)
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.certificates
	$(BIN)/python -m benchmarks.enumeration
	$(BIN)/python -m benchmarks.one_tiling

# make results CLUSTER=tcp://10.0.0.1:8786 counts on the workers of a Dask scheduler
PRODUCE = $(BIN)/python -m tools.tables $(if $(CLUSTER),--cluster $(CLUSTER))
results: $(VENV)/.satcal theorem ## count all tables again, a sample by sat, some dates by search (hours)
	$(PRODUCE) $(BOARDS)
	SATCAL_VERIFIED=$(CURDIR)/theorem/build/satcal-verified $(PRODUCE) --method verified $(BOARDS)
	$(PRODUCE) --method sat --sample 60 $(BOARDS)
	$(PRODUCE) --method sat --sample 2604 $(WHOLE)
	mkdir -p results/agreement
	$(AGREE) a-puzzle-a-day --from 2025-01-01 --to 2025-02-09 > results/agreement/a-puzzle-a-day.csv
	for board in rhombus weekday weekday-monday; do \
		$(AGREE) $$board --from 2025-10-20 --to 2025-10-24 > results/agreement/$$board.csv || exit 1; \
	done
	$(MAKE) results/agreement/external.csv

.PHONY: results/agreement/external.csv
results/agreement/external.csv: $(VENV)/.dev
	for each in $(ASKED); do \
		reveal=$${each#*:}; \
		$(SATCAL) cross-check --board $${each%%:*} $${reveal:+--reveal $$reveal} --with $(ASK) --time-limit 900 \
			--format csv --quiet || exit 1; \
	done > $@.part
	awk '!seen[$$0]++' $@.part > $@
	rm $@.part

golden: $(VENV)/.satcal ## write the golden files of encodings/ anew
	$(BIN)/python -m tools.golden encodings

gallery: $(VENV)/.dev ## write the pictures of results/gallery/ anew
	$(BIN)/python -m tools.gallery results/gallery
	$(BIN)/python -m tools.page_pictures results/gallery/page

claims: $(VENV)/.dev ## write the verdicts, results/claims.md, and drawings of what is refuted
	$(BIN)/python -m tools.claim_pictures results/claims
	$(SATCAL) claims --quiet --format markdown > results/claims.md

wheel: $(VENV)/.dev ## build the wheel
	$(BIN)/python -m build --wheel

clean: ## remove everything that was built
	$(MAKE) --no-print-directory -C theorem clean
	rm -rf $(VENV) build dist site node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
