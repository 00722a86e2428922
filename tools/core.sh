#!/usr/bin/env bash
# Core on PostgreSQL in full: the suite over both ways of sending statements, owners that fight while connections are cut, 25 crashes of the database.
# The server is a private one, on a loopback port; where none is installed, apt-get is asked for it.   core.sh [GO TEST FLAGS…]
#   core.sh --check    only says (exit status 1) why it cannot run here
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
RINGMASTER_CORE=full go test -count=1 -timeout 20m ./actors/core/... ./scenarios/cored "$@"
