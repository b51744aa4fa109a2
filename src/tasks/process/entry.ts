/**
 * The entry of a process that runs tasks. The tasks run on the only thread of the process, because Node's permission model covers no further
 * threads. The peer checks every report ({@link checkedReport}), because the code of a task can also send reports.
 */
import { writeSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { CallPort, MainMessage, ThreadMessage, WorkerSettings } from '../execute/messages.ts'
import { handlers } from '../thread/handlers.ts'
import { prepareForTasks } from '../thread/prepare.ts'
import { disableBuiltins } from './disable-builtins.ts'
import { encodeFrame, FrameReader } from './frame.ts'
import { type Order, type Report, SHARED_MEMORY, WRITE_TO } from './protocol.ts'
import { TaskSharedMemory } from './shared-memory-file.ts'

/** The limit of failures in one message, because each failure may have a long stack. */
const MAX_FAILED = 32
const AGAIN_MS = 1

const ports = new Map<number, Port>()

// This process ignores these signals. After a signal to the whole service, the peer may first finish its work, so the peer decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const reader = new FrameReader()
// The orders arrive on stdin (READ_FROM). Tasks get an empty stdin, as in threads.
const orders = process.stdin
Object.defineProperty(process, 'stdin', { value: Readable.from([]) })
orders.on('data', (part: Buffer) => {
  try {
    for (const order of reader.push(part)) handleOrder(order as Order)
  } catch (error) {
    fail(error)
  }
})
// The end of stdin means that the peer has ended. If user code blocks this thread, the ParentWatchdog ends the process instead.
orders.on('end', () => exit())
orders.on('error', () => exit())

/** The original `process.exit`. A task may replace the property of `process`. */
const exit = process.exit.bind(process)

/** Ends the process, so that the peer does not wait. Writes to descriptor 2, because `process.stderr` captures the output of tasks. */
function fail(error: unknown): void {
  try {
    writeSync(2, `${String(error)}\n`)
  } finally {
    exit(1)
  }
}

/** Writes a report synchronously, because the task's next code may block the event loop. Waits while the pipe is full. */
function send(report: Report): void {
  try {
    for (const part of encodeFrame(report)) write(part)
  } catch {
    // Either the peer has ended, or a task has replaced a function that `send` needs. In the second case the peer would wait for ever.
    exit(1)
  }
}

function write(part: Uint8Array): void {
  for (let at = 0; at < part.byteLength; ) {
    try {
      at += writeSync(WRITE_TO, part, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }
}

class Port implements CallPort {
  readonly #id: number
  readonly #listeners: ((message: MainMessage) => void)[] = []

  constructor(id: number) {
    this.#id = id
  }

  postMessage(message: ThreadMessage): void {
    for (const part of parts(message)) send({ type: 'message', id: this.#id, message: part })
  }

  on(_: 'message', listener: (message: MainMessage) => void): void {
    this.#listeners.push(listener)
  }

  receive(message: MainMessage): void {
    for (const listener of this.#listeners) listener(message)
  }
}

/** Splits a message with many failures into several messages. */
function* parts(message: ThreadMessage): Generator<ThreadMessage> {
  if (message.type !== 'outcomes' || message.failed.length <= MAX_FAILED) return yield message
  const { failed } = message
  yield { ...message, failed: failed.slice(0, MAX_FAILED) }
  for (let at = MAX_FAILED; at < failed.length; at += MAX_FAILED) {
    const [positions, lengths, bytes] = [new Uint32Array(), new Uint32Array(), new Uint8Array()]
    const rest = { positions, lengths, bytes, combined: undefined, busyMs: 0 }
    yield { type: 'outcomes', ...rest, failed: failed.slice(at, at + MAX_FAILED) }
  }
}

function handleOrder(order: Order): void {
  if (order.type === 'settings') begin(order.settings).catch(fail)
  else if (order.type === 'message') ports.get(order.id)?.receive(order.message)
  else call(order).catch(fail)
}

async function begin(settings: WorkerSettings): Promise<void> {
  // This call makes Node start its own threads before a task can change the number of threads in the environment.
  await stat(process.cwd())
  disableBuiltins()
  prepareForTasks(settings)
  send({ type: 'ready' })
}

async function call({ id, handler, chunks, data }: Order & { type: 'call' }): Promise<void> {
  const port = new Port(id)
  ports.set(id, port)
  const state = new TaskSharedMemory(SHARED_MEMORY, chunks)
  // The peer sends each handler its own data.
  const handle = handlers[handler] as (data: object) => unknown
  try {
    await handle({ ...data, port, state })
  } finally {
    ports.delete(id)
  }
  send({ type: 'returned', id })
}
