import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, unlinkSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { atMost } from '../../lib/at-most.ts'
import type { CallInput, CallOptions } from '../execute/calls.ts'
import { outOfMemory } from '../execute/failure.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from '../execute/messages.ts'
import type { Activity, Stop } from '../execute/shared-state.ts'
import { checkedReport } from './checked-report.ts'
import { encodeFrame, type FrameBudget, FrameError, FrameReader } from './frame.ts'
import { launch } from './launch.ts'
import type { ParentWatchdog } from './parent-watchdog.ts'
import { killProcessGroup } from './process-group.ts'
import { type Order, READ_FROM, WRITE_TO } from './protocol.ts'
import { exceededLimit, type TaskLimits } from './resource-limits.ts'
import { PeerSharedMemory } from './shared-memory-file.ts'
import { StderrTail } from './stderr-tail.ts'
import type { TaskFolder, TaskFolders } from './task-folders.ts'

/** What all processes of one peer have in common. */
export interface ProcessSettings {
  settings: WorkerSettings
  /** In MiB. */
  maxHeapMb: number | undefined
  limits: TaskLimits
  environment: readonly string[]
  folders: TaskFolders
  guard: ParentWatchdog
  /** For what they say. */
  budget: FrameBudget
}

/** How often (ms) it is looked what a process uses; less often where that takes long. */
const LOOK_EVERY = 250
const LOOK_SHARE = 20
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
  readonly #folder: TaskFolder
  readonly #child: ChildProcess
  readonly #boardFile: number
  readonly #board: PeerSharedMemory
  readonly #settings: ProcessSettings
  readonly #stderr: StderrTail
  readonly #ready: Promise<void>
  #call: RunningCall | undefined
  #calls = 0
  /** When its call began. */
  #begunAt = 0
  #onReady: () => void = () => {}
  /** Why the peer has ended it, if it has. */
  #verdict: string | undefined
  #isGone = false
  #watch: NodeJS.Timeout | undefined
  readonly #lines = new Meter(MOST_LINES)
  readonly #frames = new Meter(MOST_FRAMES)

  /** @throws what kept it from being started; what it makes of its start shows when it is called */
  static async start(settings: ProcessSettings): Promise<TaskProcess> {
    const folder = await settings.folders.make()
    let board: number | undefined
    try {
      const name = `${folder.own}.board`
      board = openSync(name, 'wx+', 0o600)
      // Whoever has it open is all that needs it.
      unlinkSync(name)
      const { settings: worker, maxHeapMb, limits, environment } = settings
      const child = launch({ folder, board, settings: worker, maxHeapMb, limits, environment })
      // Some failures to start are told later; then it has neither number nor channels.
      if (child.pid === undefined) throw (await once(child, 'error'))[0]
      return new TaskProcess(child, folder, board, settings)
    } catch (error) {
      if (board !== undefined) closeSync(board)
      await settings.folders.remove(folder).catch(() => {})
      throw error
    }
  }

  private constructor(child: ChildProcess, folder: TaskFolder, board: number, settings: ProcessSettings) {
    this.#child = child
    this.#folder = folder
    this.#settings = settings
    this.#boardFile = board
    this.#board = new PeerSharedMemory(board)
    const { settings: worker, guard } = settings
    guard.add(child.pid!)
    this.#stderr = new StderrTail(this.#child.stderr)
    this.#ready = new Promise(resolve => {
      this.#onReady = resolve
    })
    this.#listen()
    this.#say({ type: 'settings', settings: worker })
    this.#lookSoon(LOOK_EVERY)
    const late = setTimeout(() => this.kill(`it had not begun after ${START_LIMIT} ms`), START_LIMIT)
    late.unref()
    this.#ready.then(() => clearTimeout(late))
    this.gone = this.#end().finally(() => {
      clearTimeout(this.#watch)
      clearTimeout(late)
    })
  }

  /** It can be given no other call. */
  get isEnding(): boolean {
    return this.#isGone || this.#verdict !== undefined
  }

  /** What it says that it is doing. */
  get activity(): Activity | undefined {
    try {
      return this.#isGone ? undefined : this.#board.activity
    } catch {
      return undefined
    }
  }

  /** Tells the call that runs that it is cancelled. */
  cancel(): void {
    this.#write(board => board.cancel())
  }

  /** Tells the chunk at a position of the call that runs to stop. */
  stop(position: number, stop: Stop): void {
    this.#write(board => board.stop(position, stop))
  }

  #write(change: (board: PeerSharedMemory) => void): void {
    if (this.#isGone) return
    try {
      change(this.#board)
    } catch (error) {
      // A full disk, say, which may be the work of a task.
      this.kill(`nothing can be written for it: ${(error as Error).message}`)
    }
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
    this.#write(board => board.begin(chunks))
    this.#begunAt = performance.now()
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
    if (!this.#isGone) killProcessGroup(this.#child.pid!)
  }

  /** The bundle, where it may read it: it may have been started for any. */
  async #copied(file: string): Promise<string> {
    const own = join(this.#folder.code, basename(file))
    if (this.bundle !== file) await copyFile(file, own)
    this.bundle = file
    return own
  }

  #listen(): void {
    const reader = new FrameReader(this.#settings.budget, () => this.kill('what it says has no end'))
    const reports = this.#child.stdio[WRITE_TO] as Readable
    reports.on('data', (part: Buffer) => {
      try {
        for (const frame of reader.push(part)) this.#receive(frame)
      } catch (error) {
        reports.destroy()
        this.kill((error as Error).message)
      }
    })
    reports.once('close', () => reader.end())
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
    // A time that cannot have passed would be refused by others, who would put it down to this peer.
    const passed = performance.now() - this.#begunAt
    if (message.type === 'outcomes') message.busyMs = Math.min(message.busyMs, passed)
    if (message.type === 'reply' && message.value.type === 'checkpoint')
      message.value.tookMs = Math.min(message.value.tookMs, passed)
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

  #lookSoon(ms: number): void {
    this.#watch = setTimeout(() => this.#look(), ms)
    this.#watch.unref()
  }

  async #look(): Promise<void> {
    const began = performance.now()
    const over = await exceededLimit(this.#child.pid!, this.#folder.own, this.#settings.limits).catch(() => undefined)
    if (over !== undefined) this.kill(over)
    // Looking must not be what keeps the peer busy.
    if (!this.#isGone) this.#lookSoon(Math.max(LOOK_EVERY, LOOK_SHARE * (performance.now() - began)))
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
    const activity = this.#call?.exit === undefined ? this.activity : this.#call.exit.activity
    this.#isGone = true
    killProcessGroup(child.pid!)
    this.#settings.guard.remove(child.pid!)
    closeSync(this.#boardFile)
    this.#call?.finish({ type: 'ended', why, activity })
    await this.#settings.folders.remove(this.#folder).catch(() => {})
  }

  #why(code: number | null, signal: string | null): string {
    if (this.#verdict !== undefined) return `by its peer: ${this.#verdict}`
    const exit = this.#call?.exit
    if (exit !== undefined) return `by process.exit(${exit.code}) of its code`
    if (this.#stderr.reportsFullHeap) return `by ${signal}: ${outOfMemory(this.#settings.maxHeapMb)}`
    return this.#stderr.after(code, signal)
  }
}
