/**
 * Serves `/api/chunks/JOB`: the states of the chunks of a job. While a job has readers, this peer sends the leader one request a
 * second for all readers of the job.
 */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Peer } from '../api/types.ts'
import { NoSuchJobError, UnsupportedByLeaderError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { ChunkMap } from '../jobs/shared/types.ts'
import { Semaphore } from '../lib/semaphore.ts'
import { isOver } from '../views/states.ts'
import { ChunkPieces } from './chunk-pieces.ts'
import { ChunkReader } from './chunk-reader.ts'
import { encodeEvent } from './event-stream.ts'
import type { Readers } from './readers.ts'

type AskedPeer = Pick<Peer, 'chunkMap' | 'leader' | 'addEventListener' | 'removeEventListener'>

/** The interval of the requests to the leader for one job, in ms. */
const POLL_MS = 1_000
/**
 * The shortest interval between two requests to the leader, for any jobs, in ms. Readers need no token, and may watch many jobs or
 * reconnect often. Without this interval the leader would refuse the many requests (docs/limits.md, `overviewRate`).
 */
const GAP_MS = 40
/** The interval of the heartbeats, in ms. Without heartbeats, proxies would close a connection that is silent for long. */
const HEARTBEAT_MS = 15_000

/** Signals that the peer that was asked no longer leads, because another peer leads. */
const REPLACED = Symbol('another leader')

/** A job that has readers. */
interface Watch {
  readonly jobId: string
  readonly readers: Set<ChunkReader>
  /** The known chunk states, which a new reader receives first. Undefined before the first answer of the leader. */
  pieces: ChunkPieces | undefined
  /** The record version in the previous answer of the leader. */
  since: string | undefined
  readonly stopped: AbortController
}

export class ChunkFeed {
  readonly #peer: AskedPeer
  readonly #readers: Readers
  readonly #logger: Logger
  readonly #watches = new Map<string, Watch>()
  /** The open readers, including readers of ended jobs. */
  readonly #open = new Set<ChunkReader>()
  readonly #turns = new Semaphore(1)
  #heartbeat: NodeJS.Timeout | undefined
  #id = 0

  /** @param readers - the limit on the number of readers, shared with `/api/events` */
  constructor(peer: AskedPeer, readers: Readers, logger: Logger) {
    this.#peer = peer
    this.#readers = readers
    this.#logger = logger
  }

  /** @throws HttpProblem when there are too many readers, or when an earlier request of this connection still waits for its answer */
  subscribe(jobId: string, response: ServerResponse): void {
    const leave = this.#readers.enter(response)
    const watch = this.#watches.get(jobId) ?? this.#begin(jobId)
    const reader = new ChunkReader(response, () => {
      leave()
      this.#open.delete(reader)
      if (this.#open.size === 0) clearInterval(this.#heartbeat)
      watch.readers.delete(reader)
      if (watch.readers.size === 0) this.#end(watch)
    })
    watch.readers.add(reader)
    if (this.#open.size === 0) {
      this.#heartbeat = setInterval(() => {
        for (const each of this.#open) each.beat()
      }, HEARTBEAT_MS)
    }
    this.#open.add(reader)
    if (watch.pieces !== undefined) reader.show(watch.pieces)
  }

  /** Ends all streams, and stops the requests to the leader. */
  stop(): void {
    for (const watch of this.#watches.values()) this.#end(watch)
    for (const reader of this.#open) reader.end()
  }

  #begin(jobId: string): Watch {
    const stopped = new AbortController()
    const watch: Watch = { jobId, readers: new Set(), pieces: undefined, since: undefined, stopped }
    this.#watches.set(jobId, watch)
    void this.#follow(watch)
    return watch
  }

  #end(watch: Watch): void {
    watch.stopped.abort()
    // A newer watch of this job may already be stored.
    if (this.#watches.get(watch.jobId) === watch) this.#watches.delete(watch.jobId)
  }

  async #follow(watch: Watch): Promise<void> {
    const { jobId } = watch
    const { signal } = watch.stopped
    while (!signal.aborted) {
      try {
        const map = await this.#turns.run(signal, () => this.#ask(watch), GAP_MS)
        if (signal.aborted) return
        this.#tell(watch, map)
      } catch (error) {
        if (signal.aborted) return
        if (error === REPLACED) continue
        if (error instanceof NoSuchJobError || error instanceof UnsupportedByLeaderError) {
          this.#finish(watch, 'gone', { jobId, message: error.message })
          return
        }
        // This is normal, because there may be no leader at present.
        this.#logger.debug({ error, jobId }, 'the leader did not answer a question for the chunks')
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  /**
   * Asks the leader for the changes. A paused leader does not answer, but keeps its connections open. So the request ends when
   * another peer becomes the leader.
   *
   * @throws REPLACED when another peer becomes the leader
   */
  async #ask({ jobId, since, stopped }: Watch): Promise<ChunkMap> {
    const replaced = new AbortController()
    let asked = this.#peer.leader?.id
    const onLeader = (): void => {
      const leader = this.#peer.leader?.id
      asked ??= leader
      if (leader !== undefined && leader !== asked) replaced.abort(REPLACED)
    }
    this.#peer.addEventListener('leader', onLeader)
    try {
      const signal = AbortSignal.any([stopped.signal, replaced.signal])
      return await this.#peer.chunkMap(jobId, { since, signal })
    } finally {
      this.#peer.removeEventListener('leader', onLeader)
    }
  }

  #tell(watch: Watch, map: ChunkMap): void {
    const { jobId, state } = map
    if (watch.pieces === undefined || map.reset) watch.pieces = new ChunkPieces(jobId, map, () => ++this.#id)
    else watch.pieces.apply(map)
    watch.since = map.version
    for (const reader of watch.readers) reader.show(watch.pieces)
    if (isOver(state)) this.#finish(watch, 'ended', { jobId, state })
  }

  #finish(watch: Watch, event: string, data: object): void {
    this.#end(watch)
    const last = encodeEvent(++this.#id, event, JSON.stringify(data))
    for (const reader of watch.readers) reader.finish(last)
  }
}
