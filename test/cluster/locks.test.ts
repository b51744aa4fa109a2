import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LockInfo } from '../../src/api/lock-types.ts'
import { isAlive } from '../lead/is-alive.ts'
import { ProcessCluster, type RunningCommand, root } from './processes.ts'

const SOON = { timeout: 60_000, interval: 20 }

/** One run of the command under a lock. */
interface Stint {
  token: number
  pid: number
}

describe('locks of a cluster of processes', () => {
  let cluster: ProcessCluster

  beforeEach(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
  }, 60_000)

  afterEach(async () => {
    const overlaps = await readFile(join(cluster.home, 'overlaps'), 'utf8').catch(() => '')
    await cluster.stop()
    expect(overlaps, 'commands that began while an earlier one was there').toBe('')
  })

  /** A command that records which earlier commands still run (zombies excepted), and its token and process id. Then it runs until it is stopped. */
  const command = (then = 'exec sleep 1000'): string[] => {
    const [stints, overlaps] = ['stints', 'overlaps'].map(name => join(cluster.home, name))
    const look = `read -r stat < /proc/$pid/stat && case "$stat" in *") Z "*) ;; *) echo "$pid" >> ${overlaps} ;; esac`
    const begin = `{ while read -r token pid; do ${look}; done; } 2> /dev/null < ${stints}; echo "$P2P_WORKER_FENCE $$" >> ${stints}`
    return ['sh', '-c', `${begin}; ${then}`]
  }
  const stints = async (count: number): Promise<Stint[]> =>
    await vi.waitFor(async () => {
      // What follows the last line break is not written whole yet.
      const lines = (await readFile(join(cluster.home, 'stints'), 'utf8')).split('\n').slice(0, -1)
      expect(lines.length).toBeGreaterThanOrEqual(count)
      return lines.map(line => ({ token: Number(line.split(' ')[0]), pid: Number(line.split(' ')[1]) }))
    }, SOON)
  const gone = (pid: number): Promise<void> => vi.waitFor(() => expect(isAlive(pid)).toBe(false), SOON)
  const lock = (flags: string[], ...words: string[]): RunningCommand => {
    const bootstrap = cluster.live.flatMap(({ addresses: [address = ''] }) => ['--bootstrap', address])
    return cluster.spawnBare(['lock', '--no-mdns', ...bootstrap, ...flags, 'night', '--', ...words], cluster.env)
  }
  const locks = async (): Promise<LockInfo[]> =>
    JSON.parse((await cluster.run(['locks', '--json'])).stdout) as LockInfo[]

  it('six processes that each increment a number 200 times under a lock make it 1,200, although two leaders are killed meanwhile', async () => {
    const file = join(cluster.home, 'number')
    await writeFile(file, '0')
    const script = join(root, 'test/cluster/increment.mjs')
    const bootstrap = cluster.live.map(({ addresses }) => addresses[0]).join()
    const processes = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [script, bootstrap, file, '200'], {
        env: cluster.env,
        stdio: ['ignore', 'ignore', 'inherit']
      })
    )
    const ended = Promise.all(processes.map(child => once(child, 'exit')))
    const reaches = async (least: number): Promise<void> =>
      await vi.waitFor(async () => expect(Number(await readFile(file, 'utf8'))).toBeGreaterThan(least), SOON)
    for (const least of [200, 600]) {
      await reaches(least)
      const leader = await cluster.agreed()
      await cluster.join().ready()
      await leader.end('SIGKILL')
      await cluster.settled()
    }
    expect((await ended).map(([code]) => code)).toEqual([0, 0, 0, 0, 0, 0])
    expect(await readFile(file, 'utf8')).toBe('1200')
  }, 180_000)

  it('the command of `lock` ends with `lock`, even by kill -9, and the next one begins when the ttl is over, with a larger token', async () => {
    const first = lock(['--ttl', '2s'], ...command())
    const [before] = await stints(1)
    const second = lock(['--ttl', '2s'], ...command('exit 7'))
    await vi.waitFor(() => expect(second.stderr).toContain('waiting for the lock night'), SOON)
    expect(await locks()).toMatchObject([
      { name: 'night', holders: [{ token: before!.token, ttl: 2_000 }], waiters: [{}] }
    ])
    first.child.kill('SIGKILL')
    await gone(before!.pid)
    const [, after] = await stints(2)
    expect(after!.token).toBeGreaterThan(before!.token)
    expect(await second.ended).toMatchObject({ code: 7 })
    expect(await locks()).toEqual([])
  }, 60_000)

  it('the command of a paused `lock` is killed before the next one begins, and `lock` fails when it goes on', async () => {
    const first = lock(['--ttl', '2s', '--grace', '100ms'], ...command())
    const [before] = await stints(1)
    const second = lock(['--ttl', '2s'], ...command())
    await vi.waitFor(() => expect(second.stderr).toContain('waiting'), SOON)
    first.child.kill('SIGSTOP')
    const [, after] = await stints(2)
    expect(isAlive(before!.pid)).toBe(false)
    first.child.kill('SIGCONT')
    expect(await first.ended).toMatchObject({ code: 125, stderr: expect.stringContaining('the lock "night"') })
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 130 })
    await gone(after!.pid)
  }, 60_000)

  it('`lock` tries once with --wait 0s, refuses another limit, and reports a command that is not there', async () => {
    const held = lock([], ...command())
    const [stint] = await stints(1)
    expect(await lock(['--wait', '0s'], 'true').ended).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('is held')
    })
    const other = await lock(['--limit', '2'], 'true').ended
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('has the limit 1, not 2') })
    held.child.kill('SIGINT')
    expect(await held.ended).toMatchObject({ code: 130 })
    await gone(stint!.pid)
    expect(await lock([], join(cluster.home, 'missing')).ended).toMatchObject({ code: 127 })
  }, 60_000)

  it('`lead --name` runs its command at one peer, and at another one within the ttl when that peer is killed', async () => {
    const bootstrap = ['--bootstrap', cluster.peers[0]!.addresses[0]!]
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns', '--slots', '1', '--role', 'worker']
    const lead = (): RunningCommand =>
      cluster.spawnBare(
        ['lead', '--name', 'mailer', '--ttl', '2s', ...listen, ...bootstrap, '--', ...command()],
        cluster.env
      )
    const peers = [lead(), lead()]
    const [before] = await stints(1)
    await vi.waitFor(async () => {
      expect(await locks()).toMatchObject([{ kind: 'leadership', name: 'mailer', holders: [{}], waiters: [{}] }])
    }, SOON)
    const leads = ({ stderr }: RunningCommand): boolean => stderr.includes('this peer leads mailer (token')
    const first = peers.find(leads)!
    first.child.kill('SIGKILL')
    await gone(before!.pid)
    const [, after] = await stints(2)
    expect(after!.token).toBeGreaterThan(before!.token)
    const second = peers.find(peer => peer !== first)!
    expect(leads(second)).toBe(true)
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 130 })
    await gone(after!.pid)
  }, 60_000)
})
