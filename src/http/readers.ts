/** Who reads server-sent events of this peer: a bounded number, over all its streams. */
import type { ServerResponse } from 'node:http'
import { HttpProblem } from './problem.ts'

/** How many may read at a time. */
const MOST_READERS = 64

export class Readers {
  #count = 0

  get count(): number {
    return this.#count
  }

  /**
   * @returns to be called once, when that reader has left
   * @throws HttpProblem when there are too many already, or another answer comes first on this connection
   */
  enter(response: ServerResponse): () => void {
    // One that waits behind another answer has no connection yet whose end it would be told of: it would be kept for ever.
    if (response.socket === null || response.socket.destroyed) {
      throw new HttpProblem(
        400,
        'PipelinedError',
        'events need a connection of their own: ask for them when what was asked before on this one is answered'
      )
    }
    if (this.#count >= MOST_READERS) {
      throw new HttpProblem(
        503,
        'TooManyReaders',
        `${MOST_READERS} read the events of this peer already: ask another one`
      )
    }
    this.#count += 1
    return () => {
      this.#count -= 1
    }
  }
}
