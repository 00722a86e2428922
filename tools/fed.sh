#!/usr/bin/env bash
# Feeds a daemon with short sessions for long, with retention on: disk, memory, descriptors, folders and the time of a start stay bounded.
#   fed.sh [N [M]]   N sessions of a daemon in virtual time, 100,000 unless told (half an hour), then M of the built one, 10,000 unless told
# (ten minutes). The first keeps its folder in memory where there is /dev/shm: what a session writes is synced, and that is not what is measured.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fast=${TMPDIR:-/tmp}
[ -w /dev/shm ] && fast=$(mktemp -d -p /dev/shm)
[ "$fast" = "${TMPDIR:-/tmp}" ] || trap 'rm -rf "$fast"' EXIT
FED=${2:-10000} tools/bench-system.sh '^TestFed$'
TMPDIR=$fast RINGMASTER_FED=${1:-100000} go test -count=1 -timeout 12h -v -run '^TestFedDaemon$' ./supervisor
