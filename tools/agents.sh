#!/usr/bin/env bash
# Runs the tests with the real Pi against a scripted model, in a network namespace that has only loopback.
#   agents.sh [--check]     --check only says (exit status 1) why the tests cannot run here
# Pi is installed by npm into AGENTS_DIR (default: the user's cache folder) and stays there. AGENTS_TOOLS names the folder
# with with-agent.sh (default: ../shared/tools/agents).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=${AGENTS_TOOLS:-../shared/tools/agents}
install=${AGENTS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-agents}

missing() {
  [ "$(uname -sm)" = 'Linux x86_64' ] || { echo 'the agents are set up for Linux on x86_64 only'; return; }
  [ -x "$tools/with-agent.sh" ] || { echo "$tools/with-agent.sh is not there"; return; }
  for program in npm node unshare; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  timeout 30 npm view @earendil-works/pi-coding-agent version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

with_pi() { # with_pi NAME GO-TEST-ARGUMENTS…: go test beside a Pi; what PI_… says about it is in the environment
  local name=$1
  shift
  printf -- '-- %s\n' "$name"
  "$tools/with-agent.sh" pi "$install" "$work/$name" -- \
    bash -c 'RINGMASTER_LIVE_PI=$PI_BIN exec go test -count=1 -timeout 15m "$@"' bash "$@"
}

go test -run '^$' ./adapters/pi ./scenarios/live >/dev/null # nothing can be fetched inside the namespace
with_pi plain -v -run Live ./adapters/pi
with_pi daemon -v ./scenarios/live
PI_EXTENSIONS=gate.js RINGMASTER_LIVE_PI_GATE=1 with_pi gate -v -run TestPiApproval ./scenarios/live
PI_PACKAGE=@mariozechner/pi-coding-agent PI_VERSION=0.73.1 with_pi old -v -run Live ./adapters/pi
PI_PACKAGE=@mariozechner/pi-coding-agent PI_VERSION=0.73.1 with_pi old-daemon -v ./scenarios/live
