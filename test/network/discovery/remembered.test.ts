import { multiaddr } from '@multiformats/multiaddr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AddressBook } from '../../../src/network/discovery/address-book.ts'
import type { Dialer, DialResult } from '../../../src/network/discovery/dialer.ts'
import { Discovery } from '../../../src/network/discovery/discovery.ts'

const old = '12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp'
const other = '12D3KooWQAQgUHh4Tb2PDovReNqsd2RgnL5ohiVqhJHPx2fQynRk'
const bare = '/ip4/192.0.2.7/tcp/4001'
const remembered = `${bare}/p2p/${old}`
const MINUTE = 60_000

let discovery: Discovery

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  discovery.stop()
  vi.useRealTimers()
})

/** A discovery with an address from an earlier run. The peer `answering` answers at the address; nobody answers while `answering` is undefined. */
function world() {
  const state = { answering: undefined as string | undefined, connected: new Set<string>() }
  const dials: string[] = []
  const dialer: Pick<Dialer, 'dial'> = {
    dial: async dialled => {
      dials.push(dialled.toString())
      const { answering } = state
      if (answering === undefined) return { outcome: 'unreachable', error: new Error('down') }
      if (dialled.toString().includes('/p2p/') && !dialled.toString().endsWith(answering)) {
        return { outcome: 'other-peer', error: new Error('another') }
      }
      state.connected.add(answering)
      return { outcome: 'connected', peer: answering } as DialResult
    }
  }
  const host = {
    self: '12D3KooWA',
    reachable: true,
    isConnected: (peer: string) => state.connected.has(peer),
    isPinned: () => true,
    disconnected: () => new Promise<void>(() => {})
  }
  discovery = new Discovery(host, new AddressBook(), dialer as Dialer)
  discovery.remembered(multiaddr(remembered))
  /** Lets `ms` milliseconds pass and resolves with the dials of this time. */
  const during = async (ms: number): Promise<string[]> => {
    dials.length = 0
    await vi.advanceTimersByTimeAsync(ms)
    return [...dials]
  }
  return { state, during }
}

test('a peer keeps dialling an address from an earlier run while it knows no member', async () => {
  const { state, during } = world()
  expect((await during(MINUTE)).length).toBeGreaterThan(3)
  await during(60 * MINUTE)
  expect((await during(MINUTE)).length).toBeGreaterThan(3)
  // The connected peer is not a member: it may be a client or a stranger.
  state.connected.add(other)
  await during(20 * MINUTE)
  expect((await during(MINUTE)).length).toBeGreaterThan(3)
})

test('a peer dials an address from an earlier run until it has been connected to another member for about ten minutes', async () => {
  const { state, during } = world()
  await during(MINUTE)
  discovery.learnt(other)
  state.connected.add(other)
  const ofOld = async (ms: number) => (await during(ms)).filter(dial => dial === remembered).length
  expect(await ofOld(5 * MINUTE)).toBeGreaterThan(10)
  state.connected.delete(other)
  await ofOld(8 * MINUTE)
  state.connected.add(other)
  expect(await ofOld(8 * MINUTE)).toBeGreaterThan(10)
  await ofOld(3 * MINUTE)
  expect(await ofOld(20 * MINUTE)).toBe(0)
})

test('a peer redials an address from an earlier run when the connection closes, until the dialled peer has been a member', async () => {
  const { state, during } = world()
  state.answering = old
  expect(await during(1_000)).toEqual([remembered])
  state.connected.clear()
  expect(await during(1_000)).toEqual([remembered])
  discovery.learnt(old)
  await during(MINUTE)
  state.connected.clear()
  state.answering = undefined
  await during(MINUTE)
  // The remaining dials try to reach the lost member. None of these dials uses the address from the earlier run.
  expect((await during(MINUTE)).filter(dial => dial === remembered)).toEqual([])
})

test('if a new PeerId answers at an address from an earlier run, a peer connects to the new PeerId', async () => {
  const { state, during } = world()
  state.answering = other
  expect(await during(1_000)).toEqual([remembered, bare])
  expect(state.connected).toEqual(new Set([other]))
  discovery.learnt(other)
  expect(await during(60 * MINUTE)).toEqual([])
})
