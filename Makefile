# `make` alone lists the targets. ARGS goes to `swift test`: make test ARGS="--filter Fleece"

SWIFT ?= swift
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
ARGS ?=
PREFIX ?= /usr/local

FORMATTED := Sources Tests Package.swift Benchmarks/Sources Benchmarks/Package.swift

.DEFAULT_GOAL := help
.PHONY: help bootstrap run test lint bench format man install clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: ## Check the compiler and the system libraries; install what is missing
	@Scripts/bootstrap

run: bootstrap ## Build kvtool and show it at work on an example database
	@Scripts/run-example

test: bootstrap ## Run all tests, or those that ARGS selects: ARGS="--filter Fleece"
	$(SWIFT) test -j $(JOBS) $(ARGS)

lint: ## Check the format and the rules of the house (Tests/TidyTests)
	$(SWIFT) format lint --strict --recursive $(FORMATTED)
	$(SWIFT) test -j $(JOBS) --filter TidyTests

bench: bootstrap ## Measure, beside Foundation; ARGS goes to kvbench: ARGS="--only lookup"
	$(SWIFT) run --package-path Benchmarks -c release kvbench $(ARGS)

format: ## Format the sources in place
	$(SWIFT) format --in-place --recursive $(FORMATTED)

man: bootstrap ## Write kvtool's manual pages to .build/man
	$(SWIFT) build --product kvtool
	@# The program behind the parser's plugin: the plugin itself would build everything anew.
	$(SWIFT) build --product generate-manual
	@mkdir -p .build/man
	.build/debug/generate-manual .build/debug/kvtool --multi-page --output-directory .build/man

install: man ## Install kvtool, its manual pages and completions under PREFIX, /usr/local
	$(SWIFT) build -c release --static-swift-stdlib --product kvtool
	@Scripts/install-kvtool "$(DESTDIR)$(PREFIX)"

clean: ## Remove what was built, and the example database
	$(SWIFT) package clean
	rm -rf .build/example
