/** `/api/events`: one question to the leader a second for all readers, and none without readers. */
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

/** Between two looks at the leader, in ms. */
const POLL_MS = 1_000
/** A reader takes this peer for gone when nothing comes for a few of these, in ms: a peer that is paused keeps its connections. */
const HEARTBEAT_MS = 1_000
/** These change all the time by themselves: a status that differs in nothing else is no news. */
const VOLATILE = new Set(['ageMs', 'rttMs', 'leaderlessMs'])

/** What runs while somebody reads. */
interface Run {
  readonly tracker: JobTracker
  /** The newest status that was sent, without what is volatile. */
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
  /** Those who have had no status yet: they get nothing before it. */
  readonly #waiting = new Set<EventStream>()
  #run: Run | undefined
  #id = 0

  /** @param readers - shared with `/api/chunks` */
  constructor(peer: Peer, status: SharedStatus, readers: Readers, logger: Logger) {
    this.#peer = peer
    this.#status = status
    this.#readers = readers
    this.#logger = logger
  }

  /** @throws HttpProblem when there are too many already, or another answer comes first on this connection */
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

  /** Ends all streams, and looks at the leader no more; a reader that does not take the end of its stream keeps nothing else waiting. */
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
      // How things are at first is in the status.
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
        if (!signal.aborted) this.#logger.debug({ error }, 'the leader did not say how things are')
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  #onStatus(run: Run, status: ClusterStatus, asked: number): void {
    const json = statusJson(status)
    const key = JSON.stringify(json, (name, value: unknown) => (VOLATILE.has(name) ? undefined : value))
    const isNews = key !== run.key
    // What the jobs have become comes before the status that shows it.
    run.tracker.answered(status.jobs, status.leader, asked)
    if (isNews) this.#id += 1
    const encoded = encodeEvent(this.#id, 'status', JSON.stringify(json))
    run.key = key
    run.latest = encoded
    for (const stream of this.#streams) if (isNews || this.#waiting.has(stream)) stream.send(encoded)
    this.#waiting.clear()
  }

  #send(event: string, fields: object): void {
    // The next reader gets a status that includes this event.
    if (this.#run !== undefined) this.#run.latest = undefined
    const encoded = encodeEvent(++this.#id, event, eventJson(event, fields))
    for (const stream of this.#streams) if (!this.#waiting.has(stream)) stream.send(encoded)
  }
}
