import { peerIdFromString } from '@libp2p/peer-id'
import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MdnsSearch } from '../../../src/network/discovery/mdns-search.ts'

/** Counts only the question that an instance asks when it starts and at each interval. */
class FakeMdns extends TypedEventEmitter<{ peer: CustomEvent }> {
  static questions = 0
  static answering: FakeMdns | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ interval, broadcast = true }: { interval: number; broadcast?: boolean }) {
    super()
    this.interval = interval
    if (broadcast) FakeMdns.answering = this
  }

  readonly interval: number

  start(): void {
    if (this.#timer !== undefined) return
    FakeMdns.questions++
    this.#timer = setInterval(() => FakeMdns.questions++, this.interval)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

vi.mock('@libp2p/mdns', () => ({ mdns: (init: { interval: number }) => () => new FakeMdns(init) }))

const id = peerIdFromString('12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp')
let search: MdnsSearch
let found = 0

beforeEach(async () => {
  vi.useFakeTimers()
  found = 0
  search = new MdnsSearch({} as ConstructorParameters<typeof MdnsSearch>[0], '_tag', () => found++)
  await search.start()
  FakeMdns.questions = 0
})

afterEach(async () => {
  await search.stop()
  vi.useRealTimers()
})

function hearAnswer(): void {
  FakeMdns.answering?.dispatchEvent(new CustomEvent('peer', { detail: { id, multiaddrs: [] } }))
}

test('a peer that hears no mDNS answers asks between three and six times in two minutes', async () => {
  await vi.advanceTimersByTimeAsync(120_000)
  expect(FakeMdns.questions).toBeGreaterThanOrEqual(3)
  expect(FakeMdns.questions).toBeLessThanOrEqual(6)
})

test('a peer that hears answers to the questions of others asks nothing itself, and finds the same peers', async () => {
  for (let i = 0; i < 12; i++) {
    await vi.advanceTimersByTimeAsync(19_000)
    hearAnswer()
  }
  expect(FakeMdns.questions).toBe(0)
  expect(found).toBe(12)
})

test('a peer asks again when the peer that asked for everyone has stopped', async () => {
  hearAnswer()
  await vi.advanceTimersByTimeAsync(19_000)
  hearAnswer()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(FakeMdns.questions).toBe(1)
})

test('a peer without neighbours asks often for a while, even when it hears answers meanwhile', async () => {
  search.search()
  await vi.advanceTimersByTimeAsync(5_000)
  hearAnswer()
  const before = FakeMdns.questions
  expect(before).toBeGreaterThanOrEqual(10)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(FakeMdns.questions).toBeGreaterThanOrEqual(before + 10)
})
