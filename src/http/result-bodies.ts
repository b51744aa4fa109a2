/**
 * Converts a job's result into an HTTP body. A result may have hundreds of megabytes, and may grow when it is decoded. The main thread,
 * which answers pings and renews the lease, converts only small results. A separate thread converts larger results, one result at a
 * time.
 */
import { setImmediate } from 'node:timers/promises'
import { InvalidMessageError, JsonTooLargeError } from '../common/errors.ts'
import { Semaphore } from '../lib/semaphore.ts'
import type { ResultEnd } from '../tasks/execute/messages.ts'
import { ThreadPool } from '../tasks/execute/thread-pool.ts'
import { decode } from '../tasks/values/payload.ts'
import { rawBytes, toJson } from '../tasks/values/tagged-json.ts'

/** The most characters of a result as JSON. */
export const MOST_JSON = 2 ** 26
/** The largest result that the main thread converts, in bytes and in characters. */
const SMALL = 16 * 2 ** 10
const SMALL_JSON = 256 * 2 ** 10
/** The number of bytes to copy at a time. */
const PIECE = 4 * 2 ** 20

export interface ResultBody {
  type: 'application/json' | 'application/octet-stream'
  body: Uint8Array
}

export class ResultBodies {
  readonly #turns = new Semaphore(1)
  readonly #pool = new ThreadPool({
    threads: 1,
    settings: { external: [], cwd: process.cwd(), lenient: true },
    keep: false
  })

  /**
   * @param signal - aborts the conversion
   * @throws JsonTooLargeError when the JSON is too large; InvalidMessageError when the bytes are not an encoded value; the signal's reason
   */
  async bodyOf(encoded: Uint8Array, signal: AbortSignal): Promise<ResultBody> {
    return smallBody(encoded) ?? (await this.#turns.run(signal, () => this.#inThread(encoded, signal)))
  }

  async stop(): Promise<void> {
    await this.#pool.stop()
  }

  async #inThread(encoded: Uint8Array, signal: AbortSignal): Promise<ResultBody> {
    // The leader keeps these bytes, so this peer copies the bytes instead of transferring them to the thread.
    const own = await copyOf(encoded, signal)
    let body: Uint8Array | undefined
    const end = await this.#pool.call({
      handler: 'runResult',
      data: { encoded: own, mostJson: MOST_JSON },
      transfer: [own.buffer],
      signal,
      onMessage(message) {
        if (message.type === 'reply' && message.value.type === 'bytes') body = message.value.bytes
      }
    }).ended
    if (end.type === 'cancelled') throw end.reason
    // The thread ran out of memory on this value.
    if (end.type === 'died') throw new JsonTooLargeError(`the result could not be encoded: ${end.why}`)
    const made = end.result as ResultEnd
    if (made.type === 'too-large') throw new JsonTooLargeError(made.message)
    if (made.type === 'invalid') throw new InvalidMessageError(made.message)
    return { type: made.type === 'json' ? 'application/json' : 'application/octet-stream', body: body as Uint8Array }
  }
}

/** Converts a small result. Returns undefined when the result needs a separate thread. */
function smallBody(encoded: Uint8Array): ResultBody | undefined {
  if (encoded.byteLength > SMALL) return undefined
  const value = decode(encoded, 'result')
  const raw = rawBytes(value)
  if (raw !== undefined) return { type: 'application/octet-stream', body: raw }
  try {
    return { type: 'application/json', body: Buffer.from(toJson(value, 0, SMALL_JSON)) }
  } catch (error) {
    if (error instanceof JsonTooLargeError) return undefined
    throw error
  }
}

async function copyOf(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    if (at > 0) await setImmediate()
    signal.throwIfAborted()
    copy.set(bytes.subarray(at, at + PIECE), at)
  }
  return copy
}
