import type { Runner } from '../../src/jobs/shared/runner.ts'
import { TaskFailureError } from '../../src/tasks/execute/failure.ts'
import type { Batch, BatchHandlers } from '../../src/tasks/executor.ts'
import { pack, packIndexed, unpack, unpackIndexed } from '../../src/tasks/values/pack.ts'
import { decode, encode } from '../../src/tasks/values/payload.ts'
import { digestsOf, failed, returned } from '../tasks/outcomes.ts'

/** The behaviour of the chunks of a fake runner. The input of each job is the number of its chunks. */
export interface FakeTask {
  /** Computes a chunk. Without this function the partial is the square of the chunk. */
  run?(chunk: number, signal: AbortSignal): number | Promise<number>
  /** Called before `split` yields. */
  split?(): Promise<void>
}

/** Runs plain functions. The executor of the product runs bundles in threads. The result is the sum of `run(0)` to `run(n - 1)`, added in order. */
export class FakeRunner implements Runner {
  readonly slots: number
  task: FakeTask
  /** Every chunk that this runner has started. */
  readonly started: number[] = []
  /** The chunks that ran quarantined. */
  readonly alone: number[] = []
  /** The chunk timeouts of the chunks that this runner has started. */
  readonly chunkTimeouts = new Set<number | undefined>()
  running = 0
  mostRunning = 0
  openDrivers = 0
  /** Called with the index of each chunk that starts. */
  onStart: (index: number) => void = () => {}

  constructor(slots: number, task: FakeTask = {}) {
    this.slots = slots
    this.task = task
  }

  runBatch: Runner['runBatch'] = (batch, handlers) => {
    const cancelled = new Map(batch.chunks.indices.map(index => [index, new AbortController()]))
    const cancel = (index: number): void => cancelled.get(index)?.abort(new Error(`chunk ${index} was cancelled`))
    return Object.assign(this.#run(batch, handlers, cancelled), { cancel })
  }

  runQuarantined: Runner['runQuarantined'] = ({ sha256, chunk, signal, chunkTimeout }, handlers) => {
    this.alone.push(chunk.index)
    const cancelled = new Map([[chunk.index, new AbortController()]])
    return this.#run({ sha256, chunks: packIndexed([chunk]), chunkTimeout, signal: signal! }, handlers, cancelled)
  }

  async #run(
    { chunks, signal, chunkTimeout }: Batch,
    handlers: BatchHandlers,
    cancelled: ReadonlyMap<number, AbortController>
  ): Promise<void> {
    this.chunkTimeouts.add(chunkTimeout)
    this.running += 1
    this.mostRunning = Math.max(this.mostRunning, this.running)
    try {
      for (const { index, bytes } of unpackIndexed(chunks)) {
        signal?.throwIfAborted()
        const chunk = cancelled.get(index)!.signal
        if (chunk.aborted) continue
        this.started.push(index)
        this.onStart(index)
        const either = AbortSignal.any([signal!, chunk])
        try {
          const { run = (chunk: number) => chunk * chunk } = this.task
          handlers.onLog?.({ function: 'run', index, stream: 'stdout', line: `chunk ${index}` })
          const value = await untilAborted(run(decode(bytes, 'chunk') as number, either), either)
          handlers.onOutcomes(returned(index, value), 1)
        } catch (error) {
          signal?.throwIfAborted()
          if (chunk.aborted) continue
          const { name, message } = error as Error
          handlers.onOutcomes(failed({ index, failure: { function: 'run', index, name, message, stack: '' } }), 1)
        }
      }
    } finally {
      this.running -= 1
    }
  }

  openDriver: Runner['openDriver'] = async ({ input, resume, whenTaken }) => {
    await whenTaken?.()
    const total = decode(input, 'input') as number
    let next = resume?.next ?? 0
    let sum = resume?.kind === 'folded' ? (decode(resume.accumulator, 'accumulator') as number) : 0
    let expected = next
    this.openDrivers += 1
    let closed = false
    return {
      pull: async max => {
        await this.task.split?.()
        if (total < 0) {
          throw new TaskFailureError({ function: 'split', name: 'RangeError', message: 'below zero', stack: '' })
        }
        const first = next
        const count = Math.min(max, total - next)
        next += count
        const values = Array.from({ length: count }, (_, i) => first + i)
        const chunks = pack(values.map(value => encode(value, 'chunk')))
        const digests = digestsOf(values)
        return { first, chunks, digests, digest: new Uint8Array(32), done: next === total }
      },
      fold: async (first, own) => {
        // Transfers the buffer, as a message to a thread does, so that the caller cannot use the buffer any more.
        const partials = structuredClone(own, { transfer: [own.bytes.buffer, own.lengths.buffer] })
        if (first !== expected) throw new Error(`fold from ${first} where ${expected} is next`)
        for (const partial of unpack(partials)) sum = (sum * 31 + (decode(partial, 'partial') as number)) % 1_000_003
        expected += partials.lengths.length
        return { kind: 'folded', next: expected, bytes: encode(sum, 'accumulator').byteLength }
      },
      kind: async () => 'folded',
      checkpoint: async () => {
        const accumulator = encode(sum, 'accumulator')
        return { kind: 'folded', next: expected, digest: new Uint8Array(32), accumulator }
      },
      checkpointMs: 0,
      finish: async () => encode(sum, 'result'),
      close: async () => {
        await new Promise(resolve => setImmediate(resolve))
        if (!closed) this.openDrivers -= 1
        closed = true
      }
    }
  }
}

/** The result of the fake job for `total` squared chunks. */
export function expected(total: number): number {
  let sum = 0
  for (let i = 0; i < total; i++) sum = (sum * 31 + i * i) % 1_000_003
  return sum
}

async function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let abort!: () => void
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
