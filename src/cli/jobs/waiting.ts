import type { Client } from '../../api/types.ts'
import { paint, printable, say } from '../terminal/output.ts'

/** How long a job waits for room before the user gets a message, in ms. */
const QUIET_MS = 3_000

/**
 * Prints a message when a job waits for room at the leader for longer than `QUIET_MS`. The returned function suppresses
 * a message that is not printed yet.
 */
export function tellWaiting(client: Pick<Client, 'addEventListener'>): () => void {
  let timer: NodeJS.Timeout | undefined
  client.addEventListener('waiting', ({ detail }) => {
    clearTimeout(timer)
    const line = `the leader has no room for more jobs: ${printable(detail.reason)}`
    timer = setTimeout(() => say(`${paint('caution', 'waiting:')} ${line}`), QUIET_MS)
  })
  return () => clearTimeout(timer)
}
