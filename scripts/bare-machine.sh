#!/usr/bin/env bash
# scripts/bare-machine.sh [--user] [--out FOLDER] COMMAND: runs COMMAND with bash in a clone of the last commit, on a machine with only a minimal
# Debian, git and Node, like the machine of a new user. COMMAND runs as root or, with --user, as an ordinary user. The script exits with the exit
# code of COMMAND. Files that COMMAND writes into /out are copied to FOLDER. The machine is deleted; only its base (scripts/bare-base.sh) is kept.
# Needs root and debootstrap.
set -euo pipefail

user=root home=/root out=
while [ $# -gt 0 ]; do
  case $1 in
    --user) user=user home=/home/user && shift ;;
    --out) out=$(mkdir -p "$2" && cd "$2" && pwd -P) && shift 2 ;;
    *) break ;;
  esac
done
[ $# = 1 ] || { echo "usage: bare-machine.sh [--user] [--out FOLDER] COMMAND" >&2 && exit 2; }
command=$1
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
archive=$("$checkout/scripts/bare-base.sh")

machine=$(mktemp -d "${TMPDIR:-/tmp}/p2p-worker-bare-XXXXXX")
namespace=
end() {
  # Killing the namespace's first process ends its processes and mounts.
  [ -z "$namespace" ] || kill -KILL "$namespace" 2>/dev/null || true
  wait 2>/dev/null
  [ -z "$out" ] || cp -r --no-preserve=ownership "$machine/out/." "$out/" || true
  # Killed processes may still write files for a moment, so the removal is retried.
  for _ in 1 2 3 4 5; do rm -rf --one-file-system "$machine" 2>/dev/null && break || sleep 1; done
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

tar -C "$machine" -xf "$archive"
if [ "$user" != root ]; then chroot "$machine" useradd --create-home --shell /bin/bash "$user"; fi
# The clone uses no hard links: the owner of its objects changes below, and hard links would change the owner in this repository as well.
git clone -q --no-hardlinks "$checkout" "$machine$home/p2p-worker"
mkdir "$machine/out"

# The new machine uses this machine's DNS settings, certificates and npm settings.
cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
for folder in /etc/ssl/certs /usr/local/share/ca-certificates; do
  [ ! -d "$folder" ] || { mkdir -p "$machine$folder" && cp -rL "$folder/." "$machine$folder/" 2>/dev/null || true; }
done
for level in user global; do
  settings=$(npm config get "${level}config")
  to=$machine$home/.npmrc && [ "$level" = user ] || to=$machine/usr/local/etc/npmrc
  # The settings `nodedir`, `prefix` and `cache` name folders that the new machine lacks.
  [ ! -f "$settings" ] || { mkdir -p "$(dirname "$to")" && sed '/^\(nodedir\|prefix\|cache\) *=/d' "$settings" >"$to"; }
done
network=()
while IFS= read -r line; do
  network+=("$line")
  file=${line#*=}
  [ ! -f "$file" ] || { mkdir -p "$(dirname "$machine$file")" && cp -L "$file" "$machine$file"; }
done < <(env | grep -iE '^(npm_config_(registry|cafile|(https_?-?)?proxy|noproxy|strict_ssl)|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir|https?_proxy|no_proxy)=')
chown -R --no-dereference "$(chroot "$machine" id -u "$user"):$(chroot "$machine" id -g "$user")" "$machine$home" "$machine/out"

setup='machine=$1 user=$2; shift 2
mount -t proc proc "$machine/proc" && mount --rbind /sys "$machine/sys" && mount --rbind /dev "$machine/dev" && mount -t tmpfs none "$machine/dev/shm" || exit
exec chroot --userspec="$user:$user" "$machine" /usr/bin/env -i "$@"'
# When the PID namespace ends, all its processes end, even if this script is killed. Bash is the first process of the namespace and reaps orphans.
setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child bash -c "$setup" bare "$machine" "$user" \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" USER="$user" LANG=C.UTF-8 "${network[@]}" \
  bash -c "cd '$home/p2p-worker' && { $command
}; exit \$?" </dev/null &
namespace=$!
code=0
wait "$namespace" || code=$?
namespace=
exit "$code"
