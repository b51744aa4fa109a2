import { generateKeyPair } from '@libp2p/crypto/keys'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Member, MemberState } from '../../src/membership/core/member.ts'
import type { SelfRecord, Signed } from '../../src/membership/core/record.ts'
import { createMembership } from '../../src/membership/membership.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import type { Membership } from '../../src/membership/types.ts'
import { hostId } from '../../src/network/host-id.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Network } from '../../src/network/types.ts'
import { until } from '../network/support.ts'
import { metadataOf } from '../simulation/membership.ts'
import { Liar } from './liar.ts'

const CLUSTER = 'hostile-test'
const YEAR = 365 * 24 * 60 * 60 * 1_000

interface Peer {
  id: string
  network: Network
  membership: Membership
}

let peers: Peer[] = []
let liar: Liar | undefined
/** The observations in which an honest peer saw another honest peer in a state other than `alive`. */
let doubts: string[] = []

afterEach(async () => {
  await liar?.stop()
  await Promise.all(peers.map(peer => peer.membership.stop()))
  await Promise.all(peers.map(peer => peer.network.stop()))
  peers = []
  liar = undefined
})

/** A profile with long timeouts, so that no member becomes a suspect because the machine is busy. */
const PATIENT: Profile = {
  ...profiles.lan,
  period: 2_000,
  probeTimeout: 900,
  probeTimeoutMin: 200,
  stallTolerance: 450
}

async function startPeer(clock?: () => number, profile = profiles.lan): Promise<Peer> {
  const bootstrap = peers.slice(0, 1).flatMap(({ network }) => network.addresses())
  const listen = ['/ip4/127.0.0.1/tcp/0']
  const network = await createNetwork({ cluster: CLUSTER, listen, bootstrap, mdns: false })
  const metadata = { ...metadataOf(network.self), addresses: network.addresses(), host: hostId() ?? '' }
  const membership = createMembership({ network, metadata, profile, ...(clock && { clock }) })
  const peer = { id: network.self, network, membership }
  peers.push(peer)
  membership.addEventListener('member', ({ detail: { member } }) => {
    if (member.state !== 'alive' && peers.some(({ id }) => id === member.id)) {
      doubts.push(`${peer.id} holds ${member.id} ${member.state}`)
    }
  })
  return peer
}

const sees = (peer: Peer, id: string, state: MemberState): boolean => peer.membership.get(id)?.state === state

async function allAlive(): Promise<void> {
  await until(() => peers.every(peer => peers.every(({ id }) => sees(peer, id, 'alive'))))
}

