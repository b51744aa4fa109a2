/** A TCP proxy between a client and its store, which loses answers, and holds connections without closing them. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class StoreProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isHeld = false
  #isLost: ((request: Buffer) => boolean) | undefined

  private constructor(target: number) {
    this.#server = createServer(client => this.#relay(client, target))
  }

  static async start(target: number): Promise<StoreProxy> {
    const proxy = new StoreProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Loses the answer to the next request that `is` accepts: the connection ends when the store has answered. */
  loseAnswer(is: (request: Buffer) => boolean): void {
    this.#isLost = is
  }

  /** Passes nothing on any more, but accepts connections. */
  hold(): void {
    this.#isHeld = true
  }

  /** Closes what was held, and passes new connections on. */
  resume(): void {
    this.#isHeld = false
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.resume()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #relay(client: Socket, target: number): void {
    const store = connect(target, '127.0.0.1')
    let isLost = false
    for (const [from, to] of [
      [client, store],
      [store, client]
    ] as const) {
      this.#sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      from.on('data', bytes => {
        if (this.#isHeld) return
        if (from === store && isLost) {
          store.destroy()
          return
        }
        if (from === client && this.#isLost?.(bytes) === true) {
          isLost = true
          this.#isLost = undefined
        }
        to.write(bytes)
      })
    }
  }
}
