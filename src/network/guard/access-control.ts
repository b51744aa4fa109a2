/** Who is let in: by the allow list, with which key, and not while it floods. */
import type { Connection, ConnectionGater } from '@libp2p/interface'
import { InvalidOptionError, NotAdmittedError, P2pWorkerError } from '../../common/errors.ts'
import type { Limits } from '../../common/limits.ts'
import { type ClusterKey, clusterIdentity } from '../cluster-key.ts'
import type { CrashProbe } from '../crash-probe.ts'
import { hostAndPort } from '../multiaddr.ts'
import type { KeyRing } from '../transport/key-ring.ts'
import type { PeerIdString } from '../types.ts'
import type { Admission } from './admission.ts'
import type { HandshakeLimiter } from './handshake-limiter.ts'
import type { KeysInUse } from './keys-in-use.ts'
import { PendingHandshakes } from './pending-handshakes.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { Refusals } from './refusals.ts'

export interface AccessParts {
  refusals: Refusals
  admission: Admission
  /** Undefined for an insecure cluster. */
  keys: KeyRing | undefined
  keysInUse: KeysInUse
  limits: Limits
  gate: RateLimiter
  doorstep: HandshakeLimiter
}

export class Access {
  readonly refusals: Refusals
  readonly admission: Admission
  readonly limits: Limits
  readonly gate: RateLimiter
  readonly doorstep: HandshakeLimiter
  readonly #keys: KeyRing | undefined
  readonly #keysInUse: KeysInUse
  readonly #slots: PendingHandshakes

  constructor({ refusals, admission, keys, keysInUse, limits, gate, doorstep }: AccessParts) {
    this.refusals = refusals
    this.admission = admission
    this.limits = limits
    this.gate = gate
    this.doorstep = doorstep
    this.#keys = keys
    this.#keysInUse = keysInUse
    this.#slots = new PendingHandshakes(host =>
      refusals.count('rate', host, `more handshakes with ${host} at a time than there is room for`)
    )
  }

  /** Those who are not on the list, or flood, are not dialled, and not kept where they answer; who dials this peer is told by the handshake. */
  gater({ gater }: CrashProbe): ConnectionGater {
    const { admission, doorstep, gate, refusals } = this
    return {
      denyInboundConnection: async connection => {
        this.#slots.begun(connection)
        const { host } = hostAndPort(connection.remoteAddr)
        if (await doorstep.admits(host)) return false
        refusals.count('rate', host, `more connections from ${host}, from where somebody floods, than are let in`)
        return true
      },
      denyDialPeer: peer => !admission.admits(peer.toString()) || gate.isShut(peer.toString()),
      denyOutboundEncryptedConnection: async (peer, connection) =>
        (await gater.denyOutboundEncryptedConnection?.(peer, connection)) === true || !admission.admits(peer.toString())
    }
  }

  /**
   * Puts other keys in the place of those before; connections of keys that are not used any more end.
   *
   * @throws InvalidOptionError when a key is of another cluster
   */
  setKeys(
    key: ClusterKey | readonly ClusterKey[],
    { cluster, clusterId, open }: { cluster: string; clusterId: string; open: readonly Connection[] }
  ): void {
    const { clusterId: id, psks } = clusterIdentity(cluster, key)
    const keys = this.#keys
    if (keys === undefined)
      throw new InvalidOptionError('a cluster that was joined without a key gets none while it runs')
    if (id !== clusterId) {
      throw new InvalidOptionError(
        'this key is of another cluster: one that takes the place of another is made by `p2p-worker keygen --replace FILE --cluster NAME`'
      )
    }
    keys.set(psks)
    for (const connection of open) {
      if (!this.#hasUsedKey(connection)) {
        connection.abort(
          new NotAdmittedError(`the key of this connection to ${connection.remotePeer} is not used any more`)
        )
      }
    }
  }

  /** Whether a connection that has just been made may stay; `others`: how many to that peer there are. One that may not is ended. */
  admits(connection: Connection, peer: PeerIdString, others: number): boolean {
    if (connection.direction === 'inbound') this.#slots.done(connection.remoteAddr)
    if (this.gate.isShut(peer)) {
      this.doorstep.watch(hostAndPort(connection.remoteAddr).host, this.gate.shutFor(peer))
      connection.abort(new P2pWorkerError(`${peer} floods this peer`))
      return false
    }
    if (!this.#stillAdmits(connection, peer)) return false
    const { connections } = this.limits
    if (others < connections) return true
    this.refusals.count('rate', peer, `more than ${connections} connections at a time`)
    connection.abort(new P2pWorkerError(`there are ${connections} connections to ${peer}`))
    return false
  }

  /** A connection is gone. */
  ended({ remoteAddr }: Connection): void {
    this.#keysInUse.ended(remoteAddr)
  }

  /** What the handshake began with may not be let in any more when it ends: `setAccess` only sees connections that are open. */
  #stillAdmits(connection: Connection, peer: PeerIdString): boolean {
    if (!this.admission.admits(peer)) {
      this.refusals.count('unlisted', peer, `${peer} is not on the allow list any more`)
      connection.abort(new NotAdmittedError(`${peer} is not on the allow list any more`))
      return false
    }
    if (this.#hasUsedKey(connection)) return true
    const { host } = hostAndPort(connection.remoteAddr)
    this.refusals.count('key', host, `${host} connected with a key that is not used any more`)
    connection.abort(new NotAdmittedError(`the key of this connection to ${peer} is not used any more`))
    return false
  }

  /** Whether a connection was made with one of the present keys. One of which it is not known is made anew. */
  #hasUsedKey({ remoteAddr }: Connection): boolean {
    if (this.#keys === undefined) return true
    const id = this.#keysInUse.of(remoteAddr)
    return id !== undefined && this.#keys.has(id)
  }
}
