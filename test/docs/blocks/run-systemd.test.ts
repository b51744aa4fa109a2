/**
 * Runs the blocks about systemd with a copy of /etc in place of the real /etc. The tests have no systemd daemon. So a script replaces systemctl,
 * verifies the unit with systemd-analyze, and runs the commands of the unit.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../needs.ts'
import { allBlocks, placeOf } from './block.ts'
import { blocksFor } from './scenarios.ts'
import { Session } from './session.ts'
import { World } from './world.ts'

const blocks = blocksFor('systemd', allBlocks())

const SYSTEMCTL = `unit=/etc/systemd/system/p2p-worker.service
of() { sed -n "s|^$1=||p" "$unit" | sed "s|%S|$STATE|g"; }
case "$*" in
  daemon-reload)
    command -v systemd-analyze > /dev/null || exit 0
    found=$(systemd-analyze verify "$unit" 2>&1)
    [ -z "$found" ] || { echo "$found" >&2; exit 1; } ;;
  'enable --now p2p-worker')
    mkdir -p "$STATE/p2p-worker"
    set -a; . "$(of EnvironmentFile)"; set +a
    cd "$(of WorkingDirectory)" || exit 1
    env $(of Environment) $(of ExecStart) > "$STATE/log" 2>&1 &
    echo $! > "$STATE/pid"
    until grep -q ' leads (epoch' "$STATE/log"; do kill -0 "$(cat "$STATE/pid")" || { cat "$STATE/log"; exit 1; }; sleep 0.1; done ;;
  'status p2p-worker') kill -0 "$(cat "$STATE/pid")" ;;
  'reload p2p-worker')
    [ "$(of ExecReload)" = '/bin/kill -HUP $MAINPID' ] && kill -HUP "$(cat "$STATE/pid")"
    until grep -qi 'reload\\|read again\\|SIGHUP' "$STATE/log"; do sleep 0.1; done ;;
  'disable --now p2p-worker')
    kill -TERM "$(cat "$STATE/pid")"
    while kill -0 "$(cat "$STATE/pid")" 2> /dev/null; do sleep 0.1; done ;;
  *) echo "systemctl $*: not known here" >&2; exit 1 ;;
esac`
const JOURNALCTL = `[ "$*" = '--unit p2p-worker --follow' ] && grep -q ' leads (epoch' "$STATE/log" && cat "$STATE/log"`

needs('hosts', 'bash', 'systemd-analyze').describe('the blocks about systemd', () => {
  let world: World
  let session: Session
  let wrap: string[]

  beforeAll(async () => {
    world = await World.create()
    const state = join(world.folder, 'state')
    const etc = join(world.folder, 'etc')
    mkdirSync(state)
    cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true, filter: path => !path.includes('/ssl/') })
    world.addProgram('sudo', 'exec "$@"')
    world.addProgram('systemctl', `STATE='${state}'\n${SYSTEMCTL}`)
    world.addProgram('journalctl', `STATE='${state}'\n${JOURNALCTL}`)
    // useradd writes to /etc and to /var/log.
    const mounts = `mount --bind '${etc}' /etc && mount --bind '${state}' /var/log && exec "$@"`
    wrap = ['unshare', '-m', 'sh', '-c', mounts, 'sh']
    session = new Session(world, blocks, wrap)
    // The files that the earlier sections create.
    await session.prepare('p2p-worker keygen > lab.key && echo "*" > allow')
  })

  afterAll(async () => {
    try {
      await session?.end()
    } finally {
      await world?.stop()
    }
  })

  it.each(blocks.map(block => ({ place: placeOf(block), block })))('the block at $place works', ({ block }) =>
    session.run(block)
  )

  it('only root and the peer’s user can read the key and the allow list', async () => {
    const clone = world.clone()
    const script = world.start({ text: "stat -c '%a %U:%G %n' /etc/p2p-worker/*", clone, wrap })
    await script.ended()
    expect(script.output.trim().split('\n')).toEqual([
      '640 root:p2p-worker /etc/p2p-worker/allow',
      '600 root:root /etc/p2p-worker/environment',
      '640 root:p2p-worker /etc/p2p-worker/lab.key'
    ])
  })
})
