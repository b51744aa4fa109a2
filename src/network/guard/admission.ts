import type { PeerIdString } from '../types.ts'

/** `join`: the right to be a member, which computes and may lead. `submit`: the right to submit, watch and cancel jobs. */
export type Right = 'join' | 'submit'

export const RIGHTS: readonly Right[] = ['join', 'submit']

/** The value of `peer` in the rule for all peers that have no rule of their own. */
export const EVERYBODY = '*'

/** A rule of the allow list: the rights of a peer that has the cluster key. */
export interface AllowRule {
  /** A PeerId, or `*` for every peer that has no rule of its own. */
  peer: string
  /** The peer's rights. If the list is empty, the peer may not connect. */
  may: readonly Right[]
}

/** The allow list. Without an allow list, every peer with the key has all rights, as in a cluster of one user's machines. */
export class Admission {
  #rules: ReadonlyMap<PeerIdString, readonly Right[]> | undefined

  /** Replaces the rules. Undefined removes the allow list. */
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
