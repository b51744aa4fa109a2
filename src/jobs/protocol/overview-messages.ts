/** What goes on at the leader, for anybody who asks (protocol "overview"). */
import type { Codec, PeerIdString, ProtocolSpec } from '../../network/types.ts'
import { OverviewMessage as Wire } from '../../wire/jobs.gen.ts'
import { JOB_STATES, type JobState, type JobSummary } from '../shared/types.ts'
import {
  type ChunkPiece,
  type ChunkQuestion,
  decodePiece,
  decodeQuestion,
  encodePiece,
  PIECE_LIMITS
} from './chunk-map-messages.ts'
import {
  checkCount,
  checkJobId,
  checkOne,
  checkPeerId,
  checkText,
  decodePeerChunks,
  decodeWith,
  encodePeerChunks,
  MAX_PEERS,
  MAX_SMALL_MESSAGE_BYTES,
  oneOf
} from './wire-parts.ts'

/** What only the leader knows. */
export interface Overview {
  /** Those that run, and those that ended a short while ago. */
  jobs: JobSummary[]
  /** Chunks running at each worker. */
  busy: Record<PeerIdString, number>
}

/**
 * `id`: chosen by who asks, to tell answers apart. `chunks`: not what goes on is asked, but what has become of the chunks of a job.
 */
export type OverviewMessage = {
  id: number
} & (
  | { type: 'request'; chunks?: ChunkQuestion | undefined }
  | { type: 'overview'; overview: Overview }
  | { type: 'chunk-map'; piece: ChunkPiece }
  /** There is no such job, or nothing is known of it but how it ended. */
  | { type: 'unknown'; end: JobEnd | undefined }
  | { type: 'not-leader'; leader: PeerIdString | undefined }
)

type JobEnd = Exclude<JobState, 'accepted' | 'running'>

const ENDS: readonly JobEnd[] = ['completed', 'failed', 'cancelled']
const MAX_JOBS = 10_000

const codec: Codec<OverviewMessage> = {
  encode(message) {
    const { id } = message
    switch (message.type) {
      case 'request':
        return Wire.encode({ id, request: message.chunks === undefined ? {} : { chunks: message.chunks } })
      case 'chunk-map':
        return Wire.encode({ id, chunkMap: encodePiece(message.piece) })
      case 'unknown':
        return Wire.encode({ id, unknown: { end: message.end ?? '' } })
      case 'not-leader':
        return Wire.encode({ id, notLeader: { leader: message.leader ?? '' } })
      case 'overview': {
        const jobs = message.overview.jobs.slice(0, MAX_JOBS).map(({ jobId, ...job }) => ({ job: jobId, ...job }))
        return Wire.encode({ id, overview: { jobs, busy: encodePeerChunks(Object.entries(message.overview.busy)) } })
      }
    }
  },

  decode(bytes) {
    const limits = { overview: { jobs: MAX_JOBS, busy: MAX_PEERS }, chunkMap: PIECE_LIMITS }
    const { id, request, overview, notLeader, chunkMap, unknown } = decodeWith(() => Wire.decode(bytes, { limits }))
    checkOne([request, overview, notLeader, chunkMap, unknown])
    if (notLeader !== undefined) {
      return { id, type: 'not-leader', leader: notLeader.leader === '' ? undefined : checkPeerId(notLeader.leader) }
    }
    if (chunkMap !== undefined) return { id, type: 'chunk-map', piece: decodePiece(chunkMap) }
    if (unknown !== undefined) {
      return { id, type: 'unknown', end: unknown.end === '' ? undefined : oneOf(unknown.end, ENDS, 'end') }
    }
    if (overview === undefined) {
      return { id, type: 'request', ...(request?.chunks !== undefined && { chunks: decodeQuestion(request.chunks) }) }
    }
    const jobs = overview.jobs.map(job => ({
      jobId: checkJobId(job.job),
      task: checkText(job.task, 1_000, "a task's name"),
      state: oneOf(job.state, JOB_STATES, 'state'),
      done: checkCount(job.done, 'done'),
      total: job.total === undefined ? undefined : checkCount(job.total, 'total'),
      unserved: job.unserved,
      age: job.age === undefined ? undefined : checkCount(job.age, 'age')
    }))
    return { id, type: 'overview', overview: { jobs, busy: decodePeerChunks(overview.busy) } }
  }
}

export const overviewProtocol: ProtocolSpec<OverviewMessage> = {
  name: 'overview',
  codec,
  maxMessageBytes: MAX_SMALL_MESSAGE_BYTES
}
