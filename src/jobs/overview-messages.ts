/** What goes on at the leader, for anybody who asks (protocol "overview"). */
import type { Codec, PeerIdString, ProtocolSpec } from '../network/types.ts'
import { OverviewMessage as Wire } from '../wire/jobs.gen.ts'
import type { JobState, JobSummary } from './types.ts'
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

/** `id`: chosen by who asks, to tell answers apart. */
export type OverviewMessage = { id: number } & (
  | { type: 'request' }
  | { type: 'overview'; overview: Overview }
  | { type: 'not-leader'; leader: PeerIdString | undefined }
)

const STATES: readonly JobState[] = ['accepted', 'running', 'completed', 'failed', 'cancelled']
const MAX_JOBS = 10_000

const codec: Codec<OverviewMessage> = {
  encode(message) {
    const { id } = message
    switch (message.type) {
      case 'request':
        return Wire.encode({ id, request: {} })
      case 'not-leader':
        return Wire.encode({ id, notLeader: { leader: message.leader ?? '' } })
      case 'overview': {
        const jobs = message.overview.jobs.slice(0, MAX_JOBS).map(({ jobId, ...job }) => ({ job: jobId, ...job }))
        return Wire.encode({ id, overview: { jobs, busy: encodePeerChunks(Object.entries(message.overview.busy)) } })
      }
    }
  },

  decode(bytes) {
    const limits = { overview: { jobs: MAX_JOBS, busy: MAX_PEERS } }
    const { id, request, overview, notLeader } = decodeWith(() => Wire.decode(bytes, { limits }))
    checkOne([request, overview, notLeader])
    if (notLeader !== undefined) {
      return { id, type: 'not-leader', leader: notLeader.leader === '' ? undefined : checkPeerId(notLeader.leader) }
    }
    if (overview === undefined) return { id, type: 'request' }
    const jobs = overview.jobs.map(job => ({
      jobId: checkJobId(job.job),
      task: checkText(job.task, 1_000, "a task's name"),
      state: oneOf(job.state, STATES, 'state'),
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
