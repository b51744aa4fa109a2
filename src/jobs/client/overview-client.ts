import { setTimeout as delay } from 'node:timers/promises'
import { NoSuchJobError, P2pWorkerError, StoppedError, UnsupportedByLeaderError } from '../../common/errors.ts'
import { PendingRequests } from '../../network/channel/pending-requests.ts'
import type { AbortOptions, Channel, PeerIdString } from '../../network/types.ts'
import type { ChunkPiece, ChunkQuestion } from '../protocol/chunk-map-messages.ts'
import type { Overview, OverviewMessage } from '../protocol/overview-messages.ts'
import type { ChunkMap } from '../shared/types.ts'
import { type LeaderSource, waitForLeader } from './leader-source.ts'
import { LeaderTimeout } from './leader-timeout.ts'

/** The pause before the client asks the leader again, in ms. */
const RETRY_MS = 100
/** The most pieces that the client requests. A whole chunk map has at most 17 pieces ({@link RUNS_A_PIECE}), so only a broken leader sends more. */
const MOST_PIECES = 64
/**
 * Pause between two pieces, in ms: a client that sends more than `overviewRate` messages a second (docs/limits.md)
 * counts as a flood.
 */
const PIECE_GAP_MS = 20

type Answer = Exclude<OverviewMessage, { type: 'request' | 'not-leader' }>

/** Asks the leader for its overview and for chunk maps. */
export class OverviewClient {
  readonly #leaderSource: LeaderSource
  readonly #open: (leader: PeerIdString, options: AbortOptions) => Promise<Channel<OverviewMessage>>
  readonly #requests = new PendingRequests<OverviewMessage, Answer>()
  readonly #stopped = new AbortController()

  constructor(parts: {
    leaderSource: LeaderSource
    open(leader: PeerIdString, options: AbortOptions): Promise<Channel<OverviewMessage>>
  }) {
    this.#leaderSource = parts.leaderSource
    this.#open = parts.open
  }

  /**
   * Asks the present leader, and then each next leader, until a leader answers. Rejects with the reason of the signal.
   *
   * @throws NoClusterError when the leader is known and did not answer for 10 s
   */
  async ask(signal?: AbortSignal): Promise<Overview> {
    const answer = await this.#ask(undefined, signal)
    // The request does not ask for a chunk map, so the leader answers with an overview.
    if (answer.type !== 'overview') throw new P2pWorkerError('the leader answered another question than it was asked')
    return answer.overview
  }

  /**
   * Returns the state of each chunk of a job, or the changes since an earlier answer. Asks leaders as {@link ask} does.
   *
   * @param since - the version of an earlier answer
   * @throws NoSuchJobError when the leader knows no such job, or only how it ended; UnsupportedByLeaderError when it has no chunk maps;
   *   NoClusterError when it is known and did not answer for 10 s
   */
  async chunkMap(job: string, since = '', signal?: AbortSignal): Promise<ChunkMap> {
    for (;;) {
      const question = { job, ...parseVersion(since), from: 0 }
      const first = await this.#askPiece(question, signal)
      const { source, version, state, whole, end } = first
      const runs = first.runs
      let last = first
      for (let pieces = 1; last.next !== undefined; pieces++) {
        const from: number = last.next
        await this.#pause(PIECE_GAP_MS, signal)
        const piece = await this.#askPiece({ job, source, since: whole ? 0 : question.since, from }, signal)
        if (piece.next !== undefined && (piece.next <= from || pieces === MOST_PIECES))
          throw new P2pWorkerError(
            `the leader repeats the chunks of job ${job} without end: this is a bug of that peer`
          )
        last = piece
        // Another source means another leader, or a job that has just begun: start again with the new record.
        if (piece.source !== source) break
        for (const number of piece.runs) runs.push(number)
      }
      if (last.source !== source) {
        await this.#pause(RETRY_MS, signal)
        continue
      }
      // The last pieces may include chunks that were added after the first piece was sent.
      const now = { first: last.first, end: Math.max(end, last.end), peers: [...last.peers] }
      return { jobId: job, state, version: `${version}:${source}`, reset: whole, ...now, runs: within(runs, now.first) }
    }
  }

  async #askPiece(question: ChunkQuestion, signal: AbortSignal | undefined): Promise<ChunkPiece> {
    const answer = await this.#ask(question, signal)
    if (answer.type === 'unknown') throw new NoSuchJobError(question.job, answer.end)
    if (answer.type === 'chunk-map') return answer.piece
    throw new UnsupportedByLeaderError(
      'the leader runs an older version of p2p-worker, which cannot tell what has become of each chunk: update it'
    )
  }

  /** Resolves with the first answer of any leader. */
  async #ask(chunks: ChunkQuestion | undefined, signal: AbortSignal | undefined): Promise<Answer> {
    const stopped = this.#stopped.signal
    const either = signal === undefined ? stopped : AbortSignal.any([stopped, signal])
    const patience = new LeaderTimeout()
    for (;;) {
      const leader = await waitForLeader(this.#leaderSource, { signal: either })
      patience.calls(leader)
      try {
        const channel = await this.#open(leader.id, { signal: either })
        return await this.#requests.send(channel, id => ({ id, type: 'request', chunks }), either)
      } catch (error) {
        either.throwIfAborted()
        patience.failed(error)
      }
      await this.#pause(RETRY_MS, either)
    }
  }

  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }

  onMessage(message: OverviewMessage, channel: Channel<OverviewMessage>): void {
    const request = this.#requests.get(message.id, channel)
    if (request === undefined || message.type === 'request') return
    if (message.type !== 'not-leader') request.resolve(message)
    else request.reject(new P2pWorkerError(`${channel.remote} does not lead`))
  }

  stop(): void {
    this.#stopped.abort(new StoppedError('this process was stopped while it asked the leader'))
  }
}

/** Parses the version of an earlier answer; any other text asks for the whole map. */
function parseVersion(text: string): Pick<ChunkQuestion, 'source' | 'since'> {
  const [, since = '0', source = ''] = /^(\d{1,15}):(.{1,400})$/s.exec(text) ?? []
  return { source, since: Number(since) }
}

/** Drops the runs of chunks before `first`: the record has dropped them while its pieces were sent. */
function within(runs: number[], first: number): number[] {
  if (runs.length === 0 || runs[0]! >= first) return runs
  const kept: number[] = []
  for (let at = 0; at < runs.length; at += 3) {
    const start = Math.max(runs[at]!, first)
    const length = runs[at]! + runs[at + 1]! - start
    if (length > 0) kept.push(start, length, runs[at + 2]!)
  }
  return kept
}
