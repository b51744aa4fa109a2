import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

const BACK_WITHIN_MS = 5_000
/** So long that the others have concluded that it is dead, by the longest suspicion there is. */
const LONG_MS = 15_000
/**
 * Whatever is concluded from a pause is concluded by then: from an accusation at the end of the probe that was under way, by a peer
 * that doubts itself and so takes two periods for it, in the time that a suspect has whom one alone accuses.
 */
const CONCLUDED_MS = 2 * profiles.lan.period + profiles.lan.suspicionMax

describe('three peers, one of which is stopped (SIGSTOP)', () => {
  let cluster: ProcessCluster
  let paused: PeerProcess
  let others: PeerProcess[]

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
    // The highest is the leader: the one that most depends on.
    const [highest, ...rest] = cluster.byRank()
    paused = highest!
    others = rest
  }, 60_000)

  afterAll(() => cluster?.stop())

  /** What the peers saw happen to members since then. */
  const seen = (peer: PeerProcess, since: number, state: string): string[] =>
    peer.events.flatMap(event =>
      event.event === 'member' && event.at >= since && event.state === state ? [event.peerId!] : []
    )

  it('never hold it dead when it goes on after 2 s, nor does it then hold them dead', async () => {
    const stoppedAt = performance.now()
    paused.child.kill('SIGSTOP')
    await delay(2_000)
    paused.child.kill('SIGCONT')
    await delay(CONCLUDED_MS)
    await cluster.settled()
    for (const peer of cluster.peers) expect(seen(peer, stoppedAt, 'dead')).toEqual([])
  })

  it('hold it dead after a long pause, and alive soon after it goes on; it accuses nobody when it wakes', async () => {
    const stoppedAt = performance.now()
    paused.child.kill('SIGSTOP')
    await Promise.all(others.map(peer => peer.sees(paused.id, 'dead')))
    for (const peer of others) {
      const dead = peer.events.findLast(event => event.peerId === paused.id && event.state === 'dead')!
      // Its port accepts all the time: only the suspicion can end it.
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
  }, 60_000)
})
