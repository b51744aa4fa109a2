/** The overview of jobs and workers at the leader, for any peer or client (protocol "overview"). */
import type { Codec, PeerIdString, ProtocolSpec } from '../../network/types.ts'
import { OverviewMessage as Wire, type Summary as WireSummary } from '../../wire/jobs.gen.ts'
import { JOB_STATES, type JobState, type JobSummary } from '../shared/types.ts'
import {
  type ChunkPiece,
  type ChunkQuestion,
  decodePiece,
  decodeQuestion,
  encodePiece,
  PIECE_LIMITS
} from './chunk-map-messages.ts'
import { oneofCodec } from './oneof-codec.ts'
import * as parts from './wire-parts.ts'

/** The state of the cluster that only the leader knows. */
export interface Overview {
  /** The running jobs, and the ended jobs whose outcome is kept. */
  jobs: JobSummary[]
  /** Number of chunks that run at each worker. */
  busy: Record<PeerIdString, number>
}

/**
 * `id`: chosen by the sender of the request, to match answers. `chunks`: asks for a job's chunk map instead of the
 * overview.
 */
export type OverviewMessage = { id: number } & Says

type Says =
  | { type: 'request'; chunks?: ChunkQuestion | undefined }
  | { type: 'overview'; overview: Overview }
  | { type: 'chunk-map'; piece: ChunkPiece }
  /** The job is unknown, or only its end is known. */
  | { type: 'unknown'; end: JobEnd | undefined }
  | { type: 'not-leader'; leader: PeerIdString | undefined }

type JobEnd = Exclude<JobState, 'accepted' | 'running' | 'suspended'>

const ENDS: readonly JobEnd[] = ['completed', 'failed', 'cancelled']
const MAX_JOBS = 10_000

const says = oneofCodec<Says, Omit<Wire, 'id'>>({
  request: {
    field: 'request',
    encode: ({ chunks }) => (chunks === undefined ? {} : { chunks }),
    decode: ({ chunks }) => (chunks === undefined ? {} : { chunks: decodeQuestion(chunks) })
  },
  overview: {
    field: 'overview',
    encode: ({ overview: { jobs, busy } }) => ({
      jobs: jobs.slice(0, MAX_JOBS).map(({ jobId, ...job }) => ({ job: jobId, ...job })),
      busy: parts.encodePeerChunks(Object.entries(busy))
    }),
    decode: ({ jobs, busy }) => ({ overview: { jobs: jobs.map(decodeSummary), busy: parts.decodePeerChunks(busy) } })
  },
  'chunk-map': {
    field: 'chunkMap',
    encode: ({ piece }) => encodePiece(piece),
    decode: wire => ({ piece: decodePiece(wire) })
  },
  unknown: {
    field: 'unknown',
    encode: ({ end = '' }) => ({ end }),
    decode: ({ end }) => ({ end: end === '' ? undefined : parts.oneOf(end, ENDS, 'end') })
  },
  'not-leader': {
    field: 'notLeader',
    encode: ({ leader = '' }) => ({ leader }),
    decode: ({ leader }) => ({ leader: leader === '' ? undefined : parts.checkPeerId(leader) })
  }
})

function decodeSummary({ job, ...summary }: WireSummary): JobSummary {
  const { task, state, done, total, unserved, age, durable, durability } = summary
  return {
    jobId: parts.checkJobId(job),
    task: parts.checkText(task, 1_000, "a task's name"),
    state: parts.oneOf(state, JOB_STATES, 'state'),
    done: parts.checkCount(done, 'done'),
    total: total === undefined ? undefined : parts.checkCount(total, 'total'),
    unserved,
    age: age === undefined ? undefined : parts.checkCount(age, 'age'),
    durable: parts.checkDurable(durable),
    durability: durability ?? { memory: 0, disk: 0 }
  }
}

const LIMITS = { overview: { jobs: MAX_JOBS, busy: parts.MAX_PEERS }, chunkMap: PIECE_LIMITS }

const codec: Codec<OverviewMessage> = {
  encode: ({ id, ...message }) => Wire.encode({ id, ...says.encode(message) }),
  decode(bytes) {
    const { id, ...wire } = parts.decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    return { id, ...says.decode(wire) }
  }
}

export const overviewProtocol: ProtocolSpec<OverviewMessage> = {
  name: 'overview',
  codec,
  maxMessageBytes: parts.MAX_SMALL_MESSAGE_BYTES
}
