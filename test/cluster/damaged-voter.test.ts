import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster, root } from './processes.ts'

describe('a voter that has lost a part of its data folder', () => {
  let cluster: ProcessCluster
  let ids: string[]

  const folder = (n: number): string => join(cluster.home, `voter ${n}`)
  const start = async (n: number): Promise<PeerProcess> => {
    const peer = cluster.join(['--data-dir', folder(n), '--voters', ids.join(',')])
    await peer.ready()
    return peer
  }
  const command = (...args: string[]) => cluster.spawnBare(args, cluster.env).ended

  beforeEach(async () => {
    cluster = await ProcessCluster.create()
    const made = await Promise.all([0, 1, 2].map(n => command('id', '--data-dir', folder(n))))
    ids = made.map(({ stdout }) => stdout.trim())
  })

  afterEach(() => cluster.stop())

  /** Submits a job that only the voters 0 and 1 hold, and stops both. */
  async function submitTo01(): Promise<string> {
    await start(2).then(peer => peer.end())
    const peers = [await start(0), await start(1)]
    await cluster.agreed()
    const input = JSON.stringify({ n: 20, ms: 300 })
    const task = join(root, 'test/cluster/tasks/sleep-sum.ts')
    const run = await cluster.run(['run', task, '--detach', '--input', input])
    expect(run).toMatchObject({ code: 0, stderr: 'held by 2 peers, 2 of them on disk\n' })
    await Promise.all(peers.map(peer => peer.end('SIGKILL')))
    return run.stdout.trim()
  }

  /** Cuts off the end of the log of a voter, with everything that it has promised and stored. */
  async function damage(n: number): Promise<void> {
    const log = join(folder(n), 'log')
    for (const name of (await readdir(log)).filter(name => name.endsWith('.log'))) {
      const bytes = await readFile(join(log, name))
      await writeFile(join(log, name), bytes.subarray(0, 200))
    }
  }

  it('elects nobody and denies no job together with a voter that was away, until one returns that has lost nothing', async () => {
    const id = await submitTo01()
    await damage(1)
    const damaged = await start(1)
    const away = await start(2)
    await damaged.until('the missing promises', () => damaged.stderr.includes('gives no vote'))
    expect(away.events.filter(({ event, epoch }) => event === 'leader' && epoch !== undefined)).toEqual([])
    const doctor = await cluster.run(['doctor', '--json', '--data-dir', folder(1)])
    expect(doctor.stdout).toContain('it has lost jobs or promises')
    const whole = await start(0)
    expect(await cluster.run(['result', id, '--wait', '60s'])).toMatchObject({ code: 0, stdout: '190\n' })
    // Now the voter that lost its part counts again: it has all of it from the others.
    await whole.end('SIGKILL')
    await Promise.all(
      [damaged, away].map(peer =>
        peer.until('a leader', () => typeof peer.leader === 'string' && peer.leader !== whole.id)
      )
    )
    expect(await cluster.run(['result', id, '--wait', '60s'])).toMatchObject({ code: 0, stdout: '190\n' })
  })

  it('counts with what it has left after `accept-loss`', async () => {
    const id = await submitTo01()
    await damage(1)
    await rm(folder(0), { recursive: true })
    expect(await command('accept-loss', '--data-dir', folder(1))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('counts again')
    })
    expect(await command('accept-loss', '--data-dir', folder(1))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing is lost')
    })
    for (const n of [1, 2]) await start(n)
    await cluster.agreed()
    expect((await cluster.run(['result', id, '--wait', '5s'])).code).not.toBe(0)
  })

  it('is found to be one whose folder was put back from an earlier time', async () => {
    const others = [await start(0), await start(1)]
    const first = await start(2)
    await cluster.agreed()
    const copy = (from: string, to: string): Promise<void> =>
      cp(from, to, { recursive: true, filter: path => !basename(path).startsWith('lock') })
    await first.end('SIGKILL')
    await copy(folder(2), join(cluster.home, 'copy'))
    // Only what others have heard of the newer run can show that the folder is older.
    await Promise.all(others.map(peer => peer.sees(first.id, 'dead')))
    const newer = await start(2)
    await cluster.settled()
    await newer.end('SIGKILL')
    await rm(folder(2), { recursive: true })
    await copy(join(cluster.home, 'copy'), folder(2))
    const restored = await start(2)
    await restored.until('the older folder', () => restored.stderr.includes('is from an earlier time'))
    await restored.until('a leader', () => typeof restored.leader === 'string')
  })
})
