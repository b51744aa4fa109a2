import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

/**
 * The duration of the cut, in ms. TCP retransmits after 200 to 250 ms, and doubles the pause each time. So TCP retransmits 25 to 32 s after the first
 * loss, and not again before 51 s. After a cut of 34 s, an old connection is therefore stuck for longer than healing may take.
 */
const CUT_FOR_MS = 34_000
const HEALED_WITHIN_MS = 15_000
/** The duration of the faults other than the cut, in ms. Within this time every member is suspected at high loss, and a mute member is declared dead. */
const TROUBLE_MS = 12_000

/** The longest delay, in ms, with which a peer may log a verdict when it lacks processor time. */
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

  /** Ends the fault, and expects that all peers form one cluster again within HEALED_WITHIN_MS. */
  const heal = async (): Promise<void> => {
    const healedAt = performance.now()
    hosts.heal()
    await cluster.settled()
    expect(performance.now() - healedAt).toBeLessThan(HEALED_WITHIN_MS)
  }
  /** Waits until each peer of `these` has declared each peer of `those` dead. Expects no verdict earlier than the shortest suspicion after `since`. */
  const dead = async (these: PeerProcess[], those: PeerProcess[], since: number): Promise<void> => {
    await Promise.all(these.flatMap(peer => those.map(other => peer.sees(other.id, 'dead'))))
    const times = these.flatMap(peer =>
      peer.events.filter(({ state, at }) => state === 'dead' && at > since).map(({ at }) => at - since)
    )
    expect(Math.min(...times)).toBeGreaterThan(profiles.lan.suspicionMin)
  }

  /**
   * Returns, for each verdict of this peer since `since`, how long the peer had suspected the dead member, in ms; 0 if it had not suspected the
   * member.
   */
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

  it('the two sides of a cut reunite soon after the cut, even if each side has declared the other side dead', async () => {
    const [three, two] = [cluster.peers.slice(0, 3), cluster.peers.slice(3)]
    const cutAt = performance.now()
    hosts.cut(3, 4)
    await Promise.all([dead(three, two, cutAt), dead(two, three, cutAt)])
    await delay(CUT_FOR_MS - (performance.now() - cutAt))
    await heal()
    expect(new Set(cluster.peers.map(peer => peer.epoch)).size).toBe(1)
  })

  it('a cluster whose peer could send no packets reunites with this peer soon after the fault', async () => {
    const [mute, ...others] = cluster.peers as [PeerProcess, ...PeerProcess[]]
    const mutedAt = performance.now()
    hosts.mute(0)
    await dead(others, [mute], mutedAt)
    await delay(TROUBLE_MS - (performance.now() - mutedAt))
    await heal()
  })

  // At 50 % loss, some suspects do not learn in time that they are suspected, and are declared dead.
  it.each([30, 50])(
    'under %i percent packet loss no peer declares a member dead before its time to refute is over, and all peers reunite afterwards',
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
