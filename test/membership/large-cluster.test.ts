import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMembership } from '../../src/membership/membership.ts'
import { profiles } from '../../src/membership/profile.ts'
import type { Membership } from '../../src/membership/types.ts'
import { hostId } from '../../src/network/host-id.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Network } from '../../src/network/types.ts'
import { until } from '../network/support.ts'

const SIZE = 24
/** A profile with a low full-mesh limit, under which a cluster of 24 members counts as large. */
const profile = { ...profiles.lan, fullMesh: 8 }
/** The limit of neighbours: two neighbours on each of eight rings. */
const MOST_NEIGHBOURS = 16

interface TestPeer {
  network: Network
  membership: Membership
}

async function startPeer(bootstrap: string[]): Promise<TestPeer> {
  const network = await createNetwork({
    cluster: 'large',
    listen: ['/ip4/127.0.0.1/tcp/0'],
    bootstrap,
    mdns: false,
    idleTimeout: 1_000
  })
  const metadata = {
    addresses: network.addresses(),
    slots: 1,
    role: 'auto' as const,
    electionPriority: 0,
    tags: {},
    version: '0.0.0',
    node: '26.10.0',
    host: hostId() ?? '',
    electorate: '',
    hasDisk: false
  }
  return { network, membership: createMembership({ network, metadata, profile }) }
}

async function stop({ network, membership }: TestPeer): Promise<void> {
  await membership.stop()
  await network.stop()
}

describe('a cluster above the limit of the full mesh', () => {
  let peers: TestPeer[]

  beforeAll(async () => {
    const first = await startPeer([])
    peers = [first]
    for (let i = 1; i < SIZE; i++) peers.push(await startPeer(first.network.addresses()))
  })

  afterAll(async () => {
    await Promise.all(peers.map(stop))
  })

  test('every member sees all other members as alive, over a bounded number of connections', async () => {
    const allAlive = (): boolean =>
      peers.every(({ membership }) => membership.members().filter(({ state }) => state === 'alive').length === SIZE)
    await until(allAlive)
    await until(() => peers.every(({ network }) => network.connected().length <= MOST_NEIGHBOURS) && allAlive())
    for (const { membership } of peers) {
      expect(membership.members().map(({ state }) => state)).toEqual(Array(SIZE).fill('alive'))
    }
  })

  test('a change of metadata reaches every member', async () => {
    const [one] = peers as [TestPeer]
    one.membership.update({ slots: 7 })
    await until(() => peers.every(({ membership }) => membership.get(one.network.self)?.slots === 7))
  })

  test('every live member learns of the crash of a member', async () => {
    const crashed = peers.pop()!
    await stop(crashed)
    await until(() => peers.every(({ membership }) => membership.get(crashed.network.self)?.state === 'dead'))
    for (const { membership } of peers) expect(membership.live()).toHaveLength(SIZE - 1)
  })
})
