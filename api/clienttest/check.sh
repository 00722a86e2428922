#!/bin/sh
# Makes the clients anew from the committed descriptions, fails when the committed ones differ, compiles them, and lets them
# read a session of a daemon that the test brings; then executes everything that /docs shows, and opens the page, in a browser. Needs Go; for the clients in
# TypeScript Node 20 or newer with npm; for the page chromium.
#
#   clienttest/check.sh            check
#   clienttest/check.sh -update    write the clients anew first
set -eu
cd "$(dirname "$0")"
oapi_codegen=${OAPI_CODEGEN:-go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2}

cp go/client_gen.go go/client_gen.go.was
(cd go && $oapi_codegen -config oapi-codegen.yaml ../../openapi-3.0.json)
if [ "${1:-}" != -update ] && ! cmp -s go/client_gen.go go/client_gen.go.was; then
	mv go/client_gen.go.was go/client_gen.go
	echo "api/clienttest/go/client_gen.go is not what api/openapi-3.0.json gives: run $0 -update" >&2
	exit 1
fi
rm go/client_gen.go.was
(cd go && go vet ./...)

if command -v npm >/dev/null; then
	cd ts
	npm ci --no-audit --no-fund --ignore-scripts --silent
	if [ "${1:-}" = -update ]; then npm run --silent generate; fi
	npm run --silent check
	cd ..
	if command -v "${CHROMIUM:=chromium}" >/dev/null; then
		export CHROMIUM
		(cd browser && npm ci --no-audit --no-fund --ignore-scripts --silent)
	else
		echo "chromium is missing: neither /docs nor the page is opened (CHROMIUM names another one)" >&2
	fi
else
	echo "npm is missing: the TypeScript client is not checked" >&2
fi

cd ..
go test -count=1 -run 'TestGeneratedClients|InBrowser' -v .
