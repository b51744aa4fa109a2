import { ItemSource, type Items } from '../jobs/client/item-source.ts'
import type { JobClient } from '../jobs/client/job-client.ts'
import { checkBoolean } from './options.ts'
import { prepareStream } from './prepare-job.ts'
import type { MapOptions, MapTask } from './types.ts'

/** Implements `map` of a peer and a client: yields the results of a stream. */
export async function* mapStream<Item, Output>(
  jobs: Pick<JobClient, 'submit'>,
  source: Items<Item>,
  task: MapTask<Item, Output>,
  { ordered = true, onLog, onProgress, ...options }: MapOptions
): AsyncGenerator<Awaited<Output>, void, undefined> {
  checkBoolean(ordered, 'ordered')
  const prepared = await prepareStream(task, options)
  // Ends the job when the source fails.
  const failed = new AbortController()
  const items = new ItemSource({ source, onFailed: error => failed.abort(new SourceError(error)) })
  const signal = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal])
  try {
    const stream = { items, order: ordered ? ('ordered' as const) : ('unordered' as const) }
    const job = await jobs.submit<undefined, Awaited<Output>>(prepared, { ...options, signal }, stream)
    if (onLog !== undefined) job.addEventListener('log', ({ detail }) => onLog(detail))
    if (onProgress !== undefined) job.addEventListener('progress', ({ detail }) => onProgress(detail))
    try {
      yield* job.partials()
      await job.result()
    } finally {
      await job.cancel()
    }
  } catch (error) {
    if (failed.signal.aborted) throw (failed.signal.reason as SourceError).cause
    options.signal?.throwIfAborted()
    throw error
  } finally {
    items.close()
  }
}

/** Wraps the value that a source has thrown. The value may be undefined. */
class SourceError extends Error {
  constructor(cause: unknown) {
    super('the source of a stream failed', { cause })
  }
}
