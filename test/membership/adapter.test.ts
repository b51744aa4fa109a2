import { generateKeyPair } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import type { SelfRecord, Signed } from '../../src/membership/core/record.ts'
import { createMembership } from '../../src/membership/membership.ts'
import { profiles } from '../../src/membership/profile.ts'
import { RecordSigner } from '../../src/membership/record-signer.ts'
import { decodeEnvelope } from '../../src/membership/swim-codec.ts'
import type { Membership } from '../../src/membership/types.ts'
import '../../src/network/polyfill.ts'
import { Admission } from '../../src/network/guard/admission.ts'
import { Refusals } from '../../src/network/guard/refusals.ts'
import type {
  Channel,
  Network,
  NetworkEvents,
  PeerIdString,
  Protocol,
  ProtocolHandler,
  ProtocolSpec,
  Topic
} from '../../src/network/types.ts'
import { metadataOf } from '../simulation/membership.ts'

const CLUSTER = '0123456789abcdef'

/** A fake network that records the calls of the membership. Tests use it to send messages as other peers. */
class FakeNetwork extends TypedEventEmitter<NetworkEvents> implements Network {
  readonly self: PeerIdString
  readonly privateKey: PrivateKey
  readonly cluster = 'fake'
  readonly clusterId = CLUSTER
  readonly refusals = new Refusals()
  readonly admission = new Admission()
  readonly links = new Set<PeerIdString>()
  readonly learnt: PeerIdString[] = []
  readonly forgotten: PeerIdString[] = []
  readonly cut: PeerIdString[] = []
  readonly asked: PeerIdString[] = []
  readonly sent: Array<{ to: PeerIdString; message: unknown }> = []
  readonly published: Uint8Array[] = []
  readonly listeners = new Map<string, number>()
  closed: string[] = []
  answer: Promise<'refused' | 'unknown'> = Promise.resolve('refused')
  unreachable = false
  #deliver: (message: unknown, from: PeerIdString) => void = () => {}

  constructor(privateKey: PrivateKey) {
    super()
    this.privateKey = privateKey
    this.self = peerIdFromPrivateKey(privateKey).toString()
  }

  override addEventListener(...args: Parameters<TypedEventEmitter<NetworkEvents>['addEventListener']>): void {
    this.listeners.set(String(args[0]), (this.listeners.get(String(args[0])) ?? 0) + 1)
    super.addEventListener(...args)
  }

  override removeEventListener(...args: Parameters<TypedEventEmitter<NetworkEvents>['removeEventListener']>): void {
    this.listeners.set(String(args[0]), (this.listeners.get(String(args[0])) ?? 0) - 1)
    super.removeEventListener(...args)
  }

  addresses = (): string[] => []
  connected = (): PeerIdString[] => [...this.links]
  isConnected = (peer: PeerIdString): boolean => this.links.has(peer)
  learn = (peer: PeerIdString): void => void this.learnt.push(peer)
  forget = (peer: PeerIdString): void => void this.forgotten.push(peer)
  disconnect = (peer: PeerIdString): void => {
    this.cut.push(peer)
    if (this.links.has(peer)) this.unlink(peer)
  }
  connect = (): Promise<void> => Promise.resolve()
  stayConnected = (): void => {}
  setAccess = (): void => {}
  isMeeting = false
  tried = (): [] => []
  stop = (): Promise<void> => Promise.resolve()

  askKernel(peer: PeerIdString): Promise<'refused' | 'unknown'> {
    this.asked.push(peer)
    return this.answer
  }

  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T> {
    this.#deliver = (message, remote) => void handler.onMessage(message as T, { remote } as Channel<T>)
    return {
      channel: () => Promise.reject(new Error('not needed here')),
      send: (to, message) => {
        this.sent.push({ to, message })
        return this.unreachable ? Promise.reject(new Error('unreachable')) : Promise.resolve()
      },
      channels: () => [],
      close: async () => void this.closed.push(spec.name)
    }
  }

