import type { PeerIdString } from '../types.ts'

/** `join`: be a member, which computes and may lead. `submit`: submit, watch and cancel jobs. */
export type Right = 'join' | 'submit'

export const RIGHTS: readonly Right[] = ['join', 'submit']

/** The `peer` of the rule for all peers without their own rule. */
export const EVERYBODY = '*'

/** The rights of a peer with the cluster key. */
export interface AllowRule {
  /** A PeerId, or `*` for every peer without its own rule. */
  peer: string
  /** The peer's rights; if empty, the peer may not even connect. */
  may: readonly Right[]
}

/** The allow list. Without one, every peer with the key has all rights, as in a cluster of one user's machines. */
export class Admission {
  #rules: ReadonlyMap<PeerIdString, readonly Right[]> | undefined

  /** Replaces the rules; undefined removes the list. */
  set(rules: readonly AllowRule[] | undefined): void {
    this.#rules = rules && new Map(rules.map(({ peer, may }) => [peer, may]))
  }

  /** Whether there is an allow list. */
  get isLimited(): boolean {
    return this.#rules !== undefined
  }

  may(peer: PeerIdString, right: Right): boolean {
    return this.#rules === undefined || this.#of(peer).includes(right)
  }

  /** Whether a peer has any right and may therefore connect. */
  admits(peer: PeerIdString): boolean {
    return this.#rules === undefined || this.#of(peer).length > 0
  }

  #of(peer: PeerIdString): readonly Right[] {
    return this.#rules?.get(peer) ?? this.#rules?.get(EVERYBODY) ?? []
  }
}
