import { InvalidOptionError, P2pWorkerError } from '../../common/errors.ts'
import { type Pack, unpack } from '../../tasks/values/pack.ts'
import { ArrivedResults } from './arrived-results.ts'

/** The partials of a job at its client: in order, each exactly once, across leaders. */
export class PartialStream<Partial> extends ArrivedResults<Partial> {
  #isRead = false

  /** Adds partials, except the partials that an earlier leader has already sent. */
  receive(first: number, partials: Pack): void {
    if (first > this.arrivedBefore) {
      this.#lose()
      return
    }
    const fresh = unpack(partials).slice(this.arrivedBefore - first)
    this.arrivedBefore += fresh.length
    if (!this.hasLeft) for (const partial of fresh) this.arrived.push(partial)
    // The earlier leader may not have received the acknowledgement of these partials.
    if (fresh.length === 0 || this.hasLeft) this.onGot(this.got)
    this.changed()
  }

  /** Ends the stream. `count` is the number of chunks of a completed job, and `undefined` if the job has failed. */
  override end(chunks: number | undefined, error?: unknown): void {
    if (chunks !== undefined && this.arrivedBefore < chunks) this.#lose()
    super.end(chunks, error)
  }

  protected override onBegin(): void {
    if (this.#isRead)
      throw new InvalidOptionError('the partials of a job can be read once: keep those that are needed again')
    this.#isRead = true
  }

  protected override onRead(): void {
    this.readBefore += 1
  }

  /** Fails the stream: the leader has dropped partials that this reader has not received. */
  #lose(): void {
    super.end(
      undefined,
      new P2pWorkerError(
        'some of the partials are gone: they were read by somebody else, or by an earlier client, before they could be read here'
      )
    )
  }
}
