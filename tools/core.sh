#!/usr/bin/env bash
# Core on PostgreSQL in full: the suite over both ways of sending statements, owners that fight while connections are cut, 25 crashes of the database, 12 fail-overs
# to replicas (RINGMASTER_FAILOVERS says how many).
# The server is a private one, on a loopback port; where none is installed, apt-get is asked for it.   core.sh [GO TEST FLAGS…]
#   core.sh --short    a third of it, others with each commit: the suite, the rest of the database's tests, or the scenarios with daemons
#   core.sh --check    only says (exit status 1) why it cannot run here
#   core.sh --install  only has the server be there
#   RINGMASTER_TEST_POSTGRES  URL of a database to use in the place of a private server; its user must be able to make databases
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

installed() {
  command -v initdb >/dev/null && command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-cache show postgresql >/dev/null 2>&1; }

if [ "${1:-}" = --check ]; then
  installed || can_install || { echo 'no PostgreSQL server is installed, and apt-get cannot install one'; exit 1; }
  exit 0
fi

if ! installed; then
  can_install || { echo 'no PostgreSQL server is installed (apt-get install postgresql)' >&2; exit 1; }
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends postgresql >/dev/null
fi
if [ "${1:-}" = --install ]; then exit 0; fi
export RINGMASTER_CORE=full
if [ "${1:-}" = --short ]; then
  case $((16#0$(git rev-parse HEAD 2>/dev/null | cut -c1-6 || true) % 3)) in # the commit's name decides
    0) exec go test -count=1 -timeout 20m -run '^TestCore$' ./actors/core/... ;;
    1) exec go test -count=1 -timeout 20m -skip '^TestCore$' ./actors/core/... ./api/coreapi ;;
    2) exec go test -count=1 -timeout 20m ./scenarios/cored ;;
  esac
fi
go test -count=1 -timeout 20m ./actors/core/... ./api/coreapi ./scenarios/cored "$@"
