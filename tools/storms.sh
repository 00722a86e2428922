#!/usr/bin/env bash
# Storms around the built daemon: readers that reconnect and that stop reading, connections that trickle, crash loops, floods, lines
# without end, hostile input, a full disk, no descriptors left.   storms.sh [TIME]   of the storm of reconnects; default: 3m
# Takes some ten minutes, 1 GB of memory for 500 agents and Linux. RINGMASTER_FIGURES names a folder for the figures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RINGMASTER_STORMS=${1:-3m} go test -count=1 -v -timeout 60m ./scenarios/storms
