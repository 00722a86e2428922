#!/usr/bin/env bash
# Object stores against a real S3 server: the suite in both ways of addressing, the questions of `core check`, and 6 kills of the server while objects are put.
# The server is versitygw, a private one on a loopback port. Where it is not in the user's cache folder, it is built by go install (three minutes).
#   objects.sh [GO TEST FLAGS…]   in full, with the stores in a folder and in memory, under the race detector
#   objects.sh --short            as CI has it: the S3 store alone, two kills (half a minute)
#   objects.sh --check            only says (exit status 1) why it cannot run here
#   objects.sh --program  prints where the server's program is, and builds it where it is not
#   VERSITYGW      a program to test with in the place of the one that is built
#   VERSITYGW_DIR  where that is kept (default: the user's cache folder)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

module=github.com/versity/versitygw version=v1.8.0
dir=${VERSITYGW_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-versitygw}/$version
program=${VERSITYGW:-$dir/versitygw}

if [ "${1:-}" = --check ]; then
  [ -x "$program" ] || timeout 60 go mod download "$module@$version" >/dev/null 2>&1 || { echo "versitygw is not in $dir, and the module proxy does not give it"; exit 1; }
  exit 0
fi

if [ ! -x "$program" ]; then
  [ -z "${VERSITYGW:-}" ] || { echo "$VERSITYGW is no program" >&2; exit 1; }
  mkdir -p "$dir"
  GOBIN=$dir GOFLAGS=-mod=mod go install "$module/cmd/versitygw@$version"
fi
if [ "${1:-}" = --program ]; then
  echo "$program"
  exit 0
fi

export RINGMASTER_TEST_VERSITYGW=$program
if [ "${1:-}" = --short ]; then
  shift
  go test -count=1 -timeout 5m ./actors/objects/s3 "$@"
  go test -count=1 -timeout 5m -run Server ./actors/core/cold "$@"
else
  RINGMASTER_OBJECTS=full go test -race -count=1 -timeout 20m ./actors/objects/... ./actors/core/cold "$@"
fi
