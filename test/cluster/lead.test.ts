import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isAlive } from '../lead/is-alive.ts'
import { type PeerEvent, ProcessCluster, type RunningCommand } from './processes.ts'

/** One run of the command in one leadership. */
interface Stint {
  epoch: number
  pid: number
}

describe('p2p-worker lead', () => {
  let cluster: ProcessCluster

  beforeEach(async () => {
    cluster = await ProcessCluster.create()
  })

  afterEach(async () => {
    const overlaps = await readFile(join(cluster.home, 'overlaps'), 'utf8').catch(() => '')
    await cluster.stop()
    expect(overlaps, 'commands that began while an earlier one was there').toBe('')
  })

  /** The first act of a command: it records which earlier commands still run (zombies excepted), and then its own process id. */
  const begin = (): string => {
    const [stints, overlaps] = ['stints', 'overlaps'].map(name => join(cluster.home, name))
    const look = `read -r stat < /proc/$pid/stat && case "$stat" in *") Z "*) ;; *) echo "$pid" >> ${overlaps} ;; esac`
    return `{ while read -r epoch pid; do ${look}; done; } 2> /dev/null < ${stints}
      echo "$P2P_WORKER_EPOCH $$" >> ${stints}`
  }
  const script = (): string => `${begin()}; exec sleep 1000`
  const stints = async (count: number): Promise<Stint[]> =>
    await vi.waitFor(async () => {
      // What follows the last line break is not written whole yet.
      const lines = (await readFile(join(cluster.home, 'stints'), 'utf8')).split('\n').slice(0, -1)
      expect(lines.length).toBeGreaterThanOrEqual(count)
      return lines.map(line => ({ epoch: Number(line.split(' ')[0]), pid: Number(line.split(' ')[1]) }))
    }, 60_000)
  const gone = (pid: number, limit = 10_000): Promise<void> => vi.waitFor(() => expect(isAlive(pid)).toBe(false), limit)
  const endless = (): string => `${begin()}; while :; do sleep 0.1; done`
  /** Returns a command that takes half a second to stop. If the next leader did not wait for this command, the commands of both leaders would overlap. */
  const slowToStop = (): string => `trap 'sleep 0.5; exit 0' TERM; ${endless()}`
  /** Resolves when the worker sees this many other live peers. */
  const workerSees = (others: number): Promise<void> =>
    cluster.peers[0]!.until(
      `${others} others`,
      () => [...cluster.peers[0]!.states().values()].filter(state => state === 'alive').length === others
    )
  const lead = (priority: number, flags: string[], ...command: string[]): RunningCommand => {
    const bootstrap = cluster.peers[0]?.addresses[0]
    const meet = ['--no-mdns', ...(bootstrap === undefined ? [] : ['--bootstrap', bootstrap])]
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--slots', '1', '--election-priority', String(priority)]
    return cluster.spawnBare(['lead', ...listen, ...meet, ...flags, '--', ...command], cluster.env)
  }

  it('p2p-worker lead runs a command with arguments, and exits with the exit code of the command', async () => {
    const { ended } = lead(0, [], 'sh', '-c', 'echo "$1"; exit 9', 'sh', '--flag of its own')
    expect(await ended).toMatchObject({ code: 9, stdout: '--flag of its own\n' })
    const { ended: killed } = lead(0, [], 'sh', '-c', 'kill -KILL $$')
    expect(await killed).toMatchObject({ code: 137 })
    expect(await lead(0, [], join(cluster.home, 'missing')).ended).toMatchObject({ code: 127 })
  })

  it('p2p-worker lead runs the command only at the leader, and at the next leader after kill -9, which leaves no command behind', async () => {
    await cluster.join(['--role', 'worker']).ready()
    const first = lead(2, [], 'sh', '-c', script())
    const [before] = await stints(1)
    const second = lead(1, [], 'sh', '-c', script())
    await workerSees(2)
    first.child.kill('SIGKILL')
    await gone(before!.pid)
    const [, after] = await stints(2)
    expect(after!.epoch).toBeGreaterThan(before!.epoch)
    expect(isAlive(after!.pid)).toBe(true)
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 130 })
    expect(isAlive(after!.pid)).toBe(false)
  })

  it('p2p-worker lead ends the command of a paused peer by the deadline of its supervisor, and starts the command again', async () => {
    const paused = lead(0, [], 'sh', '-c', script())
    const [stint] = await stints(1)
    paused.child.kill('SIGSTOP')
    await gone(stint!.pid)
    paused.child.kill('SIGCONT')
    const [, again] = await stints(2)
    expect(isAlive(again!.pid)).toBe(true)
  })

  it.each(['0s', '300ms'])(
    'p2p-worker lead kills a command that ignores SIGTERM after a grace of %s, and leaves in order',
    async grace => {
      await cluster.join(['--role', 'worker']).ready()
      const { child, ended } = lead(0, ['--grace', grace], 'sh', '-c', `trap '' TERM; ${endless()}`)
      const [stint] = await stints(1)
      const toldAt = performance.now()
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ code: 130 })
      expect(performance.now() - toldAt).toBeGreaterThan(Number.parseInt(grace, 10))
      expect(isAlive(stint!.pid)).toBe(false)
      const hasGone = ({ event, state }: PeerEvent): boolean =>
        event === 'member' && state !== 'alive' && state !== 'suspect'
      const [worker] = cluster.peers
      await worker!.until('the leader is gone', events => events.some(hasGone))
      const leader = worker!.events.findLast(hasGone)
      expect(leader).toMatchObject({ state: 'left' })
    }
  )

  describe('under a quorum', () => {
    let ids: string[]
    let leads: RunningCommand[]

    beforeEach(async () => {
      const made = [0, 1, 2].map(n => cluster.spawnBare(['id', '--data-dir', folder(n)], cluster.env).ended)
      leads = []
      ids = (await Promise.all(made)).map(({ stdout }) => stdout.trim())
    })

    // The commands write into the home folder while they run.
    afterEach(async () => {
      for (const { child } of leads) child.kill('SIGTERM')
      await Promise.all(leads.map(({ ended }) => ended))
    })

    const folder = (n: number): string => join(cluster.home, `voter ${n}`)
    const vote = (n: number): string[] => ['--data-dir', folder(n), '--voters', ids.join(',')]
    const leadAs = (n: number, command: string[]): RunningCommand => {
      const bootstrap = cluster.peers[0]!.addresses[0]!
      const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns', '--bootstrap', bootstrap, '--slots', '1']
      const running = cluster.spawnBare(['lead', ...listen, ...vote(n), '--', ...command], cluster.env)
      leads.push(running)
      return running
    }

    it('under a quorum p2p-worker lead runs the command without a break through many renewals of the lease', async () => {
      const highest = ids.indexOf(ids.toSorted().at(-1)!)
      for (const n of [0, 1, 2]) if (n !== highest) await cluster.join(vote(n)).ready()
      const script = `echo "$P2P_WORKER_EPOCH $$" >> ${join(cluster.home, 'stints')}; sleep 4; exit 5`
      expect(await leadAs(highest, ['sh', '-c', script]).ended).toMatchObject({ code: 5 })
      expect(await stints(1)).toHaveLength(1)
    })

    it('under a quorum p2p-worker lead ends the command of a paused peer before the command begins at the next leader', async () => {
      const [low, middle, high] = [...ids.keys()].sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1))
      await cluster.join(vote(low!)).ready()
      const file = join(cluster.home, 'lines')
      const script = `setInterval(() => fs.appendFileSync(process.argv[1], process.env.P2P_WORKER_EPOCH + ' ' + (performance.timeOrigin + performance.now()) + '\\n'), 5)`
      const command = [process.execPath, '-e', script, file]
      const written = async (epochs: number): Promise<Array<{ epoch: number; at: number }>> =>
        await vi.waitFor(async () => {
          const lines = (await readFile(file, 'utf8'))
            .trim()
            .split('\n')
            .map(line => line.split(' ').map(Number))
          expect(new Set(lines.map(([epoch]) => epoch)).size).toBeGreaterThanOrEqual(epochs)
          return lines.map(([epoch, at]) => ({ epoch: epoch!, at: at! }))
        }, 60_000)
      const paused = leadAs(high!, command)
      await written(1)
      leadAs(middle!, command)
      await cluster.peers[0]!.until(
        'both',
        () => [...cluster.peers[0]!.states().values()].filter(state => state === 'alive').length === 2
      )
      paused.child.kill('SIGSTOP')
      await written(2)
      paused.child.kill('SIGCONT')
      const lines = await written(3)
      const epochs = [...new Set(lines.map(({ epoch }) => epoch))]
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
      for (const [i, epoch] of epochs.slice(1).entries()) {
        const last = Math.max(...lines.filter(line => line.epoch === epochs[i]).map(({ at }) => at))
        const first = Math.min(...lines.filter(line => line.epoch === epoch).map(({ at }) => at))
        expect(first).toBeGreaterThan(last)
      }
    })
  })

  it('p2p-worker lead is refused at a peer that never leads, with exit code 2', async () => {
    const others = await Promise.all(
      [0, 1, 2].map(n => cluster.spawnBare(['id', '--data-dir', join(cluster.home, `${n}`)], cluster.env).ended)
    )
    const voters = others.map(({ stdout }) => stdout.trim()).join(',')
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns']
    const outsider = await cluster.spawnBare(['lead', ...listen, '--voters', voters, '--', 'true'], cluster.env).ended
    expect(outsider).toMatchObject({ code: 2 })
    expect(outsider.stderr).toContain('not one of the voters')
    const worker = await cluster.spawnBare(['lead', ...listen, '--role', 'worker', '--', 'true'], cluster.env).ended
    expect(worker).toMatchObject({ code: 2 })
  })

  it('when a higher-ranked peer takes over, p2p-worker lead ends the command at the old leader and runs the command at the new leader', async () => {
    await cluster.join(['--role', 'worker']).ready()
    const low = lead(1, [], 'sh', '-c', slowToStop())
    const [before] = await stints(1)
    lead(2, [], 'sh', '-c', script())
    const [, after] = await stints(2)
    expect(isAlive(before!.pid)).toBe(false)
    expect(after!.epoch).toBeGreaterThan(before!.epoch)
    expect(low.child.exitCode).toBeNull()
  })

  it('p2p-worker lead ends the command of a leaving leader before the command begins at the next leader', async () => {
    await cluster.join(['--role', 'worker']).ready()
    const leaving = lead(2, [], 'sh', '-c', slowToStop())
    const [before] = await stints(1)
    lead(1, [], 'sh', '-c', script())
    await workerSees(2)
    leaving.child.kill('SIGTERM')
    const [, after] = await stints(2)
    expect(isAlive(before!.pid)).toBe(false)
    expect(after!.epoch).toBeGreaterThan(before!.epoch)
    expect(await leaving.ended).toMatchObject({ code: 130 })
  })
})
