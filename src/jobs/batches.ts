import type { RunMode } from './coordinator-types.ts'
import type { LeaderJob } from './leader-job.ts'
import type { BatchMessage } from './work-messages.ts'

/** Chunks for one worker are cut into messages of about so many bytes, so that it can start on the first ones. */
const BATCH_BYTES = 4 * 2 ** 20

/** The messages that bring chunks of a job to a worker, as yet without a seal. */
export function* batchesOf(
  job: LeaderJob,
  mode: RunMode,
  indices: readonly number[]
): Generator<Omit<BatchMessage, 'seal'>> {
  const { sha256, chunkTimeout, priority } = job.submission
  let chunks: Uint8Array[] = []
  let bytes = 0
  let from = 0
  for (let i = 0; i < indices.length; i++) {
    const chunk = job.chunks.get(indices[i]!)!.bytes
    chunks.push(chunk)
    bytes += chunk.byteLength
    const next = i + 1 < indices.length ? job.chunks.get(indices[i + 1]!)!.bytes.byteLength : Number.POSITIVE_INFINITY
    if (bytes + next <= BATCH_BYTES) continue
    const some = indices.slice(from, i + 1)
    const digests = job.digestsOf(some)
    const how = { mode, chunkTimeout, priority, birth: job.birth }
    yield { type: 'batch', job: job.id, sha256, indices: some, chunks, digests, ...how }
    chunks = []
    bytes = 0
    from = i + 1
  }
}
