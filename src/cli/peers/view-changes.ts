import type { Client } from '../../api/types.ts'

/** Changes within this time cause one call, in ms: a starting cluster has many. */
const COALESCE_MS = 100

/**
 * Calls `listener` soon after the members or the leader in the client's view have changed. Returns a function that
 * stops this.
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
