#!/usr/bin/env bash
# Kills the daemon under load with kill -9, again and again.   kills.sh [TIMES]   default: 200
# Readers record what they saw; afterwards the log must have all of it, once, under the same numbers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RINGMASTER_KILLS=${1:-200} go test -count=1 -v -timeout 30m -run "^TestKill$" ./scenarios
