#!/usr/bin/env bash
# All tests under the race detector; each package also holds that it leaves no goroutine, descriptor, process or file behind.
#   race.sh [TIMES]   default: 5, each with another number of processors, for other orders of what happens
#   race.sh --short   once, without what runs on one goroutine or in other programs
#   RACE_SHARE=2      with --short: one of every two packages, others with each commit
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# racy says that a package has something that can race: a goroutine, a lock, an actor, a bubble or a server, in its code or its tests. The others are pure:
# translators, folds, what decides about values. They took a third of the lane's time, and one goroutine at a time has what they work on.
racy() {
  case $1 in
    */house | */scenarios/recordings | */adapters/claude | */adapters/codex | */adapters/droid | */adapters/opencode | */adapters/pi) return 1 ;;
  esac
  grep -qE '^\s*go (func|[a-zA-Z_.]+\()|"sync"|"sync/atomic"|"testing/synctest"|httptest|protoactor' "$1"/*.go
}

if [ "${1:-}" = --short ]; then
  share=${RACE_SHARE:-1}
  turn=$((16#0$(git rev-parse HEAD 2>/dev/null | cut -c1-6 || true) % share)) # the commit's name decides
  packages=() seen=0
  while read -r dir; do
    racy "$dir" || continue
    seen=$((seen + 1))
    [ $((seen % share)) -ne "$turn" ] || packages+=("$dir")
  done < <(go list -f '{{.Dir}}' ./...)
  echo "${#packages[@]} of $seen packages in which something can race"
  exec go test -race -short -timeout 20m "${packages[@]}"
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
