/** Tells what the client is told: the view of its peer as it changes, and what the leader answers, once a second. */
import type { Client } from '../../api/types.ts'
import { delay } from '../../lib/abort.ts'
import { onViewChange } from '../peers/view-changes.ts'
import type { Happening } from './model.ts'

/** How often the leader is asked, in ms. */
const ASK_MS = 1_000
/** Where nothing is told for so long (ms), the view is told again: times pass, and the peer may be lost. */
const LAPSE_MS = 1_200

/** In ms since the epoch, and never jumping as the wall clock does. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/**
 * Watches until the signal is aborted, and resolves then.
 *
 * @param tell - called at least once a second, also where nothing is answered: times pass
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
      // Together, so that one picture shows both.
      view()
      tell(happening)
      await delay(Math.max(0, next - performance.now()), signal).catch(() => {})
    }
  } finally {
    clearTimeout(lapse)
    unfollow()
  }
}

/** What the leader answers; undefined when the signal is aborted. */
async function ask(client: Client, signal: AbortSignal): Promise<Happening | undefined> {
  try {
    const status = await client.status({ signal })
    return { type: 'answer', at: now(), status }
  } catch (error) {
    if (signal.aborted) return undefined
    return { type: 'failure', at: now(), message: error instanceof Error ? error.message : String(error) }
  }
}
