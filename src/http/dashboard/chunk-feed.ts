/** Follows the chunks of one job while the page is visible. */
import { ChunkMap, type Range } from './model/chunk-map.ts'
import type { WireChunks } from './model/wire.ts'
import { follow, type Patience } from './stream.ts'

/** Why no further changes arrive. `missing`: this peer does not serve chunks. `gone` and `ended` contain a text for the user. */
export type ChunksEnd = 'missing' | { gone: string } | { ended: string }

export interface ChunkListener {
  /** @param range - the changed chunks; undefined when all chunks may have changed */
  changed(ranges: readonly Range[] | undefined): void
  ended(why: ChunksEnd): void
  /** Reports why no changes arrive at present. `why` is undefined when changes arrive again. */
  troubled(why: string | undefined): void
}

/**
 * The time limits of the stream. They are long, because a job may not change for some time. The page notices a lost peer by its
 * stream of events.
 */
const PATIENCE: Patience = { silence: 45_000, givenUp: 45_000, check: 5_000 }

export class ChunkFeed {
  readonly map = new ChunkMap()
  readonly #jobId: string
  readonly #listener: ChunkListener
  #following: AbortController | undefined
  #isOver = false

  constructor(jobId: string, listener: ChunkListener) {
    this.#jobId = jobId
    this.#listener = listener
    document.addEventListener('visibilitychange', this.#look)
    this.#look()
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#look)
    this.#following?.abort()
    this.#following = undefined
  }

  /** Connects while the page is visible. A new connection starts with the complete map, so the page may close a connection at any time. */
  readonly #look = (): void => {
    if (document.hidden) {
      this.#following?.abort()
      this.#following = undefined
    } else if (this.#following === undefined && !this.#isOver) {
      this.#following = new AbortController()
      const { signal } = this.#following
      void follow(
        `/api/chunks/${encodeURIComponent(this.#jobId)}`,
        {
          opened: () => this.#listener.troubled(undefined),
          found: () => this.#listener.troubled(undefined),
          lost: (_, why) => this.#listener.troubled(why),
          event: ({ event, data }) => !signal.aborted && this.#event(event, data),
          missing: () => this.#end('missing')
        },
        PATIENCE,
        signal
      )
    }
  }

  #event(event: string, data: string): void {
    if (event === 'chunks') this.#listener.changed(this.map.apply(JSON.parse(data) as WireChunks))
    else if (event === 'gone') this.#end({ gone: (JSON.parse(data) as { message: string }).message })
    else if (event === 'ended') this.#end({ ended: (JSON.parse(data) as { state: string }).state })
  }

  #end(why: ChunksEnd): void {
    this.#isOver = true
    this.#following?.abort()
    this.#listener.ended(why)
  }
}
