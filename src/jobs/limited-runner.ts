/** A runner that lets no payload in or out that is larger than its peer's limit. */
import type { BatchHandlers, BatchRun, ChunkOutcome, EncodedChunk, JobDriver } from '../tasks/executor.ts'
import { TaskFailureError } from '../tasks/failure.ts'
import { type Payload, type PayloadLimit, tooLarge } from './payload-limit.ts'
import type { Runner } from './runner.ts'

export function limitedRunner(runner: Runner, limit: PayloadLimit): Runner {
  const check = (payload: Payload): void => {
    const failure = tooLarge(payload, limit)
    if (failure !== undefined) throw new TaskFailureError(failure)
  }
  const checked = (outcome: ChunkOutcome): ChunkOutcome => {
    const { index, bytes } = outcome
    const error = bytes && tooLarge({ function: 'run', what: 'partial', bytes, index }, limit)
    return error === undefined ? outcome : { index, error }
  }
  const limited = (handlers: BatchHandlers): BatchHandlers => ({
    ...handlers,
    onOutcomes: (outcomes, busyMs) => handlers.onOutcomes(outcomes.map(checked), busyMs)
  })
  /** The chunks that may run; those that are too large have failed, here at least: another peer may take them. */
  const within = (chunks: readonly EncodedChunk[], handlers: BatchHandlers): EncodedChunk[] => {
    const refused: ChunkOutcome[] = []
    const small = chunks.filter(({ index, bytes }) => {
      const error = tooLarge({ function: 'run', what: 'chunk', bytes, index }, limit)
      if (error !== undefined) refused.push({ index, error })
      return error === undefined
    })
    if (refused.length > 0) handlers.onOutcomes(refused, 0)
    return small
  }

  return {
    slots: runner.slots,
    runBatch(batch, handlers): BatchRun {
      const chunks = within(batch.chunks, handlers)
      if (chunks.length > 0) return runner.runBatch({ ...batch, chunks }, limited(handlers))
      return Object.assign(Promise.resolve(), { cancel() {} })
    },
    async runAlone(alone, handlers) {
      if (within([alone.chunk], handlers).length > 0) await runner.runAlone(alone, limited(handlers))
    },
    async openDriver(options) {
      check({ function: 'split', what: 'input', bytes: options.input })
      return limitedDriver(await runner.openDriver(options), check)
    }
  }
}

function limitedDriver(driver: JobDriver, check: (payload: Payload) => void): JobDriver {
  return {
    async pull(max) {
      const pulled = await driver.pull(max)
      pulled.chunks.forEach((bytes, i) => {
        check({ function: 'split', what: 'chunk', bytes, index: pulled.first + i })
      })
      return pulled
    },
    async fold(first, partials) {
      partials.forEach((bytes, i) => {
        check({ function: 'run', what: 'partial', bytes, index: first + i })
      })
      return await driver.fold(first, partials)
    },
    kind: () => driver.kind(),
    checkpoint: () => driver.checkpoint(),
    get checkpointMs() {
      return driver.checkpointMs
    },
    async finish() {
      const bytes = await driver.finish()
      check({ function: 'finish', what: 'result', bytes })
      return bytes
    },
    close: () => driver.close()
  }
}
