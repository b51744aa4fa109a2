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
   * @returns a function that the caller calls a single time, when the reader has disconnected
   * @throws HttpProblem when there are too many readers, or when an earlier request of this connection still waits for its answer
   */
  enter(response: ServerResponse): () => void {
    checkOwnConnection(response, 'events need')
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

/**
 * @param what - what needs a connection of its own, and the verb
 * @throws HttpProblem when an earlier request of this connection still waits for its answer
 */
export function checkOwnConnection({ socket }: ServerResponse, what: string): void {
  // A pipelined request has no socket yet. This peer would not notice the end of its connection, so it would count for ever.
  if (socket === null || socket.destroyed) {
    throw new HttpProblem(
      400,
      'PipelinedError',
      `${what} their own connection: ask for them after the earlier requests on this connection are answered`
    )
  }
}
