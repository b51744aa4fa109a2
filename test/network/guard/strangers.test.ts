import { connect } from 'node:net'
import { generateKeyPair } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { afterEach, expect, test } from 'vitest'
import { tellRefusals } from '../../../src/api/tell-refusals.ts'
import type { Logger } from '../../../src/common/logger.ts'
import {
  clusterIdentity,
  generateClusterKey,
  parseClusterKey,
  replacementKey
} from '../../../src/network/cluster-key.ts'
import { EVERYBODY, RIGHTS } from '../../../src/network/guard/admission.ts'
import type { RefusalKind } from '../../../src/network/guard/refusals.ts'
import { HINT_BYTES, hintOf, KeyRing } from '../../../src/network/transport/key-ring.ts'
import type { Network } from '../../../src/network/types.ts'
import { Stranger, type StrangerInit, Watched } from '../stranger.ts'
import { address, connected, deferred, port, start, until } from '../support.ts'
import { waiting } from '../waiting.ts'

/** The limit for one step of the handshake, in ms: 6 s by default. A peer counts only its idle time. TOLERANCE allows for a busy machine. */
const TIMEOUT = 2_000
const TOLERANCE = 500
const TRIES = 3
/** One byte less than a key hint. The peer would answer a complete key hint. */
const NOT_WHOLE = HINT_BYTES - 1
const TOPIC = 'members'

const made = generateClusterKey()
const key = parseClusterKey(made)
const { clusterId, psks } = clusterIdentity('test', key)
const ring = new KeyRing(psks)
const otherRing = new KeyRing(clusterIdentity('test', parseClusterKey(generateClusterKey())).psks)
const stops: Array<() => Promise<void>> = []

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Members {
  peer: Network
  other: Network
  /** The warnings and errors that `peer` logged. */
  lines: Array<{ from: string; kind: RefusalKind }>
  /** Messages that one of the members received and that no member wrote. */
  foreign: string[]
  /** Resolves when each of the two members has received five more messages of the other member. */
  gossipGoesOn(): Promise<void>
}

/** Starts two members with a key and an allow list. The members publish gossip all the time. */
async function members(others: string[] = []): Promise<Members> {
  const keys = await Promise.all([generateKeyPair('Ed25519'), generateKeyPair('Ed25519')])
  const [mine, theirs] = keys as [PrivateKey, PrivateKey]
  const allow = [...keys.map(each => peerIdFromPrivateKey(each).toString()), ...others].map(peer => ({
    peer,
    may: RIGHTS
  }))
  const lines: Members['lines'] = []
  const warn = (data: object) => void lines.push(data as Members['lines'][number])
  const logger: Logger = { debug() {}, info() {}, warn, error: warn }
  const peer = await start({ key, allow, privateKey: mine, logger })
  tellRefusals(peer.refusals, logger)
  const other = await start({ key, allow, privateKey: theirs, bootstrap: [address(peer)] })
  await Promise.all([connected(peer, other), connected(other, peer)])
  const foreign: string[] = []
  const heard = new Map<Network, number>()
  const topics = [peer, other].map(each =>
    each.subscribe(
      TOPIC,
      () => {},
      data => {
        const text = new TextDecoder().decode(data)
        if (text.startsWith('member')) heard.set(each, (heard.get(each) ?? 0) + 1)
        else foreign.push(text)
      }
    )
  )
  const timer = setInterval(() => {
    for (const topic of topics) topic.publish(new TextEncoder().encode(`member ${Math.random()}`))
  }, 20)
  stops.push(async () => clearInterval(timer))
  const gossipGoesOn = async () => {
    const before = [peer, other].map(each => heard.get(each) ?? 0)
    await until(() => [peer, other].every((each, i) => (heard.get(each) ?? 0) >= before[i]! + 5))
  }
  await gossipGoesOn()
  return { peer, other, lines, foreign, gossipGoesOn }
}

/** Expects that the peer closed every attempt in time, that no gossip passed from or to the stranger, and that the log has one line. */
function expectRefused(at: Members, kind: RefusalKind, from: string, took: number[], stranger?: Stranger): void {
  expect(took.length).toBeGreaterThanOrEqual(TRIES)
  for (const ms of took) expect(ms).toBeLessThan(TIMEOUT + TOLERANCE)
  expect(stranger?.heard ?? 0).toBe(0)
  expect(at.foreign).toEqual([])
  expect(at.lines).toEqual([{ from, kind }])
  const { [kind]: count, ...others } = at.peer.refusals.counts()
  expect(count).toBeGreaterThanOrEqual(TRIES)
  expect(Object.values(others).every(each => each === 0)).toBe(true)
  expect(at.peer.connected()).toEqual([at.other.self])
}

const sockets: Array<[string, (() => Uint8Array) | undefined]> = [
  ['sends nothing', undefined],
  ['sends one byte every 100 ms', () => Uint8Array.of(1)]
]

