# The tag compiles FTS5 into SQLite, for the searches of memory kept here. Nothing needs it yet, and
# what is built and tested has it from the start; a build without it works too.
TAGS        := sqlite_fts5
export GOFLAGS := $(shell go env GOFLAGS) -tags=$(TAGS)

VERSION     ?=
LDFLAGS     := -X main.version=$(VERSION)
OPA         ?= opa
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
POLICY      := policy/bundle
SCHEMAS     := policy/schemas
FUZZINPUTS ?= 2000

.DEFAULT_GOAL := help

.PHONY: help
help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/pdp
	go build -ldflags '$(LDFLAGS)' -o bin/pdp ./cmd/pdp

.PHONY: run
run: ## Serve on 127.0.0.1:8181 with the log in ./data
	go run ./cmd/pdp serve

.PHONY: test
test: ## Run all tests
	go test ./...

.PHONY: race
race: ## Run the tests of the packages that share memory under the race detector
	EARSHOT_DIFFERENTIAL=500 go test -race -timeout 40m ./policy/... ./decisionlog/... ./server/...

.PHONY: lint
lint: ## Check the form of the Go code; golangci-lint runs too where it is installed
	@test -z "$$(gofmt -l .)" || { echo "these files are not formatted; run gofmt -w on them:"; gofmt -l .; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	@if command -v golangci-lint >/dev/null; then golangci-lint run; fi

.PHONY: policy
policy: ## Check, format-check and test the Rego with stock opa
	$(OPA) fmt --fail --list $(POLICY)
	$(OPA) check --strict --schema $(SCHEMAS) $(POLICY)
	$(OPA) test $(POLICY)
	@$(OPA) test --coverage --threshold 100 $(POLICY) >/dev/null || { echo "no test reaches some lines of Rego; opa test --coverage $(POLICY) names them"; exit 1; }

.PHONY: mutants
mutants: ## List wrong policies and engines, each with the check that goes red
	go test -count=1 -v -run '^TestMutants$$' ./policytest

.PHONY: differential
differential: CANDIDATES ?= 1000000
differential: ## Decide a million made-up candidates by closures and by OPA, and compare
	EARSHOT_DIFFERENTIAL=$(CANDIDATES) go test -count=1 -timeout 30m -v -run '^TestDifferential$$' ./policy

.PHONY: fuzz
fuzz: ## Fuzz each reader of foreign text with FUZZINPUTS inputs beyond its seeds
	.ci/fuzz $(FUZZINPUTS)

.PHONY: compare
compare: ## Measure the service beside stock opa and ordinary Go; takes some minutes
	go run ./policytest/bench --opa $(OPA)

.PHONY: bench
bench: ## Measure the log and the decision
	go test -run '^$$' -bench . -benchmem ./decisionlog/... ./policy/...
