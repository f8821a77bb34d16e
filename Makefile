# `make` alone lists the targets. ARGS goes to `swift test`: make test ARGS="--filter Fleece"

SWIFT ?= swift
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
ARGS ?=
PREFIX ?= /usr/local
SIZE ?= 1M

BENCH := .build/bench
KVBENCH := Benchmarks/.build/release/kvbench
BENCH_REPORT = $(KVBENCH) report $(BENCH)/100k.json $(BENCH)/10k.json \
	  --html $(BENCH)/report.html --markdown $(BENCH)/report.md

FORMATTED := Sources Tests Package.swift Benchmarks/Sources Benchmarks/Tests Benchmarks/Package.swift

.DEFAULT_GOAL := help
.PHONY: help bootstrap bootstrap-bench run test lint bench bench-ycsb bench-encryption bench-memory bench-quick bench-scale kvbench gate format man docs pictures install clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: ## Check the compiler and the system libraries; install what is missing
	@Scripts/bootstrap

bootstrap-bench:
	@Scripts/bootstrap benchmarks

run: bootstrap ## Build kvtool and show it at work on an example database
	@Scripts/run-example

test: bootstrap ## Run all tests, or those that ARGS selects: ARGS="--filter Fleece"
	SWIFT="$(SWIFT)" Scripts/run-tests -j $(JOBS) $(ARGS)

lint: ## Check the format and the conventions (Tests/ConventionTests)
	$(SWIFT) format lint --strict --recursive $(FORMATTED)
	SWIFT="$(SWIFT)" Scripts/run-tests -j $(JOBS) --filter ConventionTests

bench: kvbench ## Measure everything beside its baselines; the report is .build/bench/report.html
	$(KVBENCH) run --seconds 0.03 --without encryption: --without ycsb --without db_bench: \
	  --json $(BENCH)/100k.json $(ARGS)
	$(KVBENCH) run --size 10k --rounds 3 --seconds 0.02 --only store: --only query: \
	  --only index: --only scan --without GRDB --without "words of texts" \
	  --without ycsb --json $(BENCH)/10k.json
	$(KVBENCH) cold --add-to $(BENCH)/100k.json
	$(BENCH_REPORT)

bench-memory: kvbench ## Add to the report of `make bench` how much memory workloads need
	$(KVBENCH) memory --add-to $(BENCH)/100k.json
	$(BENCH_REPORT)

bench-quick: kvbench ## Less, with 10,000 documents, in a minute; .build/bench/quick.html
	$(KVBENCH) run --size 10k --rounds 3 --seconds 0.01 --without ooni: --without servers: \
	  --without index: --without threads: --without GRDB --without encryption: \
	  --without ycsb --without db_bench: --json $(BENCH)/quick.json $(ARGS)
	$(KVBENCH) report $(BENCH)/quick.json \
	  --html $(BENCH)/quick.html --markdown $(BENCH)/quick.md

bench-encryption: kvbench ## Measure encrypted databases beside plain ones and the ciphers alone
	$(KVBENCH) run --only encryption: --only "store: insert, one transaction, tmpfs: C" \
	  --only "store: get at random and read 1 property: C" \
	  --only "store: enumerate by key, body and 1 property: C" \
	  --only "scan: step and touch the body, C" \
	  --rounds 5 --seconds 0.3 --json $(BENCH)/encryption.json
	$(KVBENCH) report $(BENCH)/encryption.json \
	  --html $(BENCH)/encryption.html --markdown $(BENCH)/encryption.md

bench-ycsb: kvbench ## Run YCSB, db_bench and YCSB-JSON with SIZE records, 1M; .build/bench/ycsb-SIZE.html
	$(KVBENCH) run --only ycsb --only db_bench: --size $(SIZE) --rounds 3 --seconds 0.01 \
	  --json $(BENCH)/ycsb-$(SIZE).json $(ARGS)
	$(KVBENCH) report $(BENCH)/ycsb-$(SIZE).json \
	  --html $(BENCH)/ycsb-$(SIZE).html --markdown $(BENCH)/ycsb-$(SIZE).md

bench-scale: kvbench ## Fill a file with SIZE documents, 1M, and measure on it
	$(KVBENCH) scale $(SIZE) --directory .build --json $(BENCH)/scale-$(SIZE).json

kvbench: bootstrap-bench
	$(SWIFT) build --package-path Benchmarks -c release --product kvbench -j $(JOBS)
	@mkdir -p $(BENCH)

gate: bootstrap ## Count instructions, compare with Benchmarks/thresholds; or ARGS=--update
	$(SWIFT) build --package-path Benchmarks -c release --product kvgate -j $(JOBS)
	@$$($(SWIFT) build --package-path Benchmarks -c release --show-bin-path)/kvgate check $(ARGS)

format: ## Format the sources in place
	$(SWIFT) format --in-place --recursive $(FORMATTED)

docs: bootstrap ## Build the documentation of all products as a site in .build/docs
	Scripts/build-docs

pictures: bootstrap ## Draw the pictures of the README from the output of kvtool
	$(SWIFT) build --product kvtool
	Scripts/draw-pictures .build/debug/kvtool

man: bootstrap ## Write kvtool's manual pages to .build/man
	$(SWIFT) build --product kvtool
	@# The program behind the parser's plugin: the plugin itself would rebuild everything.
	$(SWIFT) build --product generate-manual
	@mkdir -p .build/man
	.build/debug/generate-manual .build/debug/kvtool --multi-page --output-directory .build/man

install: man ## Install kvtool, its manual pages and completions under PREFIX, /usr/local
	$(SWIFT) build -c release --static-swift-stdlib --product kvtool
	@Scripts/install-kvtool "$(DESTDIR)$(PREFIX)"

clean: ## Remove what was built, and the example database
	$(SWIFT) package clean
	rm -rf .build/example
