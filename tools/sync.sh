#!/usr/bin/env bash
# Holds a client that keeps a session against what its server, its network and its disk may do.   sync.sh [LIVES]   default: 20000, of 300 steps each;
# and every bit of a cache turned over once, and kills of a process that stores; and kills a real daemon and a program that mirrors it, 1,000 times. A
# quarter of an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RINGMASTER_MIRROR_KILLS=${RINGMASTER_MIRROR_KILLS:-1000} go test -count=1 -v -timeout 2h ./scenarios/mirror | grep -av '^=== '
RINGMASTER_SYNC_LIVES=${1:-20000} RINGMASTER_SYNC_KILLS=${RINGMASTER_SYNC_KILLS:-200} RINGMASTER_SYNC_SEED=${RINGMASTER_SYNC_SEED:-1} \
  go test -count=1 -v -timeout 2h ./api/client/cache ./api/client/sync -run 'Lives|Flip|Killed|Fixtures|Storms' |
  grep -av '^=== \|^    --- '
