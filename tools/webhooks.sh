#!/usr/bin/env bash
# Kills a daemon and a receiver of its webhooks while sessions are at work: every event is told at least once, in the order of its session.
#   webhooks.sh [KILLS]   default: 500 (a quarter of an hour)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RINGMASTER_WEBHOOK_KILLS=${1:-500} go test -count=1 -v -timeout 2h ./scenarios/webhooks | grep -av '^=== '
