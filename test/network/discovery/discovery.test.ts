import { type Multiaddr, multiaddr } from '@multiformats/multiaddr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import { AddressBook } from '../../../src/network/discovery/address-book.ts'
import type { Dialer, DialResult } from '../../../src/network/discovery/dialer.ts'
import { Discovery } from '../../../src/network/discovery/discovery.ts'
import { deferred } from '../support.ts'

const self = '12D3KooWA'
const peer = '12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp'
const address = '/ip4/192.0.2.7/tcp/4001'
/** A member that stays connected during the whole test. */
const neighbour = '12D3KooWneighbour'

let discovery: Discovery | undefined

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  discovery?.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A discovery whose dials connect to `peer` at once while `peer` is up, and fail while `peer` is down. */
function world() {
  const book = new AddressBook()
  const dials: string[] = []
  let up = true
  let spare = false
  let gone: ReturnType<typeof deferred<void>> | undefined
  const dialer: Pick<Dialer, 'dial'> = {
    dial: async dialled => {
      dials.push(dialled.toString())
      if (!up) return { outcome: 'unreachable', error: new Error('down') }
      gone ??= deferred()
      return { outcome: 'connected', peer } as DialResult
    }
  }
  const host = {
    self,
    reachable: true,
    isConnected: (other: string) => other === neighbour || (other === peer && gone !== undefined),
    isPinned: (other: string) => !spare || other === neighbour,
    disconnected: (other: string) =>
      other === peer ? (gone?.promise ?? Promise.resolve()) : new Promise<void>(() => {})
  }
  discovery = new Discovery(host, book, dialer as Dialer)
  return {
    discovery,
    book,
    dials,
    connected: () => gone !== undefined,
    setUp: (value: boolean) => {
      up = value
    },
    setSpare: (value: boolean) => {
      spare = value
      discovery?.reconsider()
    },
    disconnect: () => {
      gone?.resolve()
      gone = undefined
    }
  }
}

test('a peer dials a lost member at an announced address, even after mDNS has been silent for a minute', async () => {
  const { discovery, book, dials, connected, disconnect } = world()
  discovery.found(peer, [multiaddr(address)])
  book.announce(peer, [address], undefined)
  discovery.learnt(peer)
  discovery.found(peer, [multiaddr(address)])
  await vi.advanceTimersByTimeAsync(61_000)
  expect(connected()).toBe(true)
  dials.length = 0
  disconnect()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dials).toEqual([`${address}/p2p/${peer}`])
  expect(book.toDial(peer).map(String)).toEqual([address])
})

test('a peer forgets an unreachable peer that only mDNS has found, after mDNS has been silent for over a minute', async () => {
  const { discovery, book, dials, setUp, disconnect } = world()
  discovery.found(peer, [multiaddr(address)])
  await vi.advanceTimersByTimeAsync(1_000)
  setUp(false)
  disconnect()
  await vi.advanceTimersByTimeAsync(80_000)
  expect(book.toDial(peer)).toEqual([])
  dials.length = 0
  await vi.advanceTimersByTimeAsync(80_000)
  expect(dials).toEqual([])
})

test('a peer keeps at most 256 peers that only mDNS has found, and new mDNS answers do not displace known peers', async () => {
  const { discovery, book, setUp } = world()
  setUp(false)
  const made = Array.from({ length: 400 }, (_, i) => `12D3KooWmade${i}`)
  for (const other of made) discovery.found(other, [multiaddr(address)])
  const kept = made.filter(other => book.toDial(other).length > 0)
  expect(kept).toEqual(made.slice(0, 256))
  const newer = '/ip4/192.0.2.8/tcp/4001'
  discovery.found(made[0]!, [multiaddr(newer)])
  expect(book.toDial(made[0]!).map(String)).toEqual([address, newer])
  discovery.learnt(made[0]!)
  discovery.found(peer, [multiaddr(address)])
  expect(book.toDial(peer).map(String)).toEqual([address])
})

test('a peer dials only the TCP addresses that mDNS finds, and ignores a peer without a TCP address', async () => {
  const { discovery, book, dials } = world()
  const odd = ['/ip4/192.0.2.7/udp/4001', '/ip4/192.0.2.7/tcp/4001/ws'].map(text => multiaddr(text))
  discovery.found('12D3KooWodd', odd)
  discovery.found(peer, [...odd, multiaddr(address)])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dials).toEqual([`${address}/p2p/${peer}`])
  expect(book.toDial('12D3KooWodd')).toEqual([])
})

