import { isLive, type Member } from '../../membership/core/member.ts'
import type { Membership, MembershipEvents } from '../../membership/types.ts'

export interface CutOffInit {
  membership: Membership
  /** How long this peer may reach fewer than half of the members, in ms. */
  patience: number
  /** Called when this peer has reached fewer than half of the members for so long. */
  onCutOff: () => void
}

/**
 * Notices that a leader which still reaches the store has lost its cluster. The members of the leadership are all peers that were
 * live at any time since it began, this peer among them, except those that have left.
 */
export class CutOff {
  readonly #init: CutOffInit
  /** The members of the leadership, and whether this peer reaches them. */
  readonly #reached = new Map<string, boolean>()
  #timer: NodeJS.Timeout | undefined

  constructor(init: CutOffInit) {
    this.#init = init
  }

  /** Begins with the members of a new leadership. */
  begin(): void {
    this.end()
    const { membership } = this.#init
    for (const member of membership.members()) this.#update(member)
    membership.addEventListener('member', this.#onMember)
  }

  end(): void {
    this.#init.membership.removeEventListener('member', this.#onMember)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#reached.clear()
  }

  readonly #onMember = ({ detail }: MembershipEvents['member']): void => this.#update(detail.member)

  #update(member: Member): void {
    if (member.state === 'left') this.#reached.delete(member.id)
    else if (isLive(member) || this.#reached.has(member.id)) this.#reached.set(member.id, member.state === 'alive')
    const reached = [...this.#reached.values()].filter(isReached => isReached).length
    const isFew = reached * 2 < this.#reached.size
    if (!isFew) {
      clearTimeout(this.#timer)
      this.#timer = undefined
    } else this.#timer ??= setTimeout(() => this.#init.onCutOff(), this.#init.patience)
  }
}
