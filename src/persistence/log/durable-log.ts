import { Worker } from 'node:worker_threads'
import pDefer, { type DeferredPromise } from 'p-defer'
import { builtFile } from '../../common/built-file.ts'
import { InvalidOptionError, StoppedError } from '../../common/errors.ts'
import { atMost } from '../../lib/abort.ts'
import type { StoreChange, Stored } from './content-log.ts'
import type { Change } from './frames.ts'
import type { LogDamage } from './key-value-log.ts'
import type { Lane, LogReply, LogRequest, LogSizes } from './log-thread.ts'

/** Changes that are written together. The newest change of a key replaces earlier ones. */
interface Batch {
  changes: Map<string, StoreChange>
  done: (() => void)[]
}

/** Called when the disk takes no writes of a lane any more, and when it does again. */
export type FailureListener = (lane: Lane, failure: Error | undefined) => void

/**
 * A write, or a part of a large one, that takes longer, in ms, counts as failed until it ends: elections must not wait for a disk that hangs, and jobs
 * not for long.
 */
const HANGS_AFTER: Record<Lane, number> = { urgent: 1_000, bulk: 5_000 }
/** How long {@link DurableLog.close} waits for a disk that does not answer, in ms. */
const CLOSE_MS = 5_000

/**
 * Keeps values by key on disk, on a thread of its own. A write waits for no other thread, and blocks none. While one write is synced, the next
 * ones of its lane are collected, so the disk may be as slow as it likes.
 */
export class DurableLog {
  readonly #thread: Worker
  readonly #opened = pDefer<void>()
  readonly #exited = pDefer<void>()
  readonly #listeners = new Set<FailureListener>()
  readonly #next: Record<Lane, Batch> = { urgent: emptyBatch(), bulk: emptyBatch() }
  readonly #running: Record<Lane, Batch | undefined> = { urgent: undefined, bulk: undefined }
  readonly #failures: Record<Lane, Error | undefined> = { urgent: undefined, bulk: undefined }
  readonly #timers: Record<Lane, NodeJS.Timeout | undefined> = { urgent: undefined, bulk: undefined }
  #reading: DeferredPromise<Extract<LogReply, { type: 'values' }>> | undefined
  #isClosed = false
  #damage: LogDamage = { damaged: 0, isCut: false }
  #sizes: LogSizes = { bytes: 0, liveBytes: 0 }
  #urgent = new Map<string, Uint8Array>()
  /** Called with what each commit took, in ms. */
  onSync: (ms: number) => void = () => {}

