import { join as joinPath } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { join, type Peer } from '../../src/index.ts'
import { type PeerProcess, ProcessCluster, root } from './processes.ts'

const task = joinPath(root, 'test/cluster/tasks/sleep-sum.ts')

let cluster: ProcessCluster
/** A leader in a process of its own. */
let leader: PeerProcess
/** Peers in this process: the next leader and a follower. */
let next: Peer
let follower: Peer

beforeEach(async () => {
  cluster = await ProcessCluster.create()
  leader = cluster.join(['--profile', 'local', '--election-priority', '2'])
  await leader.ready()
  const joinHere = (electionPriority: number): Promise<Peer> =>
    join({
      cluster: 'test',
      key: cluster.env.P2P_WORKER_KEY!,
      listen: ['/ip4/127.0.0.1/tcp/0'],
      bootstrap: leader.addresses,
      mdns: false,
      slots: 1,
      profile: 'local',
      electionPriority
    })
  next = await joinHere(1)
  follower = await joinHere(0)
  for (const peer of [next, follower]) {
    await expect.poll(() => peer.leader?.id).toBe(leader.id)
    await expect.poll(() => peer.stats().members.alive).toBe(3)
  }
})

afterEach(async () => {
  await Promise.all([next?.leave(), follower?.leave()])
  await cluster.stop()
})

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

describe('peer.stats()', () => {
  it('peer.stats() counts a job, the death of the leader, and the takeover by the next leader', async () => {
    const [before, earlier] = [next.stats(), follower.stats()]
    expect(before).toMatchObject({ isLeader: false, epoch: next.leader!.epoch, slots: 1, leading: undefined })
    expect(before.led).toEqual({ folded: 0, retried: 0, speculated: 0, recomputed: 0, dispatched: 0 })
    const n = 150
    const job = await follower.submit<object, number>(task, { n, ms: 40 })
    await expect.poll(() => next.stats().chunks.completed).toBeGreaterThan(5)
    expect(follower.stats().busy).toBeLessThanOrEqual(1)
    await leader.end('SIGKILL')
    await expect.poll(() => next.stats().leading?.jobs).toBe(1)
    expect(next.stats().leading!.checkpointAge).toBeGreaterThanOrEqual(0)
    expect(await job.result()).toBe((n * (n - 1)) / 2)

    const [after, seen] = [next.stats(), follower.stats()]
    expect(after).toMatchObject({ isLeader: true, members: { alive: 2, dead: 1 }, falseDeaths: 0, busy: 0 })
    expect(seen).toMatchObject({ isLeader: false, epoch: after.epoch, leading: undefined, led: { folded: 0 } })
    for (const [was, now] of [
      [before, after],
      [earlier, seen]
    ] as const) {
      expect(now.leaderChanges).toBeGreaterThan(was.leaderChanges)
      expect(sumOf(now.electionDurations.counts)).toBeGreaterThan(sumOf(was.electionDurations.counts))
      expect(now.leaderless).toBeGreaterThanOrEqual(was.leaderless)
      expect(now.epoch).toBeGreaterThan(was.epoch!)
    }
    // The first leader had folded the other chunks.
    expect(after.led.folded).toBeGreaterThan(0)
    expect(after.led.folded).toBeLessThanOrEqual(n)
    expect(after.led.dispatched).toBeLessThanOrEqual(after.led.folded + after.led.retried + after.led.speculated)
    expect(after.batchSizes.sum).toBe(after.led.dispatched)
    // The killed leader ran the other chunks.
    expect(after.chunks.completed + seen.chunks.completed).toBeGreaterThan(after.led.folded / 2)
    expect(sumOf(after.eventLoopLag.counts)).toBeGreaterThan(0)
    expect(sumOf(Object.values(after.refusals))).toBe(0)
    expect(after.leading).toEqual({
      jobs: 0,
      unserved: 0,
      ready: 0,
      dispatched: 0,
      unfolded: 0,
      unfoldedBytes: 0,
      checkpointAge: undefined
    })
  })

  it('peer.stats() counts a member that was declared dead and had only been paused', async () => {
    const paused = cluster.join(['--profile', 'local'])
    await paused.ready()
    for (const peer of [next, follower]) await expect.poll(() => peer.stats().members.alive).toBe(4)
    paused.child.kill('SIGSTOP')
    for (const peer of [next, follower]) await expect.poll(() => peer.stats().members.dead).toBe(1)
    expect([next.stats().falseDeaths, follower.stats().falseDeaths]).toEqual([0, 0])
    paused.child.kill('SIGCONT')
    for (const peer of [next, follower]) {
      await expect.poll(() => peer.stats().members).toMatchObject({ alive: 4, dead: 0 })
      expect(peer.stats().falseDeaths).toBe(1)
    }
  })

  it('peer.stats() remains readable after the peer has left', async () => {
    const job = await follower.submit<object, number>(task, { n: 20, ms: 1 })
    await job.result()
    const { chunks } = follower.stats()
    await follower.leave()
    expect(follower.stats()).toMatchObject({ chunks, isLeader: false, leading: undefined, members: { left: 1 } })
  })
})
