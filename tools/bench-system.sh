#!/usr/bin/env bash
# Measures the built daemon as a process beside reference programs and brokers, on this machine.   bench-system.sh [--profile DIR] [TESTS]
# TESTS is a regular expression of scenarios/bench; all of them take half an hour on two idle cores. --profile writes CPU
# profiles of the daemon instead of recording figures. Brokers are NATS, which is built here (tools/peers), and Redis, where there is a
# redis-server; without them their rows are left out.
#   FED=N   how many sessions TestFed makes; 0 leaves it out, as tools/fed.sh runs it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

flags=()
if [[ ${1:-} == --profile ]]; then
  mkdir -p "$2"
  flags=(-profile "$(realpath "$2")" -repeats 1)
  shift 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
go build -trimpath -o "$folder/ringmaster" ./cmd/ringmaster
if GOFLAGS=-trimpath go build -modfile=tools/peers/go.mod -o "$folder/nats-server" github.com/nats-io/nats-server/v2; then
  flags+=(-nats "$folder/nats-server")
else
  echo 'NATS is left out: it does not build without the module proxy' >&2
fi
if redis=$(command -v redis-server || command -v valkey-server); then
  flags+=(-redis "$redis")
else
  echo 'Redis is left out: there is no redis-server (apt-get install redis-server)' >&2
fi
go test -count=1 -v -timeout 2h -run "${1:-.}" ./scenarios/bench -program "$folder/ringmaster" -fed "${FED:-0}" "${flags[@]}"
