#!/usr/bin/env bash
# Prints the path of an archive with Debian's minimal base, git, and this machine's Node and npm, as on a newcomer's machine.
# The script builds one archive for each Debian release, Node version and architecture, and stores the archive in P2P_WORKER_BASES (default:
# /var/tmp/p2p-worker-test). scripts/bare-machine.sh runs commands in this base, and test/compose builds its image from it. Needs root and debootstrap.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

fail() {
  echo "bare-base: $1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail "only root can make a base: run it as root"
command -v debootstrap >/dev/null || fail "there is no debootstrap: install it (Debian: debootstrap)"

node=$(readlink -f "$(command -v node)")
# The path of npm is …/npm/bin/npm-cli.js.
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
bases=${P2P_WORKER_BASES:-/var/tmp/p2p-worker-test}
archive=$bases/$release-node$("$node" -p 'process.versions.node')-$(uname -m).tar

mkdir -p "$bases"
exec 9>"$archive.lock"
# The lock prevents two concurrent runs from building the same archive.
flock 9
if [ ! -e "$archive" ]; then
  root=$(mktemp -d "$bases/root-XXXXXX")
  trap 'rm -rf "$root" "$archive.draft"' EXIT
  trap 'exit 143' INT TERM
  # debootstrap uses the mirror from which this machine gets its packages.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" 2>/dev/null | head -1)
  # mktemp creates the folder with mode 700, so an ordinary user of the new machine could not read any file.
  chmod 755 "$root"
  debootstrap --variant=minbase --include=git,ca-certificates,libstdc++6 "$release" "$root" ${mirror:+"$mirror"} >"$archive.log" 2>&1 ||
    { tail -5 "$archive.log" >&2 && fail "debootstrap fails: $archive.log tells why"; }
  rm -rf "$root"/var/cache/apt/archives/* "$root"/var/lib/apt/lists/*
  # A registry or mirror may need this machine's certificates.
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
