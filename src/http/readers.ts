/** Limits the number of readers of server-sent events, over all streams of this peer. */
import type { ServerResponse } from 'node:http'
import { HttpProblem } from './problem.ts'

/** The largest number of simultaneous readers. */
const MOST_READERS = 64

export class Readers {
  #count = 0

  get count(): number {
    return this.#count
  }

  /**
   * @returns a function to call once, when the reader has left
   * @throws HttpProblem when there are too many readers, or another answer comes first on this connection
   */
  enter(response: ServerResponse): () => void {
    // A pipelined request has no connection yet whose end would be noticed, so its reader would never leave.
    if (response.socket === null || response.socket.destroyed) {
      throw new HttpProblem(
        400,
        'PipelinedError',
        'events need their own connection: ask for them after the earlier requests on this connection are answered'
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
