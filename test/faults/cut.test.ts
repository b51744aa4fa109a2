import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

/**
 * TCP sends again after 200 to 250 ms and then after twice the pause each time: 25 to 32 s after the first loss, and not
 * before 51 s again. A connection from before a cut of 34 s stays stuck for longer than healing may take.
 */
const CUT_FOR_MS = 34_000
const HEALED_WITHIN_MS = 15_000
/** Long enough for the unluckiest of many members to be a suspect, and for one that nobody hears to be dead. */
const TROUBLE_MS = 12_000

/** A peer that got no processor time in between may write what it concluded so much later, in ms. */
const WRITTEN_WITHIN_MS = 200
const REFUTABLE_MS = profiles.lan.suspicionMin - WRITTEN_WITHIN_MS

needs('hosts').describe('five peers on five hosts', () => {
  let hosts: Hosts
  let cluster: ProcessCluster

  beforeAll(async () => {
    hosts = await Hosts.create(5)
    cluster = await ProcessCluster.create()
    for (const host of [0, 1, 2, 3, 4]) {
      cluster.join(['--listen', `/ip4/${hosts.address(host)}/tcp/4001`], { wrap: hosts.wrap(host) })
      // The next one gets this one's address as its bootstrap address.
      await cluster.peers[host]!.ready()
    }
    await cluster.settled()
  })

  afterAll(async () => {
    await cluster?.stop()
    await hosts?.stop()
  })

  /** Ends the trouble, and expects all to be one cluster again soon. */
  const heal = async (): Promise<void> => {
    const healedAt = performance.now()
    hosts.heal()
    await cluster.settled()
    expect(performance.now() - healedAt).toBeLessThan(HEALED_WITHIN_MS)
  }
  /** Waits until each of `these` holds each of `those` dead; none of it before a suspicion that began at `since` could end. */
  const dead = async (these: PeerProcess[], those: PeerProcess[], since: number): Promise<void> => {
    await Promise.all(these.flatMap(peer => those.map(other => peer.sees(other.id, 'dead'))))
    const times = these.flatMap(peer =>
      peer.events.filter(({ state, at }) => state === 'dead' && at > since).map(({ at }) => at - since)
    )
    expect(Math.min(...times)).toBeGreaterThan(profiles.lan.suspicionMin)
  }

  /** Of each verdict of this peer since then: for how long it had suspected the member, in ms; 0 if it had not. */
  const suspectedFor = (peer: PeerProcess, since: number): number[] => {
    const suspectedAt = new Map<string, number>()
    return peer.events.flatMap(({ event, at, time, peerId, state }) => {
      if (event !== 'member') return []
      const written = Date.parse(time)
      const begin = suspectedAt.get(peerId!) ?? written
      if (state !== 'suspect') suspectedAt.delete(peerId!)
      else suspectedAt.set(peerId!, written)
      return state === 'dead' && at >= since ? [written - begin] : []
    })
  }

  it('two of which are cut off from three are one cluster again soon after, though each side held all others dead', async () => {
    const [three, two] = [cluster.peers.slice(0, 3), cluster.peers.slice(3)]
    const cutAt = performance.now()
    hosts.cut(3, 4)
    await Promise.all([dead(three, two, cutAt), dead(two, three, cutAt)])
    await delay(CUT_FOR_MS - (performance.now() - cutAt))
    await heal()
    expect(new Set(cluster.peers.map(peer => peer.epoch)).size).toBe(1)
  })

  it('one of which hears all and is heard by none are one cluster again soon after', async () => {
    const [mute, ...others] = cluster.peers as [PeerProcess, ...PeerProcess[]]
    const mutedAt = performance.now()
    hosts.mute(0)
    await dead(others, [mute], mutedAt)
    await delay(TROUBLE_MS - (performance.now() - mutedAt))
    await heal()
  })

  // With half of them lost, there are suspects that don't hear of it in time, so that somebody is called dead.
  it.each([30, 50])(
    'that lose %i of a hundred packets call nobody dead without the time to refute, and are one cluster again soon after',
    async percent => {
      const lossyAt = performance.now()
      hosts.lose(percent)
      await delay(TROUBLE_MS)
      for (const peer of cluster.peers) expect(suspectedFor(peer, lossyAt).filter(ms => ms < REFUTABLE_MS)).toEqual([])
      expect(cluster.live).toEqual(cluster.peers)
      await heal()
    }
  )
})
