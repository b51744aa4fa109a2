import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

needs('hosts').describe('a peer whose machine loses its power', () => {
  let hosts: Hosts
  let cluster: ProcessCluster

  beforeAll(async () => {
    hosts = await Hosts.create(3)
    cluster = await ProcessCluster.create()
    // The peer on host 2, which will fall silent, joins first. So the other peers dial its address, and know which peer owns this address.
    for (const host of [2, 0, 1]) await join(host)
    await cluster.settled()
  })

  afterAll(async () => {
    await cluster?.stop()
    await hosts?.stop()
  })

  // The suspicions of the profile `wan` are so long that none ends within the test.
  const join = async (host: number): Promise<PeerProcess> => {
    const listen = ['--listen', `/ip4/${hosts.address(host)}/tcp/4001`]
    const peer = cluster.join([...listen, '--profile', 'wan'], { wrap: hosts.wrap(host) })
    await peer.ready()
    return peer
  }

  it('a silent peer with open connections is declared dead as soon as a new peer is authenticated at the address of the silent peer', async () => {
    const [silent, first, second] = cluster.peers as [PeerProcess, PeerProcess, PeerProcess]
    // The host sends no FIN and no RST, so the other peers detect neither closed sockets nor refused packets.
    hosts.firewall(2, { output: ['tcp flags & (fin | rst) != 0 drop'] })
    const silentAt = performance.now()
    await silent.end('SIGKILL')
    const newcomer = await join(2)
    await Promise.all([first, second].map(peer => peer.sees(silent.id, 'dead')))
    for (const peer of [first, second]) {
      const dead = peer.events.find(event => event.peerId === silent.id && event.state === 'dead')!
      expect(dead.at - silentAt).toBeLessThan(profiles.wan.suspicionMin)
      // The other peers learn of the death only because they meet the new peer.
      const met = peer.events.find(event => event.peerId === newcomer.id)!
      expect(peer.events.indexOf(met)).toBeLessThan(peer.events.indexOf(dead))
    }
    await cluster.settled()
  })
})
