import type { Member } from '../membership/core/member.ts'

/** What is new in each view: of a member that a view lacks nothing is kept, however many come and go. */
export class MemberChanges {
  #seen = new Map<string, string>()

  /** Those of the newest view that were not in the one before, or have changed since. */
  next(members: readonly Member[]): Member[] {
    const before = this.#seen
    this.#seen = new Map(
      members.map(({ id, state, incarnation, revision }) => [id, `${state} ${incarnation} ${revision}`])
    )
    return members.filter(({ id }) => before.get(id) !== this.#seen.get(id))
  }
}
