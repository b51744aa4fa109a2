import type { Subject } from '../subject.ts'
import { attach, history, overview } from './asking.ts'
import { election, leader } from './election.ts'
import { journal, submit, work } from './jobs.ts'
import { locks } from './locks.ts'
import { schedules } from './schedules.ts'
import { members, swim } from './swim.ts'

/** All protocols and topics that a peer or a client registers. test/fuzz/coverage.test.ts checks that this list is complete. */
export const SUBJECTS: readonly Subject[] = [
  swim,
  members,
  election,
  leader,
  history,
  attach,
  work,
  submit,
  overview,
  journal,
  locks,
  schedules
]
