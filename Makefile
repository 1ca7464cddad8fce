# `make count` and `make test` are all a newcomer needs; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SATCAL := $(BIN)/satcal
BOARDS := $(basename $(notdir $(wildcard satcal/puzzle/library/*.toml)))
WHOLE := a-puzzle-a-day jarring-words crea-makerspace tetromino rhombus weekday # all their rows by sat, too
# a date with few tilings of each board of the library, and two that are often published
ASKED := a-puzzle-a-day:Oct,6 a-puzzle-a-day:Dec,25 jarring-words:Apr,6 crea-makerspace:Dec,3 tetromino:Oct,30 \
	rhombus:Thu,Sep,6 polycal-6x8:Mar,2 sh1ura-8:Nov,18 whole-year:May,23 calendarium:Mon,Mar,9 sh1ura-9:Sep,14 weekday:Mon,Apr,6 weekday-monday:Mon,Apr,6 pentomino-3x20:
ASK := clasp,clasp-opb,clingo,cadical,minisat,picosat,cryptominisat,d4,xcover,miniexact,cp-sat
AGREE := $(SATCAL) count --method diagram,listing,sat --format csv

.PHONY: help count test coverage test-long mutants theorem theorem-long lint site results golden instances gallery certificates bench bench-long docs dist clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(VENV)/.satcal: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "satcal needs Python 3.11 or later; try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python -m compileall -q satcal # some environments forbid to write compiled files later
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

PYTEST = $(BIN)/python -m pytest -n auto --timeout 480
test: $(VENV)/.dev ## run the tests (what CI runs), last those of the page in a browser
	$(PYTEST) -m "not long and not browser"
	@if command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || [ -n "$(SATCAL_TEST_ALL)" ]; then \
		$(PYTEST) -m "not long and browser" tests/site tests/service/sockets; \
	else echo "the tests of the page are skipped: apt-get install chromium-headless-shell"; fi

# Where everything runs that can. What the processes of `satcal serve` run is tested from outside,
# and not counted as covered.
coverage: export SATCAL_TEST_ALL = 1
coverage: export COVERAGE_FILE = $(CURDIR)/.coverage# not in the folders of tests that start processes
coverage: $(VENV)/.dev ## run the tests, and measure what of satcal they run (half as long again)
	$(PYTEST) -m "not long" --cov --cov-report=term:skip-covered --cov-fail-under=92

test-long: coverage ## measure coverage, run the long tests: large tables, fuzzers, soak; then mutants
	$(BIN)/python -m pytest -m long
	$(MAKE) mutants

$(VENV)/.mutants: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[mutants]'
	@touch $@

MUTATED = $(CURDIR)/build/mutants# a copy, because cosmic-ray changes satcal in its place
LOT ?= 3# of each room; 12 of the trusted base
mutants: export PATH := $(CURDIR)/$(BIN):$(PATH)
mutants: export PYTHONPATH = $(MUTATED)
mutants: export SATCAL_VERIFIED ?= $(wildcard $(CURDIR)/theorem/build/satcal-verified)
mutants: $(VENV)/.mutants ## change satcal line by line, list what no test notices (two hours; a stopped run continues)
	test -e $(MUTATED)/drawn || { rm -rf $(MUTATED) && git clone --quiet . $(MUTATED) && cd $(MUTATED) && \
		python -m compileall -q satcal tests && \
		cosmic-ray init tests/mutants.toml session.sqlite && \
		cr-filter-operators session.sqlite tests/mutants.toml && \
		python tests/mutants.py session.sqlite $(LOT) && touch drawn; }
	cd $(MUTATED) && git checkout --quiet satcal && cosmic-ray exec tests/mutants.toml session.sqlite
	cd $(MUTATED) && cr-report --surviving-only --show-diff session.sqlite | tee survivors.txt

theorem: ## compile the proofs in Coq, print what they rest on, build satcal-verified
	@command -v coqc ocamlopt coqchk >/dev/null || \
		{ echo "Coq is missing; apt-get install coq ocaml-nox libcoq-stdlib" >&2; exit 4; }
	$(MAKE) --no-print-directory -C theorem all numbers

theorem-long: theorem $(VENV)/.satcal ## let Coq compute every table again (hours; see results/counts/theorems.csv)
	$(BIN)/python -m tools.theorems

lint: $(VENV)/.dev ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm >/dev/null || [ -n "$(SATCAL_TEST_ALL)" ]; then \
		$(MAKE) --no-print-directory $(NODE)/.satcal && $(NODE)/.bin/tsc -p satcal/site/jsconfig.json; \
	else echo "npm is missing: the types of the page's JavaScript are not checked"; fi

NODE = satcal/site/node_modules
$(NODE)/.satcal: satcal/site/package.json
	npm install --silent --no-audit --no-fund --no-package-lock --prefix satcal/site
	@touch $@

SITE ?= site
site: $(VENV)/.satcal ## write the page as plain files into the folder SITE, for any web server
	$(SATCAL) site -o $(SITE) --force

$(VENV)/.bench: $(VENV)/.satcal
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

bench: $(VENV)/.bench ## measure satcal beside its peers (under an hour; not in CI)
	$(BIN)/python -m benchmarks.run

bench-long: $(VENV)/.dev ## measure all else that results/benchmarks shows (many hours)
	for each in growth certificates enumeration encodings load; do $(BIN)/python -m benchmarks.$$each || exit 1; done

PRODUCE = $(BIN)/python -m tools.tables
results: $(VENV)/.satcal theorem ## count all tables again by diagram, listing and verified, a sample by sat (hours)
	$(PRODUCE) $(BOARDS)
	$(PRODUCE) --method listing $(BOARDS)
	SATCAL_VERIFIED=$(CURDIR)/theorem/build/satcal-verified $(PRODUCE) --method verified $(BOARDS)
	$(PRODUCE) --method sat --sample 60 $(BOARDS)
	$(PRODUCE) --method sat --sample 2604 $(WHOLE)
	mkdir -p results/agreement
	$(AGREE) a-puzzle-a-day 2025-01-01..2025-02-09 > results/agreement/a-puzzle-a-day.csv
	for board in rhombus weekday weekday-monday; do \
		$(AGREE) $$board 2025-10-20..2025-10-24 > results/agreement/$$board.csv || exit 1; \
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

instances: $(VENV)/.satcal ## write formulas of graded dates of each board, in build/instances.tar.xz
	$(BIN)/python -m tools.instances build/instances.tar.xz

gallery: $(VENV)/.dev ## write the pictures of results/gallery/ anew
	$(BIN)/python -m tools.gallery results/gallery

docs: $(VENV)/.dev ## build the documentation with a page for every puzzle's counts, in build/docs
	$(BIN)/python -m tools.count_pages docs/counts
	$(BIN)/python -m tools.routes_page docs/reference/routes.md
	$(BIN)/python -m sphinx -W --keep-going -q -c docs -b html . build/docs
	@echo 'The documentation is $(CURDIR)/build/docs/index.html'

CERTIFY = $(SATCAL) certify --force --quiet
KEPT = results/certificates
MADE = build/certificates
certificates: $(VENV)/.satcal ## make the kept certificates anew, and larger ones in build/certificates (hours)
	for board in a-puzzle-a-day jarring-words crea-makerspace; do \
		$(CERTIFY) -b $$board --all-reveals -o $(KEPT)/$$board.satcert || exit 1; \
	done
	for date in weekday.Mon-Apr-6 weekday.Fri-Dec-25 weekday.Mon-Aug-17 weekday.Sat-Jun-26 \
			rhombus.Fri-Feb-29 rhombus.Thu-Sep-6; do \
		reveal=$$(echo $${date#*.} | tr - ,); \
		$(CERTIFY) -b $${date%%.*} --reveal $$reveal -o $(KEPT)/$$date.satcert || exit 1; \
	done
	$(SATCAL) survey --force --quiet --certify $(MADE)/a-puzzle-a-day.pairs > /dev/null
	cp $(MADE)/a-puzzle-a-day.pairs/r5c0-r5c2.satcert $(KEPT)/a-puzzle-a-day.without-22-24.satcert
	$(CERTIFY) -b rhombus --year 2025 -o $(MADE)/rhombus.2025.satcert
	$(CERTIFY) -b sh1ura-10 --reveal Nov,18 -o $(MADE)/sh1ura-10.Nov-18.satcert
	$(CERTIFY) -b sh1ura-11 --reveal Oct,22 -o $(MADE)/sh1ura-11.Oct-22.satcert
	$(CERTIFY) -b tetromino --all-reveals -o $(MADE)/tetromino.satcert
	$(CERTIFY) -b weekday --year 2026 -o $(MADE)/weekday.2026.satcert
	$(CERTIFY) -b rhombus --all-reveals -o $(MADE)/rhombus.satcert

dist: $(VENV)/.dev ## build the wheel and the sdist; manual pages and completion, in build/share
	$(BIN)/python -m build
	$(BIN)/python -m tools.shell_files build/share

clean: ## remove everything that was built
	$(MAKE) --no-print-directory -C theorem clean
	rm -rf $(VENV) build dist site satcal/site/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
