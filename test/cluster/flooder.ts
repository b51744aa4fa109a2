/** A member that sends far more messages than the rates allow, on any protocol. Each single message is valid. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { attachProtocol } from '../../src/attach/view.ts'
import { DEFAULT_LIMITS, LIMITS, type LimitName, limitsWith } from '../../src/common/limits.ts'
import { createCodec } from '../../src/election/codec.ts'
import { createStatements } from '../../src/election/statements.ts'
import { overviewProtocol } from '../../src/jobs/protocol/overview-messages.ts'
import { submitProtocol } from '../../src/jobs/protocol/submit-messages.ts'
import { workProtocol } from '../../src/jobs/protocol/work-messages.ts'
import { journalProtocol } from '../../src/journal/messages.ts'
import type { ClusterKey } from '../../src/network/cluster-key.ts'
import type { Channel, Codec, PeerIdString, Protocol } from '../../src/network/types.ts'
import { codeHash } from '../../src/tasks/execute/code-store.ts'
import { packIndexed } from '../../src/tasks/values/pack.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import { HistoryMessage } from '../../src/wire/election.gen.ts'
import { Liar } from '../membership/liar.ts'

/** The kinds of flood: the protocols, the gossip topics, and jobs with invalid code. */
export const FLOODS = [
  'swim',
  'election',
  'work',
  'submit',
  'journal',
  'overview',
  'history',
  'attach',
  'gossip of members',
  'gossip of leaders',
  'new jobs'
] as const
export type Flood = (typeof FLOODS)[number]

/** The most messages of a flood that may be unfinished at the same time. */
const AT_ONCE = 20_000
/** The time between two checks of how many messages are due, in ms. */
const PAUSE_MS = 5
const raw: Codec<Uint8Array> = { encode: bytes => bytes, decode: bytes => bytes }

/** The limits of the flooder itself, which accepts any number of answers. */
const INSATIABLE = limitsWith(
  Object.fromEntries(
    (Object.keys(DEFAULT_LIMITS) as LimitName[])
      .filter(name => /Rate$|Burst$/.test(name))
      .map(name => [name, LIMITS[name].most])
  )
)

export interface Flooded {
  /** Number of messages that were sent. */
  sent: number
  /** Number of times that the victim closed the flooder's connections. */
  cutOff: number
}

export class Flooder {
  readonly liar: Liar
  readonly #protocols = new Map<string, Protocol<Uint8Array>>()
  readonly #publish: Record<'gossip of members' | 'gossip of leaders', () => void>

