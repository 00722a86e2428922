#!/usr/bin/env bash
# Measures the built daemon as a process beside reference programs, on this machine.   bench-system.sh [--profile DIR] [TESTS]
# TESTS is a regular expression of scenarios/bench; all of them take a quarter of an hour on two idle cores. --profile writes CPU
# profiles of the daemon instead of recording figures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

flags=()
if [[ ${1:-} == --profile ]]; then
  mkdir -p "$2"
  flags=(-profile "$(realpath "$2")" -repeats 1)
  shift 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
go build -trimpath -o "$folder/ringmaster" ./cmd/ringmaster
go test -count=1 -v -timeout 2h -run "${1:-.}" ./scenarios/bench -program "$folder/ringmaster" "${flags[@]}"
