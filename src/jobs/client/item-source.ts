import { setImmediate as turn } from 'node:timers/promises'
import pDefer, { type DeferredPromise } from 'p-defer'
import { InvalidOptionError, MessageTooLargeError } from '../../common/errors.ts'
import { type OwnPack, slicePack } from '../../tasks/values/pack.ts'
import { PackWriter } from '../../tasks/values/pack-writer.ts'
import type { ToLeaderSays } from '../protocol/submit-messages.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'

/** The most items, and the most bytes of items, that the client reads before the leader asks for them. */
const AHEAD = MAX_CHUNKS_A_MESSAGE
const AHEAD_BYTES = 8 * 2 ** 20
/** Read items are stored in pieces of about this many bytes. */
const PIECE_BYTES = 1 * 2 ** 20
/** After this time (ms) a source that never waits must yield to the event loop. The time is checked every LOOK_EVERY items. */
const READ_MS = 5
const LOOK_EVERY = 64

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>
type Said = Extract<ToLeaderSays, { type: 'items' }>

/** Consecutive items that were packed together. */
interface Piece {
  first: number
  items: OwnPack
}

export interface ItemSourceInit<Item> {
  source: Items<Item>
  /** Called when the source throws, or when an item is too large or cannot be encoded. */
  onFailed(error: unknown): void
}

/**
 * The items of a stream at its client. Reads items from the source as the leader wants them, and keeps each item until
 * its result has arrived and the leader has received the item, across leaders.
 */
export class ItemSource<Item> {
  readonly #init: ItemSourceInit<Item>
  readonly #iterator: Iterator<Item> | AsyncIterator<Item>
  readonly #writer = new PackWriter()
  /** The items without a result, except the items in the writer. */
  #pieces: Piece[] = []
  /** Number of items that were read from the source. */
  #count = 0
  /** Number of leading items that the leader has received. */
  #given = 0
  /** Number of leading items whose results have arrived. */
  #settled = 0
  #givenBytes = 0
  #readBytes = 0
  #wanted: { first: number; most: number; say: (items: Said) => void } | undefined
  #room: DeferredPromise<void> | undefined
  #state: 'unread' | 'reading' | 'done' | 'closed' = 'unread'
  #flushing = false

  /** @throws InvalidOptionError when the source is no iterable */
  constructor(init: ItemSourceInit<Item>) {
    this.#init = init
    this.#iterator = iteratorOf(init.source)
  }

