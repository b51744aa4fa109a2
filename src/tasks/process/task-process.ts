import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, unlinkSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { atMost } from '../../lib/abort.ts'
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

/** Settings shared by all processes of one peer. */
export interface ProcessSettings {
  settings: WorkerSettings
  /** The heap limit of each process, in MiB; undefined: Node's own limit. */
  maxHeapMb: number | undefined
  limits: TaskLimits
  environment: readonly string[]
  folders: TaskFolders
  watchdog: ParentWatchdog
  /** The budget for the unfinished frames of all processes. */
  budget: FrameBudget
}

/** The shortest interval (ms) between two checks of a process's resources. */
const CHECK_EVERY = 250
/** The interval between two checks is at least this many times as long as a check takes. */
const CHECK_SHARE = 20
/** A process that has not started after this time (ms) is killed. */
const START_LIMIT = 60_000
/** The longest wait (ms) for the pipes of a process that has ended. */
const PIPE_LIMIT = 1_000
/** The limit of log lines that are passed on per second. The process itself has a slightly lower limit. */
const MAX_LINES = 1_100
/** The limit of frames per second: far more than outcomes, log lines and replies need. */
const MAX_FRAMES = 10_000

/** How a call ended: it returned, or its process ended. */
export type ProcessCallEnd = { type: 'returned' } | { type: 'ended'; why: string; activity: Activity | undefined }

interface RunningCall {
  id: number
  chunks: number
  onMessage: (message: ThreadMessage) => void
  exit: (ThreadMessage & { type: 'exit' }) | undefined
  finish(end: ProcessCallEnd): void
}

/** A rate limit per second. */
class RateMeter {
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

/** The peer's side of one process, which runs the code of one bundle. */
export class TaskProcess {
  /** The bundle that the process runs; undefined if the process has no bundle yet. */
  bundle: string | undefined
  /** Resolves when the process has ended and its folder is removed. */
  readonly gone: Promise<void>
  readonly #folder: TaskFolder
  readonly #child: ChildProcess
  readonly #memoryFile: number
  readonly #memory: PeerSharedMemory
  readonly #settings: ProcessSettings
  readonly #stderr: StderrTail
  readonly #ready: Promise<void>
  #call: RunningCall | undefined
  #calls = 0
  /** The start of the current call, by `performance.now()`. */
  #startedAt = 0
  #onReady: () => void = () => {}
  /** The reason why the peer killed the process; undefined if the peer has not killed the process. */
  #killReason: string | undefined
  #isGone = false
  #checkTimer: NodeJS.Timeout | undefined
  readonly #lines = new RateMeter(MAX_LINES)
  readonly #frames = new RateMeter(MAX_FRAMES)

  /** @throws if the process cannot be spawned. If the process fails later, the first call reports the failure. */
  static async start(settings: ProcessSettings): Promise<TaskProcess> {
    const folder = await settings.folders.make()
    let memory: number | undefined
    try {
      const name = `${folder.own}.memory`
      memory = openSync(name, 'wx+', 0o600)
      // Both sides have the file open, so the file needs no name any more.
      unlinkSync(name)
      const child = launch({ ...settings, folder, memory })
      // `spawn` reports some failures by an event. In this case the process has no pid.
      if (child.pid === undefined) throw (await once(child, 'error'))[0]
      return new TaskProcess(child, folder, memory, settings)
    } catch (error) {
      if (memory !== undefined) closeSync(memory)
      await settings.folders.remove(folder).catch(() => {})
      throw error
    }
  }

