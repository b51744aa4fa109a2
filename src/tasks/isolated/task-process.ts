import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, unlinkSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { P2pWorkerError } from '../../errors.ts'
import { atMost } from '../at-most.ts'
import type { CallInput, CallOptions } from '../calls.ts'
import { outOfMemory } from '../failure.ts'
import { killGroup } from '../kill-group.ts'
import { LastWords } from '../last-words.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from '../messages.ts'
import type { Activity } from '../shared-state.ts'
import type { Stop } from '../stop-flags.ts'
import { PeerBoard } from './board.ts'
import { checkedReport } from './checked-report.ts'
import { encodeFrame, FrameError, FrameReader } from './frame.ts'
import type { Guard } from './guard.ts'
import { launch } from './launch.ts'
import { overLimit, type TaskLimits } from './over-limit.ts'
import { type Order, READ_FROM, WRITE_TO } from './protocol.ts'
import type { TaskFolders } from './task-folders.ts'

/** What all processes of one peer have in common. */
export interface ProcessSettings {
  settings: WorkerSettings
  /** In MiB. */
  maxHeapMb: number | undefined
  limits: TaskLimits
  environment: readonly string[]
  folders: TaskFolders
  guard: Guard
}

/** How often (ms) it is looked what a process uses. */
const LOOK_EVERY = 250
/** One that does not come up in this time (ms) is ended. */
const START_LIMIT = 60_000
/** Once it has ended, how long (ms) at most is waited for what it wrote. */
const REST_LIMIT = 1_000
/** Lines a second that are passed on: a little more than a process lets through itself. */
const MOST_LINES = 1_100
/** Frames a second, of which each costs the peer some time: far above what outcomes, lines and answers are. */
const MOST_FRAMES = 10_000

/** How the call of a process went: it came back, or the process ended under it. */
export type ProcessCallEnd = { type: 'returned' } | { type: 'ended'; why: string; activity: Activity | undefined }

interface RunningCall {
  id: number
  chunks: number
  onMessage: (message: ThreadMessage) => void
  exit: (ThreadMessage & { type: 'exit' }) | undefined
  finish(end: ProcessCallEnd): void
}

/** So many in each second. */
class Meter {
  readonly #most: number
  #count = 0
  #since = 0

  constructor(most: number) {
    this.#most = most
  }

  admits(count = 1): boolean {
    const now = performance.now()
    if (now - this.#since >= 1_000) {
      this.#count = 0
      this.#since = now
    }
    this.#count += count
    return this.#count <= this.#most
  }
}

/** One process, which runs the code of one bundle. */
export class TaskProcess {
  /** The bundle whose code it has or will have; undefined: none yet. */
  bundle: string | undefined
  /** Resolves when it is gone, and its folder with it. */
  readonly gone: Promise<void>
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #boardFile: number
  readonly #board: PeerBoard
  readonly #settings: ProcessSettings
  readonly #lastWords: LastWords
  readonly #ready: Promise<void>
  #call: RunningCall | undefined
  #calls = 0
  #onReady: () => void = () => {}
  /** Why the peer has ended it, if it has. */
  #verdict: string | undefined
  #isGone = false
  #isLooking = false
  readonly #lines = new Meter(MOST_LINES)
  readonly #frames = new Meter(MOST_FRAMES)

  /** @throws P2pWorkerError when there is no folder or board for it; what comes of its start shows when it is called */
  static async start(settings: ProcessSettings): Promise<TaskProcess> {
    try {
      return new TaskProcess(await settings.folders.make(), settings)
    } catch (cause) {
      throw new P2pWorkerError(`a process for tasks could not be started: ${(cause as Error).message}`, { cause })
    }
  }