describe('a member that lies', () => {
  let heard: Array<Signed<SelfRecord>>
  /** The number of times that a peer asked the liar to ping another peer. */
  let asked: number
  let victim: Peer
  let other: Peer

  beforeEach(async () => {
    for (let i = 0; i < 3; i++) await startPeer(undefined, PATIENT)
    await allAlive()
    doubts = []
    ;[victim, other] = peers as [Peer, Peer]
    heard = []
    asked = 0
    liar = await Liar.start({
      cluster: CLUSTER,
      bootstrap: peers.flatMap(({ network }) => network.addresses()),
      onMessage: (message, channel) => {
        if (message.type === 'ping') void channel.send({ type: 'ack', seq: message.seq }).catch(() => {})
        if (message.type === 'ping-req') {
          asked += 1
          void channel.send({ type: 'ack', seq: message.seq, proof: new Uint8Array(64) }).catch(() => {})
        }
        if (message.type === 'sync') heard.push(...message.entries.map(({ record }) => record))
      }
    })
    await until(() => peers.every(peer => sees(peer, liar!.id, 'alive')))
    await until(() => heard.some(({ record }) => record.member === other.id))
  })

  /** Sends the record by gossip and over a channel. Resolves when the victim has closed the channel because of the record. */
  const refused = async (record: Signed): Promise<void> => {
    liar!.gossip(record.envelope)
    const channel = await liar!.protocol.channel(victim.id)
    const closed = new Promise<void>(resolve => channel.closed.addEventListener('abort', () => resolve()))
    await channel.send({ type: 'records', records: [record] }).catch(() => {})
    await closed
  }
  /** Sends records and then a valid record. When the victim has the valid record, it has also processed the records before. */
  const taken = async (...records: Signed[]): Promise<void> => {
    for (const record of records) liar!.gossip(record.envelope)
    const last = liar!.self({}, { tags: { last: String(Math.random()) } })
    await liar!.send(victim.id, { type: 'records', records: [...records, last] })
    await until(() => victim.membership.get(liar!.id)?.tags.last === last.record.metadata.tags.last)
  }
  /** The victim's view of `other`, without the round trip time, which changes with each measurement. */
  const known = (): Partial<Member> => ({ ...victim.membership.get(other.id), rtt: undefined })
  const recordOf = ({ id }: Peer): SelfRecord => heard.findLast(({ record }) => record.member === id)!.record

  test('a peer refuses a liar that signs in the name of another member, and a liar that sends a record of 10 MB', async () => {
    const before = known()
    await refused(await liar!.forge({ ...recordOf(other), state: 'left', incarnation: 7 }))
    const accusation = { type: 'accusation', target: other.id, incarnation: 0, kind: 'refused' } as const
    await refused(await liar!.forge({ ...accusation, accuser: peers[2]!.id }))
    await refused(await liar!.forge(recordOf(other), await generateKeyPair('Ed25519')))
    const large = { ...metadataOf(liar!.id), tags: { large: 'x'.repeat(10_000_000) } }
    await refused(await liar!.forge({ ...recordOf(other), member: liar!.id, incarnation: 1, metadata: large }))
    // The push-pull is sent as one message of 10 MB, which exceeds the size limit of a message.
    const channel = await liar!.protocol.channel(victim.id)
    const closed = new Promise<void>(resolve => channel.closed.addEventListener('abort', () => resolve()))
    await channel.send({ type: 'sync', reply: true, entries: [], state: new Uint8Array(10_000_000) }).catch(() => {})
    await closed
    await taken()
    expect(known()).toEqual(before)
    expect(doubts).toEqual([])
  })

  test('a liar changes nothing when it repeats old records and accusations of an earlier incarnation', async () => {
    const old = heard.findLast(({ record }) => record.member === other.id)!
    const accusations = [liar!.accuse(other.id, 'silent', 0), liar!.accuse(other.id, 'refused', 0)]
    await taken(...accusations)
    await until(() => peers.every(peer => (peer.membership.get(other.id)?.incarnation ?? 0) > 0))
    other.membership.update({ slots: 6 })
    await until(() => peers.every(peer => peer.membership.get(other.id)?.slots === 6))
    await liar!.send(victim.id, liar!.sync([], false))
    await until(() => recordOf(other).metadata.slots === 6)
    const outdated = heard.findLast(({ record }) => record.member === other.id)!
    other.membership.update({ slots: 7 })
    await until(() => peers.every(peer => peer.membership.get(other.id)?.slots === 7))
    const before = victim.membership.get(other.id)!
    doubts = []
    for (let i = 0; i < 10; i++) await taken(old, outdated, ...accusations)
    expect(victim.membership.get(other.id)).toMatchObject({ incarnation: before.incarnation, slots: 7, state: 'alive' })
    expect(doubts).toEqual([])
  })

  test('a liar that uses the highest possible incarnation, in accusations and in its own record, causes no suspicion of honest members', async () => {
    const highest = Number.MAX_SAFE_INTEGER
    const self = liar!.self({ incarnation: highest })
    await taken(liar!.accuse(other.id, 'refused', highest), liar!.accuse(victim.id, 'silent', highest), self)
    for (const { membership } of [victim, other]) expect(membership.self.incarnation).toBeLessThan(highest)
    expect(victim.membership.get(liar!.id)?.incarnation).toBe(highest)
    expect(doubts).toEqual([])
  })

  test('a member stays connected and alive when a liar claims that the member has been dead for a long time', async () => {
    const record = heard.findLast(({ record }) => record.member === other.id)!
    const accusation = liar!.accuse(other.id, 'silent', 0) as Signed<never>
    for (const downFor of [1, YEAR, Number.MAX_SAFE_INTEGER]) {
      await liar!.send(victim.id, liar!.sync([{ record, accusations: [accusation], downFor }]))
    }
    await taken()
    await until(() => peers.every(peer => sees(peer, other.id, 'alive')))
    expect(victim.network.isConnected(other.id)).toBe(true)
    expect(doubts.filter(doubt => doubt.endsWith('dead'))).toEqual([])
  })

  test('peers detect the death of a member although a liar sends false acks for that member as a relay', async () => {
    const third = peers[2]!
    // The stopped member keeps its connections open, so only probes can detect its death.
    await other.membership.stop()
    await until(() => [victim, third].every(peer => sees(peer, other.id, 'dead')))
    expect(asked).toBeGreaterThan(0)
  })

  test('a live member is never declared dead, although a liar accuses the member again and again', async () => {
    // Repeats the accusations until the accused member has raised its incarnation at least one time.
    const seen = new Set<number>()
    for (const end = performance.now() + 3_000; performance.now() < end || seen.size < 2; ) {
      const { incarnation } = victim.membership.get(other.id)!
      seen.add(incarnation)
      await taken(...(['silent', 'refused'] as const).map(kind => liar!.accuse(other.id, kind, incarnation)))
    }
    expect(doubts.filter(doubt => doubt.endsWith('dead'))).toEqual([])
    await allAlive()
  })
})

describe('a member whose clock is a year off', () => {
  test.each([
    ['ahead', YEAR],
    ['behind', -YEAR]
  ])(
    'a member whose clock is a year %s detects the death of another member, and other members detect its death',
    async (_, off) => {
      await startPeer()
      await startPeer()
      const wrong = await startPeer(() => Date.now() + off)
      await allAlive()
      const states = (peer: Peer, id: string) => {
        const seen: string[] = []
        peer.membership.addEventListener('member', ({ detail }: { detail: { member: Member } }) => {
          if (detail.member.id === id) seen.push(detail.member.state)
        })
        return seen
      }
      const [first, second] = peers as [Peer, Peer]
      const ofSecond = states(wrong, second.id)
      // The stopped member keeps its connections open, so peers can detect its death only by its silence.
      await second.membership.stop()
      await until(() => sees(first, second.id, 'dead') && sees(wrong, second.id, 'dead'))
      expect(ofSecond).toEqual(['suspect', 'dead'])
      const ofWrong = states(first, wrong.id)
      await wrong.membership.stop()
      await until(() => sees(first, wrong.id, 'dead'))
      expect(ofWrong).toEqual(['suspect', 'dead'])
    }
  )
})
