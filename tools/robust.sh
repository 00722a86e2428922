#!/usr/bin/env bash
# Kills the daemon at every fault point and at random moments, restarts it with 1,000 sessions, and stops it under load.
#   robust.sh [PER_POINT RANDOM RESTARTS STOPS]   default: 50 1000 60 200
#   robust.sh --short                             every point once, in a minute
#   robust.sh --restarts                          only the restarts
# RINGMASTER_ROBUST_SEED=N repeats an earlier run; scenarios/robust/doc.go has the other variables.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
  --short) set -- 1 17 0 20 ;;
  --restarts) set -- 0 0 60 0 ;;
esac

go vet -tags failpoint ./actors/... ./supervisor/... ./api/... ./cmd/...
go test -tags failpoint ./actors/failpoint
RINGMASTER_ROBUST="${1:-50} ${2:-1000}" RINGMASTER_ROBUST_RESTARTS=${3:-60} RINGMASTER_ROBUST_STOPS=${4:-200} \
  go test -count=1 -v -timeout 90m ./scenarios/robust