  /** Handles a request of the leader for up to `most` items from `first` on. */
  wanted(first: number, most: number, say: (items: Said) => void): void {
    if (this.#state === 'closed') return
    this.#wanted = { first, most, say }
    if (first < this.#given) this.#giveAgain(first)
    if (this.#state === 'unread') {
      this.#state = 'reading'
      void this.#read()
    }
    this.#flush()
  }

  /** Cancels the present request for items. The next leader will send its own request, from item `from` on. */
  forget(from: number): void {
    this.#wanted = undefined
    if (from < this.#given) this.#giveAgain(from)
  }

  /** Records that the results of the items before `next` have arrived. */
  settled(next: number): void {
    this.#settled = Math.max(this.#settled, next)
    this.#drop()
  }

  /**
   * Drops the items that no leader will ask for. A leader takes all items in order, including items whose results arrived
   * under an earlier leader, so an item must also have been sent before it is dropped.
   */
  #drop(): void {
    const end = Math.min(this.#settled, this.#given)
    let count = 0
    while (count < this.#pieces.length && endOf(this.#pieces[count]!) <= end) count += 1
    if (count > 0) this.#pieces.splice(0, count)
  }

  /** Stops reading and closes the source's iterator. */
  close(): void {
    if (this.#state === 'closed') return
    const told = this.#state === 'done'
    this.#state = 'closed'
    this.#wanted = undefined
    this.#pieces = []
    this.#room?.resolve()
    if (told) return
    try {
      // A pending generator runs its `finally` only when its pending wait is over, so this does not await it.
      Promise.resolve(this.#iterator.return?.()).catch(() => {})
    } catch {
      // No caller needs the error of a source that fails while it closes.
    }
  }

  async #read(): Promise<void> {
    try {
      let until = performance.now() + READ_MS
      while (this.#state === 'reading') {
        const step = this.#iterator.next()
        const { done, value } = isPromise(step) ? await step : step
        if (this.#state !== 'reading') return
        if (done === true) {
          this.#state = 'done'
          this.#flush()
          return
        }
        this.#add(value)
        if (this.#isFull) {
          this.#room = pDefer()
          await this.#room.promise
          this.#room = undefined
          until = performance.now() + READ_MS
        } else if (this.#count % LOOK_EVERY === 0 && performance.now() > until) {
          await turn()
          until = performance.now() + READ_MS
        }
      }
    } catch (error) {
      const was = this.#state
      this.close()
      if (was === 'reading') this.#init.onFailed(error)
    }
  }

  #add(value: unknown): void {
    const bytes = this.#writer.add(value, 'item')
    if (bytes > MAX_PAYLOAD_BYTES)
      throw new MessageTooLargeError(
        `item ${this.#count} has ${bytes} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel: make the items smaller`
      )
    this.#count += 1
    this.#readBytes += bytes
    if (this.#writer.byteLength >= PIECE_BYTES || this.#writer.count >= MAX_CHUNKS_A_MESSAGE) {
      this.#endPiece()
      this.#flush()
    } else if (this.#wanted !== undefined && !this.#flushing) {
      // All items that the source yields in one turn of the event loop are sent in one message.
      this.#flushing = true
      setImmediate(() => this.#flush())
    }
  }

  get #isFull(): boolean {
    return this.#count - this.#given >= AHEAD || this.#readBytes - this.#givenBytes >= AHEAD_BYTES
  }

  #endPiece(): void {
    const { count } = this.#writer
    if (count > 0) this.#pieces.push({ first: this.#count - count, items: this.#writer.take() })
  }

  /** Answers the request of the leader if some of the requested items have been read. */
  #flush(): void {
    this.#flushing = false
    if (this.#wanted === undefined) return
    const { first, most, say } = this.#wanted
    if (first === this.#count - this.#writer.count) this.#endPiece()
    const piece = this.#pieces.findLast(each => each.first <= first)
    if (piece === undefined || endOf(piece) <= first) {
      if (this.#state !== 'done' || first !== this.#count) return
      this.#wanted = undefined
      say({ type: 'items', first, items: NOTHING, done: true })
      return
    }
    const from = first - piece.first
    const items = slicePack(piece.items, from, Math.min(from + most, piece.items.lengths.length))
    this.#wanted = undefined
    this.#given = first + items.lengths.length
    this.#givenBytes += items.bytes.byteLength
    this.#drop()
    say({ type: 'items', first, items, done: this.#state === 'done' && this.#given === this.#count })
    if (!this.#isFull) this.#room?.resolve()
  }

  /** Marks the items from `first` on as not sent, because the next leader lacks the items that an earlier leader received. */
  #giveAgain(first: number): void {
    for (const { first: begin, items } of this.#pieces) {
      const [from, to] = [Math.max(first, begin), Math.min(this.#given, begin + items.lengths.length)]
      if (from < to) this.#givenBytes -= slicePack(items, from - begin, to - begin).bytes.byteLength
    }
    this.#given = first
  }
}

const NOTHING: OwnPack = { lengths: new Uint32Array(), bytes: new Uint8Array() }

function endOf({ first, items }: Piece): number {
  return first + items.lengths.length
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null)?.then === 'function'
}

function iteratorOf<Item>(source: Items<Item>): Iterator<Item> | AsyncIterator<Item> {
  if (typeof source === 'string' || (typeof source === 'object' && source !== null) || typeof source === 'function') {
    const { [Symbol.asyncIterator]: asyncStart, [Symbol.iterator]: start } = source as Partial<
      AsyncIterable<Item> & Iterable<Item>
    >
    if (typeof asyncStart === 'function') return asyncStart.call(source)
    if (typeof start === 'function') return start.call(source)
  }
  throw new InvalidOptionError(
    `the source of a stream must be an iterable or async iterable; it is ${source === null ? 'null' : typeof source}`
  )
}
