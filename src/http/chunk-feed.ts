/** `/api/chunks/JOB`: what becomes of the chunks of a job. One look at the leader a second for all who watch a job, and none while nobody does. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Peer } from '../api.ts'
import { NoSuchJobError } from '../errors.ts'
import type { JobState } from '../jobs/types.ts'
import type { Logger } from '../logger.ts'
import { EventStream, encodeEvent, HEARTBEAT } from './event-stream.ts'
import type { Readers } from './readers.ts'

/** Between two looks at the leader, in ms. */
const POLL_MS = 1_000
/** Proxies take a connection for dead on which nothing comes for long, in ms. */
const HEARTBEAT_MS = 15_000
const ENDS: readonly JobState[] = ['completed', 'failed', 'cancelled']

/** A job that somebody watches. */
interface Watch {
  readonly streams: Set<EventStream>
  /** There is somebody who has had no picture yet: all get a whole one. */
  isNew: boolean
  /** Of the answer before. */
  since: string | undefined
  first: number
  end: number
  readonly stopped: AbortController
}

export class ChunkFeed {
  readonly #peer: Pick<Peer, 'chunkMap'>
  readonly #readers: Readers
  readonly #logger: Logger
  readonly #watches = new Map<string, Watch>()
  #id = 0

  /** @param readers - shared with `/api/events` */
  constructor(peer: Pick<Peer, 'chunkMap'>, readers: Readers, logger: Logger) {
    this.#peer = peer
    this.#readers = readers
    this.#logger = logger
  }

  /** @throws HttpProblem when there are too many already, or another answer comes first on this connection */
  subscribe(jobId: string, response: ServerResponse): void {
    const leave = this.#readers.enter(response)
    let watch = this.#watches.get(jobId)
    const begins = watch === undefined
    watch ??= { streams: new Set(), isNew: true, since: undefined, first: 0, end: 0, stopped: new AbortController() }
    const joined = watch
    const stream = new EventStream(response, () => {
      leave()
      joined.streams.delete(stream)
      if (joined.streams.size === 0) this.#end(jobId, joined)
    })
    joined.streams.add(stream)
    joined.isNew = true
    if (!begins) return
    this.#watches.set(jobId, joined)
    void this.#follow(jobId, joined)
  }

  /** Ends all streams, and looks at the leader no more. */
  stop(): void {
    for (const [jobId, watch] of this.#watches) this.#close(jobId, watch)
  }

  #end(jobId: string, watch: Watch): void {
    watch.stopped.abort()
    // Another one may have begun meanwhile.
    if (this.#watches.get(jobId) === watch) this.#watches.delete(jobId)
  }

  #close(jobId: string, watch: Watch): void {
    this.#end(jobId, watch)
    for (const stream of watch.streams) stream.end()
  }

  async #follow(jobId: string, watch: Watch): Promise<void> {
    const { signal } = watch.stopped
    let heard = performance.now()
    while (!signal.aborted) {
      try {
        if (await this.#look(jobId, watch)) heard = performance.now()
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof NoSuchJobError) {
          this.#send(watch, 'gone', { jobId })
          this.#close(jobId, watch)
          return
        }
        // There may be no leader at the moment.
        this.#logger.debug({ error, jobId }, 'the leader did not say what has become of the chunks')
      }
      if (performance.now() - heard >= HEARTBEAT_MS) {
        for (const stream of watch.streams) stream.send(HEARTBEAT)
        heard = performance.now()
      }
      if (signal.aborted) return
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** @returns whether there was anything to tell */
  async #look(jobId: string, watch: Watch): Promise<boolean> {
    const whole = watch.isNew
    watch.isNew = false
    let map: Awaited<ReturnType<Peer['chunkMap']>>
    try {
      const since = whole ? undefined : watch.since
      map = await this.#peer.chunkMap(jobId, { since, signal: watch.stopped.signal })
    } catch (error) {
      watch.isNew ||= whole
      throw error
    }
    if (watch.stopped.signal.aborted) return false
    const { state, version, reset, first, end, peers, runs } = map
    const isOver = ENDS.includes(state)
    const isNews = reset || runs.length > 0 || first !== watch.first || end !== watch.end || isOver
    Object.assign(watch, { since: version, first, end })
    if (isNews) this.#send(watch, 'chunks', { jobId, reset, first, end, peers, runs })
    // Who came while the leader was asked has had no whole picture.
    if (isOver && !watch.isNew) {
      this.#send(watch, 'ended', { jobId, state })
      this.#close(jobId, watch)
    }
    return isNews
  }

  #send(watch: Watch, event: string, data: object): void {
    const encoded = encodeEvent(++this.#id, event, JSON.stringify(data))
    for (const stream of watch.streams) stream.send(encoded)
  }
}
