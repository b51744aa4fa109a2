/**
 * The entry of a process that runs one chunk for a peer. The user's code runs in a thread of this process. So the code has the same environment
 * as in the peer, and an endless loop does not keep this process from noticing that its peer has ended.
 */

import { runChunks } from '../execute/batch.ts'
import { ThreadPool } from '../execute/thread-pool.ts'
import { packIndexed } from '../values/pack.ts'
import { killProcessGroup } from './process-group.ts'
import type { QuarantineOrder, QuarantineReport } from './quarantine-messages.ts'

const controller = new AbortController()

// This process ignores these signals. After a signal to the whole service, the peer may first finish its work, so the peer decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// When the peer has ended, this process kills its group, because `process.exit()` would wait for a thread that is in a system call.
process.on('disconnect', () => killProcessGroup(process.pid))
process.on('message', (order: QuarantineOrder) => {
  if (order.type === 'cancel') controller.abort(new Error('the chunk was cancelled'))
  else run(order).then(() => process.exit(), fail)
})

async function run(order: QuarantineOrder & { type: 'run' }): Promise<void> {
  const { file, chunk, settings, maxHeapMb, chunkTimeout, times } = order
  let said: Promise<void> = say({ type: 'taken' })
  const pool = new ThreadPool({ threads: 1, settings, maxHeapMb, keep: false })
  const batch = { file, chunks: packIndexed([chunk]), chunkTimeout, times, signal: controller.signal }
  await runChunks(pool, batch, {
    onOutcomes: (outcomes, busyMs) => {
      said = say({ type: 'outcomes', outcomes, busyMs })
    },
    onStarted: () => void say({ type: 'started' }),
    onLog: line => void say({ type: 'log', line })
  }).catch(error => {
    if (!controller.signal.aborted) throw error
  })
  await said
}

/** Writes the error to stderr, which the peer reads, and ends the process. */
function fail(error: unknown): void {
  console.error(error)
  process.exit(1)
}

/** Sends a report to the peer; resolves when the report is written to the channel. */
function say(report: QuarantineReport): Promise<void> {
  return new Promise(resolve => process.send?.(report, () => resolve()))
}
