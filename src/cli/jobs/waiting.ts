import type { Client } from '../../api/types.ts'
import { paint, printable, say } from '../terminal/output.ts'

/** How long a job may wait for room before its user is told, in ms. */
const QUIET_MS = 3_000

/** Says that a job is not accepted for lack of room, if that takes more than a moment. Returns what ends it. */
export function tellWaiting(client: Pick<Client, 'addEventListener'>): () => void {
  let timer: NodeJS.Timeout | undefined
  client.addEventListener('waiting', ({ detail }) => {
    clearTimeout(timer)
    const line = `the leader has no room for more jobs: ${printable(detail.reason)}`
    timer = setTimeout(() => say(`${paint('caution', 'waiting:')} ${line}`), QUIET_MS)
  })
  return () => clearTimeout(timer)
}
