/**
 * Every limit on input from other hosts and peers, in the order in which input passes the limits. The amounts are in common/limits.ts and
 * docs/limits.md.
 *
 * | what arrives                   | limit                                                            | file                             |
 * |--------------------------------|------------------------------------------------------------------|----------------------------------|
 * | a TCP connection               | 1,000 handshakes at a time; above: the busiest host loses one    | pending-handshakes.ts            |
 * |                                | 1 handshake a second from the host of a blocked peer             | handshake-limiter.ts             |
 * | each step of the handshake     | 2 s for each step, 10 s for the handshake                        | ../transport/handshake-timeout.ts|
 * | the cluster key                | one of this peer's keys                                          | ../transport/handshake.ts        |
 * | a PeerId                       | the PeerId is on the allow list, and is not blocked              | admission.ts, rate-limiter.ts    |
 * |                                | `connections` at a time                                          | guard.ts                         |
 * | a stream of a protocol         | the right for the protocol, `streams` at a time, a rate          | ../channel/peer-protocol.ts      |
 * | a frame                        | 64 KiB, and the window of its channel                            | ../channel/frame-format.ts       |
 * | a message                      | the size and rate of the protocol, `inboxBytes` for each peer    | ../channel/inbox.ts              |
 * | gossip                         | rates for own and relayed messages, known topics, a size         | gossip-filter.ts, gossip-rpc.ts  |
 * | a peer that mDNS found         | `heard` such peers                                               | ../discovery/discovered-peers.ts |
 * | an address of a peer           | `addresses` for each peer                                        | ../discovery/address-book.ts     |
 * | a peer that reads slowly       | at most `outboxBytes` wait, for at most `slowReaderMs`           | ../channel/outbox.ts             |
 *
 * A peer that exceeds its rates more often than `floodTolerance` is blocked (rate-limiter.ts). Every refusal is counted (refusals.ts).
 */
import type { Connection, ConnectionGater } from '@libp2p/interface'
import type { Multiaddr } from '@multiformats/multiaddr'
import { InvalidOptionError, NotAdmittedError, P2pWorkerError } from '../../common/errors.ts'
import type { Limits } from '../../common/limits.ts'
import { type ClusterKey, clusterIdentity } from '../cluster-key.ts'
import { hostAndPort } from '../multiaddr.ts'
import type { KeyRing } from '../transport/key-ring.ts'
import type { PeerIdString } from '../types.ts'
import { Admission } from './admission.ts'
import { ByteBudget } from './byte-budget.ts'
import { HandshakeLimiter } from './handshake-limiter.ts'
import { KeysInUse } from './keys-in-use.ts'
import { PendingHandshakes } from './pending-handshakes.ts'
import { RateLimiter } from './rate-limiter.ts'
import { Refusals } from './refusals.ts'

