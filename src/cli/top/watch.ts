/** Turns the changes of the client's view, and the leader's answer once a second, into events. */
import type { Client } from '../../api/types.ts'
import { delay } from '../../lib/abort.ts'
import { onViewChange } from '../peers/view-changes.ts'
import type { Happening } from './model.ts'

/** The interval of the status requests to the leader, in ms. */
const ASK_MS = 1_000
/** After this long without an event (ms) the view is reported again, because ages grow and the peer may be lost. */
const LAPSE_MS = 1_200

/** The time in ms since the epoch, by a clock that never jumps as the wall clock may. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/**
 * Watches until the signal is aborted, and resolves then.
 *
 * @param tell - called with each event, at least once a second, even if the leader does not answer
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
      // Both events come together, so that one frame shows both.
      view()
      tell(happening)
      await delay(Math.max(0, next - performance.now()), signal).catch(() => {})
    }
  } finally {
    clearTimeout(lapse)
    unfollow()
  }
}

/** Asks the leader for its status; undefined when the signal is aborted. */
async function ask(client: Client, signal: AbortSignal): Promise<Happening | undefined> {
  try {
    const status = await client.status({ signal })
    return { type: 'answer', at: now(), status }
  } catch (error) {
    if (signal.aborted) return undefined
    return { type: 'failure', at: now(), message: error instanceof Error ? error.message : String(error) }
  }
}
