#!/usr/bin/env bash
# Runs every fuzz target for a while.   fuzz.sh [TIME [PACKAGE…]]   default: 10s, all packages
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
case $time in
  *m) seconds=$((${time%m} * 60)) ;;
  *s) seconds=${time%s} ;;
  *) echo "want a time like 10s or 5m, not $time" >&2 && exit 2 ;;
esac
targets=0 inputs=0
while read -r package; do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    targets=$((targets + 1))
    printf -- '-- %s %s\n' "${package#github.com/ringmaster-agents/ringmaster/}" "$target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" 2>&1 | tee "$said" || late
    tried=$(sed -n 's/.* execs: \([0-9]*\) .*/\1/p' "$said" | tail -1)
    inputs=$((inputs + ${tried:-0}))
  done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "${@:-./...}" | grep .)
[ $targets -gt 0 ] || { echo 'no fuzz target found'; exit 1; }
# What breaks a rule has ended the script.
go run ./scenarios/figures/record fuzz "task fuzz -- $time" "fuzz targets=$targets" "seconds each=$seconds" "inputs tried=$inputs" "inputs that break a rule=0:0"
echo "$targets fuzz targets, $time each"
