#!/usr/bin/env bash
# Runs every fuzz target for a short while.   fuzz.sh [TIME [PACKAGE…]]   default: 10s, all packages
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

said=$(mktemp)
trap 'rm -f "$said"' EXIT

# late forgives the one failure that is none: the fuzzing engine says so when the time ends before a large corpus was tried once.
late() {
  grep -q '^ *context deadline exceeded$' "$said" && ! grep -q 'Failing input' "$said"
}

time=${1:-10s}
[ $# -eq 0 ] || shift
targets=0
while read -r package; do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    targets=$((targets + 1))
    printf -- '-- %s %s\n' "${package#github.com/ringmaster-agents/ringmaster/}" "$target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" 2>&1 | tee "$said" || late
  done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "${@:-./...}" | grep .)
[ $targets -gt 0 ] || { echo 'no fuzz target found'; exit 1; }
echo "$targets fuzz targets, $time each"
