#!/usr/bin/env bash
# Holds the daemon against its reference model.   model.sh [SEQUENCES]   default: 10000, of 200 operations on average; and a fifth as
# many histories of eight clients at once. On two cores 10000 take a quarter of an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sequences=${1:-10000}
if [[ -z ${TMPDIR:-} && -w /dev/shm ]]; then
  export TMPDIR=/dev/shm # a daemon's data folder per sequence: nothing here depends on a disk
fi
RINGMASTER_MODEL_HISTORIES=$((sequences / 5)) \
  go test -count=1 -v -timeout 2h ./scenarios/model -rapid.checks=$(((sequences + 1) / 2)) -rapid.steps=200
