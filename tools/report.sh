#!/usr/bin/env bash
# Runs the lanes that prove the promises and writes what they found into scenarios/figures/report.json and SECURITY.md.
#   report.sh [LANE…]   default: all (about an hour); lanes that do not run keep their figures
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RINGMASTER_FIGURES=$(mktemp -d)
export RINGMASTER_FIGURES
trap 'rm -r "$RINGMASTER_FIGURES"' EXIT

lanes=("$@")
[ ${#lanes[@]} -gt 0 ] || lanes=(race fuzz mutants disk model robust storms mcp-push bench-system fed web)
declare -A long=([fuzz]=60s [fed]=2000 [web]=perf) # where the default is for every day
failed=()
for lane in "${lanes[@]}"; do
  printf '\n==== %s\n' "$lane"
  "tools/$lane.sh" ${long[$lane]:-} || failed+=("$lane")
done
go test -count=1 -run '^TestReport$' ./house -update
[ ${#failed[@]} -eq 0 ] || { printf 'failed: %s\n' "${failed[*]}" >&2; exit 1; }
