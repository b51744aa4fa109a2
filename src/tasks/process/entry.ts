/**
 * The entry of a process that runs isolated tasks: on its one and only thread, as Node's permission model holds for no other.
 * Whatever is said here, the peer checks ({@link checkedReport}): the code of a task can say it as well.
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

/** Failures in one message: each may have a long stack. */
const MOST_FAILED = 32
const AGAIN_MS = 1

const ports = new Map<number, Port>()

// When it has to go is the peer's decision: a signal to all processes of a service may let the peer end its work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const reader = new FrameReader()
// This is READ_FROM. For tasks there is nothing to be read, as in threads.
const orders = process.stdin
Object.defineProperty(process, 'stdin', { value: Readable.from([]) })
orders.on('data', (part: Buffer) => {
  try {
    for (const order of reader.push(part)) obey(order as Order)
  } catch (error) {
    fail(error)
  }
})
// The peer is gone. (One that is busy does not see it; whoever guards it does.)
orders.on('end', () => exit())
orders.on('error', () => exit())

/** As it was before any task could change it. */
const exit = process.exit.bind(process)

/** Nobody would answer the peer any more, which hears it from the end. Tasks have caught `process.stderr` for themselves. */
function fail(error: unknown): void {
  try {
    writeSync(2, `${String(error)}\n`)
  } finally {
    exit(1)
  }
}

/** Writes at once, whatever runs here next. It waits while the peer has no room. */
function say(report: Report): void {
  try {
    for (const part of encodeFrame(report)) write(part)
  } catch {
    // The peer is gone; or a task has changed what this needs, and its peer would wait for ever.
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
    for (const part of parts(message)) say({ type: 'message', id: this.#id, message: part })
  }

  on(_: 'message', listener: (message: MainMessage) => void): void {
    this.#listeners.push(listener)
  }

  receive(message: MainMessage): void {
    for (const listener of this.#listeners) listener(message)
  }
}

/** A message with many failures, as several. */
function* parts(message: ThreadMessage): Generator<ThreadMessage> {
  if (message.type !== 'outcomes' || message.failed.length <= MOST_FAILED) return yield message
  const { failed } = message
  yield { ...message, failed: failed.slice(0, MOST_FAILED) }
  for (let at = MOST_FAILED; at < failed.length; at += MOST_FAILED) {
    const [positions, lengths, bytes] = [new Uint32Array(), new Uint32Array(), new Uint8Array()]
    const rest = { positions, lengths, bytes, combined: undefined, busyMs: 0 }
    yield { type: 'outcomes', ...rest, failed: failed.slice(at, at + MOST_FAILED) }
  }
}

function obey(order: Order): void {
  if (order.type === 'settings') begin(order.settings).catch(fail)
  else if (order.type === 'message') ports.get(order.id)?.receive(order.message)
  else call(order).catch(fail)
}

async function begin(settings: WorkerSettings): Promise<void> {
  // Node's own threads start with the first such call, and are as many as the environment then says: not what a task says.
  await stat(process.cwd())
  disableBuiltins()
  prepareForTasks(settings)
  say({ type: 'ready' })
}

async function call({ id, handler, chunks, data }: Order & { type: 'call' }): Promise<void> {
  const port = new Port(id)
  ports.set(id, port)
  const state = new TaskSharedMemory(SHARED_MEMORY, chunks)
  // Each handler gets what was sent for it.
  const handle = handlers[handler] as (data: object) => unknown
  try {
    await handle({ ...data, port, state })
  } finally {
    ports.delete(id)
  }
  say({ type: 'returned', id })
}
