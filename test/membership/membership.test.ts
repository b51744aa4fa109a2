import { afterEach, expect, test } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import type { Member, MemberMetadata, MemberState } from '../../src/membership/core/member.ts'
import { createMembership } from '../../src/membership/membership.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import type { Membership } from '../../src/membership/types.ts'
import { hostId } from '../../src/network/host-id.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Network } from '../../src/network/types.ts'
import { until as eventually } from '../network/support.ts'

interface TestPeer {
  id: string
  network: Network
  membership: Membership
}

const stops: Array<() => Promise<void>> = []

afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()))
})

async function startNetwork(bootstrap: string[], listen = ['/ip4/127.0.0.1/tcp/0']): Promise<Network> {
  const network = await createNetwork({ cluster: 'membership-test', listen, bootstrap, mdns: false })
  stops.push(() => network.stop())
  return network
}

async function startPeer(
  bootstrap: string[] = [],
  change: Partial<MemberMetadata> = {},
  profile: Profile = profiles.local
): Promise<TestPeer> {
  return startMembership(await startNetwork(bootstrap), change, profile)
}

function startMembership(
  network: Network,
  change: Partial<MemberMetadata> = {},
  profile: Profile = profiles.local,
  searchedFor = 0
): TestPeer {
  const metadata: MemberMetadata = {
    addresses: network.addresses(),
    slots: 1,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version: '0.0.0',
    node: '26.10.0',
    host: hostId() ?? '',
    electorate: '',
    hasDisk: false,
    ...change
  }
  const membership = createMembership({ network, metadata, profile, searchedFor })
  stops.push(() => membership.stop())
  return { id: network.self, network, membership }
}

/**
 * Starts three peers, of which two have the first peer as their bootstrap address. Each peer sees all three as alive.
 * The profile `wan` has long probe timeouts, so that no peer becomes a suspect on a busy machine.
 */
async function three(profile?: Profile): Promise<[TestPeer, TestPeer, TestPeer]> {
  const a = await startPeer([], {}, profile)
  const bootstrap = a.network.addresses()
  const [b, c] = await Promise.all([startPeer(bootstrap, {}, profile), startPeer(bootstrap, {}, profile)])
  await Promise.all([a, b, c].flatMap(peer => [a, b, c].map(({ id }) => until(peer, id, isIn('alive')))))
  return [a, b, c]
}

const isIn =
  (state: MemberState) =>
  (member: Member): boolean =>
    member.state === state

/** Resolves when the member `id`, as `peer` sees it, fulfils `wanted`. */
async function until({ membership }: TestPeer, id: string, wanted: (member: Member) => boolean): Promise<Member> {
  const { promise, resolve } = Promise.withResolvers<Member>()
  const check = (): void => {
    const member = membership.get(id)
    if (member !== undefined && wanted(member)) resolve(member)
  }
  membership.addEventListener('member', check)
  check()
  try {
    return await promise
  } finally {
    membership.removeEventListener('member', check)
  }
}

test('three peers that share a bootstrap address all see each other as members', async () => {
  const peers = await three()
  for (const { membership } of peers) {
    expect(membership.isReady).toBe(true)
    expect(
      membership
        .live()
        .map(({ id }) => id)
        .sort()
    ).toEqual(peers.map(({ id }) => id).sort())
    expect(Math.abs(membership.self.since - Date.now())).toBeLessThan(60_000)
  }
})

test('a peer reports a round trip time for a member that has answered a probe, and no round trip time for itself', async () => {
  const [a, b] = await three()
  const rtt = (id: string): number | undefined => a.membership.members().find(member => member.id === id)?.rtt
  await eventually(() => rtt(b.id) !== undefined)
  expect(rtt(b.id)).toBeGreaterThan(0)
  expect(rtt(b.id)).toBeLessThan(10_000)
  expect(rtt(a.id)).toBeUndefined()
  expect(a.membership.get(b.id)?.rtt).toBe(rtt(b.id))
})

test('a member whose process ends without a leave is dead without a suspicion timeout, because its port refuses', async () => {
  // No suspicion times out within this test. Peers a and b dialled c, so a refusal at the address of c is evidence.
  const [c, a, b] = await three({ ...profiles.local, suspicionMin: 600_000, suspicionMax: 600_000 })
  // Simulates a killed process: the membership stops without a leave, and then the sockets close.
  await c.membership.stop()
  await c.network.stop()
  await Promise.all([until(a, c.id, isIn('dead')), until(b, c.id, isIn('dead'))])
  expect(a.membership.live().map(({ id }) => id)).not.toContain(c.id)
})

test('a peer disconnects a silent member when the member is dead, and the member is alive again when it restarts its membership', async () => {
  const [a, b, c] = await three()
  const disconnected = Promise.withResolvers<void>()
  c.network.addEventListener('disconnected', ({ detail: { peer } }) => {
    if (peer === a.id) disconnected.resolve()
  })
  const metadata: MemberMetadata = { ...c.membership.self, tags: { life: 'second' } }
  // The connections of c stay open, so a closes its connection only because it declares c dead.
  await c.membership.stop()
  await Promise.all([until(a, c.id, isIn('dead')), disconnected.promise])
  c.membership = createMembership({ network: c.network, metadata, profile: profiles.local })
  stops.push(() => c.membership.stop())
  const back = ({ state, tags }: Member) => state === 'alive' && tags.life === 'second'
  await Promise.all([a, b].map(peer => until(peer, c.id, back)))
  await Promise.all([a, b].map(peer => until(c, peer.id, isIn('alive'))))
})

