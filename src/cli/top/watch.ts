/** Tells what the client is told: the view of its peer as it changes, and what the leader answers, once a second. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../api.ts'
import type { Happening } from './model.ts'

/** How often the leader is asked, in ms. */
const ASK_MS = 1_000
/** Changes that come within this time (ms) are told as one: a cluster that starts has many. */
const COALESCE_MS = 100

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
    const { peer, leader } = client
    tell({ type: 'view', at: now(), peer, leader, members: client.members() })
  }
  let pending: NodeJS.Timeout | undefined
  const changed = (): void => {
    pending ??= setTimeout(() => {
      pending = undefined
      view()
    }, COALESCE_MS)
  }
  client.addEventListener('member', changed)
  client.addEventListener('leader', changed)
  const clock = setInterval(view, ASK_MS)
  view()
  try {
    await askAgainAndAgain(client, tell, signal)
  } finally {
    clearInterval(clock)
    clearTimeout(pending)
    client.removeEventListener('member', changed)
    client.removeEventListener('leader', changed)
  }
}

async function askAgainAndAgain(
  client: Client,
  tell: (happening: Happening) => void,
  signal: AbortSignal
): Promise<void> {
  while (!signal.aborted) {
    const next = performance.now() + ASK_MS
    try {
      const status = await client.status({ signal })
      tell({ type: 'answer', at: now(), status })
    } catch (error) {
      if (signal.aborted) return
      tell({ type: 'failure', at: now(), message: error instanceof Error ? error.message : String(error) })
    }
    await delay(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => {})
  }
}
