#!/usr/bin/env bash
# The disk's promises in full (P6 to P12, P25): every state after a loss of power or a kill, every truncation, every bit, a fault at every
# operation, a full disk. Some minutes; `go test` runs the same tests in a short form.   disk.sh [GO TEST FLAGS…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tens of thousands of small folders are made, none of which has to last; where a disk is meant, the tests have their own.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
RINGMASTER_DISK=full go test -count=1 -v -timeout 90m ./actors/journal ./actors/raw ./actors/tails ./supervisor ./supervisor/groupsync \
  -run 'Anywhere|EveryBit|EveryFault|FaultsInRow|FailedSync|CrashDuringRepair|Truncated|Trace|Released|Damage|Full|Clock|Durability|Epoch|RecordIsSafe' "$@" |
  grep -av '^=== '
