/** `/api/chunks/JOB`: what becomes of the chunks of a job. One look at the leader a second for all who watch a job, and none while nobody does. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Peer } from '../api.ts'
import { type ChunkChanges, ChunkRecord } from '../chunk-record.ts'
import { NoSuchJobError, UnsupportedByLeaderError } from '../errors.ts'
import type { ChunkMap, JobState } from '../jobs/types.ts'
import type { Logger } from '../logger.ts'
import { EventStream, encodeEvent, HEARTBEAT } from './event-stream.ts'
import type { Readers } from './readers.ts'
import { Turns } from './turns.ts'

type AskedPeer = Pick<Peer, 'chunkMap' | 'addEventListener' | 'removeEventListener'>

/** Between two looks at the leader for one job, in ms. */
const POLL_MS = 1_000
/**
 * Between two questions for whatever jobs, in ms. Who reads needs no token, and may watch a job for each stream, or come and go: the leader must
 * not take this peer for a flood because of that (docs/limits.md, `overviewRate`).
 */
const GAP_MS = 40
/** Proxies take a connection for dead on which nothing comes for long, in ms. */
const HEARTBEAT_MS = 15_000
const ENDS: readonly JobState[] = ['completed', 'failed', 'cancelled']

/** A job that somebody watches. */
interface Watch {
  readonly jobId: string
  readonly streams: Set<EventStream>
  /** What was told so far: whoever comes later begins with it. */
  record: ChunkRecord | undefined
  /** Of the answer before. */
  since: string | undefined
  readonly stopped: AbortController
}

export class ChunkFeed {
  readonly #peer: AskedPeer
  readonly #readers: Readers
  readonly #logger: Logger
  readonly #watches = new Map<string, Watch>()
  readonly #turns = new Turns(GAP_MS)
  #id = 0

  /** @param readers - shared with `/api/events` */
  constructor(peer: AskedPeer, readers: Readers, logger: Logger) {
    this.#peer = peer
    this.#readers = readers
    this.#logger = logger
  }

  /** @throws HttpProblem when there are too many already, or another answer comes first on this connection */
  subscribe(jobId: string, response: ServerResponse): void {
    const leave = this.#readers.enter(response)
    const watch = this.#watches.get(jobId) ?? this.#begin(jobId)
    const stream = new EventStream(response, () => {
      leave()
      watch.streams.delete(stream)
      if (watch.streams.size === 0) this.#end(watch)
    })
    watch.streams.add(stream)
    if (watch.record !== undefined) stream.send(this.#picture(jobId, true, watch.record.since(0)))
  }

  /** Ends all streams, and looks at the leader no more. */
  stop(): void {
    for (const watch of this.#watches.values()) this.#close(watch)
  }

  #begin(jobId: string): Watch {
    const stopped = new AbortController()
    const watch: Watch = { jobId, streams: new Set(), record: undefined, since: undefined, stopped }
    this.#watches.set(jobId, watch)
    const heartbeat = setInterval(() => this.#send(watch, HEARTBEAT), HEARTBEAT_MS)
    stopped.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true })
    void this.#follow(watch)
    return watch
  }

  #end(watch: Watch): void {
    watch.stopped.abort()
    // Another one may have begun meanwhile.
    if (this.#watches.get(watch.jobId) === watch) this.#watches.delete(watch.jobId)
  }

  #close(watch: Watch): void {
    this.#end(watch)
    for (const stream of watch.streams) stream.end()
  }

  async #follow(watch: Watch): Promise<void> {
    const { jobId } = watch
    const { signal } = watch.stopped
    while (!signal.aborted) {
      try {
        const map = await this.#turns.take(signal, () => this.#ask(watch))
        if (signal.aborted) return
        this.#tell(watch, map)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof NoSuchJobError || error instanceof UnsupportedByLeaderError) {
          this.#send(watch, encodeEvent(++this.#id, 'gone', JSON.stringify({ jobId, message: error.message })))
          this.#close(watch)
          return
        }
        // There may be no leader at the moment.
        this.#logger.debug({ error, jobId }, 'the leader did not say what has become of the chunks')
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** A leader that is paused answers nothing, for as long as its connections last: it is asked no more when another one leads. */
  async #ask({ jobId, since, stopped }: Watch): Promise<ChunkMap> {
    const changed = new AbortController()
    const onLeader = (): void => changed.abort()
    this.#peer.addEventListener('leader', onLeader)
    try {
      const signal = AbortSignal.any([stopped.signal, changed.signal])
      return await this.#peer.chunkMap(jobId, { since, signal })
    } finally {
      this.#peer.removeEventListener('leader', onLeader)
    }
  }

  #tell(watch: Watch, map: ChunkMap): void {
    const { jobId } = watch
    const { state, version, reset } = map
    const { first, end } = watch.record ?? {}
    if (watch.record === undefined || reset) watch.record = ChunkRecord.from(map)
    else watch.record.apply(map)
    watch.since = version
    const isOver = ENDS.includes(state)
    if (reset || map.runs.length > 0 || map.first !== first || map.end !== end || isOver)
      this.#send(watch, this.#picture(jobId, reset, map))
    if (!isOver) return
    this.#send(watch, encodeEvent(++this.#id, 'ended', JSON.stringify({ jobId, state })))
    this.#close(watch)
  }

  #picture(jobId: string, reset: boolean, { first, end, peers, runs }: ChunkChanges): Buffer {
    return encodeEvent(++this.#id, 'chunks', JSON.stringify({ jobId, reset, first, end, peers, runs }))
  }

  #send({ streams }: Watch, data: Buffer): void {
    for (const stream of streams) stream.send(data)
  }
}
