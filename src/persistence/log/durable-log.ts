import { Worker } from 'node:worker_threads'
import pDefer, { type DeferredPromise } from 'p-defer'
import { builtFile } from '../../common/built-file.ts'
import { StoppedError } from '../../common/errors.ts'
import type { StoreChange, Stored } from './content-log.ts'
import type { Change } from './frames.ts'
import type { LogDamage } from './key-value-log.ts'
import type { Lane, LogReply, LogRequest, LogSizes } from './log-thread.ts'

/** Changes that are written together. The newest change of a key replaces earlier ones. */
interface Batch {
  changes: Map<string, StoreChange>
  done: (() => void)[]
}

/**
 * Keeps values by key on disk, on a thread of its own. A write waits for no other thread, and blocks none. While one write is synced, the next
 * ones of its lane are collected, so the disk may be as slow as it likes.
 */
export class DurableLog {
  readonly #thread: Worker
  readonly #opened = pDefer<void>()
  readonly #exited = pDefer<void>()
  readonly #listeners = new Set<(failure: Error | undefined) => void>()
  readonly #next: Record<Lane, Batch> = { urgent: emptyBatch(), bulk: emptyBatch() }
  readonly #running: Record<Lane, Batch | undefined> = { urgent: undefined, bulk: undefined }
  readonly #failures: Record<Lane, Error | undefined> = { urgent: undefined, bulk: undefined }
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
   * @throws LogVersionError if a newer version wrote the log; the error of the disk
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

  /** Why the disk takes no writes. Undefined if it does. Writes that fail are tried again. */
  get failure(): Error | undefined {
    return this.#failures.urgent ?? this.#failures.bulk
  }

  /** Calls the listener when the disk takes no writes any more, and when it does again. The returned function removes the listener. */
  onFailure(listener: (failure: Error | undefined) => void): () => void {
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
      // The thread takes no further write of a lane before the one before is synced, unless it closes.
      for (const lane of ['urgent', 'bulk'] as const) if (this.failure === undefined) await this.#flushed(lane)
      this.#say({ type: 'close' })
    }
    await this.#exited.promise
  }

  /** Resolves when a lane has nothing to write, when it fails, or when the thread has ended. */
  async #flushed(lane: Lane): Promise<void> {
    while (this.#running[lane] !== undefined || this.#next[lane].done.length > 0) {
      const ended = pDefer<void>()
      this.#next[lane].done.push(ended.resolve)
      this.#send(lane)
      const removeListener = this.onFailure(() => ended.resolve())
      await Promise.race([ended.promise, this.#exited.promise])
      removeListener()
      if (this.failure !== undefined) return
    }
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
        this.#opened.reject(reply.error)
        break
      case 'values':
        this.#reading?.resolve(reply)
        break
      case 'synced':
        this.#onSynced(reply)
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
    const before = this.failure
    this.#failures[lane] = failure
    if ((this.failure === undefined) !== (before === undefined))
      for (const listener of this.#listeners) listener(this.failure)
  }

  #end(error: Error): void {
    this.#isClosed = true
    this.#opened.reject(error)
    this.#reading?.reject(error)
    this.#exited.resolve()
  }
}

function emptyBatch(): Batch {
  return { changes: new Map(), done: [] }
}
