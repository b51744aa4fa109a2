import { InvalidOptionError, P2pWorkerError } from '../../common/errors.ts'
import { type Deferred, deferred } from '../../lib/deferred.ts'
import { type Pack, unpack } from '../../tasks/values/pack.ts'
import { decode } from '../../tasks/values/payload.ts'

/** What whoever reads no more is taken to have: all there will ever be. */
const ALL = Number.MAX_SAFE_INTEGER

/** The partials of a job as its client reads them: in order, each once, whoever leads. */
export class PartialStream<Partial> implements AsyncIterable<Partial> {
  readonly #onGot: (next: number) => void
  /** Those that have arrived and are not read yet. */
  #arrived: Uint8Array[] = []
  /** The index of the next one that is read, and of the next one that is to arrive. */
  #next = 0
  #expected = 0
  #state: 'unread' | 'reading' | 'left' = 'unread'
  /** Set when nothing more will come: why, where that is an error. */
  #end: { error: unknown } | undefined
  #change: Deferred<void> = deferred()

  /** @param onGot - told that no partial before `next` is needed any more */
  constructor(onGot: (next: number) => void) {
    this.#onGot = onGot
  }

  /** No partial before it is needed any more. */
  get got(): number {
    return this.#state === 'left' ? ALL : this.#next
  }

  /** Those before it have arrived. */
  get received(): number {
    return this.#state === 'left' ? ALL : this.#expected
  }

  /** Partials have come. What has come before, from another leader, is passed over. */
  receive(first: number, partials: Pack): void {
    if (first > this.#expected) {
      this.#lose()
      return
    }
    const fresh = unpack(partials).slice(this.#expected - first)
    this.#expected += fresh.length
    if (this.#state !== 'left') for (const partial of fresh) this.#arrived.push(partial)
    // What is known already, or is not read, is not waited for: the word of that may have been lost with an earlier leader.
    if (fresh.length === 0 || this.#state === 'left') this.#onGot(this.got)
    this.#changed()
  }

  /** Some are gone. The leader, which has said so, does not wait for this reader. */
  #lose(): void {
    this.#end ??= {
      error: new P2pWorkerError(
        'some of the partials are gone: they were read by somebody else, or by an earlier client, before they could be read here'
      )
    }
    this.#changed()
  }

  /** The job has ended after so many chunks, or failed. */
  end(chunks: number | undefined, error?: unknown): void {
    if (chunks !== undefined && this.#expected < chunks) this.#lose()
    this.#end ??= { error }
    this.#changed()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Partial, void, undefined> {
    if (this.#state !== 'unread')
      throw new InvalidOptionError('the partials of a job can be read once: keep those that are needed again')
    this.#state = 'reading'
    try {
      for (;;) {
        while (this.#arrived.length === 0 && this.#end === undefined) await this.#change.promise
        if (this.#arrived.length === 0) break
        const arrived = this.#arrived
        // By index: more may arrive meanwhile.
        for (let i = 0; i < arrived.length; i++) {
          this.#next += 1
          yield decode(arrived[i]!, 'partial') as Partial
        }
        this.#arrived = []
        if (this.#end === undefined) this.#onGot(this.#next)
      }
      if (this.#end?.error !== undefined) throw this.#end.error
    } finally {
      this.#state = 'left'
      this.#arrived = []
      if (this.#end === undefined) this.#onGot(ALL)
    }
  }

  #changed(): void {
    this.#change.resolve()
    this.#change = deferred()
  }
}