  subscribe(topic: string): Topic {
    return { publish: data => void this.published.push(data), close: () => void this.closed.push(topic) }
  }

  receive(from: PeerIdString, message: SwimMessage): void {
    this.#deliver(message, from)
  }

  link(peer: PeerIdString): void {
    this.links.add(peer)
    this.dispatchEvent(new CustomEvent('connected', { detail: { peer } }))
  }

  unlink(peer: PeerIdString): void {
    this.links.delete(peer)
    this.dispatchEvent(new CustomEvent('disconnected', { detail: { peer } }))
  }
}

let network: FakeNetwork
let membership: Membership
let other: { id: PeerIdString; sign: (change?: Partial<SelfRecord>) => Signed<SelfRecord> }

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  network = new FakeNetwork(await generateKeyPair('Ed25519'))
  const privateKey = await generateKeyPair('Ed25519')
  const signer = new RecordSigner({ privateKey, clusterId: CLUSTER })
  const id = peerIdFromPrivateKey(privateKey).toString()
  const record: SelfRecord = {
    type: 'self',
    member: id,
    state: 'alive',
    incarnation: 0,
    revision: 0,
    metadata: metadataOf(id)
  }
  other = { id, sign: change => signer.sign<SelfRecord>({ ...record, ...change }) }
  membership = createMembership({
    network,
    metadata: metadataOf(network.self),
    profile: profiles.lan,
    clock: () => Date.now()
  })
})

afterEach(async () => {
  await membership.stop()
  vi.useRealTimers()
})

function meet(): void {
  network.link(other.id)
  const entries = [{ record: other.sign(), accusations: [], downFor: 0 }]
  network.receive(other.id, { type: 'sync', reply: true, entries, state: new Uint8Array() })
  expect(membership.get(other.id)?.state).toBe('alive')
}

