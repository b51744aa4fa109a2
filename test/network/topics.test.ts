import type { GossipSub } from '@chainsafe/libp2p-gossipsub'
import { TopicValidatorResult } from '@chainsafe/libp2p-gossipsub'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import { Guard } from '../../src/network/guard/guard.ts'
import { RATES } from '../../src/network/guard/rates.ts'
import { Topics, topicIds } from '../../src/network/topics.ts'

type Validator = (bearer: { toString(): string }, message: unknown) => TopicValidatorResult

/** Returns topics over a fake gossipsub, of which the test calls only the validator. */
function world() {
  const topicValidators = new Map<string, Validator>()
  const pubsub = {
    topicValidators,
    addEventListener: () => {},
    removeEventListener: () => {},
    subscribe: () => {},
    unsubscribe: () => {}
  }
  const guard = new Guard(DEFAULT_LIMITS, undefined, () => {})
  const topics = new Topics(pubsub as unknown as GossipSub, 'cluster', topicIds('cluster', ['talk']), guard, () => {})
  topics.subscribe(
    'talk',
    () => {},
    () => {}
  )
  const [validate] = topicValidators.values()
  /** Returns whether the topic accepts a message that `author` wrote and `bearer` relays. */
  const brings = (bearer: string, author = bearer): boolean =>
    validate!(bearer, { type: 'signed', from: author, data: new Uint8Array() }) === TopicValidatorResult.Accept
  return { brings, refusals: guard.refusals }
}

test('when a relay floods with messages of an author, the relayed messages use up only the relay’s rate and not the author’s rate', () => {
  const { brings, refusals } = world()
  let taken = 0
  for (let i = 0; i < 2 * RATES.gossip.burst; i++) if (brings('liar', 'honest')) taken += 1
  // The limiter admits a few messages beyond the burst, because its bucket refills while this loop runs.
  expect(taken).toBeLessThan(1.1 * RATES.gossip.burst)
  expect(refusals.counts().rate).toBe(2 * RATES.gossip.burst - taken)
  expect(brings('honest')).toBe(true)
})
