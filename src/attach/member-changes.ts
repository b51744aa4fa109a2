import type { Member } from '../membership/core/member.ts'

/** The changes from view to view. Keeps nothing of a member that the newest view lacks. */
export class MemberChanges {
  #seen = new Map<string, string>()

  /** The members of the newest view that are new or have changed since the one before. */
  next(members: readonly Member[]): Member[] {
    const before = this.#seen
    this.#seen = new Map(
      members.map(({ id, state, incarnation, revision }) => [id, `${state} ${incarnation} ${revision}`])
    )
    return members.filter(({ id }) => before.get(id) !== this.#seen.get(id))
  }
}
