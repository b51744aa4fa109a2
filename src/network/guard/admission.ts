import type { PeerIdString } from '../types.ts'

/** `join`: be a member, which computes and may lead; `submit`: give the cluster jobs, watch and cancel them. */
export type Right = 'join' | 'submit'

export const RIGHTS: readonly Right[] = ['join', 'submit']

/** Stands for all peers without a rule of their own. */
export const EVERYBODY = '*'

/** What a peer with the cluster key may do. */
export interface AllowRule {
  /** A PeerId, or `*` for every peer without a rule of its own. */
  peer: string
  /** Its rights; without any it may not even connect. */
  may: readonly Right[]
}

/** The allow list. Without one, every peer with the key has all rights, as in a cluster of one user's machines. */
export class Admission {
  #rules: ReadonlyMap<PeerIdString, readonly Right[]> | undefined

  /** Replaces the rules; undefined: there is no list. */
  set(rules: readonly AllowRule[] | undefined): void {
    this.#rules = rules && new Map(rules.map(({ peer, may }) => [peer, may]))
  }

  /** Whether there is a list. */
  get isLimited(): boolean {
    return this.#rules !== undefined
  }

  may(peer: PeerIdString, right: Right): boolean {
    return this.#rules === undefined || this.#of(peer).includes(right)
  }

  /** Whether a peer has any right, and so may connect. */
  admits(peer: PeerIdString): boolean {
    return this.#rules === undefined || this.#of(peer).length > 0
  }

  #of(peer: PeerIdString): readonly Right[] {
    return this.#rules?.get(peer) ?? this.#rules?.get(EVERYBODY) ?? []
  }
}
