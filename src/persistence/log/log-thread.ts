/** The thread of durable-log.ts. It makes blocking calls. */
import { existsSync, mkdirSync } from 'node:fs'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ContentLog, type GivenValue, type StoreChange } from './content-log.ts'
import { URGENT } from './damage-note.ts'
import { FolderDisk } from './disk.ts'
import { KeyValueLog, type LogDamage } from './key-value-log.ts'
import { LogVersionError } from './segment.ts'

/** Which changes wait for each other: those with large contents are in a lane of their own, and no other ones wait for them. */
export type Lane = 'urgent' | 'bulk' | 'large'

/** What the main thread asks. It asks for the next write of a lane when the one before is synced, or in place of one that fails. */
export type LogRequest =
  /** Each key is changed once. `forgotten`: contents whose bytes come along if they are written again. */
  | { type: 'write'; id: number; lane: Lane; changes: StoreChange[]; forgotten: number[] }
  /** Asks for the next values that are not urgent. Contents of keys with the prefix may be loaded later. */
  | { type: 'read'; later: string }
  /** Asks for a content that was left out of a value. */
  | { type: 'load'; id: number }
  | { type: 'close' }

type Write = Extract<LogRequest, { type: 'write' }>

/** The sizes of the files, and of what is not deleted or replaced in them, in bytes. */
export interface LogSizes {
  bytes: number
  liveBytes: number
}

export type LogReply =
  /** `urgent`: all values of the urgent lane. `isLossy`: whether something was lost that is not marked there yet. */
  | { type: 'opened'; damage: LogDamage; isLossy: boolean; urgent: [string, Uint8Array][]; sizes: LogSizes }
  /** `code`: of an error of the system, which a message does not carry. `isNewer`: a newer version wrote the log. */
  | { type: 'refused'; error: Error; code: string | undefined; isNewer: boolean }
  /** The write is synced. `syncs`: what each sync since the last answer took, in ms. */
  | { type: 'synced'; id: number; lane: Lane; sizes: LogSizes; syncs: number[] }
  /** A part of the write of the large lane is synced. */
  | { type: 'progress' }
  /** The disk does not take the write. It is tried again. */
  | { type: 'failing'; id: number; lane: Lane; error: Error }
  /** `bytes`: undefined if the content is damaged, or no value names it any more, or with the `error` of the disk and its `code`. */
  | { type: 'loaded'; id: number; bytes: Uint8Array | undefined; error: Error | undefined; code?: string | undefined }
  /** The values of these keys, or their contents, were found to be damaged. */
  | { type: 'lost'; keys: string[] }
  /** The disk cannot read the values. */
  | { type: 'unread'; error: Error; code: string | undefined }
  /** `lost`: the keys of values that cannot be read. */
  | {
      type: 'values'
      values: [string, GivenValue][]
      lost: string[]
      isLast: boolean
      damage: LogDamage
      isLossy: boolean
    }

/** The pause before a failed write is tried again, in ms. */
const RETRY_MS = 1_000
/** The bytes of values in one answer. */
const ANSWER_BYTES = 4 * 2 ** 20
/** The most bytes of a content that comes with its value although it may be loaded later. */
const AT_ONCE_BYTES = 64 * 1024

