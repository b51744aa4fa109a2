import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

const BACK_WITHIN_MS = 5_000
/** The duration of the block, in ms. It is long enough that the pauses between attempts to connect reach their maximum. */
const BLOCKED_FOR_MS = 15_000

needs('hosts').describe('a peer whose own firewall resets all its connections', () => {
  let hosts: Hosts
  let cluster: ProcessCluster

  beforeAll(async () => {
    hosts = await Hosts.create(4)
    cluster = await ProcessCluster.create()
    for (const host of [0, 1, 2, 3]) {
      cluster.join(['--listen', `/ip4/${hosts.address(host)}/tcp/4001`], { wrap: hosts.wrap(host) })
      await cluster.peers[host]!.ready()
    }
    await cluster.settled()
  })

  afterAll(async () => {
    await cluster?.stop()
    await hosts?.stop()
  })

  it('a peer whose firewall resets all connections is declared dead at once, and all peers see it alive soon after the firewall is removed', async () => {
    const [blocked, ...others] = cluster.peers as [PeerProcess, ...PeerProcess[]]
    // One more member is dead for good. This member must not slow down the return of the blocked peer.
    const gone = others.pop()!
    await gone.end('SIGKILL')
    await Promise.all([blocked, ...others].map(peer => peer.sees(gone.id, 'dead')))
    const blockedAt = Date.now()
    const reset = 'meta l4proto tcp reject with tcp reset'
    // The resets themselves must pass the firewall.
    hosts.firewall(0, { input: [reset], output: ['tcp flags & rst == rst accept', reset] })
    await Promise.all([
      ...others.map(peer => peer.sees(blocked.id, 'dead')),
      ...others.map(peer => blocked.sees(peer.id, 'dead'))
    ])
    for (const peer of others) {
      const dead = peer.events.find(event => event.peerId === blocked.id && event.state === 'dead')!
      expect(Date.parse(dead.time) - blockedAt).toBeLessThan(profiles.lan.suspicionMin)
    }
    await delay(BLOCKED_FOR_MS - (Date.now() - blockedAt))
    const unblockedAt = performance.now()
    hosts.unblock(0)
    await Promise.all([
      ...others.map(peer => peer.sees(blocked.id, 'alive')),
      ...others.map(peer => blocked.sees(peer.id, 'alive'))
    ])
    expect(performance.now() - unblockedAt).toBeLessThan(BACK_WITHIN_MS)
    await cluster.settled()
  })
})
