import type { Client } from '../../api/types.ts'
import type { JobSummary } from '../../jobs/shared/types.ts'
import { isOver } from '../../views/states.ts'
import { count } from '../../views/words.ts'
import { paint, printable, say } from '../terminal/output.ts'

/** How long a job waits for room or disks before the user gets a message, in ms. */
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

/**
 * Prints a message when too few disks hold a job, and again when their number changes, until `signal` aborts. Asks the
 * leader every few seconds: a leader that has not accepted a job again sends its clients nothing.
 */
export function tellDisks(client: Pick<Client, 'status'>, jobId: string, signal: AbortSignal): void {
  let said = ''
  const ask = async (): Promise<void> => {
    const { jobs } = await client.status({ signal })
    const job = jobs.find(job => job.jobId === jobId)
    if (job?.durable === 0) return
    const line = job === undefined ? said : disksLine(job)
    if (line !== '' && line !== said) say(`${paint('caution', 'waiting:')} ${line}`)
    said = line
    askLater()
  }
  const askLater = (): void => {
    setTimeout(() => {
      if (!signal.aborted) ask().catch(askLater)
    }, QUIET_MS).unref()
  }
  askLater()
}

/** Returns '' if enough disks hold the job. */
function disksLine({ state, durable, durability: { disk } }: JobSummary): string {
  if (disk >= durable || isOver(state)) return ''
  const held = `${disk === 0 ? 'none' : disk} ${disk > 1 ? 'have' : 'has'} it`
  return `the outcome of the job waits for ${count(durable, 'disk')}, and ${held}: start more peers with --data-dir, or those that are gone`
}