  private constructor(folder: string, settings: ProcessSettings) {
    this.#folder = folder
    this.#settings = settings
    const name = `${folder}.board`
    this.#boardFile = openSync(name, 'wx+', 0o600)
    // Whoever has it open is all that needs it.
    unlinkSync(name)
    this.#board = new PeerBoard(this.#boardFile)
    const { settings: worker, maxHeapMb, limits, environment, guard } = settings
    this.#child = launch({ folder, board: this.#boardFile, settings: worker, maxHeapMb, limits, environment })
    const { pid } = this.#child
    if (pid !== undefined) guard.add(pid)
    this.#lastWords = new LastWords(this.#child.stderr)
    this.#ready = new Promise(resolve => {
      this.#onReady = resolve
    })
    this.#listen()
    this.#say({ type: 'settings', settings: worker })
    const watch = setInterval(() => this.#look(), LOOK_EVERY)
    const late = setTimeout(() => this.kill(`it had not begun after ${START_LIMIT} ms`), START_LIMIT)
    watch.unref()
    late.unref()
    this.#ready.then(() => clearTimeout(late))
    this.gone = this.#end().finally(() => {
      clearInterval(watch)
      clearTimeout(late)
    })
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** What it says that it is doing. */
  get activity(): Activity | undefined {
    return this.#isGone ? undefined : this.#board.activity
  }

  /** Tells the call that runs that it is cancelled. */
  cancel(): void {
    if (!this.#isGone) this.#board.cancel()
  }

  /** Tells the chunk at a position of the call that runs to stop. */
  stop(position: number, stop: Stop): void {
    if (!this.#isGone) this.#board.stop(position, stop)
  }

  /** Runs a call. One at a time. */
  async run(
    { handler, data, chunks = 0, onMessage = () => {} }: CallOptions,
    begun: () => void
  ): Promise<ProcessCallEnd> {
    const ended = new Promise<ProcessCallEnd>(resolve => {
      const id = ++this.#calls
      const finish = (end: ProcessCallEnd): void => {
        if (this.#call?.id === id) this.#call = undefined
        resolve(end)
      }
      this.#call = { id, chunks, onMessage, exit: undefined, finish }
    })
    const call = this.#call as RunningCall | undefined
    if (this.#isGone) call?.finish({ type: 'ended', why: 'before it began', activity: undefined })
    else
      this.#begin(handler, data, chunks, begun).catch((error: Error) =>
        this.kill(`the code could not be given to it: ${error.message}`)
      )
    return await ended
  }

  async #begin(handler: CallOptions['handler'], data: CallInput, chunks: number, begun: () => void) {
    const call = this.#call
    await this.#ready
    const file = data.file === undefined ? undefined : await this.#copied(data.file)
    if (call === undefined || this.#call !== call || this.#isGone) return
    this.#board.begin(chunks)
    const own = file === undefined ? data : { ...data, file }
    this.#say({ type: 'call', id: call.id, handler, chunks, data: own })
    begun()
  }

  /** A message for the call that runs. */
  post(message: MainMessage): void {
    if (this.#call !== undefined) this.#say({ type: 'message', id: this.#call.id, message })
  }

  /** Ends it, and all that it has started. */
  kill(why: string): void {
    this.#verdict ??= why
    if (this.#child.pid !== undefined && !this.#isGone) killGroup(this.#child.pid)
  }

  /** The bundle, in its own folder: the store's file is not for it to write to, and it may have been started for any bundle. */
  async #copied(file: string): Promise<string> {
    const own = join(this.#folder, basename(file))
    if (this.bundle !== file) await copyFile(file, own)
    this.bundle = file
    return own
  }

  #listen(): void {
    const reader = new FrameReader()
    const reports = this.#child.stdio[WRITE_TO] as Readable
    reports.on('data', (part: Buffer) => {
      try {
        for (const frame of reader.push(part)) this.#receive(frame)
      } catch (error) {
        reports.destroy()
        this.kill((error as Error).message)
      }
    })
    for (const stream of [reports, this.#orders]) stream.on('error', () => {})
    // It has most likely ended. If not, it has closed what it can say anything by.
    reports.once('end', () => setTimeout(() => this.kill('it closed its channel'), REST_LIMIT).unref())
  }

  get #orders(): Writable {
    return this.#child.stdio[READ_FROM] as Writable
  }

  #receive(frame: unknown): void {
    if (!this.#frames.admits()) throw new FrameError(`it says more than ${MOST_FRAMES} things a second`)
    const call = this.#call
    const report = checkedReport(frame, call?.chunks ?? 0)
    if (report.type === 'ready') this.#onReady()
    // What comes of a call that is over is late, and not wanted.
    if (report.type === 'ready' || call === undefined || report.id !== call.id) return
    if (report.type === 'returned') call.finish({ type: 'returned' })
    else this.#pass(report.message, call)
  }

  #pass(message: ThreadMessage, call: RunningCall): void {
    if (message.type === 'exit') call.exit = message
    else if (message.type !== 'log') call.onMessage(message)
    else if (this.#lines.admits(message.lines.length)) call.onMessage(message)
  }

  #say(order: Order): void {
    // One that is gone tells by its end.
    if (this.#isGone) return
    const stream = this.#orders
    stream.cork()
    for (const part of encodeFrame(order)) stream.write(part)
    stream.uncork()
  }

  async #look(): Promise<void> {
    const { pid } = this.#child
    if (pid === undefined || this.#isLooking || this.#isGone) return
    this.#isLooking = true
    const over = await overLimit(pid, this.#folder, this.#settings.limits).catch(() => undefined)
    this.#isLooking = false
    if (over !== undefined) this.kill(over)
  }

  async #end(): Promise<void> {
    const child = this.#child
    const closed = once(child, 'close').catch(() => {})
    const why = await once(child, 'exit').then(
      async ([code, signal]: unknown[]) => {
        await atMost(closed, REST_LIMIT)
        return this.#why(code as number | null, signal as string | null)
      },
      (error: Error) => `before it began: ${error.message}`
    )
    const activity = this.#call?.exit === undefined ? this.#board.activity : this.#call.exit.activity
    this.#isGone = true
    if (child.pid !== undefined) {
      killGroup(child.pid)
      this.#settings.guard.remove(child.pid)
    }
    closeSync(this.#boardFile)
    this.#call?.finish({ type: 'ended', why, activity })
    await this.#settings.folders.remove(this.#folder).catch(() => {})
  }

  #why(code: number | null, signal: string | null): string {
    if (this.#verdict !== undefined) return `by its peer: ${this.#verdict}`
    const exit = this.#call?.exit
    if (exit !== undefined) return `by process.exit(${exit.code}) of its code`
    if (this.#lastWords.tellsOfFullHeap) return `by ${signal}: ${outOfMemory(this.#settings.maxHeapMb)}`
    return this.#lastWords.after(code, signal)
  }
}
