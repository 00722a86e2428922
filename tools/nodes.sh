#!/usr/bin/env bash
# Many nodes on one machine, to try Core with (docs/many-nodes.md): a PostgreSQL server of their own, an object store, a common workspace and three nodes.
# No docker: Go, and PostgreSQL's programs.
#   nodes.sh start       builds the program, starts what does not run, and says how to use it
#   nodes.sh start N     starts node N alone (1, 2 or 3)
#   nodes.sh kill N      ends node N as the loss of its machine would: kill -9
#   nodes.sh stop [N]    ends node N, or all of it, in order; the data stay
#   nodes.sh remove      ends all of it, and removes the data
#   nodes.sh env         prints shell functions: n1, n2 and n3, the program as a client of each node, and nodes, which is this script
#
#   NODES_DIR    the folder of all of it (default: ringmaster-nodes in the folder for temporary files)
#   NODES_PORT   node N listens at NODES_PORT + N, for other nodes at NODES_PORT + 10 + N (default 7440)
#   NODES_LEASE  how long a node may be silent until others take it for gone (default 10s)
#   NODES_STORE  folder, or s3: versitygw, a real S3 server, which is built where it is not in the user's cache folder (three minutes)
#   NODES_PROGRAM  a ringmaster to use in the place of the one that is built
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

temp=${TMPDIR:-/tmp}
dir=${NODES_DIR:-${temp%/}/ringmaster-nodes} port=${NODES_PORT:-7440} lease=${NODES_LEASE:-10s} store=${NODES_STORE:-folder}
program=$dir/ringmaster work=$dir/work core=$dir/core

fail() { echo "nodes.sh: $*" >&2; exit 1; }

there() { [ -f "$dir/nodes" ] && [ -O "$dir/nodes" ]; }

number() { case $1 in [123]) ;; *) fail "there are nodes 1, 2 and 3, and no node $1" ;; esac; }

node() { # node N ARGS…: the program, as a client of node N
  local n=$1
  shift
  "$program" --data "$dir/node$n" "$@"
}

runs() { node "$1" status >/dev/null 2>&1; }

prepare() {
  if ! there; then
    mkdir -m 711 "$dir" 2>/dev/null || fail "$dir is there, and was not made by this: name another folder with NODES_DIR"
    touch "$dir/nodes"
  fi
  mkdir -p "$work"
  if [ -n "${NODES_PROGRAM:-}" ]; then
    ln -sf "$(realpath "$NODES_PROGRAM")" "$program"
  else
    go build -o "$program" ./cmd/ringmaster
  fi
}

# The store's process is known by its number and by its program: a number may be another process's by now.
store_runs() { [ -f "$dir/store.pid" ] && [ "$(ps -p "$(cat "$dir/store.pid")" -o comm= 2>/dev/null)" = versitygw ]; }

start_store() {
  local gateway
  gateway=$(tools/objects.sh --program)
  mkdir -p "$dir/store/data/ringmaster" "$dir/store/meta"
  [ -f "$dir/store/keys" ] || (
    umask 077
    printf 'aws_access_key_id = ringmaster\naws_secret_access_key = %s\n' "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" >"$dir/store/keys"
  )
  store_runs || {
    ROOT_ACCESS_KEY=ringmaster ROOT_SECRET_KEY=$(sed -n 's/^aws_secret_access_key = //p' "$dir/store/keys") setsid "$gateway" \
      --port "127.0.0.1:$((port + 20))" --quiet posix --sidecar "$dir/store/meta" "$dir/store/data" >"$dir/store/log" 2>&1 </dev/null &
    echo $! >"$dir/store.pid"
  }
  export RINGMASTER_OBJECTS="s3://ringmaster/logs?endpoint=http://127.0.0.1:$((port + 20))" RINGMASTER_OBJECTS_KEYS_FILE=$dir/store/keys
}

begin() { # database and store, and where they are
  local made
  made=$("$program" core init --dev --dir "$core" --env)
  eval "$made"
  case $store in
  folder) ;;
  s3) start_store ;;
  *) fail "NODES_STORE is folder or s3" ;;
  esac
}

start() { # start N
  runs "$1" || node "$1" up --listen "127.0.0.1:$((port + $1))" --peer-listen "127.0.0.1:$((port + 10 + $1))" \
    --root "$work" --workspace "work=$work" --failover auto --node-lease "$lease" >/dev/null
  echo "node $1 runs at http://127.0.0.1:$((port + $1))"
}

stop() { # stop N
  node "$1" down
}

functions() {
  local n
  for n in 1 2 3; do printf 'n%s() { %q --data %q "$@"; }\n' "$n" "$program" "$dir/node$n"; done
  printf 'nodes() { NODES_DIR=%q NODES_PORT=%q NODES_LEASE=%q NODES_STORE=%q NODES_PROGRAM=%q %q "$@"; }\n' \
    "$dir" "$port" "$lease" "$store" "${NODES_PROGRAM:-}" "$PWD/tools/nodes.sh"
  printf 'cd %q\n' "$work"
}

verb=${1:-}
[ $# -le 2 ] || fail 'too many words'
[ $# -lt 2 ] || number "$2"
case $verb in
start) ;;
stop | kill | env | remove) there || fail "there are no nodes in $dir: tools/nodes.sh start makes them" ;;
*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "tools/nodes.sh"; exit 2 ;;
esac

case $verb in
start)
  prepare
  begin
  for n in ${2:-1 2 3}; do start "$n"; done
  [ $# -gt 1 ] || echo "eval \"\$(tools/nodes.sh env)\" makes commands of them: n1, n2 and n3, in their workspace"
  ;;
kill)
  [ $# = 2 ] || fail 'which node?'
  runs "$2" || fail "node $2 does not run"
  pid=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$dir/node$2/address")
  kill -KILL "$pid"
  echo "node $2 was killed"
  ;;
stop | remove)
  if [ "$verb" = stop ] && [ $# = 2 ]; then
    stop "$2"
    exit
  fi
  for n in 1 2 3; do [ ! -d "$dir/node$n" ] || stop "$n"; done
  if store_runs; then kill "$(cat "$dir/store.pid")"; fi
  [ ! -d "$core" ] || "$program" core init --dev --dir "$core" --stop
  [ "$verb" = stop ] || rm -rf "$dir"
  ;;
env) functions ;;
esac