test.each(sockets)(
  'a peer closes a socket that %s within 2 s of idle time and sends no byte on the socket',
  async (_, next) => {
    const at = await members()
    let received = 0
    const knock = () =>
      new Promise<number>(resolve => {
        const waited = waiting()
        const socket = connect({ port: Number(port(at.peer)), host: '127.0.0.1', allowHalfOpen: true })
        let said = 0
        const timer = setInterval(() => next !== undefined && said++ < NOT_WHOLE && socket.write(next()), 100)
        socket.on('error', () => {})
        socket.on('data', ({ byteLength }) => {
          received += byteLength
        })
        const over = () => {
          clearInterval(timer)
          socket.destroy()
          resolve(waited())
        }
        socket.once('end', over).once('close', over)
      })
    const took = await Promise.all(Array.from({ length: TRIES }, knock))
    await at.gossipGoesOn()
    expect(received).toBe(0)
    expect(at.peer.refusals.counts().key).toBe(TRIES)
    expectRefused(at, 'key', '127.0.0.1', took)
  }
)

const nodes: Array<[string, RefusalKind, Omit<StrangerInit, 'clusterId'>]> = [
  ['no key', 'key', { keys: undefined }],
  ['another key', 'key', { keys: otherRing }],
  ['the key but is not on the allow list', 'unlisted', { keys: ring }],
  ['the key but sends nothing after the key', 'slow', { keys: ring, stops: 'after the key' }],
  ['the key but sends nothing in TLS', 'slow', { keys: ring, stops: 'in TLS' }],
  ['the key but sends one byte every 100 ms in TLS', 'slow', { keys: ring, stops: 'in TLS, byte by byte' }]
]

test.each(nodes)(
  'a node that has %s gets and spreads no gossip, and is disconnected within 2 s of idle time',
  async (_, kind, init) => {
    const at = await members()
    const watched = await Watched.before(Number(port(at.peer)))
    const stranger = await Stranger.start({ clusterId, ...init }, TOPIC)
    stops.push(
      () => stranger.stop(),
      () => watched.stop()
    )
    const saying = setInterval(() => stranger.publish(), 20)
    stops.push(async () => clearInterval(saying))
    for (let i = 0; i < TRIES; i++) {
      const tried = watched.took.length
      const over = new AbortController()
      const knocked = stranger.knock(watched.port, over.signal)
      await until(() => watched.took.length > tried && watched.open === 0)
      // A stranger that stops in the middle of a handshake does not notice the close, so the test aborts the dial.
      over.abort()
      await knocked
    }
    await at.gossipGoesOn()
    expectRefused(at, kind, kind === 'unlisted' ? stranger.id : '127.0.0.1', watched.took, stranger)
  }
)

const taken: Array<[string, RefusalKind, (peer: Network) => void]> = [
  ['key', 'key', peer => peer.setAccess({ key: parseClusterKey(replacementKey('test', made)) })],
  ['entry on the allow list', 'unlisted', peer => peer.setAccess({ allow: [] })]
]

test.each(taken)(
  'when a newcomer loses its %s during its handshake, the handshake does not connect the newcomer',
  async (_, kind, take) => {
    const peer = await start({ key })
    const [shown, goOn] = [deferred<void>(), deferred<void>()]
    const beforeTls = () => {
      shown.resolve()
      return goOn.promise
    }
    const stranger = await Stranger.start({ clusterId, keys: ring, beforeTls }, TOPIC)
    stops.push(() => stranger.stop())
    const knocked = stranger.knock(Number(port(peer)), AbortSignal.timeout(60_000))
    await shown.promise
    take(peer)
    goOn.resolve()
    await knocked
    await until(() => peer.refusals.counts()[kind] > 0)
    await until(() => stranger.node.getConnections().length === 0)
    expect(peer.connected()).toEqual([])
  }
)

test('a peer disconnects a permitted node at once if the node does not negotiate the muxer within TLS', async () => {
  const at = await members([EVERYBODY])
  const watched = await Watched.before(Number(port(at.peer)))
  const init: StrangerInit = { clusterId, keys: ring, leavesOutMuxer: true }
  const stranger = await Stranger.start(init, TOPIC)
  stops.push(
    () => stranger.stop(),
    () => watched.stop()
  )
  const over = new AbortController()
  const knocked = stranger.knock(watched.port, over.signal)
  await until(() => watched.took.length > 0)
  over.abort()
  await knocked
  expect(watched.took[0]).toBeLessThan(TIMEOUT / 2)
  expect(stranger.heard).toBe(0)
})

test('a node that has the key and is on the allow list sends and receives gossip', async () => {
  const at = await members([EVERYBODY])
  const stranger = await Stranger.start({ clusterId, keys: ring }, TOPIC)
  stops.push(() => stranger.stop())
  await stranger.knock(Number(port(at.peer)), AbortSignal.timeout(60_000))
  const saying = setInterval(() => stranger.publish(), 20)
  stops.push(async () => clearInterval(saying))
  await until(() => stranger.heard > 0 && at.foreign.length > 0)
})

test('a peer closes a socket within 2 s of idle time if the socket sends the right key hint one byte at a time', async () => {
  const at = await members()
  const hint = hintOf(ring.first)
  const socket = connect({ port: Number(port(at.peer)), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const waited = waiting()
  let next = 0
  const timer = setInterval(() => next < NOT_WHOLE && socket.write(hint.subarray(next, ++next)), 200)
  await new Promise(resolve => socket.once('end', resolve).once('close', resolve).resume())
  clearInterval(timer)
  socket.destroy()
  expect(waited()).toBeLessThan(TIMEOUT + TOLERANCE)
  expect(at.lines).toEqual([{ from: '127.0.0.1', kind: 'key' }])
})
