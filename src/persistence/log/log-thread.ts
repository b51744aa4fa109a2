/** The thread of durable-log.ts. It makes blocking calls. */
import { existsSync, mkdirSync } from 'node:fs'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ContentLog, type StoreChange, type Stored } from './content-log.ts'
import { FolderDisk } from './disk.ts'
import type { Change } from './frames.ts'
import { KeyValueLog, type LogDamage } from './key-value-log.ts'
import { LogVersionError } from './segment.ts'

/** Which changes wait for each other: urgent ones are small, and wait for no large content. */
export type Lane = 'urgent' | 'bulk'

/** What the main thread asks. It asks for the next write of a lane when the one before is synced, or in place of one that fails. */
export type LogRequest =
  /** Each key is changed once. `forgotten`: contents whose bytes come along if they are written again. */
  | { type: 'write'; id: number; lane: Lane; changes: StoreChange[]; forgotten: number[] }
  /** Asks for the next values of the bulk lane. */
  | { type: 'read' }
  | { type: 'close' }

type Write = Extract<LogRequest, { type: 'write' }>

/** The sizes of the files, and of what is not deleted or replaced in them, in bytes. */
export interface LogSizes {
  bytes: number
  liveBytes: number
}

export type LogReply =
  /** `urgent`: all values of the urgent lane. */
  | { type: 'opened'; damage: LogDamage; urgent: [string, Uint8Array][]; sizes: LogSizes }
  /** `isNewer`: a newer version wrote the log. */
  | { type: 'refused'; error: Error; isNewer: boolean }
  /** The write is synced. `ms`: how long its last commit took. */
  | { type: 'synced'; id: number; lane: Lane; sizes: LogSizes; ms: number }
  /** A part of the write of the bulk lane is synced. */
  | { type: 'progress' }
  /** The disk does not take the write. It is tried again. */
  | { type: 'failing'; id: number; lane: Lane; error: Error }
  /** `lost`: the keys of values that cannot be read. */
  | { type: 'values'; values: [string, Stored][]; lost: string[]; isLast: boolean; damage: LogDamage }

/** The pause before a failed write is tried again, in ms. */
const RETRY_MS = 1_000
/** The bytes of values in one answer. */
const ANSWER_BYTES = 4 * 2 ** 20
/** The prefix of the keys of the urgent lane. */
const URGENT = 'u/'

function urgentChanges(write: Write | undefined): Change[] {
  return write?.changes.map(({ key, value }) => ({ key: URGENT + key, value })) ?? []
}

export function serve(port: MessagePort, folder: string): void {
  const reply = (message: LogReply, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  let log: KeyValueLog
  let contents: ContentLog
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    log = KeyValueLog.open(new FolderDisk(folder))
    contents = new ContentLog(log)
  } catch (error) {
    reply({ type: 'refused', error: error as Error, isNewer: error instanceof LogVersionError })
    port.close()
    return
  }
  const keys = contents.keys()
  let urgent: Write | undefined
  let bulk: Write | undefined
  /** The urgent changes in the commit that was begun last. */
  let riding: Write | undefined
  let began = 0
  let retry: NodeJS.Timeout | undefined
  let isDue = false
  let isClosed = false

  const sizes = (): LogSizes => ({ bytes: log.bytes, liveBytes: log.liveBytes })
  const synced = ({ id, lane }: Write): void =>
    reply({ type: 'synced', id, lane, sizes: sizes(), ms: performance.now() - began })

  /** Tells that the commit with the riding changes has ended. */
  const landed = (): void => {
    if (riding !== undefined) synced(riding)
    riding = undefined
  }

  /** Returns the urgent changes that have arrived, for the next commit. */
  const board = (): Change[] => {
    landed()
    receive()
    riding = urgent
    urgent = undefined
    began = performance.now()
    return urgentChanges(riding)
  }

  /** Runs a commit. Returns whether it succeeded. If not, it is tried again. */
  const tries = ({ id, lane }: Write, commit: () => void): boolean => {
    try {
      commit()
      landed()
      return true
    } catch (error) {
      urgent ??= riding
      riding = undefined
      if (!isClosed) retry ??= setTimeout(again, RETRY_MS)
      reply({ type: 'failing', id, lane, error: error as Error })
      return false
    }
  }

  const commit = (): void => {
    isDue = false
    if (isClosed) return
    const step = (): Change[] => {
      reply({ type: 'progress' })
      return board()
    }
    const due = retry === undefined ? bulk : undefined
    if (due !== undefined && tries(due, () => contents.commit(due.changes, step))) {
      synced(due)
      // Another write may have taken its place meanwhile.
      if (bulk === due) bulk = undefined
    } else {
      // What does not fit with a large content may fit alone.
      receive()
      if (urgent !== undefined) tries(urgent, () => log.commit(board()))
    }
  }

  const again = (): void => {
    retry = undefined
    commit()
  }

  const soon = (): void => {
    if (!isDue && !isClosed) setImmediate(commit)
    isDue = true
  }

  const read = (): void => {
    const values: [string, Stored][] = []
    const lost: string[] = []
    const transfer: ArrayBuffer[] = []
    let bytes = 0
    let isLast = false
    while (bytes < ANSWER_BYTES && !isLast) {
      const next = keys.next()
      isLast = next.done === true
      const stored = isLast ? undefined : contents.get(next.value)
      if (stored === undefined) {
        if (!isLast) lost.push(next.value)
        continue
      }
      values.push([next.value, stored])
      for (const content of stored.contents) {
        transfer.push(content.buffer as ArrayBuffer)
        bytes += content.byteLength
      }
      bytes += stored.value.byteLength
    }
    reply({ type: 'values', values, lost, isLast, damage: log.damage }, transfer)
  }

  const close = (): void => {
    clearTimeout(retry)
    isClosed = true
    if (urgent !== undefined) tries(urgent, () => log.commit(board()))
    const last = bulk
    if (last !== undefined && tries(last, () => contents.commit(last.changes))) synced(last)
    log.close()
    port.close()
  }

  const take = (request: LogRequest): void => {
    if (request.type === 'read') read()
    else if (request.type === 'close') close()
    else {
      contents.forget(request.forgotten)
      if (request.lane === 'bulk') bulk = request
      else urgent = request
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
  reply({ type: 'opened', damage: log.damage, urgent: values, sizes: sizes() })
}
