/**
 * A client of etcd's gRPC API with a mutex: the algorithm of `etcdctl lock`, which is concurrency.Mutex of clientv3
 * (https://github.com/etcd-io/etcd/blob/v3.4.23/clientv3/concurrency/mutex.go, key.go). Each client has one connection, one lease and one stream
 * of watches, as a client in Go has.
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import { decode, encode, type Fields, messagesIn, numberIn } from './protobuf.ts'

/** The ttl of the session's lease, in s, and the interval at which it is renewed, in ms, as in clientv3. */
const TTL_S = 60
const RENEW_MS = (TTL_S * 1_000) / 3
/** Enumerations of etcd's rpc.proto. */
const CREATE_TARGET = 1
const CREATE_SORT = 2
const ASCEND = 1
const DESCEND = 2
const NO_PUTS = 0
const DELETED = 1n

/** A key that this client holds. */
export interface EtcdLock {
  release(): Promise<void>
}

export class EtcdClient {
  readonly #session: ClientHttp2Session
  readonly #watches: GrpcStream
  readonly #renewals: GrpcStream
  readonly #renewing: NodeJS.Timeout
  readonly #lease: bigint
  /** Called when the key of a watch is deleted, by the id of the watch. */
  readonly #watching = new Map<bigint, () => void>()
  #lastWatch = 0n

  private constructor(session: ClientHttp2Session, lease: bigint) {
    this.#session = session
    this.#lease = lease
    this.#watches = new GrpcStream(session, 'Watch/Watch', message => this.#onWatch(message))
    this.#renewals = new GrpcStream(session, 'Lease/LeaseKeepAlive', () => {})
    this.#renewing = setInterval(() => this.#renewals.send(encode([1, lease])), RENEW_MS)
  }

  static async connect(url: string): Promise<EtcdClient> {
    const session = connect(url)
    const granted = await unary(session, 'Lease/LeaseGrant', encode([1, TTL_S]))
    return new EtcdClient(session, numberIn(granted, 2))
  }

  async lock(name: string): Promise<EtcdLock> {
    const prefix = `${name}/`
    const key = `${prefix}${this.#lease.toString(16)}`
    const put = encode([2, encode([1, key], [3, this.#lease])])
    const get = encode([1, encode([1, key])])
    const first = [3, 1] as [number, number]
    const owner = encode([1, encode([1, prefix], [2, endOf(prefix)], first, [5, ASCEND], [6, CREATE_SORT])])
    // Compares the key's create revision with 0: whether there is no such key yet.
    const isNew = encode([2, CREATE_TARGET], [3, key])
    const answer = await unary(this.#session, 'KV/Txn', encode([1, isNew], [2, put], [2, owner], [3, get], [3, owner]))
    const [header] = messagesIn(answer, 1)
    const [own, owners] = messagesIn(answer, 3)
    const created =
      numberIn(answer, 2) === 1n ? numberIn(header!, 3) : numberIn(messagesIn(messagesIn(own!, 1)[0]!, 2)[0]!, 2)
    const [holder] = messagesIn(messagesIn(owners!, 1)[0]!, 2)
    if (holder !== undefined && numberIn(holder, 2) !== created) await this.#untilFirst(prefix, created)
    return {
      release: async () => {
        await unary(this.#session, 'KV/DeleteRange', encode([1, key]))
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing)
    this.#watches.end()
    this.#renewals.end()
    await new Promise<void>(resolve => this.#session.close(resolve))
  }

  /** Waits until no older key has this prefix. */
  async #untilFirst(prefix: string, created: bigint): Promise<void> {
    for (;;) {
      const before = encode([1, prefix], [2, endOf(prefix)], [3, 1], [5, DESCEND], [6, CREATE_SORT], [13, created - 1n])
      const range = await unary(this.#session, 'KV/Range', before)
      const [previous] = messagesIn(range, 2)
      if (previous === undefined) return
      const revision = numberIn(messagesIn(range, 1)[0]!, 3)
      await this.#deleted(previous.get(1)![0] as Uint8Array, revision)
    }
  }

  /** Resolves when a key is deleted after a revision. */
  async #deleted(key: Uint8Array, revision: bigint): Promise<void> {
    const id = ++this.#lastWatch
    const filters = Uint8Array.of(NO_PUTS)
    await new Promise<void>(resolve => {
      this.#watching.set(id, resolve)
      this.#watches.send(encode([1, encode([1, key], [3, revision], [5, filters], [7, id])]))
    })
    this.#watching.delete(id)
    this.#watches.send(encode([2, encode([1, id])]))
  }

  #onWatch(message: Fields): void {
    const isDeleted = messagesIn(message, 11).some(event => numberIn(event, 1) === DELETED)
    if (isDeleted) this.#watching.get(numberIn(message, 2))?.()
  }
}

/** The end of the range of all keys with this prefix. */
function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}

function open(session: ClientHttp2Session, method: string): ClientHttp2Stream {
  return session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `/etcdserverpb.${method}`,
    'content-type': 'application/grpc',
    te: 'trailers'
  })
}

/** Frames a message: not compressed, and its length. */
function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.alloc(5 + message.length)
  bytes.writeUInt32BE(message.length, 1)
  bytes.set(message, 5)
  return bytes
}

async function unary(session: ClientHttp2Session, method: string, message: Uint8Array): Promise<Fields> {
  const stream = open(session, method)
  const parts: Buffer[] = []
  return await new Promise<Fields>((resolve, reject) => {
    let status: unknown
    let problem: unknown
    const note = (headers: { [name: string]: unknown }): void => {
      status = headers['grpc-status'] ?? status
      problem = headers['grpc-message'] ?? problem
    }
    stream.on('response', note)
    stream.on('trailers', note)
    stream.on('data', (data: Buffer) => parts.push(data))
    stream.on('error', reject)
    stream.on('end', () => {
      if (status === '0') resolve(decode(Buffer.concat(parts).subarray(5)))
      else reject(new Error(`etcd answers ${method} with the status ${status}: ${problem}`))
    })
    stream.end(frame(message))
  })
}

/** A stream of messages in both directions. */
class GrpcStream {
  readonly #stream: ClientHttp2Stream
  #rest: Buffer = Buffer.alloc(0)

  constructor(session: ClientHttp2Session, method: string, onMessage: (message: Fields) => void) {
    this.#stream = open(session, method)
    // The connection may end before the stream does.
    this.#stream.on('error', () => {})
    this.#stream.on('data', (data: Buffer) => {
      this.#rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
      while (this.#rest.length >= 5) {
        const end = 5 + this.#rest.readUInt32BE(1)
        if (this.#rest.length < end) return
        onMessage(decode(this.#rest.subarray(5, end)))
        this.#rest = this.#rest.subarray(end)
      }
    })
  }

  send(message: Uint8Array): void {
    this.#stream.write(frame(message))
  }

  end(): void {
    this.#stream.close()
  }
}
