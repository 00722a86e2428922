#!/usr/bin/env bash
# The cache in SQLite of api/client/sqlcache, with a driver and against a real daemon. It needs Go and the module proxy.
#   sqlcache.sh             a minute
#   sqlcache.sh --check     only says (exit status 1) why it cannot be done here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../api/client/sqlcache/sqlitetest"

if [ "${1:-}" = --check ]; then
  go mod download >/dev/null 2>&1 && exit 0
  echo 'the driver of SQLite cannot be downloaded'
  exit 1
fi
go vet ./...
go mod tidy -diff
go test -count=1 -v -timeout 10m ./... | grep -v '^=== '
