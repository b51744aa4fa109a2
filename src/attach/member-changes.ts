import type { Member } from '../membership/core/member.ts'

/**
 * Finds the members that change from one view to the next view. It forgets each member that the newest view does not
 * contain.
 */
export class MemberChanges {
  #seen = new Map<string, string>()

  /** Returns the members of the newest view that are new or have changed since the previous view. */
  next(members: readonly Member[]): Member[] {
    const before = this.#seen
    this.#seen = new Map(
      members.map(({ id, state, incarnation, revision }) => [id, `${state} ${incarnation} ${revision}`])
    )
    return members.filter(({ id }) => before.get(id) !== this.#seen.get(id))
  }
}