  private constructor(folder: string) {
    this.#thread = new Worker(builtFile('persistence/log/thread-entry.cjs'), {
      workerData: folder,
      execArgv: [],
      env: {}
    })
    this.#thread.on('message', (reply: LogReply) => this.#onReply(reply))
    this.#thread.once('error', error => this.#end(error))
    this.#thread.once('exit', () => this.#end(new StoppedError('the log is closed')))
    this.#thread.unref()
  }

  /**
   * Opens the log in a folder, and creates the folder if there is none.
   *
   * @throws InvalidOptionError if a newer version wrote the log; the error of the disk
   */
  static async open(folder: string): Promise<DurableLog> {
    const log = new DurableLog(folder)
    log.#thread.ref()
    try {
      await log.#opened.promise
      return log
    } catch (error) {
      await log.close()
      throw error
    } finally {
      log.#thread.unref()
    }
  }

  /** The values of the urgent lane when the log was opened. */
  get urgent(): ReadonlyMap<string, Uint8Array> {
    return this.#urgent
  }

  get damage(): LogDamage {
    return this.#damage
  }

  get sizes(): LogSizes {
    return this.#sizes
  }

  /** Why the disk takes no writes of a lane. Undefined if it does. Writes that fail are tried again. */
  failure(lane: Lane): Error | undefined {
    return this.#failures[lane]
  }

  /** The returned function removes the listener. */
  onFailure(listener: FailureListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads all values of the bulk lane that were there when the log was opened. To be called once, before the first write. */
  async *values(): AsyncGenerator<[string, Stored][]> {
    for (let isLast = false; !isLast; ) {
      this.#reading = pDefer()
      this.#say({ type: 'read' })
      const reply = await this.#reading.promise
      this.#damage = reply.damage
      isLast = reply.isLast
      yield reply.values
    }
  }

  /** Writes small changes, which wait for no large content. Calls `done` when they, or newer values of their keys, are synced. */
  writeUrgent(changes: readonly Change[], done: () => void = () => {}): void {
    this.#write('urgent', changes, done)
  }

  /** Writes changes with their contents. Calls `done` when they, or newer values of their keys, are synced. */
  write(changes: readonly StoreChange[], done: () => void = () => {}): void {
    this.#write('bulk', changes, done)
  }

  /** Calls `done` when everything is synced that {@link write} was given before. */
  afterWrites(done: () => void): void {
    if (this.#next.bulk.done.length > 0) this.#next.bulk.done.push(done)
    else if (this.#running.bulk !== undefined) this.#running.bulk.done.push(done)
    else done()
  }

  /** Writes what was given before, and closes the files. Writes that wait for a disk that fails are given up. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#thread.ref()
      await Promise.all([this.#flushed('urgent'), this.#flushed('bulk')])
      this.#say({ type: 'close' })
    }
    // A thread whose write hangs ends when the operating system returns from the write.
    if (!(await atMost(this.#exited.promise, CLOSE_MS))) void this.#thread.terminate()
  }

  /** Resolves when a lane has nothing to write, when it fails, or when the thread has ended. */
  async #flushed(lane: Lane): Promise<void> {
    if (this.#failures[lane] !== undefined) return
    const ended = pDefer<void>()
    this.#next[lane].done.push(ended.resolve)
    this.#send(lane)
    const removeListener = this.onFailure(failed => {
      if (failed === lane) ended.resolve()
    })
    await Promise.race([ended.promise, this.#exited.promise])
    removeListener()
  }

  #write(lane: Lane, changes: readonly StoreChange[], done: () => void): void {
    if (this.#isClosed) return
    const { changes: next, done: waiting } = this.#next[lane]
    for (const change of changes) next.set(change.key, change)
    waiting.push(done)
    // The writes of one turn of the event loop are one commit.
    if (waiting.length === 1 && this.#running[lane] === undefined) setImmediate(() => this.#send(lane))
  }

  #send(lane: Lane): void {
    const batch = this.#next[lane]
    if (batch.done.length === 0 || this.#running[lane] !== undefined) return
    this.#running[lane] = batch
    this.#next[lane] = emptyBatch()
    const transfer: ArrayBuffer[] = []
    /** The bytes may be a part of a larger buffer, and this thread goes on using them. */
    const copied = (bytes: Uint8Array): Uint8Array => {
      const copy = new Uint8Array(bytes)
      transfer.push(copy.buffer)
      return copy
    }
    const changes = [...batch.changes.values()].map(({ key, value, contents = [] }) => ({
      key,
      value: value && copied(value),
      contents: contents.map(copied)
    }))
    this.#say({ type: 'write', lane, changes }, transfer)
    this.#time(lane)
  }

  /** Starts the time again that the disk has for the next part of a write. */
  #time(lane: Lane): void {
    clearTimeout(this.#timers[lane])
    const ms = HANGS_AFTER[lane]
    const hangs = (): void => this.#fail(lane, new Error(`the write takes longer than ${ms} ms`))
    this.#timers[lane] = setTimeout(hangs, ms).unref()
  }

  #say(request: LogRequest, transfer: ArrayBuffer[] = []): void {
    this.#thread.postMessage(request, transfer)
  }

  #onReply(reply: LogReply): void {
    switch (reply.type) {
      case 'opened':
        this.#damage = reply.damage
        this.#sizes = reply.sizes
        this.#urgent = new Map(reply.urgent)
        this.#opened.resolve()
        break
      case 'refused':
        this.#opened.reject(reply.isNewer ? newer(reply.error) : reply.error)
        break
      case 'values':
        this.#reading?.resolve(reply)
        break
      case 'synced':
        this.#onSynced(reply)
        break
      case 'progress':
        if (this.#running.bulk !== undefined) this.#time('bulk')
        break
      case 'failing':
        this.#fail(reply.lane, reply.error)
        this.#renew(reply.lane)
        break
    }
  }

  #onSynced({ lane, sizes, ms }: Extract<LogReply, { type: 'synced' }>): void {
    this.#sizes = sizes
    this.#fail(lane, undefined)
    this.onSync(ms)
    const { done } = this.#running[lane] ?? emptyBatch()
    this.#running[lane] = undefined
    clearTimeout(this.#timers[lane])
    for (const tell of done) tell()
    this.#send(lane)
  }

  /** Replaces a write that fails by one that contains the newer changes: they may need less room. */
  #renew(lane: Lane): void {
    const [running, next] = [this.#running[lane], this.#next[lane]]
    if (running === undefined || next.done.length === 0) return
    this.#next[lane] = {
      changes: new Map([...running.changes, ...next.changes]),
      done: [...running.done, ...next.done]
    }
    this.#running[lane] = undefined
    this.#send(lane)
  }

  #fail(lane: Lane, failure: Error | undefined): void {
    const before = this.#failures[lane]
    this.#failures[lane] = failure
    if ((failure === undefined) !== (before === undefined))
      for (const listener of this.#listeners) listener(lane, failure)
  }

  #end(error: Error): void {
    if (!this.#isClosed) for (const lane of ['urgent', 'bulk'] as const) this.#fail(lane, error)
    this.#isClosed = true
    for (const timer of Object.values(this.#timers)) clearTimeout(timer)
    this.#opened.reject(error)
    this.#reading?.reject(error)
    this.#exited.resolve()
  }
}

function newer(cause: Error): InvalidOptionError {
  const advice = 'use that version again, or give another folder'
  return new InvalidOptionError(`a newer version of p2p-worker wrote the data folder: ${cause.message}; ${advice}`, {
    cause
  })
}

function emptyBatch(): Batch {
  return { changes: new Map(), done: [] }
}
