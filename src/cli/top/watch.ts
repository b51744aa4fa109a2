/** Turns two inputs into events: the changes of the client's view, and the leader's answer each second. */
import type { Client } from '../../api/types.ts'
import { delay } from '../../lib/abort.ts'
import { onViewChange } from '../peers/view-changes.ts'
import type { Happening } from './model.ts'

/** The interval of the status requests to the leader, in ms. */
const ASK_MS = 1_000
/**
 * The time without an event after which the view is reported again, in ms. The ages on the screen grow, and the client
 * may have lost its peer.
 */
const LAPSE_MS = 1_200

/** Returns the time in ms since the epoch, by a clock that never jumps, unlike the wall clock. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/**
 * Watches the cluster until the signal aborts. Resolves when the signal has aborted.
 *
 * @param tell - called with each event, and at least once a second even if the leader does not answer
 */
export async function watchCluster(
  client: Client,
  tell: (happening: Happening) => void,
  signal: AbortSignal
): Promise<void> {
  const view = (): void => {
    lapse.refresh()
    const { peer, leader } = client
    tell({ type: 'view', at: now(), peer, leader, members: client.members() })
  }
  const lapse = setTimeout(view, LAPSE_MS)
  const unfollow = onViewChange(client, view)
  view()
  try {
    while (!signal.aborted) {
      const next = performance.now() + ASK_MS
      const happening = await ask(client, signal)
      if (happening === undefined) break
      // Emits both events at the same time, so that one frame shows both.
      view()
      tell(happening)
      await delay(Math.max(0, next - performance.now()), signal).catch(() => {})
    }
  } finally {
    clearTimeout(lapse)
    unfollow()
  }
}

/** Asks the leader for its status. Resolves with undefined if the signal is aborted. */
async function ask(client: Client, signal: AbortSignal): Promise<Happening | undefined> {
  try {
    const status = await client.status({ signal })
    return { type: 'answer', at: now(), status }
  } catch (error) {
    if (signal.aborted) return undefined
    return { type: 'failure', at: now(), message: error instanceof Error ? error.message : String(error) }
  }
}