test('other members see a leaving member change directly from `alive` to `left`', async () => {
  const [a, b, c] = await three(profiles.wan)
  const states: MemberState[] = []
  for (const { membership } of [a, b]) {
    membership.addEventListener('member', ({ detail: { member } }) => {
      if (member.id === c.id) states.push(member.state)
    })
  }
  await c.membership.leave()
  await c.membership.stop()
  await c.network.stop()
  await Promise.all([until(a, c.id, isIn('left')), until(b, c.id, isIn('left'))])
  expect(states).toEqual(['left', 'left'])
  expect(c.membership.self.state).toBe('left')
  expect(a.membership.live().map(({ id }) => id)).not.toContain(c.id)
})

test('a change of metadata reaches every member', async () => {
  const [a, b, c] = await three(profiles.wan)
  c.membership.update({ slots: 7, tags: { gpu: 'yes' } })
  const seen = await Promise.all([a, b].map(peer => until(peer, c.id, ({ slots }) => slots === 7)))
  for (const member of seen) expect(member).toMatchObject({ state: 'alive', revision: 1, tags: { gpu: 'yes' } })
})

test('the membership refuses metadata that exceeds the limits of a record, and keeps the old metadata', async () => {
  const { membership } = await startPeer()
  expect(() => membership.update({ slots: 5_000 })).toThrow(InvalidOptionError)
  expect(membership.self).toMatchObject({ slots: 1, revision: 0 })
  await expect(startPeer([], { version: 'v'.repeat(100) })).rejects.toThrow(InvalidOptionError)
})

test('a push-pull carries the delegate’s state in both directions', async () => {
  const a = await startPeer()
  const got: string[] = []
  const arrived = Promise.withResolvers<void>()
  const delegate = (peer: TestPeer, name: string) =>
    peer.membership.setDelegate({
      localState: () => new TextEncoder().encode(name),
      mergeRemoteState: (from, state) => {
        got.push(`${name} got ${new TextDecoder().decode(state)} from ${from === a.id ? 'a' : 'b'}`)
        if (new Set(got).size === 2) arrived.resolve()
      }
    })
  delegate(a, 'a')
  const b = await startPeer(a.network.addresses())
  delegate(b, 'b')
  await arrived.promise
  expect([...new Set(got)].sort()).toEqual(['a got b from b', 'b got a from a'])
})

test('a connected client does not become a member and changes the state of no member', async () => {
  const [a, b] = await three(profiles.wan)
  const client = await startNetwork(a.network.addresses(), [])
  const changes: string[] = []
  b.membership.addEventListener('member', ({ detail: { member } }) => changes.push(member.id))
  const connected = Promise.withResolvers<void>()
  client.addEventListener('connected', () => connected.resolve())
  if (client.connected().length === 0) await connected.promise
  // This change spreads after the client has connected. When it arrives at b, the members have processed the client's connection.
  a.membership.update({ slots: 2 })
  await until(b, a.id, ({ slots }) => slots === 2)
  expect(a.membership.get(client.self)).toBeUndefined()
  expect(changes).toEqual([a.id])
})

test('a peer without other members is ready after the lone-start delay', async () => {
  const { membership } = await startPeer()
  expect(membership.isReady).toBe(false)
  const { promise, resolve } = Promise.withResolvers<void>()
  membership.addEventListener('ready', () => resolve())
  await promise
  expect(membership.isReady).toBe(true)
  expect(membership.members()).toHaveLength(1)
})

test('a peer that has met another one before it becomes a member is ready only when it knows the members', async () => {
  const network = await startNetwork([])
  const { id } = await startPeer(network.addresses())
  if (network.connected().length === 0) await new Promise(resolve => network.addEventListener('connected', resolve))
  const { membership } = startMembership(network, {}, profiles.local, 60_000)
  await new Promise<void>(resolve => membership.addEventListener('ready', () => resolve()))
  expect(membership.get(id)?.state).toBe('alive')
})

test('a peer closes a membership channel that receives garbage, and the peer stays alive in the view of other members', async () => {
  const [a, b] = await three(profiles.wan)
  const raw = await startNetwork([], [])
  raw.learn(a.id, a.network.addresses(), hostId())
  const bytes = { encode: (data: Uint8Array) => data, decode: (data: Uint8Array) => data }
  const protocol = raw.register({ name: 'swim', codec: bytes, maxMessageBytes: 1_000 }, { onMessage: () => {} })
  const channel = await protocol.channel(a.id)
  const closed = new Promise<void>(resolve => channel.closed.addEventListener('abort', () => resolve()))
  await channel.send(Uint8Array.from({ length: 100 }, () => 0xff))
  await closed
  expect(a.membership.get(raw.self)).toBeUndefined()
  expect(b.membership.get(a.id)?.state).toBe('alive')
})