/** Waits until pending promises have settled. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

test('stopping the membership clears its timers and listeners, and closes its protocol and its topic', async () => {
  meet()
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  await membership.stop()
  expect(vi.getTimerCount()).toBe(0)
  expect([...network.listeners.values()]).toEqual([0, 0, 0, 0])
  expect(network.closed.sort()).toEqual(['members', 'swim'])
  network.link(other.id)
  vi.advanceTimersByTime(60_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('the membership passes the addresses of members to the network, and makes the network forget a member that left', () => {
  meet()
  expect(network.learnt).toEqual([other.id])
  network.receive(other.id, { type: 'records', records: [other.sign({ state: 'left', revision: 1 })] })
  expect(network.forgotten).toEqual([other.id])
})

test('a peer asks the kernel when a member’s connection closes without a leave, and a refusal makes the member dead at once', async () => {
  meet()
  network.unlink(other.id)
  expect(network.asked).toEqual([other.id])
  await settle()
  expect(membership.get(other.id)?.state).toBe('dead')
  expect(network.learnt.at(-1)).toBe(other.id)
})

test('a peer keeps the connection to a silent member until the member is dead, and does not forget the dead member', () => {
  meet()
  const states: string[] = []
  membership.addEventListener('member', ({ detail: { member } }) => {
    states.push(`${member.state}, ${network.isConnected(other.id) ? 'connected' : 'not connected'}`)
  })
  vi.advanceTimersByTime(20_000)
  expect(states).toEqual(['suspect, connected', 'dead, connected'])
  expect(network.cut).toEqual([other.id])
  expect(network.isConnected(other.id)).toBe(false)
  expect(network.forgotten).toEqual([])
  expect(network.asked).toEqual([])
})

test('a peer asks a dead member that reconnects for its record, and the member is alive again in its next incarnation', () => {
  meet()
  vi.advanceTimersByTime(20_000)
  network.sent.length = 0
  network.link(other.id)
  expect(network.sent).toMatchObject([{ to: other.id, message: { type: 'sync', reply: false } }])
  network.receive(other.id, { type: 'records', records: [other.sign({ incarnation: 1 })] })
  expect(membership.get(other.id)?.state).toBe('alive')
  expect(network.cut).toEqual([other.id])
})

test('a peer asks the kernel about an unconnected member when another peer takes the address of that member', async () => {
  meet()
  network.links.delete(other.id)
  network.dispatchEvent(new CustomEvent('displaced', { detail: { peer: other.id } }))
  expect(network.asked).toEqual([other.id])
  await settle()
  expect(membership.get(other.id)?.state).toBe('dead')
})

test('the answer `unknown` of the kernel leaves a member alive', async () => {
  meet()
  network.answer = Promise.resolve('unknown')
  network.unlink(other.id)
  await settle()
  expect(membership.get(other.id)?.state).toBe('alive')
})

test('a member that has reconnected stays alive when the kernel’s refusal arrives after that', async () => {
  meet()
  const { promise, resolve } = Promise.withResolvers<'refused'>()
  network.answer = promise
  network.unlink(other.id)
  network.link(other.id)
  resolve('refused')
  await settle()
  expect(membership.get(other.id)?.state).toBe('alive')
})

test('a member stays alive in a new incarnation when the kernel’s refusal belongs to an earlier incarnation', async () => {
  meet()
  const { promise, resolve } = Promise.withResolvers<'refused'>()
  network.answer = promise
  network.unlink(other.id)
  network.receive(other.id, { type: 'records', records: [other.sign({ incarnation: 1 })] })
  resolve('refused')
  await settle()
  expect(membership.get(other.id)).toMatchObject({ state: 'alive', incarnation: 1 })
})

test('a peer does not ask the kernel about a member that left, or about a client', () => {
  meet()
  network.receive(other.id, { type: 'records', records: [other.sign({ state: 'left', revision: 1 })] })
  network.unlink(other.id)
  network.link('client')
  network.unlink('client')
  expect(network.asked).toEqual([])
})

test('a peer raises the revision of its record when its addresses change, but not when they are reported unchanged', () => {
  const addresses = [`/ip4/10.0.0.1/tcp/4001/p2p/${network.self}`]
  const tell = () => network.dispatchEvent(new CustomEvent('addresses', { detail: { addresses } }))
  tell()
  tell()
  expect(membership.self).toMatchObject({ addresses, revision: 1 })
})

test('a peer gossips its own record after it has met the first member', () => {
  vi.advanceTimersByTime(profiles.lan.period)
  expect(network.published).toEqual([])
  meet()
  vi.advanceTimersByTime(2 * profiles.lan.period)
  const signer = new RecordSigner(network)
  const records = network.published.map(data => signer.verify(decodeEnvelope(data)).record)
  expect(records.filter(({ type }) => type === 'self')).toMatchObject([{ member: network.self, state: 'alive' }])
})

test('a peer drops messages that it cannot send, and throws no error', async () => {
  network.unreachable = true
  meet()
  vi.advanceTimersByTime(profiles.lan.period)
  await settle()
  expect(network.sent.length).toBeGreaterThan(0)
})

test('a leaving peer publishes its leave by gossip and does not dial a disconnected member', async () => {
  meet()
  network.links.delete(other.id)
  network.sent.length = 0
  await membership.leave()
  expect(network.sent).toEqual([])
  expect(network.published).toHaveLength(1)
  expect(membership.self.state).toBe('left')
  expect(vi.getTimerCount()).toBe(0)
})

test('the delegate receives, when it is set, the states that arrived before', () => {
  network.receive(other.id, { type: 'sync', reply: true, entries: [], state: Uint8Array.of(4, 2) })
  const got: unknown[] = []
  membership.setDelegate({
    localState: () => new Uint8Array(),
    mergeRemoteState: (from, state) => got.push([from, state])
  })
  expect(got).toEqual([[other.id, Uint8Array.of(4, 2)]])
})
