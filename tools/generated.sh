#!/usr/bin/env bash
# Runs go generate and fails when it changes a file: what is committed is what the code says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

state() { git status --porcelain=v1 --untracked-files=all; git diff; }

before=$(state)
go generate ./...
after=$(state)
[ "$before" = "$after" ] || {
  echo 'go generate changed files; run it and commit the result:'
  diff <(echo "$before") <(echo "$after") | head -60
  exit 1
}
