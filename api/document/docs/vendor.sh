#!/bin/sh
# Fetches Swagger UI from its npm package, without dependencies and without running its scripts, and compresses what /docs
# embeds. Run it to change the version; the result is committed.
set -eu
version=5.35.0
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && npm pack --silent "swagger-ui-dist@$version" >/dev/null && tar xzf ./*.tgz)
for f in swagger-ui-bundle.js swagger-ui.css; do gzip -9 -n -c "$tmp/package/$f" > "$f.gz"; done
cp "$tmp/package/LICENSE" LICENSE
cp "$tmp/package/NOTICE" NOTICE
cat "$tmp/package/swagger-ui-bundle.js.LICENSE.txt" >> NOTICE
