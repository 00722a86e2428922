#!/usr/bin/env bash
# Tries the container image: builds it where docker runs. Where it does not, what the Dockerfile copies is put into a folder, and run there as
# the image's user, who sees nothing else (root, chroot and unshare are needed).
#   image.sh --check    says why neither can be done here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

docker=no
if command -v docker >/dev/null && timeout 20 docker info >/dev/null 2>&1; then docker=yes; fi
if [ $docker = no ] && { [ "$(id -u)" != 0 ] || ! unshare --pid --fork --mount --net true 2>/dev/null; }; then
  echo 'docker does not run here, and this user can make no namespaces'
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

work=$(mktemp -d)
if [ $docker = yes ]; then
  trap 'docker rm -f "$name" >/dev/null 2>&1; rm -rf "$work"' EXIT
  name=ringmaster-try-$$
  docker build -q -t ringmaster-try . >/dev/null
  docker run -d --name "$name" ringmaster-try >/dev/null
  inside() { docker exec "$name" /ringmaster "$@"; }
  over() { docker stop -t 20 "$name" >/dev/null && [ "$(docker inspect -f '{{.State.ExitCode}}' "$name")" = 0 ]; }
else
  root=$work/image daemon=
  trap '[ -z "$daemon" ] || kill -KILL "$daemon" 2>/dev/null || true; umount "$root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
  mkdir -p "$root"/{data,work,tmp,proc} && chmod 1777 "$root/tmp"
  CGO_ENABLED=0 go build -trimpath -o "$root/ringmaster" ./cmd/ringmaster
  chown -R 65532:65532 "$root"
  env=(env -i HOME=/data RINGMASTER_DATA=/data/ringmaster)
  program=$(command -v chroot)
  # As process 1 of its namespace, as in a container.
  unshare --pid --fork --net --mount --propagation private --kill-child sh -c \
    'mount -t proc proc "$1/proc" && exec env -i HOME=/data RINGMASTER_DATA=/data/ringmaster "$2" --userspec=65532:65532 "$1" /ringmaster serve --root /work' \
    sh "$root" "$program" 2>"$work/log" &
  daemon=$!
  inside() { "${env[@]}" "$program" --userspec=65532:65532 "$root" /ringmaster "$@"; }
  over() { kill -TERM "$(pgrep -P "$daemon")" && wait "$daemon"; }
fi

for _ in $(seq 50); do
  if inside status >"$work/status" 2>&1; then break; fi
  sleep 0.2
done
inside status
inside run --agent scripted --cwd /work hello | tee "$work/run"
grep -q 'You said: hello' "$work/run"
over
daemon=
if inside status; then echo 'the health check succeeds without a daemon'; exit 1; fi
echo "the image's program works (docker: $docker)"
