import pDefer, { type DeferredPromise } from 'p-defer'
import type { Channel } from '../../network/types.ts'
import { DIGEST_BYTES, type FoldState, type Pulled } from '../../tasks/execute/checkpoint.ts'
import type { JobDriver } from '../../tasks/executor.ts'
import type { OwnPack, Pack } from '../../tasks/values/pack.ts'
import { encode } from '../../tasks/values/payload.ts'
import type { FromLeaderSays, SubmitMessage } from '../protocol/submit-messages.ts'
import { MAX_CHUNKS_A_MESSAGE } from '../protocol/wire-parts.ts'

export interface StreamDriverInit {
  send(reader: Channel<SubmitMessage>, says: FromLeaderSays): void
  /** Resolves when the client has all delivered results. */
  drained(): Promise<void>
}

/**
 * Drives a stream at the leader, in place of a thread. The chunks are the items of the client, and a delivered partial
 * belongs to the client. So the driver folds no partials and takes no checkpoints.
 */
export class StreamDriver implements JobDriver {
  readonly checkpointMs = 0
  readonly #init: StreamDriverInit
  #client: Channel<SubmitMessage> | undefined
  /** The first item that has not been pulled. */
  #next = 0
  #isDone = false
  #wanted: { most: number; pulled: DeferredPromise<Pulled> } | undefined
  #closed = false

  constructor(init: StreamDriverInit) {
    this.#init = init
  }

  /** Records that the client has the results of the items before `next` from earlier leaders. */
  begin(next: number): void {
    this.#next = next
  }

  /** Sets the client that sends the items. */
  reads(client: Channel<SubmitMessage>): void {
    this.#client = client
    this.#ask()
  }

  /** Records that the channel of the client has closed. The client may return. */
  gone(client: Channel<SubmitMessage>): void {
    if (client === this.#client) this.#client = undefined
  }

  /** Accepts the items that this leader asked for. Ignores other items, which answer an earlier leadership. */
  receive(client: Channel<SubmitMessage>, first: number, items: Pack, done: boolean): void {
    const count = items.lengths.length
    const wanted = this.#wanted
    if (wanted === undefined || client !== this.#client || first !== this.#next || count > wanted.most) return
    if (count === 0 && !done) return
    this.#wanted = undefined
    this.#next += count
    this.#isDone = done
    wanted.pulled.resolve(pulledFrom(first, items, done))
  }

  pull(max: number): Promise<Pulled> {
    if (this.#isDone) return Promise.resolve(pulledFrom(this.#next, NOTHING, true))
    const pulled = pDefer<Pulled>()
    // After the driver is closed, no caller waits for this promise, so it stays pending.
    if (this.#closed) return pulled.promise
    this.#wanted = { most: Math.min(max, MAX_CHUNKS_A_MESSAGE), pulled }
    this.#ask()
    return pulled.promise
  }

  async fold(first: number, partials: OwnPack): Promise<FoldState> {
    return { kind: 'folded', next: first + partials.lengths.length, bytes: 0 }
  }

  async kind(): Promise<'folded'> {
    return 'folded'
  }

  async checkpoint(): Promise<undefined> {}

  async finish(): Promise<Uint8Array> {
    // After the stream has finished, the leader does not have the results any more that a returning client might lack.
    await this.#init.drained()
    return encode(undefined, 'result')
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#wanted = undefined
    this.#client = undefined
  }

  #ask(): void {
    if (this.#wanted === undefined || this.#client === undefined) return
    this.#init.send(this.#client, { type: 'wants', first: this.#next, most: this.#wanted.most })
  }
}

const NOTHING: Pack = { lengths: new Uint32Array(), bytes: new Uint8Array() }

function pulledFrom(first: number, chunks: Pack, done: boolean): Pulled {
  const count = chunks.lengths.length
  const digests = new Uint8Array(count * DIGEST_BYTES)
  // A client always sends the same item for an index, so the index serves as its digest.
  const view = new DataView(digests.buffer)
  for (let i = 0; i < count; i++) view.setFloat64(i * DIGEST_BYTES, first + i)
  return { first, chunks, digests, digest: new Uint8Array(DIGEST_BYTES), done }
}
