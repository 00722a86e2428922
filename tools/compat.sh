#!/usr/bin/env bash
# Compares api/openapi.json with the description of the last release, api/released/openapi.json: what breaks a client that was generated
# from that one fails, unless api/released/allowed.txt has it. Needs Go and the module proxy.
#   compat.sh              compare
#   compat.sh --released   a release was made: its description is the one to compare with, and nothing is allowed any more
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

released=api/released/openapi.json allowed=api/released/allowed.txt

if [ "${1:-}" = --released ]; then
  cp api/openapi.json "$released"
  sed -i '/^#/!d' "$allowed"
  sed -i '3,$d' "$allowed" # the reasons go with their entries
  exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
GOFLAGS=-trimpath go build -modfile=tools/compat/go.mod -o "$dir/oasdiff" github.com/oasdiff/oasdiff

breaks() { # breaks DESCRIPTION: what it breaks, one a line, without the places in the files
  # levels.txt: words and cases that an answer may grow break nobody, clients ignore those that they do not know (spec §3.2)
  "$dir/oasdiff" breaking --color never --severity-levels tools/compat/levels.txt --format singleline "$released" "$1" >"$dir/out"
  sed -n 's/^error at [^,]*, in API //p' "$dir/out" | sed 's/[[:space:]]*$//' | sort -u
}

# The gate itself: a description that lacks an operation must be seen to break something.
sed 's|"/sessions/{id}/end"|"/sessions/{id}/finish"|' api/openapi.json >"$dir/edited.json"
breaks "$dir/edited.json" | grep -q '^POST /sessions/{id}/end ' || { echo 'compat.sh does not notice that an operation is gone'; exit 1; }

breaks api/openapi.json >"$dir/found"
{ grep -v '^#' "$allowed" || true; } | sort -u >"$dir/allowed"
missing=$(comm -23 "$dir/found" "$dir/allowed")
stale=$(comm -13 "$dir/found" "$dir/allowed")
if [ -n "$missing" ]; then
  printf '%s\n\nThis breaks clients that were generated from %s. Keep what was promised, or write the lines with a reason into %s.\n' "$missing" "$released" "$allowed"
  exit 1
fi
if [ -n "$stale" ]; then
  printf '%s\n\n%s has these lines and nothing needs them: take them out.\n' "$stale" "$allowed"
  exit 1
fi
printf '%d operations of the released description, %d breaking changes that are meant\n' "$(grep -c '"operationId"' "$released")" "$(wc -l <"$dir/found")"
