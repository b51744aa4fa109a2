/** The thread of durable-log.ts. It makes blocking calls, and commits together what has arrived meanwhile. */
import { existsSync, mkdirSync } from 'node:fs'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { FolderDisk } from './disk.ts'
import type { Change } from './frames.ts'
import { KeyValueLog, type LogDamage } from './key-value-log.ts'

/** What the main thread asks. `id` grows with each write. */
export type LogRequest =
  | { type: 'write'; id: number; changes: Change[] }
  /** Asks for the next values. */
  | { type: 'read' }
  | { type: 'close' }

export type LogReply =
  | { type: 'opened'; damage: LogDamage }
  | { type: 'refused'; error: Error }
  /** All writes up to this one are synced. */
  | { type: 'synced'; id: number; bytes: number; ms: number }
  /** The disk takes no writes. They are tried again. */
  | { type: 'failing'; error: Error }
  | { type: 'values'; values: [string, Uint8Array][]; isLast: boolean; damage: LogDamage }

/** The pause before failed writes are tried again, in ms. */
const RETRY_MS = 1_000
/** The bytes of values in one answer, and of changes in one commit: other changes do not wait long for a large one. */
const PART_BYTES = 4 * 2 ** 20

export function serve(port: MessagePort, folder: string): void {
  const reply = (message: LogReply): void => port.postMessage(message)
  let log: KeyValueLog
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    log = KeyValueLog.open(new FolderDisk(folder))
  } catch (error) {
    reply({ type: 'refused', error: error as Error })
    port.close()
    return
  }
  const keys = log.keys()
  const waiting: { id: number; changes: Change[] }[] = []
  let retry: NodeJS.Timeout | undefined

  const commit = (): void => {
    clearTimeout(retry)
    for (let request = receiveMessageOnPort(port); request !== undefined; request = receiveMessageOnPort(port))
      take(request.message)
    const some = waiting.slice(0, countOfNext())
    if (some.length === 0) return
    const began = performance.now()
    try {
      log.commit(some.flatMap(({ changes }) => changes))
    } catch (error) {
      reply({ type: 'failing', error: error as Error })
      retry = setTimeout(commit, RETRY_MS)
      return
    }
    waiting.splice(0, some.length)
    reply({ type: 'synced', id: some.at(-1)!.id, bytes: log.bytes, ms: performance.now() - began })
    if (waiting.length > 0) setImmediate(commit)
  }

  const read = (): void => {
    const values: [string, Uint8Array][] = []
    let bytes = 0
    while (bytes < PART_BYTES) {
      const { value: key, done: isLast = false } = keys.next()
      if (isLast) {
        reply({ type: 'values', values, isLast, damage: log.damage })
        return
      }
      const value = log.get(key)
      if (value !== undefined) values.push([key, value])
      bytes += value?.byteLength ?? 0
    }
    reply({ type: 'values', values, isLast: false, damage: log.damage })
  }

  const take = (request: LogRequest): void => {
    if (request.type === 'write') waiting.push(request)
    else if (request.type === 'read') read()
    else {
      clearTimeout(retry)
      try {
        log.commit(waiting.splice(0).flatMap(({ changes }) => changes))
      } catch (error) {
        reply({ type: 'failing', error: error as Error })
      }
      log.close()
      port.close()
    }
  }

  /** Returns how many of the waiting writes are committed together: at least one. */
  const countOfNext = (): number => {
    let bytes = 0
    const index = waiting.findIndex(({ changes }) => {
      for (const { value } of changes) bytes += value?.byteLength ?? 0
      return bytes > PART_BYTES
    })
    return index === -1 ? waiting.length : Math.max(1, index)
  }

  port.on('message', (request: LogRequest) => {
    take(request)
    if (request.type === 'write' && waiting.length === 1) setImmediate(commit)
  })
  reply({ type: 'opened', damage: log.damage })
}
