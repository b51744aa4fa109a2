/** The messages between a submitting client and the leader (protocol "submit"). */
import { RECORD_LIMITS } from '../../membership/record-limits.ts'
import type { Codec, PeerIdString, ProtocolSpec } from '../../network/types.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'
import type { IndexedPack, Pack } from '../../tasks/values/pack.ts'
import type { Progress, Submit } from '../../wire/jobs.gen.ts'
import { SubmitMessage as Wire } from '../../wire/jobs.gen.ts'
import type { JobTerms, SchedulerStats } from '../scheduler/index.ts'
import { JOB_STATES, type JobDurability, type JobProgress, type TaskLogLine } from '../shared/types.ts'
import { EMPTY, oneofCodec } from './oneof-codec.ts'
import { packNumbers, unpackNumbers } from './varints.ts'
import * as parts from './wire-parts.ts'

/** A job as a client submits it. */
export interface Submission extends JobTerms {
  /** The task's name, for status and logs. */
  task: string
  sha256: string
  code: Uint8Array
  input: Uint8Array
  /** SHA-256 of the input, in hex: distinguishes two submissions with one id. */
  inputSha256: string
  /** The longest time that a chunk may run, in ms. `undefined` if there is no limit. */
  chunkTimeout: number | undefined
  /** Whether the job continues when no client waits for it. */
  detach: boolean
  /** How long the outcome is kept, in ms. */
  keep: number
  /** The number of disks that must hold the job, its checkpoints and its outcome before they are acknowledged. */
  durable: number
  /** Whether the submitting client reads the partials. */
  partials: boolean
  /**
   * The order of a stream. Set only for a stream: its chunks are the items of the client. The partials arrive in item
   * order, or in the order in which they are computed.
   */
  stream?: StreamOrder | undefined
  /** The due time that `split` gets, in ms since the Unix epoch. `undefined` if no schedule submits the job. */
  scheduledFor?: number | undefined
}

export type StreamOrder = 'ordered' | 'unordered'

/** The content that distinguishes two jobs with one id. */
export type SubmissionContent = Pick<Submission, 'sha256' | 'inputSha256'>

export function sameContent(a: SubmissionContent, b: SubmissionContent): boolean {
  return a.sha256 === b.sha256 && a.inputSha256 === b.inputSha256
}

/** Returns the bytes of the code and the input of a submission. */
export function bytesOfSubmission({ code, input }: Pick<Submission, 'code' | 'input'>): number {
  return code.byteLength + input.byteLength
}

/** The end of a job, with its result or failure. */
export type JobOutcome =
  | { type: 'completed'; result: Uint8Array; stats: SchedulerStats }
  | { type: 'failed'; failure: TaskFailure; stats: SchedulerStats }
  | { type: 'cancelled'; stats: SchedulerStats }

/** The counts of a job that has not begun. */
export const NO_STATS: SchedulerStats = { chunks: 0, retries: 0, recomputed: 0, speculated: 0, perPeer: {} }

/** A client's first message: submits a job, or waits for a job that the leader has. `resume`: resumes a suspended job, which goes on detached. */
export type Hello = { type: 'submit'; submission: Submission } | { type: 'watch'; resume?: boolean }

/** The answer when the leader has no room for the job now. */
export interface Busy {
  reason: string
  /** The time until the client may submit the job again, in ms. */
  ms: number
  /**
   * Number of jobs that the client may submit then. 0: the client may submit one job, and one more job for each of its
   * jobs that ends before.
   */
  places: number
}

/**
 * `seen`: number of chunks folded under earlier leaders, as far as the client knows. `got`: the client reads the
 * partials and needs none before this index.
 */
export type ToLeaderSays =
  | (Hello & { seen: number; got: number })
  | { type: 'got'; next: number }
  /** The items of a stream that the leader asked for. `done`: the stream has no more items. */
  | { type: 'items'; first: number; items: Pack; done: boolean }
  | { type: 'cancel' }
  | { type: 'leave' }

