#!/usr/bin/env bash
# Makes the clients of api/clienttest anew, compares them with the committed ones, and lets each read a session; executes /docs where
# there is a chromium (a minute).
#   clients.sh [--check]     --check only says (exit status 1) why it cannot be done here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing() {
  for program in npm node; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  timeout 30 npm view openapi-typescript version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

OAPI_CODEGEN="go tool -modfile=$PWD/tools/go.mod oapi-codegen" api/clienttest/check.sh
