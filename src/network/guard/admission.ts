import type { PeerIdString } from '../types.ts'

/** `join`: be a member, which computes and may lead; `submit`: give the cluster jobs, watch and cancel them. */
export type Right = 'join' | 'submit'

export const RIGHTS: readonly Right[] = ['join', 'submit']

/** Stands for all who are not listed by themselves. */
export const EVERYBODY = '*'

/** What somebody who has the cluster key may do. */
export interface AllowRule {
  /** A PeerId, or `*` for everybody who has no rule of its own. */
  peer: string
  /** What it may do; empty: nothing, not even connect. */
  may: readonly Right[]
}

/** Who may do what. Without rules everybody with the key may do all, as in a cluster of one user's machines. */
export class Admission {
  #rules: ReadonlyMap<PeerIdString, readonly Right[]> | undefined

  /** Puts rules in the place of those before; undefined: none. */
  set(rules: readonly AllowRule[] | undefined): void {
    this.#rules = rules && new Map(rules.map(({ peer, may }) => [peer, may]))
  }

  /** Whether there are rules at all. */
  get isLimited(): boolean {
    return this.#rules !== undefined
  }

  may(peer: PeerIdString, right: Right): boolean {
    return this.#rules === undefined || this.#of(peer).includes(right)
  }

  /** Whether a peer may do anything, and so connect. */
  admits(peer: PeerIdString): boolean {
    return this.#rules === undefined || this.#of(peer).length > 0
  }

  #of(peer: PeerIdString): readonly Right[] {
    return this.#rules?.get(peer) ?? this.#rules?.get(EVERYBODY) ?? []
  }
}
