import { expect, it } from 'vitest'
import { MemberChanges } from '../../src/attach/member-changes.ts'
import type { Member } from '../../src/membership/core/member.ts'

const member = (id: string, revision = 0): Member =>
  ({ id, state: 'alive', incarnation: 0, revision }) as Partial<Member> as Member

it('the first view gives every member as a change, and a later view gives only new and changed members', () => {
  const changes = new MemberChanges()
  const [a, b] = [member('a'), member('b')]
  expect(changes.next([a, b])).toEqual([a, b])
  expect(changes.next([a, b])).toEqual([])
  expect(changes.next([a, member('b', 1)])).toEqual([member('b', 1)])
})

it('a member that is missing from one view counts as new in the next view that contains it', () => {
  const changes = new MemberChanges()
  changes.next([member('a'), member('b')])
  expect(changes.next([member('b')])).toEqual([])
  expect(changes.next([member('a'), member('b')])).toEqual([member('a')])
})
