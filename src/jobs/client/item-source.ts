import { setImmediate as turn } from 'node:timers/promises'
import pDefer, { type DeferredPromise } from 'p-defer'
import { InvalidOptionError, MessageTooLargeError } from '../../common/errors.ts'
import { type OwnPack, slicePack } from '../../tasks/values/pack.ts'
import { PackWriter } from '../../tasks/values/pack-writer.ts'
import type { ToLeaderSays } from '../protocol/submit-messages.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'

/** So many items, or bytes of items, are read before the leader wants them. */
const AHEAD = MAX_CHUNKS_A_MESSAGE
const AHEAD_BYTES = 8 * 2 ** 20
/** Items that are read are kept in pieces of about so many bytes. */
const PIECE_BYTES = 1 * 2 ** 20
/** A source that never waits gives way to everything else after so long (ms), which is looked at every so many items. */
const READ_MS = 5
const LOOK_EVERY = 64

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>
type Said = Extract<ToLeaderSays, { type: 'items' }>

/** Items that were read together. */
interface Piece {
  first: number
  items: OwnPack
}

export interface ItemSourceInit<Item> {
  source: Items<Item>
  /** The source threw, or an item cannot be sent. */
  onFailed(error: unknown): void
}

/**
 * The items of a stream at its client: reads them from the source as the leader wants them, and keeps each until what was made of it has
 * arrived and the leader has it, whoever leads until then.
 */
export class ItemSource<Item> {
  readonly #init: ItemSourceInit<Item>
  readonly #iterator: Iterator<Item> | AsyncIterator<Item>
  readonly #writer = new PackWriter()
  /** All that was read and has not had its result yet, but for what is in the writer. */
  #pieces: Piece[] = []
  /** Items that were read. */
  #count = 0
  /** The leader has been given those before it. */
  #given = 0
  /** What was made of those before it is here. */
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

  /** The leader wants items. */
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

  /** What was wanted is not wanted any more: another leader will say what it wants, from the item `from` on. */
  forget(from: number): void {
    this.#wanted = undefined
    if (from < this.#given) this.#giveAgain(from)
  }

  /** What was made of the items before `next` is here. */
  settled(next: number): void {
    this.#settled = Math.max(this.#settled, next)
    this.#drop()
  }

  /**
   * Lets go of items that nobody will want. A leader takes all of them one after the other, those as well whose results an earlier leader has
   * brought: so it must have been given them, too.
   */
  #drop(): void {
    const end = Math.min(this.#settled, this.#given)
    let count = 0
    while (count < this.#pieces.length && endOf(this.#pieces[count]!) <= end) count += 1
    if (count > 0) this.#pieces.splice(0, count)
  }

  /** Reads no more, and tells the source so. */
  close(): void {
    if (this.#state === 'closed') return
    const told = this.#state === 'done'
    this.#state = 'closed'
    this.#wanted = undefined
    this.#pieces = []
    this.#room?.resolve()
    if (told) return
    try {
      // A generator that waits for something hears of it when that has come: it is not waited for.
      Promise.resolve(this.#iterator.return?.()).catch(() => {})
    } catch {
      // What it throws when it is not needed any more is nobody's.
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
      // What comes in the same breath goes with it.
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

  /** Answers the leader, if it wants something that is here. */
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

  /** The next leader lacks what an earlier one was given. */
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
