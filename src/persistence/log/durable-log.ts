import { Worker } from 'node:worker_threads'
import pDefer, { type DeferredPromise } from 'p-defer'
import { builtFile } from '../../common/built-file.ts'
import { StoppedError } from '../../common/errors.ts'
import type { Change } from './frames.ts'
import type { LogDamage } from './key-value-log.ts'
import type { LogReply, LogRequest } from './log-thread.ts'

/** Keeps values by key on disk, on a thread of its own. A write waits for no other thread, and blocks none. */
export class DurableLog {
  readonly #thread: Worker
  readonly #opened = pDefer<void>()
  readonly #exited = pDefer<void>()
  readonly #listeners = new Set<(failure: Error | undefined) => void>()
  /** The writes that are not synced, the oldest first. */
  #unsynced: { id: number; done: () => void }[] = []
  /** The changes of this turn of the event loop. */
  #changes: Change[] = []
  #reading: DeferredPromise<Extract<LogReply, { type: 'values' }>> | undefined
  #id = 0
  #failure: Error | undefined
  #isClosed = false
  damage: LogDamage = { damaged: 0, isCut: false }
  /** The size of the files, and what the syncs took. */
  readonly stats = { bytes: 0, syncs: 0, syncMs: 0 }

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

  /** Why the disk takes no writes. Undefined if it does. Writes that fail are tried again. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Calls the listener when `failure` changes. The returned function removes the listener. */
  onFailure(listener: (failure: Error | undefined) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads all values that were there when the log was opened. To be called once, before the first write. */
  async *values(): AsyncGenerator<[string, Uint8Array][]> {
    for (let isLast = false; !isLast; ) {
      this.#reading = pDefer()
      this.#say({ type: 'read' })
      const reply = await this.#reading.promise
      this.damage = reply.damage
      isLast = reply.isLast
      yield reply.values
    }
  }

  /** Writes the changes in their order, all or none of them. Calls `done` when they are synced. */
  write(changes: readonly Change[], done: () => void = () => {}): void {
    if (this.#isClosed) return
    if (this.#changes.length === 0) setImmediate(() => this.#send())
    for (const change of changes) this.#changes.push(change)
    this.#unsynced.push({ id: this.#id + 1, done })
  }

  /** Writes what was given before, and closes the files. Writes that wait for a disk that fails are given up. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#send()
      this.#isClosed = true
      this.#thread.ref()
      this.#say({ type: 'close' })
    }
    await this.#exited.promise
  }

  #send(): void {
    if (this.#changes.length === 0) return
    this.#id += 1
    this.#say({ type: 'write', id: this.#id, changes: this.#changes })
    this.#changes = []
  }

  #say(request: LogRequest): void {
    this.#thread.postMessage(request)
  }

  #onReply(reply: LogReply): void {
    switch (reply.type) {
      case 'opened':
        this.damage = reply.damage
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
        this.#fail(reply.error)
        break
    }
  }

  #onSynced({ id, bytes, ms }: Extract<LogReply, { type: 'synced' }>): void {
    this.stats.bytes = bytes
    this.stats.syncs += 1
    this.stats.syncMs += ms
    this.#fail(undefined)
    const later = this.#unsynced.findIndex(write => write.id > id)
    const synced = this.#unsynced.splice(0, later === -1 ? this.#unsynced.length : later)
    for (const { done } of synced) done()
  }

  #fail(failure: Error | undefined): void {
    if (failure === this.#failure) return
    this.#failure = failure
    for (const listener of this.#listeners) listener(failure)
  }

  #end(error: Error): void {
    this.#isClosed = true
    this.#unsynced = []
    this.#opened.reject(error)
    this.#reading?.reject(error)
    this.#exited.resolve()
  }
}
