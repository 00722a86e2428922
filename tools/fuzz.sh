#!/usr/bin/env bash
# Runs every fuzz target for a while.   fuzz.sh [TIME [PACKAGE…]]   default: 10s, all packages
#   FUZZ_SHARE=3   one of every three targets, others with each commit: what is built for them takes longer than they run
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
share=${FUZZ_SHARE:-1}
turn=$((16#0$(git rev-parse HEAD 2>/dev/null | cut -c1-6 || true) % share)) # the commit's name decides
seen=0 targets=0 inputs=0
while read -r package dir; do
  # By the text: to ask each test binary would link a hundred that have none.
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | sed 's/^func //' | sort || true); do
    seen=$((seen + 1))
    [ $((seen % share)) -eq "$turn" ] || continue
    targets=$((targets + 1))
    printf -- '-- %s %s\n' "${package#github.com/ringmaster-agents/ringmaster/}" "$target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" 2>&1 | tee "$said" || late
    tried=$(sed -n 's/.* execs: \([0-9]*\) .*/\1/p' "$said" | tail -1)
    inputs=$((inputs + ${tried:-0}))
  done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' "${@:-./...}" | grep .)
[ $targets -gt 0 ] || { echo 'no fuzz target found'; exit 1; }
# What breaks a rule has ended the script.
go run ./scenarios/figures/record fuzz "task fuzz -- $time" "fuzz targets=$targets" "seconds each=$seconds" "inputs tried=$inputs" "inputs that break a rule=0:0"
echo "$targets fuzz targets, $time each"
