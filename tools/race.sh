#!/usr/bin/env bash
# All tests under the race detector; each package also holds that it leaves no goroutine, descriptor, process or file behind.
#   race.sh [TIMES]   default: 5, each with another number of processors, for other orders of what happens
#   race.sh --short   once, without what runs on one goroutine or in other programs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = --short ]; then
  # The rules of the house read files, and the recordings are told by one goroutine.
  mapfile -t packages < <(go list ./... | grep /ringmaster/ | grep -v /scenarios/recordings)
  exec go test -race -short "${packages[@]}"
fi

times=${1:-5}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
processors=(2 1 4 3 8)
for ((n = 1; n <= times; n++)); do
  cpu=${processors[(n - 1) % ${#processors[@]}]}
  printf -- '-- run %d of %d, %d processors\n' "$n" "$times" "$cpu"
  # These tests are not the lanes whose figures they would record.
  env -u RINGMASTER_FIGURES go test -race -count=1 -cpu "$cpu" -timeout 30m ./... 2>&1 | tee -a "$said"
done
# A race, or anything that a package leaves behind, has ended the script.
go run ./scenarios/figures/record race "task race" "runs over everything=$times:≥ 5" \
  "packages=$(awk '/^ok/ {print $2}' "$said" | sort -u | wc -l)" "data races=0:0" "packages that left something behind=0:0"
