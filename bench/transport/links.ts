/** Two processes with a link between them, each an end of one transport (end.mjs). */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { root } from '../../test/cluster/processes.ts'
import type { Resource } from '../membership/resources.ts'
import { end, untimelyEnd } from '../throughput/children.ts'

export type Transport = 'tls' | 'stock' | 'noise' | 'channel'

/** Whether noise is installed. It is not a dependency of this project: `npm install --no-save @chainsafe/libp2p-noise`. */
export const hasNoise = existsSync(`${root}/node_modules/@chainsafe/libp2p-noise`)

export class Link implements Resource {
  readonly #ends: ChildProcess[] = []

  /** Starts an end that listens, and one that dials it or, for `links`, waits to be asked. */
  static async open(kind: Transport, role: 'dial' | 'links'): Promise<Link> {
    const link = new Link()
    try {
      await link.#start(kind, 'listen')
      await link.#start(kind, role, String(await link.#ask(0, 'address')))
      return link
    } catch (error) {
      await link.stop()
      throw error
    }
  }

  /** Lets the dialling end do something: send `count` bytes, make `count` round trips, or open `count` links. Resolves to the CPU time of both ends, in µs. */
  async cost(what: 'bulk' | 'trips' | 'links', count: number): Promise<number> {
    const before = await this.#cpu()
    await this.#ask(1, what, count)
    return (await this.#cpu()) - before
  }

  async stop(): Promise<void> {
    await Promise.all(this.#ends.map(child => end(child)))
  }

  async #cpu(): Promise<number> {
    const both = await Promise.all([this.#ask(0, 'cpu'), this.#ask(1, 'cpu')])
    return both.reduce<number>((sum, each) => sum + Number(each), 0)
  }

  async #start(...args: string[]): Promise<void> {
    const child = fork(`${root}/bench/transport/end.mjs`, args)
    this.#ends.push(child)
    await this.#message(child)
  }

  async #ask(end: 0 | 1, what: string, count?: number): Promise<unknown> {
    const child = this.#ends[end]!
    child.send({ what, count })
    return (await this.#message(child)).answer
  }

  async #message(child: ChildProcess): Promise<{ answer?: unknown }> {
    const ended = untimelyEnd('an end of the link', child).then(error => Promise.reject(error))
    const [message] = await Promise.race([once(child, 'message'), ended])
    return message as { answer?: unknown }
  }
}
