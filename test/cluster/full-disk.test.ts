import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { needs } from '../needs.ts'
import { type PeerProcess, ProcessCluster, root } from './processes.ts'
import { SmallDisks } from './small-disks.ts'

const WRITTEN_AGAIN = 'the data folder can be written again'
const NOT_WRITTEN = 'the data folder cannot be written'

/** Waits for text in the log of a peer, because no event reports a failed write. */
const says = (peer: PeerProcess, words: string): Promise<void> =>
  vi.waitFor(() => expect(peer.stderr).toContain(words), { timeout: 60_000 })

needs('disks').describe('a data folder on a disk that is full', () => {
  let folder: string
  let disks: SmallDisks
  let cluster: ProcessCluster

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    disks = await SmallDisks.create(folder, 7)
    cluster = await ProcessCluster.create({ wrap: disks.wrap })
  })

  afterEach(async () => {
    for (const peer of cluster.live) await peer.end('SIGKILL')
  })

  afterAll(async () => {
    await cluster.stop()
    await disks.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (disk: number, args: string[] = []): PeerProcess =>
    cluster.join(['--data-dir', disks.dataDir(disk), ...args])

  it('a peer that cannot create its identity on a full disk exits 2 with advice, and starts as soon as the disk has room', async () => {
    disks.fill(0)
    const refused = start(0)
    expect(await refused.exited).toEqual({ code: 2, signal: null })
    expect(refused.stderr).toMatch(/the data folder .* cannot be used: ENOSPC.*; make room there/)
    disks.free(0)
    const ids: string[] = []
    for (const _ of ['first', 'second']) {
      const peer = start(0)
      await peer.ready()
      ids.push(peer.id)
      await peer.end()
    }
    expect(ids[0]).toBe(ids[1])
  })

  it('a peer on a full disk continues, restarts as the same member, and writes its newest state as soon as the disk has room', async () => {
    const other = cluster.joinAlone([])
    await other.ready()
    const peer = start(1)
    await peer.ready()
    await cluster.settled()

    disks.fill(1)
    const before = disks.state(1)
    const highest = cluster.join(['--election-priority', '1'])
    await highest.ready()
    await cluster.settled(highest)
    // The peer is a standby, and tries to write the job. The last page of its log may still have room for a small write.
    const input = JSON.stringify({ n: 10, padding: 'x'.repeat(10_000) })
    const run = (): Promise<unknown> =>
      cluster.run(['run', join(root, 'test/cluster/tasks/squares.ts'), '--input', input])
    expect(await run()).toMatchObject({ code: 0, stdout: '385\n' })
    await says(peer, NOT_WRITTEN)

    await peer.end('SIGKILL')
    const again = start(1)
    await again.ready()
    expect(again.id).toBe(peer.id)
    await cluster.settled(highest)
    expect(await run()).toMatchObject({ code: 0, stdout: '385\n' })
    await says(again, NOT_WRITTEN)
    // The message is printed only one time, however often the peer has tried to write its state.
    expect(again.stderr.split(NOT_WRITTEN)).toHaveLength(2)

    disks.free(1)
    await says(again, WRITTEN_AGAIN)
    const { epoch, incarnation } = disks.state(1) as { epoch: number; incarnation: number }
    expect(epoch).toBe(highest.epoch)
    expect(incarnation).toBeGreaterThan(before.incarnation as number)
  })

  it('a leader on a full disk refuses new jobs with advice, ends the running one, and takes jobs again as soon as the disk has room', async () => {
    const peer = start(5)
    await peer.ready()
    await cluster.settled()
    const [file, until] = [join(folder, 'lines'), join(folder, 'until')]
    const task = join(root, 'test/cluster/tasks/sleep-sum.ts')
    const running = cluster.run(['run', task, '--input', JSON.stringify({ n: 20, ms: 1_000, file, until })])
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 60_000 })

    disks.fill(5)
    // The last page of the log may still have room for a small job.
    const input = JSON.stringify({ n: 10, padding: 'x'.repeat(10_000) })
    const run = (): ReturnType<typeof cluster.run> =>
      cluster.run(['run', join(root, 'test/cluster/tasks/squares.ts'), '--input', input])
    for (const _ of ['first', 'second']) {
      const refused = await run()
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/the leader refused job .*disk of its data folder.*, or let another peer lead/)
    }
    writeFileSync(until, '')
    expect(await running).toMatchObject({ code: 0, stdout: '190\n' })

    disks.free(5)
    await vi.waitFor(async () => expect(await run()).toMatchObject({ code: 0, stdout: '385\n' }), { timeout: 60_000 })
  })

  it('a peer on a read-only disk exits 2 with advice, and starts as the same peer as soon as the disk can be written', async () => {
    const ids: string[] = []
    for (const isReadOnly of [false, true, false]) {
      disks.setReadOnly(6, isReadOnly)
      const peer = start(6)
      if (isReadOnly) {
        expect(await peer.exited).toEqual({ code: 2, signal: null })
        expect(peer.stderr).toMatch(
          /the data folder .* cannot be used: .*EROFS.*; make it writable, or name another folder/
        )
        continue
      }
      await peer.ready()
      ids.push(peer.id)
      await peer.end()
    }
    expect(ids[0]).toBe(ids[1])
  })

  it('a voter on a full disk neither votes nor leads until the disk has room', async () => {
    const made = await Promise.all(
      [2, 3, 4].map(disk => cluster.spawnBare(['id', '--data-dir', disks.dataDir(disk)], cluster.env).ended)
    )
    const ids = made.map(({ stdout }) => stdout.trim())
    const highest = 2 + ids.indexOf(ids.toSorted().at(-1)!)
    const others = [2, 3, 4].filter(disk => disk !== highest)
    const voter = (disk: number): PeerProcess => start(disk, ['--voters', ids.join(',')])
    disks.fill(highest)
    const full = voter(highest)
    await full.ready()
    const rest = others.map(voter)
    await Promise.all(rest.map(peer => peer.ready()))
    await says(full, 'this voter gives no new vote')
    // The voter ranks above the leader, but does not take over.
    let leader = full
    await full.until('a leader', () => {
      leader = rest.find(({ id }) => id === full.leader) ?? full
      return leader !== full
    })
    const low = rest.find(peer => peer !== leader)!
    await Promise.all([leader, low].map(peer => peer.follows(leader.id)))
    const epoch = leader.epoch!

    // Two of three voters still run, and the voter with the full disk does not vote.
    await leader.end('SIGKILL')
    await Promise.all([full, low].map(peer => peer.sees(leader.id, 'dead')))
    await Promise.all([full, low].map(peer => peer.until('no leader', () => peer.leader === null)))

    disks.free(highest)
    await Promise.all([full, low].map(peer => peer.follows(full.id)))
    expect(full.epoch).toBeGreaterThan(epoch)
    await says(full, WRITTEN_AGAIN)
    expect(disks.state(highest)).toMatchObject({ promised: { epoch: full.epoch, holder: full.id } })
  })
})
