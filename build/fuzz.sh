#!/usr/bin/env bash
# Runs every fuzzer of the repository for the given time, one after another.
set -euo pipefail
time=${1:-10m}
cd "$(dirname "$0")/.."
grep -rlE '^func Fuzz[A-Z]' --include='*_test.go' . | xargs -n 1 dirname | sort -u | while read -r dir; do
  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/func //' | sort -u | while read -r name; do
    echo "== $dir $name $time"
    # What a run covers may differ from run to run: making an input smaller for
    # longer than this only takes time.
    go test "$dir" -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 1s </dev/null
  done
done
