import type { Client } from '../../api/types.ts'

/** The time within which changes cause only one call, in ms. A starting cluster has many changes. */
const COALESCE_MS = 100

/**
 * Calls `listener` soon after the members or the leader in the view of the client have changed. The returned function
 * ends the calls.
 */
export function onViewChange(client: Client, listener: () => void): () => void {
  let pending: NodeJS.Timeout | undefined
  const changed = (): void => {
    pending ??= setTimeout(() => {
      pending = undefined
      listener()
    }, COALESCE_MS)
  }
  client.addEventListener('member', changed)
  client.addEventListener('leader', changed)
  return () => {
    clearTimeout(pending)
    client.removeEventListener('member', changed)
    client.removeEventListener('leader', changed)
  }
}
