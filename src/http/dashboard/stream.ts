/**
 * Follows a stream of server-sent events, and reconnects after a loss. It uses `fetch`, because `EventSource` hides the heartbeats of the
 * peer and the status of an answer. The page needs the heartbeats: a paused peer keeps its connections open, and only its silence shows
 * the pause.
 */
import { EventParser, type StreamEvent } from './model/event-stream.ts'

export interface Patience {
  /** How long a peer may be silent before the page shows the peer as lost, in ms. */
  silence: number
  /** How long a peer may be silent before the page reconnects, in ms. */
  givenUp: number
  /** The interval at which the page checks for silence, in ms. */
  check: number
}

/** The limits for a stream with data every second. */
export const EVERY_SECOND: Patience = { silence: 2_300, givenUp: 8_000, check: 200 }
/** The shortest time between two attempts, in ms. */
const LEAST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

const SILENT = 'it has stopped sending'

export interface StreamListener {
  /** A new connection has started. The complete state of the peer follows. */
  opened(): void
  event(event: StreamEvent): void
  /** The silent peer sends data again. */
  found(): void
  /** The peer is silent or gone. `since` is the time of its last data, in ms since the epoch. */
  lost(since: number, why: string): void
  /**
   * The peer does not have the stream, so the page does not repeat the request. Leave this undefined if every peer has the stream.
   * Then an answer 404 comes from another server, and the page repeats the request.
   */
  missing?: () => void
}

/** @param signal - stops following */
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
      // If the listener threw, the connection is still open.
      attempt.abort()
    }
    await pause(wait, signal)
    wait = Math.min(MOST_WAIT_MS, wait * 2)
  }
}

/** @returns why the stream ended, or undefined if the peer does not have the stream */
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

/** Returns the reason from the answer of a peer that starts, leaves or has too many readers. */
async function reasonIn(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { message?: string } }
    if (typeof error?.message === 'string') return error.message
  } catch {
    // A proxy between the page and the peer may send an answer that is not JSON.
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
