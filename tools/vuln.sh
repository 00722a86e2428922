#!/usr/bin/env bash
# Looks for known vulnerabilities that the program can reach, in the vulnerability database of the network or of $VULNDB.
#   vuln.sh --check    says why it cannot run here: the database cannot be had
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

db=${VULNDB:-https://vuln.go.dev}

if [ "${1:-}" = --check ]; then
  case $db in
  file://*) [ -e "${db#file://}/index/db.json" ] || { echo "no vulnerability database at $db"; exit 1; } ;;
  *) curl --silent --fail --max-time 10 --output /dev/null "$db/index/db.json" || { echo "the vulnerability database at $db cannot be had from here"; exit 1; } ;;
  esac
  exit 0
fi

go tool -modfile=tools/vuln/go.mod govulncheck -db "$db" ./...
