import type { Batch, BatchHandlers, BatchRun } from '../../tasks/executor.ts'
import { filterIndexed, unpackIndexed } from '../../tasks/values/pack.ts'
import type { RunMode } from '../scheduler/index.ts'
import type { Runner } from '../shared/runner.ts'

export type BatchToRun = Batch & { signal: AbortSignal }

/**
 * Runs a batch in the mode that the leader has chosen. A quarantined chunk is a batch of its own.
 *
 * @param announce - reports to the leader that these chunks begin. Resolves when the leader has answered.
 */
export function runBatch(
  mode: RunMode,
  runner: Runner,
  batch: BatchToRun,
  handlers: BatchHandlers,
  announce: (indices: readonly number[]) => Promise<void>
): BatchRun {
  if (mode === 'plain') return runner.runBatch(batch, handlers)
  return mode === 'quarantined'
    ? runQuarantined(runner, batch, handlers)
    : runAnnounced(runner, batch, handlers, announce)
}

function runQuarantined(
  runner: Runner,
  { sha256, chunks, signal, chunkTimeout, times }: BatchToRun,
  handlers: BatchHandlers
): BatchRun {
  const chunk = unpackIndexed(chunks)[0]!
  const unwanted = new AbortController()
  const either = AbortSignal.any([signal, unwanted.signal])
  const order = { sha256, chunk, signal: either, chunkTimeout, times }
  const run = runner.runQuarantined(order, handlers).catch((error: unknown) => {
    if (!unwanted.signal.aborted || signal.aborted) throw error
  })
  return Object.assign(run, {
    cancel(index: number) {
      if (index === chunk.index) unwanted.abort(new Error(`chunk ${index} is not wanted any more`))
    }
  })
}

function runAnnounced(
  runner: Runner,
  batch: BatchToRun,
  handlers: BatchHandlers,
  announce: (indices: readonly number[]) => Promise<void>
): BatchRun {
  const unwanted = new Set<number>()
  let run: BatchRun | undefined
  const start = async (): Promise<void> => {
    await announce(batch.chunks.indices)
    batch.signal.throwIfAborted()
    const chunks = filterIndexed(batch.chunks, index => !unwanted.has(index))
    run = runner.runBatch({ ...batch, chunks }, handlers)
    await run
  }
  return Object.assign(start(), {
    cancel(index: number) {
      unwanted.add(index)
      run?.cancel(index)
    }
  })
}
