/** Serves `/api/events`. While there are readers, this peer sends the leader one request a second for all readers. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { eventJson, followPeer, memberFields } from '../api/peer-events.ts'
import { statusJson } from '../api/status-json.ts'
import type { ClusterStatus, Peer } from '../api/types.ts'
import type { Logger } from '../common/logger.ts'
import { EventStream, encodeEvent, HEARTBEAT } from './event-stream.ts'
import { JobTracker } from './job-tracker.ts'
import type { Readers } from './readers.ts'
import type { SharedStatus } from './shared-status.ts'

/** The interval of the requests to the leader, in ms. */
const POLL_MS = 1_000
/**
 * The interval of the heartbeats, in ms. A reader treats this peer as lost after a few missing heartbeats, because a paused peer
 * keeps its connections open.
 */
const HEARTBEAT_MS = 1_000
/** Fields that change all the time. A status that differs only in these fields is not sent. */
const VOLATILE = new Set(['ageMs', 'rttMs', 'leaderlessMs'])

/** The state that exists while there are readers. */
interface Run {
  readonly tracker: JobTracker
  /** The newest status that was sent, without the volatile fields, for comparison. */
  key: string
  latest: Buffer | undefined
  stop(): void
}

export class EventFeed {
  readonly #peer: Peer
  readonly #status: SharedStatus
  readonly #readers: Readers
  readonly #logger: Logger
  readonly #streams = new Set<EventStream>()
  /** New readers that have not received a status yet. They receive no event before the status. */
  readonly #waiting = new Set<EventStream>()
  #run: Run | undefined
  #id = 0

  /** @param readers - the limit on the number of readers, shared with `/api/chunks` */
  constructor(peer: Peer, status: SharedStatus, readers: Readers, logger: Logger) {
    this.#peer = peer
    this.#status = status
    this.#readers = readers
    this.#logger = logger
  }

  /** @throws HttpProblem when there are too many readers, or when an earlier request of this connection still waits for its answer */
  subscribe(response: ServerResponse): void {
    const leave = this.#readers.enter(response)
    const stream = new EventStream(response, () => {
      leave()
      this.#left(stream)
    })
    this.#streams.add(stream)
    const run = this.#run ?? this.#begin()
    if (run.latest === undefined) this.#waiting.add(stream)
    else stream.send(run.latest)
  }

  /**
   * Ends all streams, and stops the requests to the leader. A reader that does not read the end of its stream does not delay
   * the stop.
   */
  stop(): void {
    for (const stream of this.#streams) stream.end()
    this.#end()
  }

  #left(stream: EventStream): void {
    this.#streams.delete(stream)
    this.#waiting.delete(stream)
    if (this.#streams.size === 0) this.#end()
  }

  #end(): void {
    this.#run?.stop()
    this.#run = undefined
  }

  #begin(): Run {
    const stopped = new AbortController()
    let isTold = false
    const tracker = new JobTracker((jobId, state) => this.#send('job', { jobId, state }))
    const unfollow = followPeer(this.#peer, {
      // The status contains the initial state, so no events are sent for it.
      member: member => isTold && this.#send('member', memberFields(member)),
      leader: (peerId, epoch) => isTold && this.#send('leader', { peerId, epoch }),
      job: (jobId, state) => tracker.heard(jobId, state, this.#peer.leader)
    })
    isTold = true
    const heartbeat = setInterval(() => {
      for (const stream of this.#streams) stream.send(HEARTBEAT)
    }, HEARTBEAT_MS)
    const run: Run = {
      tracker,
      key: '',
      latest: undefined,
      stop() {
        stopped.abort()
        clearInterval(heartbeat)
        unfollow()
      }
    }
    this.#run = run
    void this.#poll(run, stopped.signal)
    return run
  }

  async #poll(run: Run, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const asked = run.tracker.asks()
      try {
        const status = await this.#status.get()
        if (!signal.aborted) this.#onStatus(run, status, asked)
      } catch (error) {
        if (!signal.aborted) this.#logger.debug({ error }, 'the leader did not answer a question for its jobs')
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  #onStatus(run: Run, status: ClusterStatus, asked: number): void {
    const json = statusJson(status)
    const key = JSON.stringify(json, (name, value: unknown) => (VOLATILE.has(name) ? undefined : value))
    const isNews = key !== run.key
    // The events of jobs precede the status that contains them.
    run.tracker.answered(status.jobs, status.leader, asked)
    if (isNews) this.#id += 1
    const encoded = encodeEvent(this.#id, 'status', JSON.stringify(json))
    run.key = key
    run.latest = encoded
    for (const stream of this.#streams) if (isNews || this.#waiting.has(stream)) stream.send(encoded)
    this.#waiting.clear()
  }

  #send(event: string, fields: object): void {
    // The next reader receives a newer status, which includes this event.
    if (this.#run !== undefined) this.#run.latest = undefined
    const encoded = encodeEvent(++this.#id, event, eventJson(event, fields))
    for (const stream of this.#streams) if (!this.#waiting.has(stream)) stream.send(encoded)
  }
}
