import { type TaskFailure, THREAD_ENDED } from './failure.ts'
import type { LogLine, ThreadMessage } from './messages.ts'
import { pack, unpack } from './pack.ts'
import type { CallEnd, ThreadPool } from './thread-pool.ts'

/** How often (ms) it is looked which chunk runs. */
const LOOK_EVERY = 25

export interface EncodedChunk {
  index: number
  bytes: Uint8Array
}

/** What became of a chunk: its encoded partial, or its failure. */
export interface ChunkOutcome {
  index: number
  bytes?: Uint8Array
  error?: TaskFailure
}

export interface BatchHandlers {
  /** `busyMs` is the thread's time since the previous outcomes. */
  onOutcomes(outcomes: ChunkOutcome[], busyMs: number): void
  /** A chunk is running; chunks that end within some 25 ms may only show up as outcomes. */
  onStarted?(index: number): void
  onLog?(line: LogLine): void
}

/**
 * Runs chunks on one thread, one after the other. When the thread dies, only the chunk that ran fails; those behind it go
 * on in another thread.
 */
export async function runChunks(
  pool: ThreadPool,
  file: string,
  chunks: readonly EncodedChunk[],
  signal: AbortSignal | undefined,
  handlers: BatchHandlers
): Promise<void> {
  let rest = chunks
  let blame = false
  while (rest.length > 0) {
    const { end, outcomes } = await attempt(pool, file, rest, signal, handlers)
    if (end.type === 'cancelled') throw end.reason
    const left = rest.slice(outcomes)
    if (end.type === 'done') return
    const culprits = culpritsOf(end, left, blame)
    // A thread that dies before any chunk may have had bad luck once; the second time the first chunk is to blame.
    blame = outcomes === 0 && culprits.length === 0
    if (culprits.length > 0) handlers.onOutcomes(culprits, 0)
    const failed = new Set(culprits.map(({ index }) => index))
    rest = left.filter(({ index }) => !failed.has(index))
  }
}

async function attempt(
  pool: ThreadPool,
  file: string,
  chunks: readonly EncodedChunk[],
  signal: AbortSignal | undefined,
  handlers: BatchHandlers
): Promise<{ end: CallEnd; outcomes: number }> {
  // The caller keeps its bytes, to send them elsewhere if need be: the thread gets a copy.
  const { lengths, bytes } = pack(chunks.map(chunk => chunk.bytes))
  const indices = Float64Array.from(chunks, chunk => chunk.index)
  let outcomes = 0
  const call = pool.call({
    handler: 'runBatch',
    data: { file, lengths, bytes, indices },
    transfer: [bytes.buffer],
    signal,
    onMessage: message => {
      if (message.type === 'log') for (const line of message.lines) handlers.onLog?.(line)
      if (message.type !== 'outcomes') return
      const arrived = outcomesOf(message)
      outcomes += arrived.length
      handlers.onOutcomes(arrived, message.busyMs)
    }
  })
  const { onStarted } = handlers
  let last: number | undefined
  const look = () => {
    const activity = call.state.activity
    if (activity?.function !== 'run' || activity.index === undefined || activity.index === last) return
    last = activity.index
    onStarted?.call(handlers, last)
  }
  const timer = onStarted === undefined ? undefined : setInterval(look, LOOK_EVERY)
  try {
    return { end: await call.ended, outcomes }
  } finally {
    clearInterval(timer)
  }
}

function outcomesOf(message: Extract<ThreadMessage, { type: 'outcomes' }>): ChunkOutcome[] {
  const partials = unpack(message)
  const outcomes: ChunkOutcome[] = partials.map((bytes, i) => ({ index: message.indices[i] as number, bytes }))
  for (const { index, failure } of message.failed) outcomes.push({ index, error: failure })
  return outcomes
}

function culpritsOf(
  { why, activity }: Extract<CallEnd, { type: 'died' }>,
  left: readonly EncodedChunk[],
  blame: boolean
): ChunkOutcome[] {
  if (activity?.function === 'load') return left.map(({ index }) => ({ index, error: threadEnded('load', why) }))
  const culprit = left.find(({ index }) => index === activity?.index) ?? (blame ? left[0] : undefined)
  return culprit === undefined ? [] : [{ index: culprit.index, error: threadEnded('run', why, culprit.index) }]
}

/** The failure of a function whose thread ended. */
export function threadEnded(fn: TaskFailure['function'], why: string, index?: number): TaskFailure {
  return { function: fn, index, name: THREAD_ENDED, message: `the thread ended: ${why}`, stack: '' }
}