export type FromLeaderSays =
  /**
   * `folded`: number of chunks that earlier leaders have folded, which are not computed again. `progress`: set if the
   * job was running already. `durability`: where the job is held.
   */
  | {
      type: 'accepted'
      folded: number
      progress?: JobProgress | undefined
      durability?: JobDurability | undefined
    }
  /** The number of peers that hold the job has changed. */
  | { type: 'durability'; durability: JobDurability }
  /** The leader does not know the job to watch. `end`: how the job ended, if the outcome of the job is not kept any more. */
  | { type: 'unknown'; end: JobOutcome['type'] | undefined }
  | { type: 'progress'; progress: JobProgress }
  | { type: 'log'; lines: TaskLogLine[] }
  /**
   * `notAdmitted`: the allow list does not let this client submit any job. `end`: this job has ended, and its outcome
   * is not kept any more. `noRoom`: the leader's data folder has no room for the job. `disks`: fewer disks than the job
   * needs can hold it. `suspended`: the job to watch does not run until a user resumes it.
   */
  | {
      type: 'refused'
      reason: string
      notAdmitted?: boolean
      noRoom?: boolean
      disks?: number
      suspended?: boolean
      end?: JobOutcome['type'] | undefined
    }
  | ({ type: 'busy' } & Busy)
  /** Partials for the client that reads them, sent before they are folded. */
  | { type: 'partials'; first: number; partials: Pack }
  /** Asks for up to `most` items of a stream, from `first` on. */
  | { type: 'wants'; first: number; most: number }
  /** Results of an unordered stream, in the order in which they are computed. */
  | { type: 'outputs'; outputs: IndexedPack }
  | JobOutcome

type NotLeader = { type: 'not-leader'; leader: PeerIdString | undefined }
type Says = ToLeaderSays | NotLeader | FromLeaderSays

export type SubmitMessage = { job: string } & (ToLeaderSays | NotLeader | ({ epoch: number } & FromLeaderSays))

export function isToLeader(message: { job: string } & Says): message is { job: string } & ToLeaderSays {
  return ['submit', 'watch', 'got', 'items', 'cancel', 'leave'].includes(message.type)
}

export const MAX_TASK_NAME = 1_000
/** The ends of a job that a client can receive. */
const OUTCOMES: readonly JobOutcome['type'][] = ['completed', 'failed', 'cancelled']
const MAX_REASON = 10_000
/** The largest number of retries of a chunk. */
const MAX_RETRIES = 1_000_000
const STREAMS: readonly StreamOrder[] = ['ordered', 'unordered']

export function encodeSubmission(submission: Submission, { seen, got } = { seen: 0, got: 0 }): Submit {
  const { task, sha256, code, input, inputSha256, requires, ...terms } = submission
  return {
    seen,
    got,
    task: task.slice(0, MAX_TASK_NAME),
    sha256: parts.bytesOf(sha256),
    code: parts.unshared(code),
    input: parts.unshared(input),
    inputSha256: parts.bytesOf(inputSha256),
    requires: new Map(Object.entries(requires)),
    ...terms
  }
}

export function decodeSubmission(wire: Submit): Submission {
  parts.check(wire.retries <= MAX_RETRIES, 'too many retries')
  const stream = wire.stream === undefined ? undefined : parts.oneOf(wire.stream, STREAMS, 'order of a stream')
  parts.check(stream === undefined || wire.partials, 'a stream without a reader of its partials')
  return {
    task: parts.checkText(wire.task, MAX_TASK_NAME, "a task's name"),
    sha256: parts.hexOf(wire.sha256),
    code: wire.code,
    input: wire.input,
    inputSha256: parts.hexOf(wire.inputSha256),
    retries: wire.retries,
    speculate: wire.speculate,
    requires: parts.checkTags(wire.requires),
    chunkTimeout: parts.checkChunkTimeout(wire.chunkTimeout),
    priority: parts.checkPriority(wire.priority),
    detach: wire.detach,
    keep: parts.checkKeep(wire.keep),
    durable: parts.checkDurable(wire.durable),
    partials: wire.partials,
    stream,
    ...(wire.scheduledFor !== undefined && { scheduledFor: parts.checkTime(wire.scheduledFor) })
  }
}

