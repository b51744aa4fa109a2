import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isAlive } from '../lead/is-alive.ts'
import { ProcessCluster, type RunningCommand } from './processes.ts'

/** A command's life in one leadership. */
interface Stint {
  epoch: number
  pid: number
}

describe('p2p-worker lead', () => {
  let cluster: ProcessCluster

  beforeEach(async () => {
    cluster = await ProcessCluster.create()
  })

  afterEach(() => cluster.stop())

  const script = (): string => `echo "$P2P_WORKER_EPOCH $$" >> ${join(cluster.home, 'stints')}; exec sleep 1000`
  const stints = async (count: number): Promise<Stint[]> =>
    await vi.waitFor(async () => {
      const lines = (await readFile(join(cluster.home, 'stints'), 'utf8')).trim().split('\n')
      expect(lines.length).toBeGreaterThanOrEqual(count)
      return lines.map(line => ({ epoch: Number(line.split(' ')[0]), pid: Number(line.split(' ')[1]) }))
    }, 20_000)
  const gone = (pid: number, limit = 10_000): Promise<void> => vi.waitFor(() => expect(isAlive(pid)).toBe(false), limit)
  const lead = (priority: number, ...command: string[]): RunningCommand => {
    const bootstrap = cluster.peers[0]?.addresses[0]
    const meet = ['--no-mdns', ...(bootstrap === undefined ? [] : ['--bootstrap', bootstrap])]
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--slots', '1', '--election-priority', String(priority)]
    return cluster.spawnBare(['lead', ...listen, ...meet, '--', ...command], cluster.env)
  }

  it('runs a command, gives it its arguments, and exits as it did', async () => {
    const { ended } = lead(0, 'sh', '-c', 'echo "$1"; exit 9', 'sh', '--flag of its own')
    expect(await ended).toMatchObject({ code: 9, stdout: '--flag of its own\n' })
    const { ended: killed } = lead(0, 'sh', '-c', 'kill -KILL $$')
    expect(await killed).toMatchObject({ code: 137 })
    expect(await lead(0, join(cluster.home, 'missing')).ended).toMatchObject({ code: 127 })
  }, 60_000)

  it('runs it at the leader only, and at the next one after kill -9, which leaves no command running', async () => {
    await cluster.join(['--role', 'worker']).ready()
    const first = lead(2, 'sh', '-c', script())
    const [before] = await stints(1)
    const second = lead(1, 'sh', '-c', script())
    await cluster.peers[0]!.until(
      'both',
      () => [...cluster.peers[0]!.states().values()].filter(state => state === 'alive').length === 2
    )
    first.child.kill('SIGKILL')
    await gone(before!.pid)
    const [, after] = await stints(2)
    expect(after!.epoch).toBeGreaterThan(before!.epoch)
    expect(isAlive(after!.pid)).toBe(true)
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 130 })
    expect(isAlive(after!.pid)).toBe(false)
  }, 60_000)

  it('ends the command of a peer that is paused by the deadline that its supervisor was given, and begins it anew', async () => {
    const paused = lead(0, 'sh', '-c', script())
    const [stint] = await stints(1)
    paused.child.kill('SIGSTOP')
    await gone(stint!.pid)
    paused.child.kill('SIGCONT')
    const [, again] = await stints(2)
    expect(isAlive(again!.pid)).toBe(true)
  }, 60_000)

  it('runs it without a break under a quorum, through many renewals of the lease', async () => {
    const folder = (n: number): string => join(cluster.home, `voter ${n}`)
    const made = await Promise.all(
      [0, 1, 2].map(n => cluster.spawnBare(['id', '--data-dir', folder(n)], cluster.env).ended)
    )
    const ids = made.map(({ stdout }) => stdout.trim())
    const highest = ids.indexOf(ids.toSorted().at(-1)!)
    const vote = (n: number): string[] => ['--data-dir', folder(n), '--voters', ids.join(',')]
    for (const n of [0, 1, 2]) if (n !== highest) await cluster.join(vote(n)).ready()
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns', '--bootstrap', cluster.peers[0]!.addresses[0]!]
    const command = ['sh', '-c', `echo "$P2P_WORKER_EPOCH $$" >> ${join(cluster.home, 'stints')}; sleep 4; exit 5`]
    const { ended } = cluster.spawnBare(['lead', ...listen, ...vote(highest), '--', ...command], cluster.env)
    expect(await ended).toMatchObject({ code: 5 })
    expect(await stints(1)).toHaveLength(1)
  }, 60_000)

  it('is refused to a peer that never leads, with exit code 2', async () => {
    const others = await Promise.all(
      [0, 1, 2].map(n => cluster.spawnBare(['id', '--data-dir', join(cluster.home, `${n}`)], cluster.env).ended)
    )
    const voters = others.map(({ stdout }) => stdout.trim()).join(',')
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns']
    const outsider = await cluster.spawnBare(['lead', ...listen, '--voters', voters, '--', 'true'], cluster.env).ended
    expect(outsider).toMatchObject({ code: 2 })
    expect(outsider.stderr).toContain('none of the voters')
    const worker = await cluster.spawnBare(['lead', ...listen, '--role', 'worker', '--', 'true'], cluster.env).ended
    expect(worker).toMatchObject({ code: 2 })
  }, 60_000)

  it('hands the command over to a peer that ranks higher', async () => {
    await cluster.join(['--role', 'worker']).ready()
    const low = lead(1, 'sh', '-c', script())
    const [before] = await stints(1)
    lead(2, 'sh', '-c', script())
    const [, after] = await stints(2)
    expect(isAlive(before!.pid)).toBe(false)
    expect(after!.epoch).toBeGreaterThan(before!.epoch)
    expect(low.child.exitCode).toBeNull()
  }, 60_000)
})
