import type { Submission } from '../protocol/submit-messages.ts'
import { MAX_CHUNKS_A_MESSAGE } from '../protocol/wire-parts.ts'
import type { BatchMessage } from '../protocol/work-messages.ts'
import type { RunMode } from '../scheduler/index.ts'
import type { JobExecution } from './job-execution.ts'

/**
 * The approximate number of bytes in one message with chunks. Messages are small enough that a worker can soon start the first chunks.
 */
const BATCH_BYTES = 4 * 2 ** 20

/** The properties of a job that messages to workers need. */
export interface DispatchedJob {
  id: string
  submissionId: string
  submission: Pick<Submission, 'sha256' | 'chunkTimeout' | 'priority' | 'partials'>
  execution: JobExecution
}

/** Makes the messages that give chunks of a job to a worker. The caller adds the seal. */
export function* batchMessages(
  job: DispatchedJob,
  mode: RunMode,
  indices: readonly number[]
): Generator<Omit<BatchMessage, 'seal'>> {
  const { execution } = job
  const { sha256, chunkTimeout, priority, partials } = job.submission
  // A client that reads the partials needs the partial of each chunk, so the workers must not combine partials.
  const combine = execution.combines && !partials
  const how = { mode, chunkTimeout, priority, combine, submissionId: job.submissionId }
  for (let from = 0, end = 0; from < indices.length; from = end) {
    const most = Math.min(indices.length, from + MAX_CHUNKS_A_MESSAGE)
    let bytes = 0
    do {
      bytes += execution.chunks.byteLengthOf(indices[end]!)
      end += 1
    } while (end < most && bytes + execution.chunks.byteLengthOf(indices[end]!) <= BATCH_BYTES)
    const some = from === 0 && end === indices.length ? indices : indices.slice(from, end)
    yield { type: 'batch', job: job.id, sha256, indices: some, ...execution.chunksOf(some), ...how }
  }
}