function decodeProgress(wire: Progress): JobProgress {
  return {
    state: parts.oneOf(wire.state, JOB_STATES, 'state'),
    done: parts.checkCount(wire.done, 'done'),
    total: wire.total === undefined ? undefined : parts.checkCount(wire.total, 'total'),
    peers: wire.peers,
    retries: parts.checkCount(wire.retries, 'retries'),
    speculated: parts.checkCount(wire.speculated, 'speculated'),
    recomputed: parts.checkCount(wire.recomputed, 'recomputed'),
    unserved: wire.unserved
  }
}

function decodeEnd(end: string): JobOutcome['type'] | undefined {
  return end === '' ? undefined : parts.oneOf(end, OUTCOMES, 'end')
}

const says = oneofCodec<Says, Omit<Wire, 'job' | 'epoch'>>({
  submit: {
    field: 'submit',
    encode: message => encodeSubmission(message.submission, message),
    decode: wire => ({
      submission: decodeSubmission(wire),
      seen: parts.checkCount(wire.seen, 'seen'),
      got: parts.checkCount(wire.got, 'got')
    })
  },
  watch: {
    field: 'watch',
    encode: ({ seen, resume = false }) => ({ seen, resume }),
    decode: ({ seen, resume }) => ({ seen: parts.checkCount(seen, 'seen'), got: 0, ...(resume && { resume }) })
  },
  got: {
    field: 'got',
    encode: ({ next }) => ({ next }),
    decode: ({ next }) => ({ next: parts.checkCount(next, 'got') })
  },
  items: {
    field: 'items',
    encode: ({ first, items, done }) => ({ first, ...parts.encodePack(items), done }),
    decode: ({ first, done, ...items }) => ({
      first: parts.checkCount(first, 'an index'),
      items: parts.decodePack(items),
      done
    })
  },
  cancel: { field: 'cancel', ...EMPTY },
  leave: { field: 'leave', ...EMPTY },
  'not-leader': {
    field: 'notLeader',
    encode: ({ leader = '' }) => ({ leader }),
    decode: ({ leader }) => ({ leader: leader === '' ? undefined : parts.checkPeerId(leader) })
  },
  accepted: {
    field: 'accepted',
    encode: ({ folded, progress, durability }) => ({
      folded,
      ...(progress && { progress }),
      ...(durability && { durability })
    }),
    decode: ({ folded, progress, durability }) => ({
      folded: parts.checkCount(folded, 'folded'),
      progress: progress && decodeProgress(progress),
      durability
    })
  },
  durability: {
    field: 'durability',
    encode: ({ durability }) => durability,
    decode: durability => ({ durability })
  },
  unknown: { field: 'unknown', encode: ({ end = '' }) => ({ end }), decode: ({ end }) => ({ end: decodeEnd(end) }) },
  progress: {
    field: 'progress',
    encode: ({ progress }) => progress,
    decode: wire => ({ progress: decodeProgress(wire) })
  },
  log: {
    field: 'log',
    encode: ({ lines }) => ({ lines: lines.map(parts.encodeLine) }),
    decode: ({ lines }) => ({
      lines: lines.map(line => ({ ...parts.decodeLine(line), peer: parts.checkPeerId(line.peer) }))
    })
  },
  partials: {
    field: 'partials',
    encode: ({ first, partials }) => ({ first, ...parts.encodePack(partials) }),
    decode: ({ first, ...partials }) => ({
      first: parts.checkCount(first, 'an index'),
      partials: parts.decodePack(partials)
    })
  },
  wants: {
    field: 'wants',
    encode: ({ first, most }) => ({ first, most }),
    decode({ first, most }) {
      parts.check(most > 0, 'no items are wanted')
      return { first: parts.checkCount(first, 'an index'), most }
    }
  },
  outputs: {
    field: 'outputs',
    encode: ({ outputs }) => ({ indices: packNumbers(outputs.indices), ...parts.encodePack(outputs) }),
    decode(wire) {
      const indices = unpackNumbers(wire.indices, parts.MAX_CHUNKS_A_MESSAGE)
      return { outputs: { indices, ...parts.decodePack(wire, indices.length) } }
    }
  },
  refused: {
    field: 'refused',
    encode: ({ reason, notAdmitted = false, noRoom = false, suspended = false, disks, end = '' }) => ({
      reason: reason.slice(0, MAX_REASON),
      notAdmitted,
      noRoom,
      suspended,
      ...(disks !== undefined && { disks }),
      end
    }),
    decode(wire) {
      const reason = parts.checkText(wire.reason, MAX_REASON, 'a reason')
      if (wire.busy !== undefined) return { type: 'busy', reason, ...wire.busy }
      const end = decodeEnd(wire.end)
      return {
        reason,
        ...(wire.notAdmitted && { notAdmitted: true }),
        ...(wire.noRoom && { noRoom: true }),
        ...(wire.suspended && { suspended: true }),
        ...(wire.disks !== undefined && { disks: wire.disks }),
        ...(end && { end })
      }
    }
  },
  busy: {
    field: 'refused',
    encode: ({ reason, ms, places }) => ({
      reason: reason.slice(0, MAX_REASON),
      notAdmitted: false,
      noRoom: false,
      suspended: false,
      end: '',
      busy: { ms, places }
    })
  },
  completed: {
    field: 'completed',
    encode: ({ result, stats }) => ({ result: parts.unshared(result), stats: parts.encodeStats(stats) }),
    decode: ({ result, stats }) => ({ result, stats: parts.decodeStats(stats) })
  },
  failed: {
    field: 'failed',
    encode: ({ failure, stats }) => ({ failure: parts.encodeFailure(failure), stats: parts.encodeStats(stats) }),
    decode: ({ failure, stats }) => ({ failure: parts.decodeFailure(failure), stats: parts.decodeStats(stats) })
  },
  cancelled: {
    field: 'cancelled',
    encode: ({ stats }) => ({ stats: parts.encodeStats(stats) }),
    decode: ({ stats }) => ({ stats: parts.decodeStats(stats) })
  }
})

