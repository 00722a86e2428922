#!/usr/bin/env bash
# Builds what a release has, and publishes nothing: archives, checksums, SBOMs, the deb and the Homebrew formula, into dist/, and looks at them.
#   release.sh            builds goreleaser where it is not built yet (some 4 minutes on two cores, then it is in Go's cache)
#   release.sh --check    says why it cannot run here, or that it would take too long: goreleaser is not built
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=${RINGMASTER_GORELEASER:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-release/goreleaser-$(sed -n 's/^\t*\(require \)\{0,1\}github.com\/goreleaser\/goreleaser\/v2 \(v[^ ]*\).*/\2/p' tools/release/go.mod)}

if [ "${1:-}" = --check ]; then
  [ -x "$tool" ] || { echo "goreleaser is not built: task release builds it, which takes minutes"; exit 1; }
  exit 0
fi

[ -x "$tool" ] || {
  mkdir -p "$(dirname "$tool")"
  go build -C tools/release -trimpath -o "$tool" github.com/goreleaser/goreleaser/v2
}

# Shells complete the program's commands and their values by asking it.
mkdir -p completions
for shell in bash zsh fish; do
  go run ./cmd/ringmaster completion "$shell" >"completions/ringmaster.$shell"
done
trap 'rm -rf completions' EXIT

"$tool" check
"$tool" release --snapshot --clean --skip=publish

cd dist
[ "$(ls ./*.tar.gz | wc -l)" = 4 ]
[ "$(ls ./*.cdx.json | wc -l)" = 4 ]
[ "$(ls ./*.deb | wc -l)" = 2 ]
sha256sum --check --quiet checksums.txt
grep -q 'class Ringmaster < Formula' homebrew/Formula/ringmaster.rb
here=$(go env GOOS)_$(go env GOARCH)
version=$(ls ./*_"$here".tar.gz | sed "s|./ringmaster_\(.*\)_$here.tar.gz|\1|")
tar -xOf ./*_"$here".tar.gz ringmaster >ringmaster && chmod +x ringmaster
./ringmaster --version | grep -F "v$version"
go version -m ringmaster | grep -c $'\tdep\t' | xargs -I{} sh -c '[ "$(grep -c "\"type\": \"library\"" ./*_'"$here"'.cdx.json)" = "$(({} + 1))" ]'
if command -v dpkg-deb >/dev/null; then dpkg-deb --contents ./*_amd64.deb | grep ' ./usr/bin/ringmaster$' >/dev/null; fi
echo "built version $version: $(ls | tr '\n' ' ')"
