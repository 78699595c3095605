# Everything a developer does. `make` alone lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
GO ?= go
BIN := build/out/tidemark
WINDOW_TAGS := desktop,production,webkit2_41
FRONTEND_SOURCES := $(shell find frontend/src frontend/public -type f 2>/dev/null) frontend/index.html frontend/package.json frontend/package-lock.json frontend/vite.config.ts

##@ Use
.PHONY: run build window
run: frontend/dist/index.html ## Install what is missing, build, open the window (without a screen: print the address)
	@build/run.sh $(ARGS)

build: frontend/dist/index.html ## Build the headless program into build/out
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) .

window: frontend/dist/index.html ## Build the program with its window into build/out
	build/setup.sh window
	CGO_ENABLED=1 $(GO) build -trimpath -tags $(WINDOW_TAGS) -o $(BIN)-window .

##@ Check
.PHONY: test lint check fuzz bench
test: setup-test frontend/dist/index.html ## Install what is missing and run all tests
	cd frontend && npm run --silent test
	cd frontend && npm run --silent e2e
	$(GO) test ./...

lint: setup frontend/node_modules/.package-lock.json ## Run the linters
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not formatted:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	GOOS=windows CGO_ENABLED=0 $(GO) vet ./...
	GOOS=darwin CGO_ENABLED=0 $(GO) vet ./...
	GOOS=windows CGO_ENABLED=0 $(GO) vet -tags desktop,production ./app
	$(GO) tool staticcheck ./...
	$(GO) mod tidy -diff
	$(GO) run ./build/types -check
	cd frontend && npm run --silent check

fuzz: ## Run each fuzzer for FUZZTIME (default 10m)
	build/fuzz.sh $${FUZZTIME:-10m}

bench: build ## Print the table of speed and size (needs npm for the comparison)
	$(GO) run ./bench -program $(BIN)

##@ Generate
.PHONY: types prices golden
types: ## Write the front end's types from the Go types of the API
	$(GO) run ./build/types

prices: ## Refresh the embedded price table from its sources (needs npm and pip)
	$(GO) run ./build/prices

golden: ## Write the golden files of the commands anew; read the diff
	$(GO) test ./app -run TestGolden -update

##@ Other
.PHONY: setup setup-test clean help
setup: ## Install what building needs
	build/setup.sh build

setup-test: ## Install what testing needs (a browser and fonts)
	build/setup.sh test

clean: ## Remove what was built
	rm -rf build/out frontend/node_modules
	find frontend/dist -mindepth 1 ! -name .placeholder ! -name .gitkeep -delete 2>/dev/null || true

help: ## Show this
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

frontend/node_modules/.package-lock.json: frontend/package-lock.json | setup
	cd frontend && npm ci --no-audit --no-fund
	@touch $@

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(FRONTEND_SOURCES)
	cd frontend && npm run --silent build
	@touch $@
