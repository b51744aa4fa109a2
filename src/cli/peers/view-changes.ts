import type { Client } from '../../api/types.ts'

/** Changes within this time are one, in ms: a cluster that starts has many. */
const COALESCE_MS = 100

/** Calls `listener` soon after members or leader of the client's view have changed; returns what ends that. */
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
