#!/usr/bin/env bash
# Prints the path of an archive: Debian's minimal base with git and this machine's own Node and npm, as a newcomer has it.
# It is made once for each Debian release, version of Node and architecture, and kept in P2P_WORKER_BASES (default:
# /var/tmp/p2p-worker-test). scripts/bare-machine.sh runs commands in it, and test/compose builds the image on it. Needs root and debootstrap.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

fail() {
  echo "bare-base: $1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail "only root can make a base: run it as root"
command -v debootstrap >/dev/null || fail "there is no debootstrap: install it (Debian: debootstrap)"

node=$(readlink -f "$(command -v node)")
# …/npm/bin/npm-cli.js
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
bases=${P2P_WORKER_BASES:-/var/tmp/p2p-worker-test}
archive=$bases/$release-node$("$node" -p 'process.versions.node')-$(uname -m).tar

mkdir -p "$bases"
exec 9>"$archive.lock"
# Two at a time would make it twice.
flock 9
if [ ! -e "$archive" ]; then
  root=$(mktemp -d "$bases/root-XXXXXX")
  trap 'rm -rf "$root" "$archive.draft"' EXIT
  trap 'exit 143' INT TERM
  # Where this machine gets its own packages.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" 2>/dev/null | head -1)
  # In a folder of mode 700 no user of the machine to be gets anywhere.
  chmod 755 "$root"
  debootstrap --variant=minbase --include=git,ca-certificates,libstdc++6 "$release" "$root" ${mirror:+"$mirror"} >"$archive.log" 2>&1 ||
    { tail -5 "$archive.log" >&2 && fail "debootstrap fails: $archive.log tells why"; }
  rm -rf "$root"/var/cache/apt/archives/* "$root"/var/lib/apt/lists/*
  # A registry or mirror may have a certificate of this machine's own.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
  cp "$node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
  for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done
  chroot "$root" /usr/local/bin/node --version >/dev/null || fail "this machine's Node ($node) does not run in Debian's minimal base"
  tar -C "$root" -cf "$archive.draft" .
  mv "$archive.draft" "$archive"
fi
echo "$archive"
