import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

const BACK_WITHIN_MS = 5_000
/** Longer than the longest suspicion, so that the others declare the peer dead. */
const LONG_MS = 15_000
/**
 * The time by which a pause has all its consequences: an accusation at the end of the running probe, by a peer that doubts itself and
 * so takes two periods, and then the time to refute of a suspect with a single accuser.
 */
const CONCLUDED_MS = 2 * profiles.lan.period + profiles.lan.suspicionMax

describe('three peers, one of which is stopped (SIGSTOP)', () => {
  let cluster: ProcessCluster
  let paused: PeerProcess
  let others: PeerProcess[]

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
    // The highest peer is the leader, on which most depends.
    const [highest, ...rest] = cluster.byRank()
    paused = highest!
    others = rest
  })

  afterAll(() => cluster?.stop())

  /** The members that the peer has reported in this state since then. */
  const seen = (peer: PeerProcess, since: number, state: string): string[] =>
    peer.events.flatMap(event =>
      event.event === 'member' && event.at >= since && event.state === state ? [event.peerId!] : []
    )

  it('three peers never declare one of them dead after its pause of 2 s, nor does the paused peer declare the others dead', async () => {
    const stoppedAt = performance.now()
    paused.child.kill('SIGSTOP')
    await delay(2_000)
    paused.child.kill('SIGCONT')
    await delay(CONCLUDED_MS)
    await cluster.settled()
    for (const peer of cluster.peers) expect(seen(peer, stoppedAt, 'dead')).toEqual([])
  })

  it('two peers declare a third dead after a long pause and alive soon after it resumes, and the paused peer accuses no peer', async () => {
    const stoppedAt = performance.now()
    paused.child.kill('SIGSTOP')
    await Promise.all(others.map(peer => peer.sees(paused.id, 'dead')))
    for (const peer of others) {
      const dead = peer.events.findLast(event => event.peerId === paused.id && event.state === 'dead')!
      // The port of the paused peer accepts all the time, so only the suspicion can end it.
      expect(dead.at - stoppedAt).toBeGreaterThan(profiles.lan.suspicionMin)
    }
    await delay(LONG_MS - (performance.now() - stoppedAt))
    const continuedAt = performance.now()
    paused.child.kill('SIGCONT')
    await Promise.all(others.map(peer => peer.sees(paused.id, 'alive')))
    expect(performance.now() - continuedAt).toBeLessThan(BACK_WITHIN_MS)
    await delay(CONCLUDED_MS)
    await cluster.settled()
    expect(seen(paused, stoppedAt, 'suspect')).toEqual([])
    expect(seen(paused, stoppedAt, 'dead')).toEqual([])
    for (const peer of others) expect(new Set(seen(peer, stoppedAt, 'dead'))).toEqual(new Set([paused.id]))
  })
})

describe('a leader that is stopped (SIGSTOP) for 10 s in the middle of a job', () => {
  let cluster: ProcessCluster

  afterAll(() => cluster?.stop())

  it('after a pause of the leader no peer follows the epoch of the paused leader again, and no chunk of that epoch runs', async () => {
    cluster = await ProcessCluster.start(3)
    // A leader without own chunks: all chunks after its pause run at other peers.
    const leader = cluster.join(['--role', 'leader', '--election-priority', '1'])
    await leader.ready()
    await cluster.settled(leader)
    const others = cluster.live.filter(peer => peer !== leader)
    const oldEpoch = leader.epoch!
    const file = join(cluster.home, 'executions')
    const executions = async (): Promise<number> =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1
    const input = JSON.stringify({ n: 100, ms: 50, file })
    const job = cluster.spawn(['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--json'])
    await expect.poll(executions, { timeout: 60_000, interval: 10 }).toBeGreaterThan(10)

    leader.child.kill('SIGSTOP')
    const stopped = delay(10_000)
    const { state, result } = JSON.parse((await job.ended).stdout)
    expect({ state, result }).toEqual({ state: 'completed', result: (100 * 99) / 2 })
    const before = await executions()
    await stopped
    const seen = others.map(({ events }) => events.length)
    leader.child.kill('SIGCONT')
    await Promise.all(others.map(peer => peer.until('a later epoch', () => (peer.epoch ?? 0) > oldEpoch)))
    await cluster.settled(leader)
    await delay(CONCLUDED_MS)

    for (const [i, peer] of others.entries()) {
      const epochs = peer.events
        .slice(seen[i])
        .flatMap(({ event, peerId, epoch }) => (event === 'leader' && peerId !== null ? [epoch!] : []))
      expect(Math.min(...epochs)).toBeGreaterThan(oldEpoch)
    }
    expect(await executions()).toBe(before)
  })
})
