/**
 * Follows a stream of server-sent events for as long as it is wanted. It reads by `fetch` rather than `EventSource`, which shows neither the peer's heartbeats nor
 * the status of an answer: a peer that is paused keeps its connections, and only its silence tells.
 */
import { EventParser, type StreamEvent } from './model/event-stream.ts'

export interface Patience {
  /** How long a peer may be silent before it counts as lost, in ms. */
  silence: number
  /** How long until the connection is replaced, in ms. */
  givenUp: number
  /** How often silence is looked at, in ms. */
  check: number
}

/** Of a peer that sends something each second. */
export const EVERY_SECOND: Patience = { silence: 2_300, givenUp: 8_000, check: 200 }
/** Between two attempts, in ms. */
const LEAST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

const SILENT = 'it says nothing any more'

export interface StreamListener {
  /** A connection of its own begins, and with it the whole story. */
  opened(): void
  event(event: StreamEvent): void
  /** The peer speaks again. */
  found(): void
  /** It is silent, or gone, since it last said something (ms since the epoch). */
  lost(since: number, why: string): void
  /** The peer has no such stream, and is not asked again. Undefined: every peer has the stream, so the answer 404 comes from something in its place. */
  missing?: () => void
}

/** @param signal - ends it */
export async function follow(
  url: string,
  listener: StreamListener,
  { silence, givenUp, check }: Patience,
  signal: AbortSignal
): Promise<void> {
  let wait = LEAST_WAIT_MS
  let heard = Date.now()
  let isLost = false
  const lose = (why: string): void => {
    isLost = true
    listener.lost(heard, why)
  }
  const hear = (): void => {
    heard = Date.now()
    wait = LEAST_WAIT_MS
    if (!isLost) return
    isLost = false
    listener.found()
  }
  while (!signal.aborted) {
    const attempt = new AbortController()
    const onAbort = (): void => attempt.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    const began = Date.now()
    const watch = setInterval(() => {
      const silent = Date.now() - Math.max(heard, began)
      if (!isLost && Date.now() - heard > silence) lose(SILENT)
      if (silent > givenUp) attempt.abort()
    }, check)
    try {
      const why = await read(url, attempt.signal, listener, hear)
      if (why === undefined) return
      if (!signal.aborted) lose(why)
    } catch {
      if (!signal.aborted) lose(attempt.signal.aborted ? SILENT : 'it cannot be reached')
    } finally {
      clearInterval(watch)
      signal.removeEventListener('abort', onAbort)
      // Where the listener could not take what came, the connection is still there.
      attempt.abort()
    }
    await pause(wait, signal)
    wait = Math.min(MOST_WAIT_MS, wait * 2)
  }
}

/** @returns why it ended; undefined: there is nothing to follow */
async function read(
  url: string,
  signal: AbortSignal,
  listener: StreamListener,
  hear: () => void
): Promise<string | undefined> {
  const response = await fetch(url, { signal, cache: 'no-store', headers: { Accept: 'text/event-stream' } })
  if (!response.ok || response.body === null) {
    if (response.status !== 404 || listener.missing === undefined) return await reasonIn(response)
    listener.missing()
    return undefined
  }
  listener.opened()
  const parser = new EventParser()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return 'it ended the connection'
    hear()
    for (const event of parser.push(value)) listener.event(event)
  }
}

/** What a peer says that starts, leaves or has too many readers. */
async function reasonIn(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { message?: string } }
    if (typeof error?.message === 'string') return error.message
  } catch {
    // What stands between the page and the peer answers as it likes.
  }
  return `it answers ${response.status}`
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}