export class Guard {
  readonly limits: Limits
  /** The keys of the cluster. Undefined for an insecure cluster. */
  readonly keys: KeyRing | undefined
  readonly refusals = new Refusals()
  readonly admission = new Admission()
  readonly rateLimiter: RateLimiter
  /** The budget of each peer for unhandled messages. */
  readonly inboxes: ByteBudget
  readonly #keysInUse = new KeysInUse()
  readonly #handshakeLimiter = new HandshakeLimiter()
  readonly #pendingHandshakes = new PendingHandshakes(host =>
    this.refusals.count('rate', host, `more handshakes with ${host} at a time than there is room for`)
  )

  /** @param onBlock - called when a flooding peer is blocked for `ms`; must close the connections of that peer */
  constructor(limits: Limits, keys: KeyRing | undefined, onBlock: (peer: PeerIdString, ms: number) => void) {
    this.limits = limits
    this.keys = keys
    this.rateLimiter = new RateLimiter(limits, onBlock)
    this.inboxes = new ByteBudget(limits.inboxBytes)
  }

  /**
   * Returns the gater, which refuses connections before the handshake, and dials of peers that may not connect. A dialling peer that is missing on the allow
   * list learns the reason from the handshake.
   *
   * @param denyOutbound - returns whether to end an outbound connection after its handshake for another reason
   */
  gater(denyOutbound: ConnectionGater['denyOutboundEncryptedConnection']): ConnectionGater {
    return {
      denyInboundConnection: async connection => {
        this.#pendingHandshakes.add(connection)
        const { host } = hostAndPort(connection.remoteAddr)
        if (await this.#handshakeLimiter.admits(host)) return false
        this.refusals.count('rate', host, `more connections from ${host}, where a peer floods, than are let in`)
        return true
      },
      denyDialPeer: peer => !this.admission.admits(peer.toString()) || this.rateLimiter.blockedFor(peer.toString()) > 0,
      denyOutboundEncryptedConnection: async (peer, connection) =>
        (await denyOutbound?.(peer, connection)) === true || !this.admission.admits(peer.toString())
    }
  }

  /** Records the key that the connection to this address uses. */
  onKey(address: Multiaddr, keyId: string): void {
    this.#keysInUse.add(address, keyId)
  }

  /**
   * Replaces the keys, and ends connections that use other keys.
   *
   * @throws InvalidOptionError if a key belongs to another cluster
   */
  setKeys(
    key: ClusterKey | readonly ClusterKey[],
    { cluster, clusterId, open }: { cluster: string; clusterId: string; open: readonly Connection[] }
  ): void {
    const { clusterId: id, psks } = clusterIdentity(cluster, key)
    if (this.keys === undefined)
      throw new InvalidOptionError('a peer that joined without a key cannot get one while it runs')
    if (id !== clusterId) {
      throw new InvalidOptionError(
        'this key is of another cluster: one that takes the place of another is made by `p2p-worker keygen --replace FILE --cluster NAME`'
      )
    }
    this.keys.set(psks)
    for (const connection of open) if (!this.#hasCurrentKey(connection)) connection.abort(oldKey(connection))
  }

  /** Returns whether a new connection may stay, and ends the connection otherwise. `others` is the number of older connections to the same peer. */
  admits(connection: Connection, peer: PeerIdString, others: number): boolean {
    const { remoteAddr } = connection
    if (connection.direction === 'inbound') this.#pendingHandshakes.finish(remoteAddr)
    if (this.rateLimiter.blockedFor(peer) > 0) {
      this.limitHandshakes(peer, remoteAddr)
      connection.abort(new P2pWorkerError(`${peer} floods this peer`))
      return false
    }
    // Check again: the keys and the allow list may have changed since the handshake began.
    if (!this.admission.admits(peer)) {
      const error = new NotAdmittedError(`${peer} is not on the allow list any more`)
      return this.#refuse(connection, 'unlisted', peer, error.message, error)
    }
    if (!this.#hasCurrentKey(connection)) {
      const { host } = hostAndPort(remoteAddr)
      const detail = `${host} connected with a key that is not used any more`
      return this.#refuse(connection, 'key', host, detail, oldKey(connection))
    }
    const { connections } = this.limits
    if (others < connections) return true
    const error = new P2pWorkerError(`there are ${connections} connections to ${peer}`)
    return this.#refuse(connection, 'rate', peer, `more than ${connections} connections at a time`, error)
  }

  /** Limits handshakes from the address of a blocked peer for as long as the peer is blocked. */
  limitHandshakes(peer: PeerIdString, address: Multiaddr): void {
    this.#handshakeLimiter.limit(hostAndPort(address).host, this.rateLimiter.blockedFor(peer))
  }

  /** Forgets the key of a closed connection. */
  onClose({ remoteAddr }: Connection): void {
    this.#keysInUse.delete(remoteAddr)
  }

  stop(): void {
    this.#handshakeLimiter.stop()
  }

  #refuse(
    connection: Connection,
    kind: 'key' | 'unlisted' | 'rate',
    from: string,
    detail: string,
    error: Error
  ): false {
    this.refusals.count(kind, from, detail)
    connection.abort(error)
    return false
  }

  /** Whether a connection uses a current key. Returns false if the key of the connection is not remembered, so that the connection is replaced. */
  #hasCurrentKey({ remoteAddr }: Connection): boolean {
    if (this.keys === undefined) return true
    const id = this.#keysInUse.get(remoteAddr)
    return id !== undefined && this.keys.has(id)
  }
}

function oldKey({ remotePeer }: Connection): NotAdmittedError {
  return new NotAdmittedError(`the key of this connection to ${remotePeer} is not used any more`)
}