test('a peer dials a bootstrap peer with growing pauses while each connection closes at once, and at once after a long connection', async () => {
  const { discovery, dials, connected, disconnect } = world()
  discovery.bootstrap(multiaddr(address))
  for (let elapsed = 0; elapsed < 60_000; elapsed += 10) {
    await vi.advanceTimersByTimeAsync(10)
    disconnect()
  }
  // The pauses are 0.2, 0.4, … 6.4 s and then 10 s, each with 25% jitter. They allow 9 to 13 dials in a minute.
  expect(dials.length).toBeGreaterThan(5)
  expect(dials.length).toBeLessThan(15)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(connected()).toBe(true)
  dials.length = 0
  disconnect()
  await vi.advanceTimersByTimeAsync(0)
  expect(dials).toHaveLength(1)
})

test('a peer dials a member with growing pauses while each connection closes at once', async () => {
  const { discovery, book, dials, disconnect } = world()
  book.announce(peer, [address], undefined)
  discovery.learnt(peer)
  for (let elapsed = 0; elapsed < 120_000; elapsed += 10) {
    await vi.advanceTimersByTimeAsync(10)
    disconnect()
  }
  // The pauses are 2, 4 and 8 s and then 15 s. With constant pauses of 2 s there would be 60 dials.
  expect(dials.length).toBeGreaterThan(5)
  expect(dials.length).toBeLessThan(20)
})

test('a peer does not dial a member while the member is not pinned, although mDNS and the bootstrap list have its address', async () => {
  const { discovery, dials, connected, setSpare, disconnect } = world()
  discovery.learnt(neighbour)
  discovery.bootstrap(multiaddr(address))
  await vi.advanceTimersByTimeAsync(0)
  discovery.learnt(peer)
  expect(connected()).toBe(true)
  setSpare(true)
  disconnect()
  dials.length = 0
  discovery.found(peer, [multiaddr(address)])
  discovery.learnt(peer)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(dials).toEqual([])
  setSpare(false)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(connected()).toBe(true)
})

test('a peer dials an mDNS peer only one time if the mDNS peer turns out to be an unpinned member', async () => {
  const { discovery, dials, setSpare, disconnect } = world()
  discovery.learnt(neighbour)
  setSpare(true)
  discovery.found(peer, [multiaddr(address)])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dials).toHaveLength(1)
  discovery.learnt(peer)
  disconnect()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(dials).toHaveLength(1)
})

/** A discovery in which dials reach only the peers in `answering`, and only at the address `at` if given. All other dials fail after 3 s. */
function crowd(answering: readonly string[], at = '') {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const book = new AddressBook()
  const dials: Array<{ peer: string; at: number }> = []
  const gone = new Map<string, ReturnType<typeof deferred<void>>>()
  let hanging = 0
  let most = 0
  const dialer: Pick<Dialer, 'dial'> = {
    dial: async dialled => {
      const other = dialled.toString().split('/p2p/')[1] ?? ''
      dials.push({ peer: other, at: Date.now() })
      if (answering.includes(other) && dialled.toString().startsWith(at)) {
        gone.set(other, deferred())
        return { outcome: 'connected', peer: other } as DialResult
      }
      hanging += 1
      most = Math.max(most, hanging)
      await new Promise(resolve => setTimeout(resolve, 3_000))
      hanging -= 1
      return { outcome: 'unreachable', error: new Error('no answer') }
    }
  }
  const host = {
    self,
    reachable: true,
    isConnected: (other: string) => gone.has(other),
    isPinned: () => true,
    disconnected: (other: string) => gone.get(other)?.promise ?? Promise.resolve()
  }
  discovery = new Discovery(host, book, dialer as Dialer)
  return {
    discovery,
    book,
    dials,
    isConnected: host.isConnected,
    most: () => most,
    disconnect: (other: string) => {
      const was = gone.get(other)
      gone.delete(other)
      was?.resolve()
    }
  }
}

