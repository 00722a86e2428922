#!/usr/bin/env bash
# Writes what a Go program was built of as CycloneDX 1.5, from the build information inside it: sbom.sh PROGRAM DOCUMENT
set -euo pipefail

go run "$(dirname "${BASH_SOURCE[0]}")/sbom.go" "$1" >"$2"
