import { Worker } from 'node:worker_threads'
import pDefer, { type DeferredPromise } from 'p-defer'
import { builtFile } from '../../common/built-file.ts'
import { InvalidOptionError, StoppedError } from '../../common/errors.ts'
import { atMost } from '../../lib/abort.ts'
import { after, type Batch, emptyBatch, type LogChange } from './batch.ts'
import type { Stored } from './content-log.ts'
import { keyOfLoss, LOSSES, type Loss } from './damage-note.ts'
import type { Change } from './frames.ts'
import type { LogDamage } from './key-value-log.ts'
import { LaterContents, UnreadableContentError } from './later-contents.ts'
import type { Lane, LogReply, LogRequest, LogSizes } from './log-thread.ts'
import { copied, SentContents } from './sent-contents.ts'

/** A write takes too long, and may still succeed. */
export class DiskHangsError extends Error {
  override readonly name = 'DiskHangsError'
}

/** Called when the disk takes no writes of a lane any more, and when it does again. */
export type FailureListener = (lane: Lane, failure: Error | undefined) => void

const LANES: readonly Lane[] = ['urgent', 'bulk', 'large']
/** Changes with more bytes of new contents wait for no others, and others not for them. */
const LARGE = 2 ** 20
/**
 * A write, or a part of a large one, that takes longer, in ms, counts as failed until it ends: elections must not wait for a disk that hangs, and jobs
 * not for long.
 */