export function serve(port: MessagePort, folder: string): void {
  const reply = (message: LogReply, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  let log: KeyValueLog
  let contents: ContentLog
  const syncs: number[] = []
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    log = KeyValueLog.open(new FolderDisk(folder, ms => syncs.push(ms)))
    contents = new ContentLog(log)
  } catch (error) {
    reply({ type: 'refused', ...failure(error), isNewer: error instanceof LogVersionError })
    port.close()
    return
  }
  const keys = [...contents.keys()].values()
  const pending: Partial<Record<Lane, Write>> = {}
  /** The lanes whose write has failed. It is tried again after a pause. */
  const failed = new Set<Lane>()
  let retry: NodeJS.Timeout | undefined
  let isDue = false
  let isClosed = false

  /** Tells which values were found to be damaged when the log was rewritten, or when a content was loaded. */
  const tellLost = (): void => {
    const keys = contents.takeLost()
    if (keys.length > 0) reply({ type: 'lost', keys })
  }

  /** Commits the write of a lane, if there is one. */
  const commitLane = (lane: Lane, commit: (changes: StoreChange[]) => void): void => {
    const write = pending[lane]
    if (write === undefined || failed.has(lane)) return
    const { id, changes } = write
    try {
      commit(changes)
    } catch (error) {
      failed.add(lane)
      if (!isClosed) retry ??= setTimeout(again, RETRY_MS)
      reply({ type: 'failing', id, lane, error: error as Error })
      return
    } finally {
      tellLost()
    }
    delete pending[lane]
    const sizes = { bytes: log.bytes, liveBytes: log.liveBytes }
    reply({ type: 'synced', id, lane, sizes, syncs: syncs.splice(0) })
  }

  const commitShort = (): void => {
    commitLane('urgent', changes => log.commit(changes.map(({ key, value }) => ({ key: URGENT + key, value }))))
    commitLane('bulk', changes => contents.commit(changes))
  }

  const commitLarge = (changes: StoreChange[]): void => {
    for (const _ of contents.commitInSteps(changes)) {
      reply({ type: 'progress' })
      receive()
      commitShort()
    }
  }

  const commit = (): void => {
    isDue = false
    if (isClosed) return
    receive()
    commitShort()
    commitLane('large', commitLarge)
  }

  const again = (): void => {
    retry = undefined
    failed.clear()
    commit()
  }

  const soon = (): void => {
    if (!isDue && !isClosed) setImmediate(commit)
    isDue = true
  }

  const readNext = (later: string): void => {
    const values: [string, GivenValue][] = []
    const lost: string[] = []
    const transfer: ArrayBuffer[] = []
    let bytes = 0
    let isLast = false
    while (bytes < ANSWER_BYTES && !isLast) {
      const { done, value: key } = keys.next()
      isLast = done === true
      if (isLast || key === undefined) break
      const stored = contents.give(key, key.startsWith(later) ? AT_ONCE_BYTES : Number.POSITIVE_INFINITY)
      if (stored === undefined) {
        lost.push(key)
        continue
      }
      values.push([key, stored])
      for (const { bytes: content } of stored.contents) {
        if (content === undefined) continue
        transfer.push(content.buffer as ArrayBuffer)
        bytes += content.byteLength
      }
      bytes += stored.value.byteLength
    }
    // The answer tells them.
    contents.takeLost()
    reply({ type: 'values', values, lost, isLast, damage: log.damage, isLossy: log.hasNewDamage }, transfer)
  }

  const read = (later: string): void => {
    try {
      readNext(later)
    } catch (error) {
      reply({ type: 'unread', ...failure(error) })
    }
  }

  const load = (id: number): void => {
    try {
      const bytes = contents.load(id)
      reply({ type: 'loaded', id, bytes, error: undefined }, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer])
      tellLost()
    } catch (error) {
      reply({ type: 'loaded', id, bytes: undefined, ...failure(error) })
    }
  }

  const close = (): void => {
    clearTimeout(retry)
    isClosed = true
    failed.clear()
    commitShort()
    commitLane('large', commitLarge)
    log.close()
    port.close()
  }

  const take = (request: LogRequest): void => {
    if (request.type === 'read') read(request.later)
    else if (request.type === 'load') load(request.id)
    else if (request.type === 'close') close()
    else {
      contents.forget(request.forgotten)
      pending[request.lane] = request
      soon()
    }
  }

  /** Takes what has arrived during a commit. A close comes last. */
  const receive = (): void => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      if ((next.message as LogRequest).type === 'close') setImmediate(close)
      else take(next.message)
    }
  }

  port.on('message', take)
  const values: [string, Uint8Array][] = []
  for (const key of log.keys()) {
    const value = key.startsWith(URGENT) ? log.get(key) : undefined
    if (value !== undefined) values.push([key.slice(URGENT.length), value])
  }
  reply({
    type: 'opened',
    damage: log.damage,
    isLossy: log.hasNewDamage,
    urgent: values,
    sizes: { bytes: log.bytes, liveBytes: log.liveBytes }
  })
}

/** Returns an error with its code, which a message does not carry. */
function failure(error: unknown): { error: Error; code: string | undefined } {
  return { error: error as Error, code: (error as NodeJS.ErrnoException).code }
}