/** Returns addresses of one host where nobody answers. */
function silent(host: string, count: number): Multiaddr[] {
  return Array.from({ length: count }, (_, i) => multiaddr(`/ip4/${host}/tcp/${4001 + i}`))
}

/** Announces nonexistent peers by mDNS: one host for each peer, or one host for all peers. */
function invent(
  discovery: Discovery,
  at: 'one address' | 'many addresses',
  { peers = 10_000, addresses = 1 } = {}
): void {
  for (let i = 0; i < peers; i++) {
    const other = `12D3KooWmade${String.fromCharCode(...[...String(i)].map(digit => 97 + Number(digit)))}`
    const host = at === 'one address' ? '198.51.100.1' : `10.9.${i >> 8}.${i & 255}`
    discovery.found(other, silent(host, addresses))
  }
}

test.each(['one address', 'many addresses'] as const)(
  'a peer that announces itself by mDNS is connected within 20 answers, although 10,000 nonexistent peers are announced at %s',
  async at => {
    const { discovery, dials, isConnected, most } = crowd([peer])
    invent(discovery, at)
    let told = 0
    // The peer announces itself again with each mDNS question.
    while (!isConnected(peer) && told < 20) {
      discovery.found(peer, [multiaddr(address)])
      told += 1
      await vi.advanceTimersByTimeAsync(20_000)
    }
    expect(isConnected(peer)).toBe(true)
    expect(dials.findIndex(dial => dial.peer === peer)).toBeLessThan(600)
    expect(most()).toBeLessThanOrEqual(16)
  }
)

/** The maximum number of mDNS peers that a peer remembers, and ten silent addresses for each of them. */
const INVENTED = { peers: DEFAULT_LIMITS.heard, addresses: 10 }

test('a peer connects to a new mDNS peer within 2 s, although it keeps dialling 256 mDNS peers with ten silent addresses each', async () => {
  const { discovery, dials, isConnected, most } = crowd([peer])
  for (let seconds = 0; seconds < 300; seconds += 20) {
    invent(discovery, 'many addresses', INVENTED)
    await vi.advanceTimersByTimeAsync(20_000)
  }
  expect(new Set(dials.map(dial => dial.peer)).size).toBe(INVENTED.peers)
  discovery.found(peer, [multiaddr(address)])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(isConnected(peer)).toBe(true)
  expect(most()).toBe(16)
})

test('when mDNS finds 256 peers at the same time, the last peer is connected within 90 s although all other addresses are silent', async () => {
  const { discovery, isConnected } = crowd([peer])
  invent(discovery, 'many addresses', { ...INVENTED, peers: INVENTED.peers - 1 })
  discovery.found(peer, [multiaddr(address)])
  await vi.advanceTimersByTimeAsync(90_000)
  expect(isConnected(peer)).toBe(true)
})

test('a peer whose first two addresses are silent is connected at its third address within 10 s', async () => {
  const { discovery, isConnected } = crowd([peer], address)
  discovery.found(peer, [...silent('192.0.2.9', 2), multiaddr(address)])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isConnected(peer)).toBe(true)
})

test('10,000 nonexistent mDNS peers neither delay nor reduce the dials to a lost member', async () => {
  const times: number[][] = []
  for (const isFlooded of [false, true]) {
    const { discovery, book, dials } = crowd([])
    book.announce(peer, [address], undefined)
    const began = Date.now()
    if (isFlooded) invent(discovery, 'many addresses')
    discovery.learnt(peer)
    await vi.advanceTimersByTimeAsync(60_000)
    times.push(dials.filter(dial => dial.peer === peer).map(dial => dial.at - began))
    discovery.stop()
  }
  expect(times[0]?.length).toBeGreaterThan(2)
  expect(times[1]).toEqual(times[0])
})

test('10,000 nonexistent mDNS peers do not displace a peer that was connected before', async () => {
  const { discovery, dials, isConnected, disconnect } = crowd([peer])
  discovery.found(peer, [multiaddr(address)])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isConnected(peer)).toBe(true)
  invent(discovery, 'many addresses')
  disconnect(peer)
  dials.length = 0
  await vi.advanceTimersByTimeAsync(5_000)
  expect(dials.filter(dial => dial.peer === peer)).toHaveLength(1)
  expect(isConnected(peer)).toBe(true)
})
