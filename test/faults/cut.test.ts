import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

/**
 * TCP retransmits after 200 to 250 ms and doubles the pause each time: it retransmits 25 to 32 s after the first loss, and next after at least 51 s.
 * So after a cut of 34 s, an old connection stays stuck for longer than healing may take.
 */
const CUT_FOR_MS = 34_000
const HEALED_WITHIN_MS = 15_000
/** Long enough for every member to be suspected at high loss, and for a mute member to be dead. */
const TROUBLE_MS = 12_000

/** The delay with which a peer that lacks processor time may log a verdict, in ms. */
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
      // The next peer gets the address of this peer as its bootstrap address.
      await cluster.peers[host]!.ready()
    }
    await cluster.settled()
  })

  afterAll(async () => {
    await cluster?.stop()
    await hosts?.stop()
  })

  /** Ends the fault, and expects one cluster again within HEALED_WITHIN_MS. */
  const heal = async (): Promise<void> => {
    const healedAt = performance.now()
    hosts.heal()
    await cluster.settled()
    expect(performance.now() - healedAt).toBeLessThan(HEALED_WITHIN_MS)
  }
  /** Waits until each of `these` considers each of `those` dead, and expects no verdict before a suspicion from `since` could end. */
  const dead = async (these: PeerProcess[], those: PeerProcess[], since: number): Promise<void> => {
    await Promise.all(these.flatMap(peer => those.map(other => peer.sees(other.id, 'dead'))))
    const times = these.flatMap(peer =>
      peer.events.filter(({ state, at }) => state === 'dead' && at > since).map(({ at }) => at - since)
    )
    expect(Math.min(...times)).toBeGreaterThan(profiles.lan.suspicionMin)
  }

  /** For each verdict of this peer since a time: how long the peer had suspected the member, in ms (0 if it had not). */
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

  it('two sides of a cut reunite soon after it, even if each side considered the other dead', async () => {
    const [three, two] = [cluster.peers.slice(0, 3), cluster.peers.slice(3)]
    const cutAt = performance.now()
    hosts.cut(3, 4)
    await Promise.all([dead(three, two, cutAt), dead(two, three, cutAt)])
    await delay(CUT_FOR_MS - (performance.now() - cutAt))
    await heal()
    expect(new Set(cluster.peers.map(peer => peer.epoch)).size).toBe(1)
  })

  it('a cluster with one mute peer reunites soon after the fault', async () => {
    const [mute, ...others] = cluster.peers as [PeerProcess, ...PeerProcess[]]
    const mutedAt = performance.now()
    hosts.mute(0)
    await dead(others, [mute], mutedAt)
    await delay(TROUBLE_MS - (performance.now() - mutedAt))
    await heal()
  })

  // At 50 % loss, some suspects do not learn of their suspicion in time and are declared dead.
  it.each([30, 50])(
    'peers that lose %i percent of their packets declare no member dead before it could refute, and reunite soon after',
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
