import type { GossipSub } from '@chainsafe/libp2p-gossipsub'
import { TopicValidatorResult } from '@chainsafe/libp2p-gossipsub'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Admission } from '../../src/network/admission.ts'
import { RATES } from '../../src/network/rate-limit.ts'
import { Refusals } from '../../src/network/refusals.ts'
import { Topics } from '../../src/network/topics.ts'

type Validator = (bearer: { toString(): string }, message: unknown) => TopicValidatorResult

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Topics over a gossipsub that does nothing but ask whether a message is to be taken. */
function world() {
  const topicValidators = new Map<string, Validator>()
  const pubsub = {
    topicValidators,
    addEventListener: () => {},
    removeEventListener: () => {},
    subscribe: () => {},
    unsubscribe: () => {}
  }
  const heardAgain: string[] = []
  const refusals = new Refusals()
  const topics = new Topics(
    pubsub as unknown as GossipSub,
    'cluster',
    refusals,
    new Admission(),
    () => {},
    peer => void heardAgain.push(peer)
  )
  topics.subscribe(
    'talk',
    () => {},
    () => {}
  )
  const [validate] = topicValidators.values()
  /** Whether a message that `author` wrote and `bearer` brings is taken. */
  const brings = (bearer: string, author = bearer): boolean =>
    validate!(bearer, { type: 'signed', from: author, data: new Uint8Array() }) === TopicValidatorResult.Accept
  return { topics, brings, heardAgain, refusals }
}

test('who brings old messages of another again, however many, keeps nobody from hearing that one itself', () => {
  const { topics, brings, refusals } = world()
  let taken = 0
  for (let i = 0; i < 2 * RATES.author.burst; i++) if (brings('liar', 'honest')) taken += 1
  expect(taken).toBe(RATES.author.burst)
  expect(refusals.counts().rate).toBe(RATES.author.burst)
  expect(brings('honest')).toBe(true)
  expect(topics.score('honest')).toBe(0)
})

test('who writes more than anybody may is ignored for a while, and then begins anew', () => {
  const { topics, brings, heardAgain } = world()
  for (let i = 0; i < RATES.author.burst; i++) expect(brings('flooder')).toBe(true)
  expect(topics.score('flooder')).toBe(0)
  expect(brings('flooder')).toBe(false)
  expect(topics.score('flooder')).toBeLessThan(-80)
  expect(heardAgain).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(topics.score('flooder')).toBe(0)
  expect(heardAgain).toEqual(['flooder'])
  expect(brings('flooder')).toBe(true)
})

test('who brings more than anybody may, whoever wrote it, is ignored, too', () => {
  const { topics, brings } = world()
  for (let i = 0; i <= RATES.bearer.burst; i++) brings('flooder', `author${i}`)
  expect(topics.score('flooder')).toBeLessThan(-80)
})

test('nothing of it outlives a stop', () => {
  const { topics, brings, heardAgain } = world()
  for (let i = 0; i <= RATES.author.burst; i++) brings('flooder')
  topics.stop()
  vi.advanceTimersByTime(60_000)
  expect(heardAgain).toEqual([])
})