  private constructor(liar: Liar) {
    this.liar = liar
    for (const name of ['election', 'work', 'submit', 'journal', 'overview', 'history', 'attach'])
      this.#protocols.set(
        name,
        liar.network.register({ name, codec: raw, maxMessageBytes: 2 ** 20 }, { onMessage: () => {} })
      )
    const leaders = liar.network.subscribe(
      'leader',
      () => {},
      () => {}
    )
    const { envelope } = liar.self({}, { role: 'worker' })
    const { signer } = createStatements(liar.network.clusterId, liar.network.privateKey)
    // The epoch lies in the past, so no peer follows this leadership.
    const { signed } = signer.coordinator({ epoch: 1, leader: liar.id, priority: 0, goAheads: [] })
    this.#publish = {
      'gossip of members': () => liar.gossip(envelope),
      'gossip of leaders': () => leaders.publish(signed)
    }
  }

  static async start(cluster: string, key: ClusterKey | undefined, bootstrap: string[]): Promise<Flooder> {
    // The flooder joins as a worker. A worker never leads, so the claims that the flooder sends change no leadership.
    const metadata = { role: 'worker' as const }
    return new Flooder(await Liar.start({ cluster, key, bootstrap, limits: INSATIABLE, metadata }))
  }

  get id(): PeerIdString {
    return this.liar.id
  }

  /**
   * Sends `perSecond` messages a second to a victim, as far as the channel accepts them, until the signal aborts or
   * `most` messages are sent. Of many floods at a time, unfinished messages would arrive long after the end: `atOnce` bounds them.
   */
  async flood(
    kind: Flood,
    victim: PeerIdString,
    {
      perSecond,
      most = Number.POSITIVE_INFINITY,
      atOnce = AT_ONCE,
      signal
    }: { perSecond: number; most?: number; atOnce?: number; signal: AbortSignal }
  ): Promise<Flooded> {
    const flooded: Flooded = { sent: 0, cutOff: 0 }
    const { network } = this.liar
    const onDisconnected = ({ detail }: CustomEvent<{ peer: PeerIdString }>): void => {
      if (detail.peer === victim) flooded.cutOff += 1
    }
    network.addEventListener('disconnected', onDisconnected)
    const one = this.#sender(kind, victim, signal)
    const began = performance.now()
    let tried = 0
    let underWay = 0
    while (!signal.aborted && flooded.sent < most) {
      const due = ((performance.now() - began) / 1_000) * perSecond
      // A flooder that cannot keep up drops its backlog, because it also needs time to read its channels.
      tried = Math.max(tried, due - (2 * PAUSE_MS * perSecond) / 1_000)
      for (; tried < due && underWay < atOnce && tried < most + atOnce; tried++) {
        const sent = one()
        // The messages that are due while no channel is open are dropped.
        if (sent === undefined) {
          tried = Math.ceil(due)
          break
        }
        underWay += 1
        sent
          .then(
            () => void flooded.sent++,
            () => {}
          )
          .finally(() => void underWay--)
      }
      if (underWay >= atOnce) tried = Math.ceil(due)
      await delay(PAUSE_MS)
    }
    network.removeEventListener('disconnected', onDisconnected)
    return flooded
  }

  async stop(): Promise<void> {
    await this.liar.stop()
  }

  /** Returns a function that sends one message. If no channel is open, that function opens a channel and returns undefined. */
  #sender(kind: Flood, victim: PeerIdString, signal: AbortSignal): () => Promise<void> | undefined {
    if (kind === 'gossip of members' || kind === 'gossip of leaders') {
      const publish = this.#publish[kind]
      return () => (this.liar.network.isConnected(victim) ? Promise.resolve(publish()) : undefined)
    }
    if (kind === 'swim')
      return this.#over(this.liar.protocol, victim, () => ({ type: 'ping' as const, seq: 1, accusations: [] }), signal)
    const bytes = this.#bytes(kind)
    const protocol = this.#protocols.get(kind === 'new jobs' ? 'submit' : kind)!
    return this.#over(protocol, victim, kind === 'new jobs' ? () => this.#bytes(kind) : () => bytes, signal)
  }

  #over<T>(
    protocol: Protocol<T>,
    victim: PeerIdString,
    message: () => T,
    signal: AbortSignal
  ): () => Promise<void> | undefined {
    let channel: Channel<T> | undefined
    let opening = false
    return () => {
      if (channel !== undefined && !channel.closed.aborted) return channel.send(message())
      if (opening) return undefined
      opening = true
      protocol
        .channel(victim, { signal })
        .then(opened => {
          channel = opened
        })
        .catch(() => delay(100))
        .finally(() => {
          opening = false
        })
      return undefined
    }
  }

  #bytes(kind: Exclude<Flood, 'swim' | 'gossip of members' | 'gossip of leaders'>): Uint8Array {
    const { clusterId, privateKey } = this.liar.network
    switch (kind) {
      case 'election':
        return createCodec(createStatements(clusterId, privateKey)).encode({ type: 'election', accepted: undefined })
      case 'work': {
        const partials = packIndexed(
          Array.from({ length: 16 }, (_, index) => ({ index, bytes: encode(index, 'partial') }))
        )
        const says = { type: 'outcomes' as const, job: 'none', submissionId: 'none', partials, failed: [], busyMs: 0 }
        return workProtocol.codec.encode({ epoch: 1, ...says })
      }
      case 'submit':
        return submitProtocol.codec.encode({ job: 'none', type: 'watch', seen: 0, got: 0 })
      case 'journal':
        return journalProtocol.codec.encode({ epoch: 1, type: 'fetch', job: 'none' })
      case 'overview':
        return overviewProtocol.codec.encode({ id: 1, type: 'request' })
      case 'history':
        return HistoryMessage.encode({ id: 1 })
      case 'attach':
        return attachProtocol.codec.encode({ type: 'subscribe' })
      case 'new jobs':
        return submitProtocol.codec.encode({
          job: randomUUID(),
          type: 'submit',
          seen: 0,
          got: 0,
          submission: {
            task: 'flood',
            sha256: codeHash(NO_CODE),
            code: NO_CODE,
            input: NO_CODE,
            inputSha256: codeHash(NO_CODE),
            retries: 0,
            speculate: false,
            requires: {},
            priority: 0,
            chunkTimeout: undefined,
            detach: false,
            keep: 0,
            durable: 0,
            partials: false
          }
        })
    }
  }
}

const NO_CODE = new TextEncoder().encode('this is no module')
