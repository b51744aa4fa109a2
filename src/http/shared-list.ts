/** Asks the leader for a list on behalf of all readers. */
import type { Peer } from '../api/types.ts'
import { delay, signalAfter } from '../lib/abort.ts'
import { ANSWER_MS, checkLeader, isTimeout, late } from './leader.ts'
import { Shared } from './shared.ts'

/** The shortest interval between two requests to the leader, in ms. */
const GAP_MS = 200
/** How long the list waits for a leader, in ms. A change of the leader is usually short. */
const ELECTION_MS = 2_000

/**
 * Readers need no token, and may ask often. So one request to the leader serves all who ask at the same time.
 *
 * @param what - what the leader lists, for the error of a leader that does not answer
 */
export function sharedList<T>(
  peer: Pick<Peer, 'leader' | 'status'>,
  stopped: AbortSignal,
  what: string,
  ask: (signal: AbortSignal) => Promise<T>
): Shared<T> {
  let askedAt = Number.NEGATIVE_INFINITY
  return new Shared(async () => {
    await delay(Math.max(0, askedAt + GAP_MS - performance.now()), stopped)
    askedAt = performance.now()
    const ms = peer.leader === undefined ? ELECTION_MS : ANSWER_MS
    try {
      return await ask(AbortSignal.any([stopped, signalAfter(ms)]))
    } catch (error) {
      if (isTimeout(error)) await checkLeader(peer, stopped)
      throw late(error, `listed the ${what}`)
    }
  })
}