/** An outcome in its encoded form. At most one of the fields is set. */
export type WireOutcome = Pick<Wire, 'completed' | 'failed' | 'cancelled'>

export const encodeOutcome: (outcome: JobOutcome) => WireOutcome = says.encode

/** Returns the outcome. Returns `undefined` if no field is set. */
export function decodeOutcome({ completed, failed, cancelled }: WireOutcome): JobOutcome | undefined {
  if ((completed ?? failed ?? cancelled) === undefined) return undefined
  return says.decode({ completed, failed, cancelled } as WireOutcome) as JobOutcome
}

/** Limits for protons, for a submission and for an outcome. */
export const SUBMISSION_LIMITS = { requires: RECORD_LIMITS.tags }
export const OUTCOME_LIMITS = {
  completed: { stats: parts.STATS_LIMITS },
  failed: { stats: parts.STATS_LIMITS },
  cancelled: { stats: parts.STATS_LIMITS }
}

const LIMITS = { submit: SUBMISSION_LIMITS, log: { lines: parts.MAX_LINES_A_MESSAGE }, ...OUTCOME_LIMITS }

const codec: Codec<SubmitMessage> = {
  encode({ job, ...message }) {
    const epoch = 'epoch' in message ? message.epoch : undefined
    return Wire.encode({ job, ...(epoch !== undefined && { epoch }), ...says.encode(message) })
  },
  decode(bytes) {
    const wire = parts.decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    const message = { job: parts.checkJobId(wire.job), ...says.decode(wire) }
    if (message.type === 'not-leader' || isToLeader(message)) return message
    parts.check(wire.epoch !== undefined, 'the leader must say its epoch')
    return { epoch: parts.checkCount(wire.epoch, 'an epoch'), ...message }
  }
}

export const submitProtocol: ProtocolSpec<SubmitMessage> = {
  name: 'submit',
  codec,
  maxMessageBytes: parts.MAX_MESSAGE_BYTES
}