  private constructor(child: ChildProcess, folder: TaskFolder, memory: number, settings: ProcessSettings) {
    this.#child = child
    this.#folder = folder
    this.#settings = settings
    this.#memoryFile = memory
    this.#memory = new PeerSharedMemory(memory)
    const { settings: worker, watchdog } = settings
    watchdog.add(child.pid!)
    this.#stderr = new StderrTail(this.#child.stderr)
    this.#ready = new Promise(resolve => {
      this.#onReady = resolve
    })
    this.#listen()
    this.#send({ type: 'settings', settings: worker })
    this.#checkLimitsAfter(CHECK_EVERY)
    const late = setTimeout(() => this.kill(`it had not started after ${START_LIMIT} ms`), START_LIMIT)
    late.unref()
    this.#ready.then(() => clearTimeout(late))
    this.gone = this.#end().finally(() => {
      clearTimeout(this.#checkTimer)
      clearTimeout(late)
    })
  }

  /** Whether the process has ended or is being killed, so that it accepts no further call. */
  get isEnding(): boolean {
    return this.#isGone || this.#killReason !== undefined
  }

  /** The activity that the process reports. The code of the task may falsify the report. */
  get activity(): Activity | undefined {
    try {
      return this.#isGone ? undefined : this.#memory.activity
    } catch {
      return undefined
    }
  }

  /** Cancels the current call. */
  cancel(): void {
    this.#write(memory => memory.cancel())
  }

  /** Stops the chunk at a position of the current call. */
  stop(position: number, stop: Stop): void {
    this.#write(memory => memory.stop(position, stop))
  }

  #write(change: (memory: PeerSharedMemory) => void): void {
    if (this.#isGone) return
    try {
      change(this.#memory)
    } catch (error) {
      // For example, the disk may be full because a task has filled the disk.
      this.kill(`its shared memory cannot be written: ${(error as Error).message}`)
    }
  }

  /** Runs a call. The process runs only one call at a time. */
  async run(
    { handler, data, chunks = 0, onMessage = () => {} }: CallOptions,
    started: () => void
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
      this.#begin(handler, data, chunks, started).catch((error: Error) =>
        this.kill(`its code could not be copied: ${error.message}`)
      )
    return await ended
  }

  async #begin(handler: CallOptions['handler'], data: CallInput, chunks: number, started: () => void) {
    const call = this.#call
    await this.#ready
    const file = data.file === undefined ? undefined : await this.#copied(data.file)
    if (call === undefined || this.#call !== call || this.#isGone) return
    this.#write(memory => memory.begin(chunks))
    this.#startedAt = performance.now()
    const own = file === undefined ? data : { ...data, file }
    this.#send({ type: 'call', id: call.id, handler, chunks, data: own })
    started()
  }

  /** Sends a message to the current call. */
  post(message: MainMessage): void {
    if (this.#call !== undefined) this.#send({ type: 'message', id: this.#call.id, message })
  }

  /** Kills the process group. */
  kill(why: string): void {
    this.#killReason ??= why
    if (!this.#isGone) killProcessGroup(this.#child.pid!)
  }

  /** Copies the bundle into the folder that the process may read. */
  async #copied(file: string): Promise<string> {
    const own = join(this.#folder.code, basename(file))
    if (this.bundle !== file) await copyFile(file, own)
    this.bundle = file
    return own
  }

  #listen(): void {
    const reader = new FrameReader(this.#settings.budget, () =>
      this.kill('its unfinished frames exceed the budget of all processes')
    )
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
    // Usually the channel ends because the process ends. If the process does not end, it has closed its only channel, and is killed.
    reports.once('end', () => setTimeout(() => this.kill('it closed its channel'), PIPE_LIMIT).unref())
  }

  get #orders(): Writable {
    return this.#child.stdio[READ_FROM] as Writable
  }

  #receive(frame: unknown): void {
    if (!this.#frames.admits()) throw new FrameError(`it sends more than ${MAX_FRAMES} frames a second`)
    const call = this.#call
    const report = checkedReport(frame, call?.chunks ?? 0)
    if (report.type === 'ready') this.#onReady()
    // A report of an earlier call is ignored.
    if (report.type === 'ready' || call === undefined || report.id !== call.id) return
    if (report.type === 'returned') call.finish({ type: 'returned' })
    else this.#pass(report.message, call)
  }

  #pass(message: ThreadMessage, call: RunningCall): void {
    // Durations are limited to the time that has passed, because other peers refuse an impossible duration as a fault of this peer.
    const passed = performance.now() - this.#startedAt
    if (message.type === 'outcomes') message.busyMs = Math.min(message.busyMs, passed)
    if (message.type === 'reply' && message.value.type === 'checkpoint')
      message.value.tookMs = Math.min(message.value.tookMs, passed)
    if (message.type === 'exit') call.exit = message
    else if (message.type !== 'log') call.onMessage(message)
    else if (this.#lines.admits(message.lines.length)) call.onMessage(message)
  }

  #send(order: Order): void {
    // If the process has ended, `#end` reports the end to the call.
    if (this.#isGone) return
    const stream = this.#orders
    stream.cork()
    for (const part of encodeFrame(order)) stream.write(part)
    stream.uncork()
  }

  #checkLimitsAfter(ms: number): void {
    this.#checkTimer = setTimeout(() => this.#checkLimits(), ms)
    this.#checkTimer.unref()
  }

  async #checkLimits(): Promise<void> {
    const began = performance.now()
    const over = await exceededLimit(this.#child.pid!, this.#folder.own, this.#settings.limits).catch(() => undefined)
    if (over !== undefined) this.kill(over)
    // The next check waits longer if this check took long, so that the checks do not keep the peer busy.
    if (!this.#isGone) this.#checkLimitsAfter(Math.max(CHECK_EVERY, CHECK_SHARE * (performance.now() - began)))
  }

  async #end(): Promise<void> {
    const child = this.#child
    const closed = once(child, 'close').catch(() => {})
    const why = await once(child, 'exit').then(
      async ([code, signal]: unknown[]) => {
        await atMost(closed, PIPE_LIMIT)
        return this.#reasonOfEnd(code as number | null, signal as string | null)
      },
      (error: Error) => `before it began: ${error.message}`
    )
    const activity = this.#call?.exit === undefined ? this.activity : this.#call.exit.activity
    this.#isGone = true
    killProcessGroup(child.pid!)
    this.#settings.watchdog.remove(child.pid!)
    closeSync(this.#memoryFile)
    this.#call?.finish({ type: 'ended', why, activity })
    await this.#settings.folders.remove(this.#folder).catch(() => {})
  }

  #reasonOfEnd(code: number | null, signal: string | null): string {
    if (this.#killReason !== undefined) return `by its peer: ${this.#killReason}`
    const exit = this.#call?.exit
    if (exit !== undefined) return `by process.exit(${exit.code}) of its code`
    if (this.#stderr.reportsFullHeap) return `by ${signal}: ${outOfMemory(this.#settings.maxHeapMb)}`
    return this.#stderr.describeEnd(code, signal)
  }
}
