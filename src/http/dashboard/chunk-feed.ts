/** Follows the chunks of one job, while the page is seen. */
import { ChunkMap, type Range } from './model/chunk-map.ts'
import type { WireChunks } from './model/wire.ts'
import { follow, type Patience } from './stream.ts'

/** Why there is nothing new any more; `missing`: this peer tells of no chunks; `gone`: in words. */
export type ChunksEnd = 'missing' | { gone: string } | { ended: string }

export interface ChunkListener {
  /** @param range - what has changed; undefined: everything may have */
  changed(ranges: readonly Range[] | undefined): void
  ended(why: ChunksEnd): void
  /** Why nothing comes for now; undefined: it does again. */
  troubled(why: string | undefined): void
}

/** Nothing may happen to a job for long. Whether the peer is there the page's own events tell. */
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

  /** A new connection begins with the whole picture, so nothing is missed by ending one. */
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
