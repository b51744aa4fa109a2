import { peerIdFromString } from '@libp2p/peer-id'
import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MdnsSearch } from '../../../src/network/discovery/mdns-search.ts'

/** A fake of the mDNS library that counts questions: each instance asks when it starts and at each interval. */
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

test('a peer that receives no mDNS answers sends three to six mDNS questions in two minutes', async () => {
  await vi.advanceTimersByTimeAsync(120_000)
  expect(FakeMdns.questions).toBeGreaterThanOrEqual(3)
  expect(FakeMdns.questions).toBeLessThanOrEqual(6)
})

test('a peer that receives answers to the mDNS questions of other peers sends no question, and still finds the answering peers', async () => {
  for (let i = 0; i < 12; i++) {
    await vi.advanceTimersByTimeAsync(19_000)
    hearAnswer()
  }
  expect(FakeMdns.questions).toBe(0)
  expect(found).toBe(12)
})

test('a peer sends an mDNS question when it has received no mDNS answer for 31 s', async () => {
  hearAnswer()
  await vi.advanceTimersByTimeAsync(19_000)
  hearAnswer()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(FakeMdns.questions).toBe(1)
})

test('after `search()`, a peer sends an mDNS question at least every 0.5 s for ten seconds, even if it receives an answer', async () => {
  search.search()
  await vi.advanceTimersByTimeAsync(5_000)
  hearAnswer()
  const before = FakeMdns.questions
  expect(before).toBeGreaterThanOrEqual(10)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(FakeMdns.questions).toBeGreaterThanOrEqual(before + 10)
})
