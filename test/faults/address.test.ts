import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

const MOVED_TO = '10.77.0.99'
const PUBLIC = '93.184.215.14'

needs('hosts').describe('a peer whose machine gets another address', () => {
  let hosts: Hosts
  let cluster: ProcessCluster

  beforeAll(async () => {
    hosts = await Hosts.create(2)
    cluster = await ProcessCluster.create({ wrap: hosts.wrap(0) })
    const listen = ['--listen', '/ip4/0.0.0.0/tcp/4001', '--bootstrap', `/ip4/${hosts.address(0)}/tcp/4001`]
    for (const host of [0, 1]) cluster.join(listen, { wrap: hosts.wrap(host) })
    await Promise.all(cluster.peers.map(peer => peer.ready()))
    await cluster.settled()
  })

  afterAll(async () => {
    await cluster?.stop()
    await hosts?.stop()
  })

  /** Waits until this peer announces an address that contains `part`. */
  const announces = async (peer: PeerProcess, part: string): Promise<string[]> => {
    let addresses: string[] = []
    for (const limit = performance.now() + 60_000; performance.now() < limit; ) {
      addresses = await addressesOf(peer)
      if (addresses.some(address => address.includes(part))) return addresses
    }
    throw new Error(`${part} is not announced, but ${addresses.join(', ')}`)
  }
  const addressesOf = async (peer: PeerProcess): Promise<string[]> => {
    const { stdout } = await cluster.run(['members', '--json'])
    const members = JSON.parse(stdout).members as { peerId: string; addresses: string[] }[]
    return members.find(({ peerId }) => peerId === peer.id)?.addresses ?? []
  }

  // Without p2p-worker's own code, libp2p would announce a public address only after a service of libp2p has confirmed the address.
  it('a peer announces a new public address', async () => {
    hosts.addAddress(1, PUBLIC)
    const [, moving] = cluster.peers as [PeerProcess, PeerProcess]
    await announces(moving, PUBLIC)
  })

  it('a peer whose address changes announces the new address, and stays a member', async () => {
    const [, moving] = cluster.peers as [PeerProcess, PeerProcess]
    hosts.readdress(1, MOVED_TO)
    const addresses = await announces(moving, MOVED_TO)
    expect(addresses.some(address => address.includes(hosts.address(1)))).toBe(false)
    await cluster.settled()
  })
})