const HANGS_AFTER: Record<Lane, number> = { urgent: 1_000, bulk: 2_000, large: 2_000 }
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
  readonly #next: Record<Lane, Batch> = { urgent: emptyBatch(), bulk: emptyBatch(), large: emptyBatch() }
  readonly #running: Partial<Record<Lane, Batch>> = {}
  readonly #failures: Partial<Record<Lane, Error>> = {}
  /** The lanes that listeners know as failing. */
  readonly #told = new Set<Lane>()
  readonly #timers: Partial<Record<Lane, NodeJS.Timeout>> = {}
  readonly #contents = new SentContents()
  #reading: DeferredPromise<Extract<LogReply, { type: 'values' }>> | undefined
  readonly #later = new LaterContents(id => {
    if (this.#isClosed) this.#later.end()
    else this.#say({ type: 'load', id })
  })
  #lastId = 0
  #isClosed = false
  #damage: LogDamage = { damaged: 0, isCut: false }
  #sizes: LogSizes = { bytes: 0, liveBytes: 0 }
  #urgent = new Map<string, Uint8Array>()
  readonly #losses = new Set<Loss>()
  /** Called with what each sync took, in ms. */
  onSync: (ms: number) => void = () => {}
  /** Called when values that were read or written before are found to be damaged: they are on disk no more. */
  onLost: (keys: readonly string[]) => void = () => {}

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

  /** Whether entries or promises are lost, in this process or an earlier one, and were not found again since. */
  hasLost(loss: Loss): boolean {
    return this.#losses.has(loss)
  }

  /** Keeps on disk whether entries or promises are lost. */
  setLost(loss: Loss, isLost: boolean): void {
    if (isLost) this.#losses.add(loss)
    else this.#losses.delete(loss)
    this.writeUrgent([{ key: keyOfLoss(loss), value: isLost ? new Uint8Array(1) : undefined }])
  }

  get sizes(): LogSizes {
    return this.#sizes
  }

  /** Why the disk takes no writes of a lane, or those that they wait for. Undefined if it does. Writes that fail are tried again. */
  failure(lane: Lane): Error | undefined {
    const { [lane]: own, bulk } = this.#failures
    return own ?? (bulk !== undefined && lane === 'large' && this.#isBehindBulk(this.#next.large) ? bulk : undefined)
  }

  /** Whether nothing is written any more: the log was closed, or its thread has ended. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether the disk takes no writes of some lane. */
  get isFailing(): boolean {
    return LANES.some(lane => this.#failures[lane] !== undefined)
  }

  /** The returned function removes the listener. */
  onFailure(listener: FailureListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Reads all values that are not urgent, and were there when the log was opened. To be called once, before the first write. Values that are damaged are
   * left out, and removed afterwards. Rejects with an UnreadableContentError if the disk cannot read them.
   *
   * @param later - large contents of keys with this prefix are checked now, and are pending until `filled` fills them. Default: no key.
   * @param onUnreadable - called when one of them cannot be filled any more, before the fill rejects
   */
  async *values(later = '\0', onUnreadable = this.#later.onUnreadable): AsyncGenerator<[string, Stored][]> {
    this.#later.onUnreadable = onUnreadable
    const lost: LogChange[] = []
    for (let isLast = false; !isLast; ) {
      this.#reading = pDefer()
      this.#thread.ref()
      this.#say({ type: 'read', later })
      const reply = await this.#reading.promise
      this.#thread.unref()
      this.#damage = reply.damage
      if (reply.isLossy) for (const loss of LOSSES) this.#losses.add(loss)
      isLast = reply.isLast
      for (const key of reply.lost) lost.push({ key, value: undefined })
      yield reply.values.map(([key, given]): [string, Stored] => [
        key,
        this.#contents.restored(key, given, this.#later.fill)
      ])
    }
    this.#contents.areRestored()
    if (lost.length > 0) this.write(lost)
  }

  /** Writes small changes, which wait for no others. Calls `done` when they, or newer values of their keys, are synced. */
  writeUrgent(changes: readonly Change[], done?: () => void): void {
    this.#write(changes, () => 'urgent', done)
  }

  /** Writes changes with their contents. Calls `done` when they, or newer values of their keys, are synced. */
  write(changes: readonly LogChange[], done?: () => void): void {
    this.#write(changes, change => this.#laneOf(change), done)
  }

  /** Does the same for values that are lost on disk. All of their contents must be in memory. */
  rewrite(changes: readonly LogChange[]): void {
    this.#contents.renew(changes.flatMap(({ contents = [] }) => contents))
    this.write(changes)
  }

  /** Calls `done` when everything is synced that {@link write} was given before. With `keys`: everything of these keys. */
  afterWrites(done: () => void, keys?: readonly string[]): void {
    after([...this.#pending('bulk', keys), ...this.#pending('large', keys)], done)
  }

  /** Returns the lanes in which {@link afterWrites} would wait now. */
  lanesOf(keys?: readonly string[]): Lane[] {
    return LANES.filter(lane => lane !== 'urgent' && this.#pending(lane, keys).length > 0)
  }

  /** Returns the batches of a lane that are not synced, with these keys or with any. */
  #pending(lane: Lane, keys: readonly string[] | undefined): Batch[] {
    const isAwaited = ({ changes }: Batch): boolean => keys?.some(key => changes.has(key)) ?? changes.size > 0
    return [this.#running[lane], this.#next[lane]].filter(batch => batch !== undefined).filter(isAwaited)
  }

  /** Resolves when the thread has ended, so that nothing writes to the folder any more. */
  get ended(): Promise<void> {
    return this.#exited.promise
  }

  /**
   * Writes what was given before, and closes the files. Writes that wait for a disk that fails are given up. Resolves with false if a write hangs: its
   * thread ends when the operating system returns from the write.
   */
  async close(): Promise<boolean> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#thread.ref()
      await Promise.all(LANES.map(lane => this.#flushed(lane)))
      this.#say({ type: 'close' })
    }
    const hasEnded = await atMost(this.#exited.promise, CLOSE_MS)
    if (!hasEnded) void this.#thread.terminate()
    return hasEnded
  }

  /** Resolves when a lane has nothing to write, when it fails, or when the thread has ended. */
  async #flushed(lane: Lane): Promise<void> {
    const ended = pDefer<void>()
    // Large changes may wait for earlier ones of their keys.
    const isFailing = (): boolean =>
      this.#failures[lane] !== undefined || (lane === 'large' && this.#failures.bulk !== undefined)
    const removeListener = this.onFailure(() => {
      if (isFailing()) ended.resolve()
    })
    const check = (): void => {
      const { size } = this.#next[lane].changes
      if (isFailing() || (size === 0 && this.#running[lane] === undefined)) ended.resolve()
      else (this.#running[lane] ?? this.#next[lane]).done.push(() => queueMicrotask(check))
    }
    check()
    await Promise.race([ended.promise, this.#exited.promise])
    removeListener()
  }

  /** Returns the lane of a change. The changes of a key stay in their order. */
  #laneOf(change: LogChange): Lane {
    const isBehind = [this.#running.large, this.#next.large].some(batch => batch?.changes.has(change.key))
    return isBehind || this.#contents.bytesToSend(change) > LARGE ? 'large' : 'bulk'
  }

  #write(changes: readonly LogChange[], laneOf: (change: LogChange) => Lane, done: (() => void) | undefined): void {
    if (this.#isClosed) return
    const batches = new Set<Batch>()
    for (const change of changes) {
      const lane = laneOf(change)
      const next = this.#next[lane]
      // The writes of one turn of the event loop are one commit.
      if (next.changes.size === 0 && this.#running[lane] === undefined) setImmediate(() => this.#send(lane))
      next.changes.set(change.key, change)
      batches.add(next)
    }
    if (done !== undefined) after([...batches], done)
    this.#tellFailures()
  }

  #send(lane: Lane): void {
    const batch = this.#next[lane]
    if (batch.changes.size === 0 || this.#running[lane] !== undefined) return
    if (lane === 'large' && this.#isBehindBulk(batch)) return
    this.#next[lane] = emptyBatch()
    this.#begin(lane, batch)
  }

  #begin(lane: Lane, batch: Batch): void {
    batch.id = ++this.#lastId
    this.#running[lane] = batch
    const transfer: ArrayBuffer[] = []
    const changes = [...batch.changes.values()].map(change => ({
      key: change.key,
      value: change.value && copied(change.value, transfer),
      contents: this.#contents.toSend(change, transfer)
    }))
    const forgotten = lane === 'urgent' ? [] : this.#contents.takeForgotten()
    this.#say({ type: 'write', id: batch.id, lane, changes, forgotten }, transfer)
    this.#time(lane)
  }

  #isBehindBulk({ changes }: Batch): boolean {
    const earlier = [this.#running.bulk, this.#next.bulk]
    return [...changes.keys()].some(key => earlier.some(batch => batch?.changes.has(key)))
  }

  /** Starts the time again that the disk has for the next part of a write. */
  #time(lane: Lane): void {
    clearTimeout(this.#timers[lane])
    const ms = HANGS_AFTER[lane]
    const hangs = (): void => this.#fail(lane, new DiskHangsError(`the write takes longer than ${ms} ms`))
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
        for (const loss of LOSSES) if (reply.isLossy || this.#urgent.has(keyOfLoss(loss))) this.#losses.add(loss)
        this.#opened.resolve()
        break
      case 'refused':
        this.#opened.reject(
          reply.isNewer ? new InvalidOptionError(reply.error.message) : Object.assign(reply.error, { code: reply.code })
        )
        break
      case 'values':
        this.#reading?.resolve(reply)
        break
      case 'lost':
        this.onLost(reply.keys)
        break
      case 'unread':
        this.#reading?.reject(new UnreadableContentError(reply.error, reply.code))
        break
      case 'loaded':
        this.#later.onLoaded(reply)
        break
      case 'progress':
        if (this.#running.large !== undefined) this.#time('large')
        break
      case 'synced':
      case 'failing':
        // The answer to a write that was replaced says nothing about the write in its place.
        if (this.#running[reply.lane]?.id === reply.id) this.#onWritten(reply)
        break
    }
  }

  #onWritten(reply: Extract<LogReply, { type: 'synced' | 'failing' }>): void {
    const { lane } = reply
    if (reply.type === 'failing') {
      this.#fail(lane, reply.error)
      this.#renew(lane)
      return
    }
    const { changes, done, isPart } = this.#running[lane]!
    delete this.#running[lane]
    if (lane !== 'urgent') this.#contents.written(changes)
    clearTimeout(this.#timers[lane])
    this.#sizes = reply.sizes
    if (isPart !== true) this.#fail(lane, undefined)
    for (const ms of reply.syncs) this.onSync(ms)
    for (const tell of done) tell()
    this.#send(lane)
    this.#send('large')
  }

  /**
   * Replaces a write that fails by one that contains the newer changes: they may need less room. Deletions go first, by themselves: they need hardly any
   * room, and make some.
   */
  #renew(lane: Lane): void {
    const [running, next] = [this.#running[lane]!, this.#next[lane]]
    const changes = [...new Map([...running.changes, ...next.changes])]
    const isDeletion = ([, { value }]: [string, LogChange]): boolean => value === undefined
    const deletions = changes.filter(isDeletion)
    const isMixed = deletions.length > 0 && deletions.length < changes.length
    if (next.changes.size === 0 && !isMixed) return
    next.changes = new Map(changes)
    next.done = [...running.done, ...next.done]
    delete this.#running[lane]
    const part: Batch = { ...emptyBatch(), changes: new Map(deletions), isPart: true }
    if (isMixed && !(lane === 'large' && this.#isBehindBulk(part))) {
      for (const [key] of deletions) next.changes.delete(key)
      this.#begin(lane, part)
    } else this.#send(lane)
  }

  #fail(lane: Lane, failure: Error | undefined): void {
    if (failure === undefined) delete this.#failures[lane]
    else this.#failures[lane] = failure
    this.#tellFailures()
  }

  #tellFailures(): void {
    for (const lane of LANES) {
      const failure = this.failure(lane)
      if ((failure !== undefined) === this.#told.has(lane)) continue
      if (failure === undefined) this.#told.delete(lane)
      else this.#told.add(lane)
      for (const listener of this.#listeners) listener(lane, failure)
    }
  }

  #end(error: Error): void {
    if (!this.#isClosed) for (const lane of LANES) this.#fail(lane, error)
    this.#isClosed = true
    for (const timer of Object.values(this.#timers)) clearTimeout(timer)
    this.#opened.reject(error)
    this.#reading?.reject(error)
    this.#later.end()
    this.#exited.resolve()
  }
}
