/** A runner that refuses inputs and outputs that are larger than the limit of its peer. */

import { type TaskFailure, TaskFailureError } from '../tasks/execute/failure.ts'
import type { BatchHandlers, BatchRun, FailedChunk, JobDriver, Outcomes } from '../tasks/executor.ts'
import { filterIndexed, type IndexedPack, NOTHING_PACKED, packIndexed } from '../tasks/values/pack.ts'
import { type Payload, type PayloadLimit, tooLarge } from './protocol/payload-limit.ts'
import type { Runner } from './shared/runner.ts'

export function limitedRunner(runner: Runner, limit: PayloadLimit): Runner {
  const check = (payload: Payload): void => {
    const failure = tooLarge(payload, limit)
    if (failure !== undefined) throw new TaskFailureError(failure)
  }
  /** Separates the values within the limit from the values above the limit. */
  const within = (values: IndexedPack, what: 'chunk' | 'partial'): { small: IndexedPack; failed: FailedChunk[] } => {
    const failures = new Map<number, TaskFailure>()
    for (let i = 0; i < values.indices.length; i++) {
      const index = values.indices[i]!
      const failure = tooLarge({ function: 'run', what, size: values.lengths[i]!, index }, limit)
      if (failure !== undefined) failures.set(index, failure)
    }
    if (failures.size === 0) return { small: values, failed: [] }
    const failed = [...failures].map(([index, failure]) => ({ index, failure }))
    return { small: filterIndexed(values, index => !failures.has(index)), failed }
  }
  const limited = (handlers: BatchHandlers): BatchHandlers => ({
    ...handlers,
    onOutcomes({ partials, combined, ...rest }: Outcomes, busyMs) {
      const { small, failed: large } = within(partials, 'partial')
      if (large.length > 0)
        handlers.onOutcomes({ partials: small, ...rest, failed: [...rest.failed, ...large] }, busyMs)
      // If the combined value is too large, the leader receives the partials that it combines.
      else if (combined === undefined || within(combined, 'partial').failed.length > 0)
        handlers.onOutcomes({ partials, ...rest }, busyMs)
      else handlers.onOutcomes({ partials, combined, ...rest }, busyMs)
    }
  })
  /** Returns the chunks within the limit. A larger chunk fails at this worker, but may run at another worker. */
  const runnable = (chunks: IndexedPack, handlers: BatchHandlers): IndexedPack => {
    const { small, failed } = within(chunks, 'chunk')
    if (failed.length > 0) handlers.onOutcomes({ partials: NOTHING_PACKED, failed }, 0)
    return small
  }

  return {
    slots: runner.slots,
    runBatch(batch, handlers): BatchRun {
      const chunks = runnable(batch.chunks, handlers)
      if (chunks.indices.length > 0) return runner.runBatch({ ...batch, chunks }, limited(handlers))
      return Object.assign(Promise.resolve(), { cancel() {} })
    },
    async runQuarantined(alone, handlers) {
      if (runnable(packIndexed([alone.chunk]), handlers).indices.length > 0)
        await runner.runQuarantined(alone, limited(handlers))
    },
    async openDriver(options) {
      check({ function: 'split', what: 'input', size: options.input.byteLength })
      return limitedDriver(await runner.openDriver(options), check)
    },
    prepareDriver: () => runner.prepareDriver?.(),
    limited: driver => limitedDriver(driver, check)
  }
}

function limitedDriver(driver: JobDriver, check: (payload: Payload) => void): JobDriver {
  const checkAll = (fn: 'split' | 'run', what: 'chunk' | 'partial', first: number, lengths: Uint32Array): void => {
    for (let i = 0; i < lengths.length; i++) check({ function: fn, what, size: lengths[i]!, index: first + i })
  }
  return {
    async pull(max) {
      const pulled = await driver.pull(max)
      checkAll('split', 'chunk', pulled.first, pulled.chunks.lengths)
      return pulled
    },
    async fold(first, partials) {
      const { lengths } = partials
      // A combined value (a partial followed by lengths of 0) is exempt, as is a value that the driver combines itself.
      const sizes = lengths.map((length, i) => (lengths[i + 1] === 0 ? 0 : length))
      checkAll('run', 'partial', first, sizes)
      return await driver.fold(first, partials)
    },
    kind: () => driver.kind(),
    checkpoint: () => driver.checkpoint(),
    get checkpointMs() {
      return driver.checkpointMs
    },
    async finish() {
      const bytes = await driver.finish()
      check({ function: 'finish', what: 'result', size: bytes.byteLength })
      return bytes
    },
    close: () => driver.close()
  }
}
