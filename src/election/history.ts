/** Asks peers for the leaderships that they have seen, and merges their answers (protocol "history"). */

import pDefer from 'p-defer'
import { InvalidMessageError } from '../common/errors.ts'
import { signalAfter } from '../lib/abort.ts'
import type { Codec, Network, PeerIdString, Protocol } from '../network/types.ts'
import { HistoryMessage as Wire } from '../wire/election.gen.ts'
import { END_REASONS, type EndReason, type LeadershipRecord, MOST_RECORDS } from './audit-log.ts'
import { MAX_EPOCH } from './core/messages.ts'
import { checkPeerId } from './statements.ts'

/** A request or, with `records`, the answer to a request. The peer that asks chooses `id`. */
interface HistoryMessage {
  id: number
  records?: LeadershipRecord[]
}

/** One leadership, as the peers that answered have seen it. Times are in ms since the Unix epoch. */
export interface PastLeadership {
  /** The PeerId of the leader. */
  leader: PeerIdString
  /** The epoch of the leadership. */
  epoch: number
  /** When the first peer accepted the leadership, by the wall clock of that peer. */
  from: number
  /** When the leadership ended for its leader or, if the leader did not answer, for its last follower. Undefined while the leadership lasts. */
  until: number | undefined
  /** Why the leadership ended, as seen by the peer that reported `until`. */
  why: EndReason | undefined
  /** The number of peers whose answers contain the leadership. */
  seenBy: number
}

/** The answer of one peer. */
export interface Told {
  peer: PeerIdString
  records: readonly LeadershipRecord[]
}

export interface History {
  /** Asks one peer. */
  ask(peer: PeerIdString, signal: AbortSignal): Promise<LeadershipRecord[]>
  stop(): Promise<void>
}

/** Answers requests with the result of `records`, and asks other peers. A client has no records. */
export function createHistory(network: Network, records: () => LeadershipRecord[] = () => []): History {
  return new HistoryProtocol(network, records)
}

/** The most bytes of a message. A record has about 120 bytes. */
const MAX_MESSAGE_BYTES = 512 * 1024

class HistoryProtocol implements History {
  readonly #protocol: Protocol<HistoryMessage>
  readonly #questions = new Map<string, (records: LeadershipRecord[]) => void>()
  #id = 0

  constructor(network: Network, records: () => LeadershipRecord[]) {
    this.#protocol = network.register(
      { name: 'history', codec, maxMessageBytes: MAX_MESSAGE_BYTES },
      {
        // Awaits the sending of the answer, so that a peer that does not read its answers receives no further answers.
        onMessage: async (message, channel) => {
          if (message.records === undefined) {
            await channel.send({ id: message.id, records: records() }).catch(() => {})
          } else this.#questions.get(`${channel.remote} ${message.id}`)?.(message.records)
        }
      }
    )
  }

  async ask(peer: PeerIdString, signal: AbortSignal): Promise<LeadershipRecord[]> {
    this.#id = (this.#id + 1) % 2 ** 32
    const id = this.#id
    const key = `${peer} ${id}`
    const { promise, resolve, reject } = pDefer<LeadershipRecord[]>()
    promise.catch(() => {})
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    this.#questions.set(key, resolve)
    try {
      const channel = await this.#protocol.channel(peer, { signal })
      const closed = (): void => reject(channel.closed.reason)
      channel.closed.addEventListener('abort', closed, { once: true })
      try {
        await channel.send({ id }, { signal })
        return await promise
      } finally {
        channel.closed.removeEventListener('abort', closed)
      }
    } finally {
      signal.removeEventListener('abort', abort)
      this.#questions.delete(key)
    }
  }

  async stop(): Promise<void> {
    await this.#protocol.close()
  }
}

/** The time within which a peer must answer, in ms. */
const ANSWER_MS = 2_000

/** Asks all `peers`, and merges their answers with `own`. Skips peers that do not answer within 2 s. Rejects with the signal's reason. */
export async function gatherHistory(
  history: History,
  peers: readonly PeerIdString[],
  signal: AbortSignal | undefined,
  own: Told[] = []
): Promise<PastLeadership[]> {
  const limit = signalAfter(ANSWER_MS)
  const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
  const answers = await Promise.allSettled(
    peers.map(async peer => ({ peer, records: await history.ask(peer, either) }))
  )
  signal?.throwIfAborted()
  return mergeHistory([...own, ...answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))])
}

/** Merges records into one line for each leadership, the oldest epoch first. */
export function mergeHistory(told: readonly Told[]): PastLeadership[] {
  const found = new Map<string, Omit<PastLeadership, 'seenBy'> & { ownWord: boolean; seenBy: Set<PeerIdString> }>()
  for (const { peer, records } of told) {
    for (const { leader, epoch, from, until, why } of records) {
      const ownWord = peer === leader
      const key = `${epoch} ${leader}`
      const known = found.get(key)
      if (known === undefined) {
        found.set(key, { leader, epoch, from, until, why, seenBy: new Set([peer]), ownWord })
        continue
      }
      known.seenBy.add(peer)
      known.from = Math.min(known.from, from)
      // The leader knows best when it stopped. If the leader did not answer, the peer that followed the leader longest knows best.
      const isBetter = ownWord || (!known.ownWord && (until ?? Infinity) > (known.until ?? Infinity))
      if (isBetter) Object.assign(known, { until, why, ownWord })
    }
  }
  return [...found.values()]
    .sort((a, b) => a.epoch - b.epoch || a.from - b.from)
    .map(({ ownWord: _, seenBy, ...leadership }) => ({ ...leadership, seenBy: seenBy.size }))
}

const codec: Codec<HistoryMessage> = {
  encode({ id, records }) {
    if (records === undefined) return Wire.encode({ id })
    return Wire.encode({ id, answer: { records: records.map(record => ({ ...record, why: record.why ?? '' })) } })
  },

  decode(bytes) {
    let wire: Wire
    try {
      wire = Wire.decode(bytes, { limits: { answer: { records: MOST_RECORDS } } })
    } catch (cause) {
      throw new InvalidMessageError('a history that cannot be decoded', { cause })
    }
    const { id, answer } = wire
    return answer === undefined ? { id } : { id, records: answer.records.map(readRecord) }
  }
}

function readRecord(record: { leader: string; epoch: number; from: number; until?: number; why: string }) {
  const { leader, epoch, from, until, why } = record
  checkPeerId('history', leader)
  const reason = END_REASONS.find(known => known === why)
  const isValid =
    Number.isSafeInteger(epoch) &&
    epoch >= 1 &&
    epoch <= MAX_EPOCH &&
    isTime(from) &&
    (until === undefined ? why === '' : isTime(until) && reason !== undefined)
  if (!isValid) throw new InvalidMessageError('a history with an invalid leadership')
  return { leader, epoch, from, until, why: reason }
}

/** Whether `ms` is within the range of a `Date`. */
function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime())
}
