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
  const network = await startNetwork(bootstrap)
  const metadata: MemberMetadata = {
    addresses: network.addresses(),
    slots: 1,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version: '0.0.0',
    node: '26.10.0',
    host: hostId() ?? '',
    quorum: '',
    ...change
  }
  const membership = createMembership({ network, metadata, profile })
  stops.push(() => membership.stop())
  return { id: network.self, network, membership }
}

/**
 * Three peers that met by bootstrap (the others dialled the first one). Each peer sees all as alive.
 * The probes of the profile `wan` are patient, so that nobody becomes a suspect on a busy machine.
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

/** Resolves when the view that `peer` has of `id` fulfils `wanted`. */
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

test('three peers that meet by bootstrap all see each other', async () => {
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

test('a member that has answered a probe has a round trip, and the peer itself has none', async () => {
  const [a, b] = await three()
  const rtt = (id: string): number | undefined => a.membership.members().find(member => member.id === id)?.rtt
  await eventually(() => rtt(b.id) !== undefined)
  expect(rtt(b.id)).toBeGreaterThan(0)
  expect(rtt(b.id)).toBeLessThan(10_000)
  expect(rtt(a.id)).toBeUndefined()
  expect(a.membership.get(b.id)?.rtt).toBe(rtt(b.id))
})

test('a member whose process ends without a word is dead at once, because its port refuses', async () => {
  // No suspicion ends within this test. The others dialled c themselves, so a refusal at its address is evidence.
  const [c, a, b] = await three({ ...profiles.local, suspicionMin: 600_000, suspicionMax: 600_000 })
  // The kernel closes a killed process's sockets; the membership has no time to say anything.
  await c.membership.stop()
  await c.network.stop()
  await Promise.all([until(a, c.id, isIn('dead')), until(b, c.id, isIn('dead'))])
  expect(a.membership.live().map(({ id }) => id)).not.toContain(c.id)
})

test('a silent member is disconnected when it is dead, and is alive again when it speaks', async () => {
  const [a, b, c] = await three()
  const disconnected = Promise.withResolvers<void>()
  c.network.addEventListener('disconnected', ({ detail: { peer } }) => {
    if (peer === a.id) disconnected.resolve()
  })
  const metadata: MemberMetadata = { ...c.membership.self, tags: { life: 'second' } }
  // The connections stay open, so that only the verdict ends them.
  await c.membership.stop()
  await Promise.all([until(a, c.id, isIn('dead')), disconnected.promise])
  c.membership = createMembership({ network: c.network, metadata, profile: profiles.local })
  stops.push(() => c.membership.stop())
  const back = ({ state, tags }: Member) => state === 'alive' && tags.life === 'second'
  await Promise.all([a, b].map(peer => until(peer, c.id, back)))
  await Promise.all([a, b].map(peer => until(c, peer.id, isIn('alive'))))
})

test('a member that leaves has the state left at the others, and was never a suspect', async () => {
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

test('metadata that does not fit into a record is refused and changes nothing', async () => {
  const { membership } = await startPeer()
  expect(() => membership.update({ slots: 5_000 })).toThrow(InvalidOptionError)
  expect(membership.self).toMatchObject({ slots: 1, revision: 0 })
  await expect(startPeer([], { version: 'v'.repeat(100) })).rejects.toThrow(InvalidOptionError)
})

test('the state of the layer above travels with the push-pull, in both directions', async () => {
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

test('a client does not become a member and disturbs no member', async () => {
  const [a, b] = await three(profiles.wan)
  const client = await startNetwork(a.network.addresses(), [])
  const changes: string[] = []
  b.membership.addEventListener('member', ({ detail: { member } }) => changes.push(member.id))
  const connected = Promise.withResolvers<void>()
  client.addEventListener('connected', () => connected.resolve())
  if (client.connected().length === 0) await connected.promise
  // A change that spreads after the client connected shows that the members continued undisturbed.
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

test('garbage on the protocol closes its stream, and the peer stays a member', async () => {
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
